/** The search view: the element, the factory picker, a few questions to begin with. */

import { type HinnySearch, parseFactory } from "hinny";
import type { Factory } from "../../worker/src/api";
import { h } from "../src/dom";
import { byId } from "./dom";
import { nameOf } from "./names";
import { Picker } from "./picker";
import { rankedBy, recordedQuestions } from "./recorded";

export function setUpSearch(): void {
  const search = byId<HinnySearch>("search");
  const ideas = byId("ideas");
  const picker = setUpPicker(search);
  const refresh = () => {
    const typed = search.query.trim() !== "";
    ideas.hidden = typed;
    // While there are hits to read, only the choices stay; the lines about them come back with an empty box.
    byId("picker").classList.toggle("searching", typed);
  };
  ideas.addEventListener("click", (event) => {
    const query = (event.target as Element).closest<HTMLElement>("[data-query]")?.dataset.query;
    if (query === undefined) return;
    search.query = query;
    search.focus();
    refresh();
  });
  for (const name of ["input", "click", "hinny-answer", "hinny-phase", "keyup"])
    search.addEventListener(name, refresh);
  search.addEventListener("hinny-answer", () => bringUp(search));
  window.addEventListener("popstate", () => queueMicrotask(refresh));
  window.addEventListener("hashchange", () => picker.show());
  void setUpRecorded(search, refresh);
  refresh();
}

/** On a small screen the hits of somebody who types stand below the box, and the box at the top. */
function bringUp(search: HinnySearch): void {
  if (!matchMedia("(max-width: 40rem)").matches || !search.matches(":focus-within")) return;
  const top = search.getBoundingClientRect().top;
  // Who has scrolled on is reading.
  if (top > 16) scrollBy({ top: top - 10 });
}

function setUpPicker(search: HinnySearch): Picker {
  const picker = new Picker(byId("picker"), {
    group: "factory",
    explained: true,
    factories: () => search.info?.factories ?? null,
    chosen: () => search.factory,
    use: (id) => {
      search.factory = id;
      const url = new URL(location.href);
      url.searchParams.set("factory", id);
      history.replaceState(history.state, "", url);
    },
  });
  // The address may name a factory; what takes a download is asked about like any other choice.
  const follow = () => {
    const named = parseFactory(new URL(location.href).searchParams.get("factory")) ?? "lexical-only";
    if (named === "lexical-only") search.factory = named;
    else if (named !== search.factory && search.info) picker.choose(named);
    picker.show();
  };
  let known = false;
  search.addEventListener("hinny-phase", () => {
    if (!known && search.info) {
      known = true;
      follow();
    } else picker.show();
  });
  window.addEventListener("popstate", follow);
  follow();
  return picker;
}

async function setUpRecorded(search: HinnySearch, refresh: () => void): Promise<void> {
  const questions = await recordedQuestions();
  const place = byId("recorded");
  place.hidden = !questions.length;
  const list = place.querySelector("ul");
  for (const { id, text } of questions) {
    const button = h("button", { type: "button", class: "plain", "data-recorded": id }, text);
    button.addEventListener("click", () => void ask(id, text));
    list?.append(h("li", {}, button));
  }
  const note = byId("recorded-note");
  let asked: { text: string; chosen: Factory } | null = null;
  const say = (factory: Factory) => {
    note.textContent = `Ranked by \u201c${nameOf(factory)}\u201d with this question\u2019s recorded vector: no model was loaded.`;
  };
  const ask = async (id: string, text: string) => {
    await search.start();
    const factory = rankedBy(search.info?.factories ?? [], search.factory);
    if (factory) {
      search.askRecorded(id, text, factory);
      say(factory);
      asked = { text, chosen: search.factory };
    } else search.query = text;
    search.focus();
    refresh();
    note.hidden = asked === null;
  };
  // The line goes with the question that it is about.
  const check = () => {
    if (search.query !== asked?.text || search.factory !== asked.chosen) asked = null;
    note.hidden = asked === null;
  };
  for (const name of ["input", "hinny-answer", "hinny-phase"]) search.addEventListener(name, check);
}
