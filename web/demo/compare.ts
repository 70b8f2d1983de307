/** One question, two factories, two lists. */

import { bytes, type HinnySearch, parseFactory } from "hinny";
import type { Factory } from "../../worker/src/api";
import { h } from "../src/dom";
import { byId } from "./dom";
import { FACTORIES, missingBytes, nameOf } from "./names";
import { recordedQuestions } from "./recorded";

const FIRST = "how do I find out which query is slow";

export function setUpCompare(): void {
  const input = byId<HTMLInputElement>("compare-input");
  const place = byId("compare-columns");
  /** Recorded questions by their text. */
  const recorded = new Map<string, string>();
  const columns = (["lexical-only", "semantic"] as const).map(
    (factory) => new Column(place, factory, recorded),
  );
  const ask = () => {
    for (const column of columns) column.ask(input.value);
  };
  input.addEventListener("input", ask);
  byId("compare-form").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  const markDifferences = () => {
    const [left, right] = columns.map(({ search }) => (search.view?.results ?? []).map(({ id }) => id));
    if (!left || !right) return;
    columns[0]?.search.markOnlyHere(new Set(right));
    columns[1]?.search.markOnlyHere(new Set(left));
  };
  for (const { search } of columns)
    search.addEventListener("hinny-answer", () => requestAnimationFrame(markDifferences));
  input.value = document.querySelector<HinnySearch>("#search")?.query || FIRST;
  void recordedQuestions().then((questions) => {
    const list = byId("compare-questions");
    for (const { id, text } of questions) {
      recorded.set(text, id);
      const button = h("button", { type: "button", class: "chip" }, text);
      button.addEventListener("click", () => {
        input.value = text;
        ask();
      });
      list.append(h("li", {}, button));
    }
    list.hidden = !questions.length;
    ask();
  });
  input.focus();
}

class Column {
  readonly search: HinnySearch;
  readonly #select = h("select", { "aria-label": "How to search" });
  readonly #reason = h("p", { class: "reason", role: "status" });
  #text = "";
  #known = false;

  constructor(
    place: HTMLElement,
    first: Factory,
    private readonly recorded: ReadonlyMap<string, string>,
  ) {
    for (const { id, name } of FACTORIES) this.#select.append(h("option", { value: id }, name));
    this.#select.value = first;
    this.search = h("hinny-search", {
      bundle: "./",
      lang: "en",
      factory: "lexical-only",
      box: "none",
      "deep-link": "off",
      shortcut: "none",
    });
    place.append(h("div", { class: "column" }, this.#select, this.#reason, this.search));
    this.#select.addEventListener("change", () => this.ask(this.#text));
    this.search.addEventListener("hinny-phase", () => {
      // What there is to choose is known once the core is up.
      if (this.#known || !this.search.info) return this.#offer();
      this.#known = true;
      this.ask(this.#text);
    });
  }

  /** By the chosen factory where its model is here, or the question is a recorded one; else by words. */
  ask(text: string): void {
    this.#text = text;
    const chosen = this.#chosen();
    const id = this.recorded.get(text);
    if (id !== undefined && chosen.id !== "lexical-only" && chosen.found?.available) {
      this.search.askRecorded(id, text, chosen.id);
    } else {
      const wanted = chosen.free || this.search.factory === chosen.id;
      const factory = wanted ? chosen.id : "lexical-only";
      if (this.search.factory !== factory) this.search.factory = factory;
      this.search.query = text;
    }
    this.#offer();
  }

  #chosen() {
    const id = parseFactory(this.#select.value) ?? "lexical-only";
    const found = this.search.info?.factories.find((candidate) => candidate.id === id);
    const free = id === "lexical-only" || (found?.available === true && missingBytes(found) === 0);
    return { id, found, free };
  }

  /** Which of the above it is, and what it would take to be the first. */
  #offer(): void {
    const { id, found, free } = this.#chosen();
    const line: (Node | string)[] = [];
    if (id !== "lexical-only" && found && !found.available) {
      line.push(`\u201c${nameOf(id)}\u201d is not here: ${found.reason ?? "no reason given"}. Words only.`);
    } else if (found && !free) {
      const size = bytes(missingBytes(found), "en");
      const button = h("button", { type: "button", class: "plain" }, `Download its model, ${size}`);
      button.addEventListener("click", () => {
        this.search.factory = id;
        this.search.query = this.#text;
        this.#reason.replaceChildren("The model is on its way; words answer meanwhile.");
      });
      const recorded = this.recorded.has(this.#text);
      const said = recorded
        ? "A recorded question: no model was loaded. "
        : "Words only until its model is here. ";
      if (this.search.factory === id) line.push("The model is on its way; words answer meanwhile.");
      else line.push(said, button);
    }
    this.#reason.replaceChildren(...line);
  }
}
