/** Plots of boxes with lengths set through the CSS object model: a strict policy allows no style attributes. */

import { h } from "../src/dom";

export interface Interval {
  label: string;
  middle: number;
  low: number;
  high: number;
}

/** A range that holds all values and 0, with a little room at both ends. */
export function rangeOf(values: readonly number[]): [low: number, high: number] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const room = (high - low || 1) * 0.06;
  return [low < 0 ? low - room : 0, high > 0 ? high + room : 0];
}

function placed(element: HTMLElement, from: number, to: number): HTMLElement {
  element.style.setProperty("--from", `${(from * 100).toFixed(2)}%`);
  element.style.setProperty("--length", `${(Math.max(0, to - from) * 100).toFixed(2)}%`);
  return element;
}

/** A dot with its interval on a line that is marked at zero; `range` is shared by all lines of a plot. */
export function intervalLine({ middle, low, high }: Interval, [from, to]: [number, number]): HTMLElement {
  const at = (value: number) => (value - from) / (to - from || 1);
  return h(
    "span",
    { class: "line", "aria-hidden": "true" },
    placed(h("i", { class: "zero" }), at(0), at(0)),
    placed(
      h("i", { class: low > 0 ? "whisker good" : high < 0 ? "whisker bad" : "whisker" }),
      at(low),
      at(high),
    ),
    placed(h("i", { class: "dot" }), at(middle), at(middle)),
  );
}

/** A bar to `middle` with a whisker to `high`, both shares of `most`. */
export function barLine(middle: number, high: number, most: number, own: boolean): HTMLElement {
  return h(
    "span",
    { class: "line", "aria-hidden": "true" },
    placed(h("i", { class: "whisker" }), middle / most, high / most),
    placed(h("i", { class: own ? "fill own" : "fill" }), 0, middle / most),
  );
}

/** A table whose first column names the row; cells in `plots` are pictures of the others. */
export function figureTable(
  caption: string,
  head: readonly string[],
  rows: readonly (string | Node)[][],
  numbers: ReadonlySet<number>,
): HTMLElement {
  const kind = (column: number) => (numbers.has(column) ? "number" : null);
  const top = h("tr");
  head.forEach((name, column) => {
    top.append(h("th", { scope: "col", class: kind(column) }, name));
  });
  const body = h("tbody");
  for (const [index, cells] of rows.entries()) {
    // A row that goes on in the next one, which has no name of its own, is not parted from it.
    const row = h("tr", { class: rows[index + 1]?.[0] === "" ? "same" : null });
    cells.forEach((cell, column) => {
      if (column === 0) row.append(h("th", { scope: "row" }, cell));
      else row.append(h("td", { class: kind(column) ?? (typeof cell === "string" ? null : "plot") }, cell));
    });
    body.append(row);
  }
  const table = h("table", {}, h("caption", {}, caption), h("thead", {}, top), body);
  return h("div", { class: "table figures", tabindex: 0, role: "region", "aria-label": caption }, table);
}
