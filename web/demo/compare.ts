/** One question, two factories, two lists. */

import { type HinnySearch, parseFactory } from "hinny";
import type { Factory } from "../../worker/src/api";
import { h } from "../src/dom";
import { byId } from "./dom";
import { FACTORIES } from "./names";

export function setUpCompare(): void {
  const input = byId<HTMLInputElement>("compare-input");
  const columns = byId("compare-columns");
  const searches = (["lexical-only", "tiny"] as const).map((factory) => column(columns, factory));
  const ask = () => {
    for (const search of searches) search.query = input.value;
  };
  input.addEventListener("input", ask);
  byId("compare-form").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  const markDifferences = () => {
    const [left, right] = searches.map((search) => (search.view?.results ?? []).map((result) => result.id));
    if (!left || !right) return;
    searches[0]?.markOnlyHere(new Set(right));
    searches[1]?.markOnlyHere(new Set(left));
  };
  for (const search of searches)
    search.addEventListener("hinny-answer", () => requestAnimationFrame(markDifferences));
  input.value =
    document.querySelector<HinnySearch>("#search")?.query || "how do I find out which query is slow";
  ask();
  input.focus();
}

function column(place: HTMLElement, factory: Factory): HinnySearch {
  const select = h("select", { "aria-label": "Factory" });
  for (const { id, name } of FACTORIES) select.append(h("option", { value: id }, name));
  const reason = h("p", { class: "reason", role: "status" });
  const search = h("hinny-search", {
    bundle: "./",
    lang: "en",
    factory: "lexical-only",
    box: "none",
    "deep-link": "off",
    shortcut: "none",
  });
  place.append(h("div", { class: "column" }, select, reason, search));
  const choose = (wanted: Factory) => {
    const found = search.info?.factories.find((candidate) => candidate.id === wanted);
    if (found && !found.available) {
      reason.textContent = `Not available here: ${found.reason ?? "this bundle was built without it."}`;
      return;
    }
    reason.textContent = "";
    search.factory = wanted;
  };
  select.value = factory;
  select.addEventListener("change", () => choose(parseFactory(select.value) ?? "lexical-only"));
  search.addEventListener("hinny-phase", () => {
    if (search.view?.phase !== "ready") return;
    const found = search.info?.factories.find((candidate) => candidate.id === select.value);
    // Nothing neural is downloaded before it is asked for: a model that is not here waits for a choice.
    const free = found?.available && found.models.every((model) => model.cached);
    if (free) choose(found.id);
    else if (found && !found.available) {
      const name = FACTORIES.find(({ id }) => id === found.id)?.name ?? found.id;
      reason.textContent = `\u201c${name}\u201d is not available: ${found.reason ?? "no reason given"}. Words only here.`;
      select.value = "lexical-only";
    } else if (found) {
      reason.textContent = "Choose this factory again to download its model; until then, words only.";
      select.value = "lexical-only";
    }
  });
  return search;
}
