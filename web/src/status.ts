/** The lines between the box and the hits: how many, how fast, what else was searched, what is missing. */

import { h } from "./dom";
import { degradedLine, sourceName } from "./explain";
import { bytes, count, milliseconds } from "./format";
import { fill, plural, type Texts } from "./texts";
import type { View } from "./view";

const LONGEST_LIST = 12;

export function statusText(view: View, texts: Texts, lang: string): Node[] {
  const parts: Node[] = [];
  const line = (text: string, name = "") => parts.push(h("span", { class: name || null }, text));
  if (view.phase === "failed" && !view.answer) {
    parts.push(h("span", { class: "error", role: "alert" }, `${texts.failed} ${view.error ?? ""}`.trim()));
    parts.push(retryButton("retry", texts));
    return parts;
  }
  if (view.quick && view.query.trim()) line(texts.quick, "quick-note");
  else if (view.answer) {
    const took = fill(texts.took, { ms: milliseconds(view.roundTrip ?? view.answer.ms, lang) });
    line(`${plural(texts.count, view.answer.total, lang)} ${took}`, "count");
    const missing = view.answer.degraded.map(({ source }) => sourceName(source, texts));
    if (missing.length) line(fill(texts.without, { sources: listed(missing, lang) }), "without");
  }
  const progress = view.progress;
  if (view.phase === "starting" || progress) {
    const stage = progress && progress.stage !== "ready" ? texts.stages[progress.stage] : "";
    const size = progress?.total
      ? fill(texts.progress, { loaded: bytes(progress.loaded, lang), total: bytes(progress.total, lang) })
      : "";
    const starting = view.phase === "starting" ? texts.starting : "";
    line([starting, stage, size].filter(Boolean).join(" \u00b7 "), "starting");
  }
  if (view.problem) line(view.problem, "problem");
  if (view.error && view.phase === "ready") {
    parts.push(h("span", { class: "error", role: "alert" }, view.error));
  }
  return parts;
}

/** A sentence with `{name}` as an element in its place. */
function sentence(template: string, name: string, element: Node): Node[] {
  const [before = "", after = ""] = template.split(`{${name}}`);
  return [document.createTextNode(before), element, document.createTextNode(after)];
}

export function renderNotices(view: View, texts: Texts): HTMLElement[] {
  const answer = view.answer;
  if (!answer || view.quick) return [];
  const lines: HTMLElement[] = [];
  const { didYouMean, alsoSearched, problems } = answer.query;
  if (didYouMean) {
    const button = h(
      "button",
      { type: "button", class: "link-button", "data-query": didYouMean },
      h("bdi", {}, didYouMean),
    );
    lines.push(h("p", { class: "did-you-mean" }, ...sentence(texts.didYouMean, "query", button)));
  }
  if (alsoSearched.length) {
    const words = h("bdi", {}, alsoSearched.slice(0, LONGEST_LIST).join(", "));
    lines.push(h("p", { class: "note also-searched" }, ...sentence(texts.alsoSearched, "words", words)));
  }
  for (const problem of problems) lines.push(h("p", { class: "note problem" }, problem));
  for (const lost of answer.degraded) {
    const line = h("p", { class: "note degraded" }, ...degradedLine(lost, texts));
    // What is on its way comes by itself.
    if (lost.reason !== "loading") line.append(" ", retryButton("retry-factory", texts));
    lines.push(line);
  }
  return lines;
}

function retryButton(action: string, texts: Texts): HTMLElement {
  return h("button", { type: "button", class: "link-button", "data-action": action }, texts.retry);
}

function listed(names: string[], lang: string): string {
  return new Intl.ListFormat(lang, { type: "conjunction" }).format(names);
}

export function renderFacets(place: HTMLElement, view: View, texts: Texts, lang: string): void {
  const facets = Object.entries(view.answer?.facets ?? {}).filter(([, values]) => values.length);
  place.hidden = !facets.length;
  place.replaceChildren();
  if (!facets.length) return;
  for (const [name, values] of facets) {
    const chosen = new Set(view.filters[name] ?? []);
    const group = h(
      "div",
      { class: "facet", role: "group", "aria-label": name },
      h("span", { class: "facet-name" }, name),
    );
    const ordered = [...values].sort(
      (a, b) => Number(chosen.has(b.value)) - Number(chosen.has(a.value)) || b.after - a.after,
    );
    for (const { value, after } of ordered.slice(0, LONGEST_LIST)) {
      group.append(
        h(
          "button",
          {
            type: "button",
            class: "chip",
            "aria-pressed": String(chosen.has(value)),
            "data-facet": name,
            "data-value": value,
          },
          h("bdi", {}, value),
          h("span", { class: "n" }, count(after, lang)),
        ),
      );
    }
    place.append(group);
  }
  if (Object.keys(view.filters).length) {
    place.append(h("button", { type: "button", class: "link-button" }, texts.removeFilters));
  }
}
