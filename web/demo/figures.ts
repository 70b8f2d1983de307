/** Every figure of `bench/results/summary.json`, as names and bars. */

import { h } from "../src/dom";

/** Names gathered by what stands before their first `_` or `.`, in the order in which they come. */
export function grouped(summary: Record<string, unknown>): Map<string, [string, number][]> {
  const groups = new Map<string, [string, number][]>();
  for (const [name, value] of Object.entries(summary)) {
    if (typeof value !== "number" || !Number.isFinite(value)) continue;
    const group = /^[^_.]+/u.exec(name)?.[0] ?? name;
    const rows = groups.get(group) ?? [];
    rows.push([name, value]);
    groups.set(group, rows);
  }
  return groups;
}

/** Values of one scale may stand beside each other as bars: nDCG with nDCG, milliseconds with milliseconds. */
export function comparable(rows: readonly [string, number][]): boolean {
  const units = new Set(rows.map(([name]) => /_(?:ms|s|mb|kb|bytes|ratio)$/u.exec(name)?.[0] ?? ""));
  return rows.length > 1 && units.size === 1 && rows.every(([, value]) => value >= 0);
}

export function allFigures(summary: Record<string, number>): HTMLElement {
  const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
  const details = h("details", { class: "all" }, h("summary", {}, "All figures by name"));
  for (const [name, rows] of grouped(summary)) {
    const most = Math.max(...rows.map(([, value]) => value), Number.EPSILON);
    const bars = comparable(rows);
    const plot = h("div", { class: bars ? "names bars" : "names" });
    for (const [label, value] of rows) {
      plot.append(h("code", {}, label));
      if (bars) {
        const bar = h("span", { class: "bar" });
        bar.style.setProperty("--length", `${((value / most) * 100).toFixed(1)}%`);
        plot.append(bar);
      }
      plot.append(h("span", { class: "number" }, format.format(value)));
    }
    details.append(h("h3", {}, name), plot);
  }
  return details;
}
