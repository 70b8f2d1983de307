/** The search view: the element, the factory picker, a few questions to begin with. */

import type { HinnySearch } from "hinny";
import { byId } from "./dom";
import { setUpPicker } from "./picker";

export function setUpSearch(): void {
  const search = byId<HinnySearch>("search");
  const ideas = byId("ideas");
  const refresh = () => {
    ideas.hidden = search.query.trim() !== "";
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
  window.addEventListener("popstate", () => queueMicrotask(refresh));
  setUpPicker(byId("picker"), search);
  refresh();
}
