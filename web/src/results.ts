/** Hits as rows of a grid: one row group a page, one row a section, a cell that opens and a cell that explains. */

import type { MarkedText, Result } from "../../worker/src/api";
import { h, icon } from "./dom";
import { groupByPage, type PageGroup } from "./groups";
import { safeUrl, withPassage } from "./links";
import { clip, fromFirstMark, markedNodes, plain } from "./marks";
import { plural, type Texts } from "./texts";

/** Hits of one page that stand open; the others wait behind "n more on this page". */
const OPEN_PER_PAGE = 3;
const LONGEST_TITLE = 200;
const LONGEST_EXCERPT = 600;
/** A further section of a page has one line: its first match has to be near the beginning. */
const SUB_ROOM = 32;

export interface RenderOptions {
  texts: Texts;
  lang: string;
  siteBase: string;
  /** Explanations exist only for answers of the core. */
  explainable: boolean;
  /** Pages whose further hits are shown. */
  openPages: ReadonlySet<string>;
}

export function renderGroups(results: readonly Result[], options: RenderOptions): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let row = 0;
  for (const group of groupByPage(results)) {
    const element = h("div", {
      role: "rowgroup",
      class: "group",
      part: "group",
      "aria-label": clip(group.best.pageTitle, LONGEST_TITLE).text || group.page,
    });
    element.append(renderRow(group.best, "best", row++, options));
    const open = options.openPages.has(group.page) || group.others.length <= OPEN_PER_PAGE + 1;
    const shown = open ? group.others : group.others.slice(0, OPEN_PER_PAGE);
    for (const result of shown) element.append(renderRow(result, "sub", row++, options));
    if (shown.length < group.others.length) {
      element.append(renderMore(group, group.others.length - shown.length, row++, options));
    }
    fragment.append(element);
  }
  return fragment;
}

function renderMore(group: PageGroup, hidden: number, row: number, options: RenderOptions): HTMLElement {
  const button = h(
    "button",
    { type: "button", class: "in-page", "data-page": group.page },
    plural(options.texts.inPage, hidden, options.lang),
  );
  return h(
    "div",
    { role: "row", class: "row", "data-row": row },
    h("div", { role: "gridcell", class: "cell", id: `row-${row}` }, button),
  );
}

function renderRow(result: Result, kind: "best" | "sub", row: number, options: RenderOptions): HTMLElement {
  const href = safeUrl(result.url, options.siteBase);
  const content = kind === "best" ? bestContent(result, options) : subContent(result);
  const link = href
    ? h("a", { class: "hit", part: "hit", href: withPassage(href, result.excerpt), "data-id": result.id })
    : h("span", { class: "hit unlinked", part: "hit", title: options.texts.unlinked });
  link.append(...content);
  const language = result.language ?? undefined;
  const cell = h(
    "div",
    { role: "gridcell", class: "cell", id: `row-${row}`, lang: language, "data-open": true },
    link,
  );
  const element = h(
    "div",
    { role: "row", class: `row ${kind}`, part: `row ${kind}`, "data-row": row, "data-id": result.id },
    cell,
  );
  if (options.explainable) {
    const name = headingOf(result).text || result.pageTitle.text;
    const why = h(
      "button",
      {
        type: "button",
        class: "why-button",
        part: "why-button",
        "aria-expanded": "false",
        "aria-label": `${options.texts.why} ${clip(plain(name), LONGEST_TITLE).text}`,
        title: options.texts.why,
      },
      icon("why"),
    );
    element.append(h("div", { role: "gridcell", class: "why-cell", id: `why-${row}` }, why));
  }
  return element;
}

function headingOf(result: Result): MarkedText {
  return result.headings.at(-1) ?? result.pageTitle;
}

/** An isolated run: bidirectional controls inside it end with it. */
function isolated(marked: MarkedText, limit: number): HTMLElement {
  return h("bdi", {}, ...markedNodes(clip(marked, limit)));
}

function bestContent(result: Result, options: RenderOptions): Node[] {
  const title = h("span", { class: "title", part: "title" }, isolated(result.pageTitle, LONGEST_TITLE));
  const nodes: Node[] = [title];
  if (result.headings.length) nodes.push(headingPath(result.headings));
  if (result.excerpt.text) nodes.push(excerpt(result.excerpt));
  if (result.missing.length) nodes.push(missing(result.missing, options));
  return nodes;
}

/** What was typed and is not there, each word an isolated run. */
function missing(words: readonly string[], { texts, lang }: RenderOptions): HTMLElement {
  const line = h("span", { class: "missing", part: "missing", lang }, `${texts.missing} `);
  words.forEach((word, index) => {
    line.append(index ? ", " : "", h("bdi", {}, clip({ text: word, marks: [] }, LONGEST_TITLE).text));
  });
  return line;
}

function subContent(result: Result): Node[] {
  const path = result.headings.length ? headingPath(result.headings) : headingPath([result.pageTitle]);
  return result.excerpt.text ? [path, excerpt(fromFirstMark(result.excerpt, SUB_ROOM))] : [path];
}

function headingPath(headings: readonly MarkedText[]): HTMLElement {
  const path = h("span", { class: "path", part: "path" });
  headings.forEach((heading, index) => {
    if (index) path.append(h("span", { class: "step", "aria-hidden": "true" }, " \u203a "));
    path.append(isolated(heading, LONGEST_TITLE));
  });
  return path;
}

function excerpt(marked: MarkedText): HTMLElement {
  return h(
    "span",
    { class: "excerpt", part: "excerpt", dir: "auto" },
    ...markedNodes(clip(marked, LONGEST_EXCERPT)),
  );
}
