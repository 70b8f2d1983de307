/** `bench/results/summary.json`: one flat object of names and numbers, as tables and bars. */

import { h } from "../src/dom";
import { byId } from "./dom";

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

export async function showBenchmarks(): Promise<void> {
  const place = byId("benchmarks");
  let groups = new Map<string, [string, number][]>();
  try {
    const response = await fetch("./benchmarks.json");
    if (response.ok) groups = grouped((await response.json()) as Record<string, unknown>);
  } catch {
    // Offline before the first visit was over: the same as no results.
  }
  if (!groups.size) {
    const text = "This build carries no results. Run make bench, then make demo.";
    place.replaceChildren(h("p", { class: "quiet" }, text));
    return;
  }
  const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
  for (const [name, rows] of groups) {
    const most = Math.max(...rows.map(([, value]) => value), Number.EPSILON);
    const plot = h("div", { class: "plot" });
    for (const [label, value] of rows) {
      const bar = h("span", { class: "bar" });
      bar.style.setProperty("--length", `${((value / most) * 100).toFixed(1)}%`);
      plot.append(
        h("code", {}, label),
        comparable(rows) ? bar : h("span"),
        h("span", {}, format.format(value)),
      );
    }
    place.append(h("h2", {}, name), plot);
  }
}
