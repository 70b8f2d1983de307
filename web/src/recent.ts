/** What was searched for in a dialog and led to a hit: offered while its box is empty, kept on this device. */

import { h, icon } from "./dom";
import type { Texts } from "./texts";

const KEY = "hinny-recent";
const MOST = 5;
const LONGEST = 100;

/** The newest first; none where nothing may be stored. */
export function recentQueries(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    if (!Array.isArray(kept)) return [];
    return kept.filter((query) => typeof query === "string" && query.length <= LONGEST).slice(0, MOST);
  } catch {
    return [];
  }
}

export function rememberQuery(query: string): void {
  const text = query.trim();
  if (!text || text.length > LONGEST) return;
  try {
    const others = recentQueries().filter((other) => other !== text);
    localStorage.setItem(KEY, JSON.stringify([text, ...others].slice(0, MOST)));
  } catch {
    // A courtesy, no more.
  }
}

export function forgetQueries(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

/** As rows of the grid, so that the keys that move through hits move through them. */
export function recentRows(queries: readonly string[], texts: Texts): HTMLElement | null {
  if (!queries.length) return null;
  const group = h("div", { role: "rowgroup", class: "group recent", "aria-label": texts.recent });
  const title = h("div", { role: "gridcell", class: "recent-title" }, texts.recent);
  group.append(h("div", { role: "row" }, title));
  queries.forEach((query, row) => {
    const button = h("button", { type: "button", class: "hit", "data-query": query }, icon("search"));
    button.append(h("bdi", {}, query));
    const cell = h("div", { role: "gridcell", class: "cell", id: `row-${row}` }, button);
    group.append(h("div", { role: "row", class: "row", "data-row": row }, cell));
  });
  const forget = h("button", { type: "button", class: "link-button", "data-action": "forget" }, texts.forget);
  const cell = h("div", { role: "gridcell", class: "cell", id: `row-${queries.length}` }, forget);
  group.append(h("div", { role: "row", class: "row", "data-row": queries.length }, cell));
  return group;
}
