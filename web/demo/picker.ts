/**
 * The factory picker. What a factory would download, how much and from where, is shown before anything is
 * asked for; a factory that this bundle cannot serve says why.
 */

import { bytes, type HinnySearch, parseFactory } from "hinny";
import type { BundleInfo, Factory, ModelInfo } from "../../worker/src/api";
import { h } from "../src/dom";
import { FACTORIES, missingBytes } from "./names";

export function setUpPicker(place: HTMLElement, search: HinnySearch): void {
  const detail = h("div", { class: "detail", "aria-live": "polite" });
  const choices = new Map<Factory, { input: HTMLInputElement; size: HTMLElement }>();
  const row = h("div", { class: "choices" });
  for (const { id, name } of FACTORIES) {
    const input = h("input", { type: "radio", name: "factory", value: id, disabled: id !== "lexical-only" });
    const size = h("small");
    row.append(h("label", { class: "choice" }, input, h("span", {}, `${name} `, size)));
    choices.set(id, { input, size });
    input.addEventListener("change", () => choose(id));
  }
  place.append(row, detail);

  const show = () => {
    const { info } = search;
    for (const [id, { input, size }] of choices) {
      input.checked = id === search.factory;
      const factory = info?.factories.find((candidate) => candidate.id === id);
      input.disabled = id !== "lexical-only" && !factory?.available;
      const missing = info ? missingBytes(info, id) : 0;
      size.textContent = missing ? bytes(missing, "en") : info && !factory?.available ? "not here" : "";
    }
    detail.replaceChildren(...explain(info, search.factory));
  };

  const choose = (id: Factory) => {
    const { info } = search;
    if (!info || missingBytes(info, id) === 0) return use(id);
    const models = info.factories.find((candidate) => candidate.id === id)?.models ?? [];
    detail.replaceChildren(consent(models, () => use(id), show));
  };

  const use = (id: Factory) => {
    search.factory = id;
    const url = new URL(location.href);
    url.searchParams.set("factory", id);
    history.replaceState(history.state, "", url);
    show();
  };

  // While there are hits to read, only the choices stay; the lines about them come back with an empty box.
  const fold = () => place.classList.toggle("searching", search.query.trim() !== "");
  for (const name of ["input", "click", "hinny-answer", "hinny-phase"]) search.addEventListener(name, fold);
  fold();
  search.addEventListener("hinny-phase", show);
  window.addEventListener("popstate", show);
  const wanted = parseFactory(new URL(location.href).searchParams.get("factory"));
  if (wanted) search.factory = wanted;
  show();
}

function explain(info: BundleInfo | null, chosen: Factory): Node[] {
  const lines: Node[] = [];
  const text = FACTORIES.find((factory) => factory.id === chosen)?.text;
  if (text) lines.push(h("p", {}, text));
  // One line for each reason: what is missing is mostly missing for all of them.
  const names = new Map<string, string[]>();
  for (const { id, available, reason } of info?.factories ?? []) {
    if (available) continue;
    const name = FACTORIES.find((factory) => factory.id === id)?.name ?? id;
    const why = reason ?? "this bundle was built without it";
    names.set(why, [...(names.get(why) ?? []), `\u201c${name}\u201d`]);
  }
  for (const [why, missing] of names) {
    lines.push(h("p", { class: "unavailable" }, `Not available: ${missing.join(" and ")}, because ${why}.`));
  }
  return lines;
}

function consent(models: ModelInfo[], accept: () => void, decline: () => void): HTMLElement {
  const rows = h("tbody");
  for (const model of models.filter((candidate) => !candidate.cached)) {
    rows.append(
      h(
        "tr",
        {},
        h("td", {}, model.id),
        h("td", {}, bytes(model.bytes, "en")),
        h("td", {}, `from ${model.source}`),
      ),
    );
  }
  const yes = h("button", { type: "button", class: "button first" }, "Download and use");
  const no = h("button", { type: "button", class: "button" }, "Not now");
  yes.addEventListener("click", accept);
  no.addEventListener("click", decline);
  return h(
    "div",
    { class: "consent" },
    h(
      "p",
      {},
      "This needs a model. It is downloaded once, checked against its SHA-256 and kept on this device.",
    ),
    h("table", {}, rows),
    h("div", { class: "actions" }, yes, no),
  );
}
