/** "Why this result?": how the hit came to its place, drawn from the same data as `search_with_stats`. */

import type { Explanation, Result, SearchAnswer } from "../../worker/src/api";
import { h } from "./dom";
import { milliseconds, score } from "./format";
import { base, fill, type Texts } from "./texts";

/** A stage of a query: where its bar begins and how long it is, in milliseconds. */
export interface Stage {
  name: string;
  start: number;
  length: number;
}

/** Stages follow each other in the worker's one thread, in the order in which they are named. */
export function waterfall(timings: Record<string, number>): { stages: Stage[]; total: number } {
  const stages: Stage[] = [];
  let at = 0;
  for (const [name, length] of Object.entries(timings)) {
    if (name === "total" || !Number.isFinite(length) || length < 0) continue;
    stages.push({ name, start: at, length });
    at += length;
  }
  return { stages, total: Math.max(at, timings.total ?? 0) };
}

/** Each value as a share of the largest magnitude, 0 to 1; zeros where there is nothing to compare. */
export function shares(values: readonly number[]): number[] {
  const most = Math.max(0, ...values.map((value) => Math.abs(value)));
  return values.map((value) => (most > 0 ? Math.abs(value) / most : 0));
}

export function explanationPanel(
  result: Result,
  answer: SearchAnswer,
  texts: Texts,
  lang: string,
): HTMLElement {
  const panel = h("div", { class: "why", part: "why" });
  const found = result.explanation;
  if (found) {
    if (found.sources.length) panel.append(sourcesTable(found, texts, lang));
    if (found.terms.length) panel.append(termsTable(found, texts, lang));
    panel.append(...rerankLines(found, texts, lang));
  }
  const given = result.exact ? ["exact", ...result.reasons] : result.reasons;
  const reasons = new Set(
    [...given, ...(found?.reasons ?? [])].map((reason) => reasonText(reason, texts, lang)),
  );
  if (reasons.size) {
    const list = h("ul", { class: "reasons" });
    for (const reason of reasons) list.append(h("li", {}, reason));
    panel.append(section(texts.reasons, list));
  }
  for (const lost of answer.degraded) panel.append(h("p", { class: "note" }, ...degradedLine(lost, texts)));
  if (Object.keys(answer.timings).length) panel.append(timingsTable(answer, texts, lang));
  return panel;
}

/** A source as the reader knows it. */
export function sourceName(source: string, texts: Texts): string {
  return source === "rerank" ? texts.reranked : (texts.sources[source] ?? source);
}

/** What is missing, and why. */
export function degradedLine(lost: SearchAnswer["degraded"][number], texts: Texts): Node[] {
  const loading = lost.reason === "loading";
  const template = loading ? texts.withoutLoading : texts.withoutFailed;
  const said = document.createTextNode(fill(template, { source: sourceName(lost.source, texts) }));
  if (loading || !lost.message) return [said];
  return [said, document.createTextNode(" "), h("bdi", { class: "reason" }, lost.message)];
}

/**
 * A reason of the ranking in the reader's language; after a colon stands a source (`balance:vector`) or an
 * amount (`title-is:0.5`).
 */
export function reasonText(reason: string, texts: Texts, lang: string): string {
  if (reason === "exact") return texts.exact;
  if (reason === "reranked") return texts.reranked;
  const [kind = "", detail = ""] = reason.split(":", 2);
  const known = Object.hasOwn(texts.because, kind) && texts.because[kind as keyof Texts["because"]];
  if (!known) return humanise(reason);
  const values = { amount: score(Number(detail), lang), source: sourceName(detail, texts) };
  return fill(known, { ...values, reason: humanise(detail) });
}

/** A step of the answer, or a source, as the waterfall names it. */
export function stageName(stage: string, texts: Texts): string {
  if (stage === "exact") return texts.exact;
  if (Object.hasOwn(texts.steps, stage)) return texts.steps[stage as keyof Texts["steps"]];
  const source = sourceName(stage, texts);
  return source === stage ? humanise(stage) : source;
}

/** A name that no text has: `some-step` reads better as `some step`. */
function humanise(name: string): string {
  return /^[\w-]+$/u.test(name) ? name.replace(/[-_]/gu, " ") : name;
}

function section(title: string, body: HTMLElement): HTMLElement {
  return h("section", {}, h("h4", {}, title), body);
}

/** A bar from `start` to `start + length`, both shares of the whole. */
function bar(length: number, kind: string, start = 0): HTMLElement {
  const fillBar = h("span", { class: `bar-fill ${kind}` });
  fillBar.style.setProperty("--start", `${(start * 100).toFixed(2)}%`);
  fillBar.style.setProperty("--length", `${(Math.max(length, 0.004) * 100).toFixed(2)}%`);
  return h("span", { class: "bar", "aria-hidden": "true" }, fillBar);
}

/** Columns in `inputs` are what a number was made of: a phone has no room for them. */
function table(
  head: string[],
  rows: (string | Node)[][],
  numeric: ReadonlySet<number>,
  inputs: ReadonlySet<number> = new Set(),
): HTMLTableElement {
  const kind = (column: number) =>
    [numeric.has(column) && "number", inputs.has(column) && "inputs"].filter(Boolean).join(" ") || null;
  const headRow = h("tr");
  head.forEach((text, column) => {
    headRow.append(h("th", { scope: "col", class: kind(column) }, text));
  });
  const body = h("tbody");
  for (const cells of rows) {
    const row = h("tr");
    cells.forEach((cell, column) => {
      row.append(column === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: kind(column) }, cell));
    });
    body.append(row);
  }
  return h("table", {}, h("thead", {}, headRow), body);
}

function sourcesTable({ sources }: Explanation, texts: Texts, lang: string): HTMLElement {
  const known = sources.map((source) => source.contribution ?? (sources.length === 1 ? source.score : 0));
  const lengths = shares(known);
  const rows = sources.map((source, index) => [
    sourceName(source.name, texts),
    String(source.rank),
    score(source.score, lang),
    source.contribution === null ? "\u2013" : score(source.contribution, lang),
    bar(lengths[index] ?? 0, base(source.name)),
  ]);
  const head = [texts.source, texts.rank, texts.score, texts.share, ""];
  return table(head, rows, new Set([1, 2, 3]));
}

function termsTable({ terms }: Explanation, texts: Texts, lang: string): HTMLElement {
  const sorted = [...terms].sort((a, b) => b.contribution - a.contribution);
  const lengths = shares(sorted.map((term) => term.contribution));
  const rows = sorted.map((term, index) => [
    h("bdi", {}, term.word),
    texts.match[term.match] ?? term.match,
    texts.fields[term.field] ?? term.field,
    score(term.tf, lang),
    score(term.idf, lang),
    score(term.weight, lang),
    score(term.contribution, lang),
    bar(lengths[index] ?? 0, "lexical"),
  ]);
  const head = [texts.words, "", texts.field, texts.times, "idf", texts.weight, texts.score, ""];
  return table(head, rows, new Set([3, 4, 5, 6]), new Set([3, 4, 5]));
}

function rerankLines({ rerank }: Explanation, texts: Texts, lang: string): HTMLElement[] {
  const entries = Object.entries(rerank);
  if (!entries.length) return [];
  const lengths = shares(entries.map(([, value]) => value));
  const rows = entries.map(([name, value], index) => [
    sourceName(name, texts),
    score(value, lang),
    bar(lengths[index] ?? 0, "rerank"),
  ]);
  return [table([texts.reranked, texts.share, ""], rows, new Set([1]))];
}

function timingsTable(answer: SearchAnswer, texts: Texts, lang: string): HTMLElement {
  const { stages, total } = waterfall(answer.timings);
  const whole = Math.max(total, answer.ms, Number.EPSILON);
  const rows: (string | Node)[][] = stages.map((stage) => [
    stageName(stage.name, texts),
    milliseconds(stage.length, lang),
    bar(stage.length / whole, "time", stage.start / whole),
  ]);
  rows.push([texts.total, milliseconds(whole, lang), bar(1, "time total")]);
  return table([texts.timings, "", ""], rows, new Set([1]));
}
