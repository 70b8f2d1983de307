/**
 * The factory picker. What a factory would download, how much and from where, is shown before anything is
 * asked for; a factory that this bundle cannot serve says why.
 */

import { bytes } from "hinny";
import type { Factory, FactoryInfo, ModelInfo } from "../../worker/src/api";
import { h } from "../src/dom";
import { FACTORIES, missingBytes, nameOf } from "./names";

export interface PickerOptions {
  /** Of the radio buttons: one name each picker of a page. */
  group: string;
  /** What there is to choose; null until it is known. */
  factories: () => readonly FactoryInfo[] | null;
  chosen: () => Factory;
  /** The reader has chosen, and agreed to the download where there is one. */
  use: (id: Factory) => void;
  /** What the chosen factory does, and why others are missing. */
  explained?: boolean;
}

export class Picker {
  readonly #detail = h("div", { class: "detail", "aria-live": "polite" });
  readonly #choices = new Map<Factory, { input: HTMLInputElement; size: HTMLElement }>();
  /** What the reader is being asked about. */
  #asking: Factory | null = null;

  constructor(
    place: HTMLElement,
    private readonly options: PickerOptions,
  ) {
    const row = h("div", { class: "choices" });
    for (const { id, name } of FACTORIES) {
      const kind = { type: "radio", name: options.group, value: id };
      const input = h("input", { ...kind, disabled: id !== "lexical-only" });
      const size = h("small");
      row.append(h("label", { class: "choice" }, input, h("span", {}, name, size)));
      this.#choices.set(id, { input, size });
      input.addEventListener("change", () => this.choose(id));
    }
    place.append(row, this.#detail);
    this.show();
  }

  /** Use a factory, after asking where it takes a download. */
  choose(id: Factory): void {
    const found = this.options.factories()?.find((factory) => factory.id === id);
    if (missingBytes(found) === 0) {
      this.#use(id);
      return;
    }
    this.#asking = id;
    const decline = () => {
      this.#asking = null;
      this.show();
      this.#choices.get(this.options.chosen())?.input.focus();
    };
    this.#detail.replaceChildren(consent(id, found?.models ?? [], () => this.#use(id), decline));
  }

  #use(id: Factory): void {
    this.#asking = null;
    this.options.use(id);
    this.show();
  }

  show(): void {
    const factories = this.options.factories();
    const chosen = this.#asking ?? this.options.chosen();
    for (const [id, { input, size }] of this.#choices) {
      input.checked = id === chosen;
      const factory = factories?.find((candidate) => candidate.id === id);
      input.disabled = id !== "lexical-only" && !factory?.available;
      const missing = missingBytes(factory);
      size.textContent = missing ? bytes(missing, "en") : factories && !factory?.available ? "not here" : "";
    }
    if (this.#asking === null) {
      this.#detail.replaceChildren(...(this.options.explained ? explain(factories, chosen) : []));
    }
  }
}

function explain(factories: readonly FactoryInfo[] | null, chosen: Factory): Node[] {
  const lines: Node[] = [];
  const text = FACTORIES.find((factory) => factory.id === chosen)?.text;
  if (text) lines.push(h("p", {}, text));
  // One line for each reason: what is missing is mostly missing for all of them.
  const names = new Map<string, string[]>();
  for (const { id, available, reason } of factories ?? []) {
    if (available) continue;
    const why = reason ?? "this bundle was built without it";
    names.set(why, [...(names.get(why) ?? []), `\u201c${nameOf(id)}\u201d`]);
  }
  for (const [why, missing] of names) {
    lines.push(h("p", { class: "unavailable" }, `Not available: ${missing.join(" and ")}, because ${why}.`));
  }
  return lines;
}

const KINDS: Record<ModelInfo["kind"], string> = {
  embedder: "meaning of a section",
  colbert: "parts of a passage",
  "cross-encoder": "second look at the first hits",
};

export function consent(
  id: Factory,
  models: readonly ModelInfo[],
  accept: () => void,
  decline: () => void,
): HTMLElement {
  const missing = models.filter((model) => !model.cached);
  const rows = h("tbody");
  for (const model of missing) {
    rows.append(
      h(
        "tr",
        {},
        h("th", { scope: "row" }, model.id),
        h("td", { class: "kind" }, KINDS[model.kind]),
        h("td", { class: "number" }, bytes(model.bytes, "en")),
        h("td", {}, `from ${model.source}`),
      ),
    );
  }
  const size = bytes(
    missing.reduce((sum, model) => sum + model.bytes, 0),
    "en",
  );
  const yes = h("button", { type: "button", class: "button first" }, `Download ${size} and use`);
  const no = h("button", { type: "button", class: "button" }, "Not now");
  yes.addEventListener("click", accept);
  no.addEventListener("click", decline);
  const one = missing.length === 1;
  return h(
    "div",
    { class: "consent", role: "group", "aria-label": `Download for ${nameOf(id)}` },
    h(
      "p",
      {},
      `\u201c${nameOf(id)}\u201d needs ${one ? "a model" : `${missing.length} models`}: downloaded once, checked against ` +
        `${one ? "its" : "their"} SHA-256, kept on this device. Words answer meanwhile.`,
    ),
    h("table", {}, rows),
    h("div", { class: "actions" }, yes, no),
  );
}
