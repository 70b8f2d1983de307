/** The benchmark page: relevance with intervals, times beside rivals, and every figure by its name. */

import { h } from "../src/dom";
import { bytes } from "../src/format";
import { type Benchmarks, METHODS, type Relevance, type Scale } from "./condense";
import { byId } from "./dom";
import { allFigures } from "./figures";
import { linePlot } from "./line-plot";
import { barLine, figureTable, intervalLine, rangeOf } from "./plots";

const NAMES: Record<string, string> = {
  manual_concept: "PostgreSQL manual",
  scifact: "SciFact",
  nfcorpus: "NFCorpus",
  cranfield: "Cranfield",
  tldr: "tldr pages",
  xquad_en: "XQuAD, English",
  belebele_en: "Belebele, English",
  hinny: "Hinny",
  minisearch: "MiniSearch",
  lunr: "Lunr",
  orama: "Orama",
  sqlite: "SQLite FTS5",
  zbsearch: "ZBSearch",
  flexsearch: "FlexSearch",
  fuse: "Fuse",
  pagefind: "Pagefind",
};
const nameOf = (id: string) => NAMES[id] ?? id;

export async function showBenchmarks(): Promise<void> {
  const place = byId("benchmarks");
  const found = await load();
  const parts = found ? sections(found) : [];
  if (parts.length) place.replaceChildren(...parts);
  else {
    const text = "This build carries no results. Run make bench, then make demo.";
    place.replaceChildren(h("p", { class: "quiet" }, text));
  }
}

async function load(): Promise<Benchmarks | null> {
  try {
    const response = await fetch("./benchmarks.json");
    return response.ok ? ((await response.json()) as Benchmarks) : null;
  } catch {
    // Offline before the first visit was over: the same as no results.
    return null;
  }
}

function sections(found: Benchmarks): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (found.relevance.length) parts.push(...relevance(found.relevance));
  if (found.timings.length) parts.push(...timings(found.timings));
  if (found.scaling.length) parts.push(...scaling(found.scaling));
  if (Object.keys(found.summary).length) parts.push(allFigures(found.summary));
  const machine = Object.entries(found.machine).map(([name, value]) => `${name}: ${value}`);
  if (machine.length) parts.push(h("p", { class: "quiet machine" }, machine.join(" \u00b7 ")));
  return parts;
}

function relevance(rows: Relevance[]): HTMLElement[] {
  const methods = Object.keys(METHODS).filter((name) => rows.some(({ ndcg }) => name in ndcg));
  const score = (value: number | undefined) => value?.toFixed(3) ?? "";
  const table = figureTable(
    "nDCG@10 by collection; the best of each line is marked",
    ["Collection", "Questions", ...methods.map((name) => METHODS[name] ?? name)],
    rows.map(({ collection, questions, ndcg }) => {
      const most = Math.max(...Object.values(ndcg));
      const cells = methods.map((name) => {
        const text = score(ndcg[name]);
        return ndcg[name] === most ? h("strong", {}, text) : text;
      });
      return [nameOf(collection), String(questions), ...cells];
    }),
    new Set([1, ...methods.map((_, index) => index + 2)]),
  );
  const shown = methods.filter((name) => rows.some(({ differences }) => name in differences));
  const range = rangeOf(
    rows.flatMap(({ differences }) =>
      shown.flatMap((name) => differences[name] ?? []).flatMap(({ low, high }) => [low, high]),
    ),
  );
  const signed = new Intl.NumberFormat("en", {
    signDisplay: "exceptZero",
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
  });
  const lines = rows.flatMap(({ collection, differences }) =>
    shown.flatMap((name, index) => {
      const found = differences[name];
      if (!found) return [];
      const line = intervalLine({ label: name, middle: found.difference, ...found }, range);
      const of = index === 0 ? nameOf(collection) : "";
      const between = `${signed.format(found.low)} to ${signed.format(found.high)}`;
      return [[of, METHODS[name] ?? name, line, signed.format(found.difference), between]];
    }),
  );
  const plot = figureTable(
    "Difference to words alone, nDCG@10, with its 95% interval (paired bootstrap)",
    ["Collection", "Method", "", "Difference", "95% interval"],
    lines,
    new Set([3, 4]),
  );
  return [
    h("h2", {}, "How well it finds"),
    h(
      "p",
      { class: "quiet" },
      "An interval that does not cross the line at zero is a difference that chance hardly explains.",
    ),
    table,
    plot,
  ];
}

function timings(kinds: Benchmarks["timings"]): HTMLElement[] {
  const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
  const tables = kinds.map(({ kind, rows }) => {
    const most = Math.max(...rows.map(({ p95 }) => p95));
    const judged = rows.some(({ ndcg }) => ndcg !== undefined);
    const lines = rows.map(({ engine, median, p95, ndcg }) => {
      const own = engine === "hinny";
      const cells = [
        own ? h("strong", {}, nameOf(engine)) : nameOf(engine),
        barLine(median, p95, most, own),
        format.format(median),
        format.format(p95),
      ];
      return judged ? [...cells, ndcg?.toFixed(3) ?? ""] : cells;
    });
    const head = ["Engine", "", "Median, ms", "95th percentile, ms"];
    return figureTable(kind, judged ? [...head, "nDCG@10"] : head, lines, new Set([2, 3, 4]));
  });
  return [
    h("h2", {}, "How fast, beside others in one browser"),
    h(
      "p",
      { class: "quiet" },
      "Bars end at the median, thin lines at the 95th percentile: shorter is faster.",
    ),
    ...tables,
  ];
}

function scaling(rows: readonly Scale[]): HTMLElement[] {
  const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
  const engines = [...new Set(rows.map(({ engine }) => engine))];
  const sizes = new Set(rows.map(({ sections }) => sections));
  const parts: HTMLElement[] = [
    h("h2", {}, "As the corpus grows"),
    h("p", { class: "quiet" }, "Median milliseconds for a question in Chromium, by the number of sections."),
  ];
  if (sizes.size > 1) {
    const lines = engines.map((engine) => {
      const points = rows
        .filter((row) => row.engine === engine)
        .map((row): [number, number] => [row.sections, row.median]);
      return { name: nameOf(engine), own: engine === "hinny", points };
    });
    const plot = h("div", { class: "table", tabindex: 0, role: "region", "aria-label": "Growth, plotted" });
    plot.append(
      linePlot(lines, "Median milliseconds by sections and engine; the table below has the numbers", "ms"),
    );
    parts.push(plot);
  }
  const table = rows.map(({ engine, sections, median, p95, bytes: size }, index) => {
    const own = engine === "hinny";
    const first = rows[index - 1]?.sections !== sections;
    return [
      first ? format.format(sections) : "",
      own ? h("strong", {}, nameOf(engine)) : nameOf(engine),
      format.format(median),
      format.format(p95),
      size === undefined ? "" : bytes(size, "en"),
    ];
  });
  const head = ["Sections", "Engine", "Median, ms", "95th percentile, ms", "Index, gzipped"];
  parts.push(figureTable("Questions over growing corpora", head, table, new Set([2, 3, 4])));
  return parts;
}
