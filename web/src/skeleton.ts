/** What an element consists of before a word is typed. */

import { h, icon } from "./dom";
import { direction, type Texts } from "./texts";

export interface SkeletonOptions {
  texts: Texts;
  lang: string;
  placeholder: string;
  /** Of the grid of results, for `aria-controls`. */
  gridId: string;
  dialog: boolean;
  /** A page may bring its own box and set `query`. */
  box: boolean;
  /** Whether a key opens or focuses this box. */
  shortcut: boolean;
}

export type Skeleton = ReturnType<typeof buildSkeleton>;

export function buildSkeleton(options: SkeletonOptions) {
  const { texts, lang, placeholder, gridId } = options;
  const search = buildBox(options);
  const status = h("div", { class: "status", part: "status" });
  const notices = h("div", { class: "notices", part: "notices" });
  const facets = h("div", { class: "facets", part: "facets", hidden: true });
  const results = h("div", {
    class: "results",
    part: "results",
    role: "grid",
    id: gridId,
    "aria-label": texts.results,
  });
  const empty = h("div", { class: "empty", part: "empty", hidden: true });
  const more = h("button", { type: "button", class: "more", part: "more", hidden: true }, texts.more);
  const live = h("div", { class: "live", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const controls = h("slot", { name: "controls" });
  const scroll = h("div", { class: "scroll" }, controls, status, notices, facets, results, empty, more);
  const place = { lang, dir: direction(lang) };
  const root = h("div", { class: "root", part: "root", ...place }, search.box, scroll);
  if (options.dialog) root.append(keysLine(texts));
  root.append(live);
  const parts = { ...search, root, status, notices, facets, results, empty, more, live, scroll };
  if (!options.dialog) return { ...parts, dialog: null, opener: null, outer: root as HTMLElement };
  const opener = h("button", { type: "button", class: "opener", part: "button", "aria-haspopup": "dialog" });
  opener.append(
    icon("search"),
    h("span", { class: "name" }, placeholder),
    h("kbd", { "aria-hidden": "true" }, shortcutName()),
  );
  const dialog = h("dialog", { part: "dialog", "aria-label": texts.label }, root);
  return { ...parts, dialog, opener, outer: h("div", place, opener, dialog) as HTMLElement };
}

function buildBox({ texts, placeholder, gridId, dialog, box: shown, shortcut }: SkeletonOptions) {
  const input = h("input", {
    class: "input",
    part: "input",
    type: "search",
    role: "combobox",
    "aria-label": texts.label,
    "aria-expanded": "false",
    "aria-controls": gridId,
    "aria-haspopup": "grid",
    "aria-autocomplete": "list",
    autocomplete: "off",
    autocapitalize: "none",
    autocorrect: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    maxlength: 10_000,
    placeholder,
    dir: "auto",
  });
  const clear = h("button", {
    type: "button",
    class: "clear",
    part: "clear",
    "aria-label": texts.clear,
    hidden: true,
  });
  clear.append(icon("clear"));
  const named = { role: "progressbar", "aria-label": texts.starting };
  const bar = h("div", { class: "progress", part: "progress", ...named, hidden: true }, h("span"));
  const key = h("kbd", { "aria-hidden": "true" }, dialog ? "Esc" : shortcutName());
  const closer = h("button", { type: "button", class: "closer", "aria-label": `${texts.close} Esc` }, key);
  const box = h("form", { class: "box", part: "box", role: "search" }, icon("search"), input, clear);
  if (dialog) box.append(closer);
  else if (shortcut) box.append(key);
  box.append(bar);
  box.hidden = !shown;
  return { box, input, clear, bar, closer };
}

function keysLine(texts: Texts): HTMLElement {
  return h(
    "div",
    { class: "keys", "aria-hidden": "true" },
    h("span", {}, h("kbd", {}, "\u2191"), h("kbd", {}, "\u2193"), texts.moveKey),
    h("span", {}, h("kbd", {}, "\u21b5"), texts.openKey),
    h("span", {}, h("kbd", {}, "\u2192"), texts.whyKey),
  );
}

function shortcutName(): string {
  return /mac|iphone|ipad/iu.test(navigator.platform) ? "\u2318K" : "Ctrl K";
}
