/** One of the reader's collections: its search, how to search it, what is to be done with it. */

import { bytes, device, type HinnySearch, type OpenDetail, type OwnCard, ownPages } from "hinny";
import type { Factory, FactoryInfo } from "../../worker/src/api";
import { h } from "../src/dom";
import { messageOf } from "../src/view";
import { EmbeddingJob } from "./embedding";
import { Picker } from "./picker";
import { ReadingLine } from "./reading";
import { showOwnFile } from "./viewer";

/** Whose models read the reader's own files. */
const MODELS = "./";

export class Collection {
  readonly element: HTMLElement;
  readonly #search: HinnySearch;
  readonly #picker: Picker;
  readonly #reading = new ReadingLine();
  readonly #size = h("span", { class: "quiet" });
  readonly #said = h("p", { class: "quiet", role: "status", hidden: true });
  #factories: readonly FactoryInfo[] | null = null;
  #job: EmbeddingJob | null = null;

  constructor(
    private card: OwnCard,
    private readonly removed: () => void,
  ) {
    const { id, title } = card;
    this.#search = h("hinny-search", {
      bundle: `own:${id}`,
      base: `own/${id}/`,
      lang: "en",
      placeholder: `Search ${title}`,
      factory: this.#usable,
      "deep-link": "off",
      shortcut: "none",
      preload: "focus",
    });
    this.#search.addEventListener("hinny-open", (event) => {
      event.preventDefault();
      void showOwnFile(id, (event as CustomEvent<OpenDetail>).detail);
    });
    const controls = h("fieldset", { class: "picker", slot: "controls" });
    controls.append(h("legend", {}, `How to search ${title}`));
    this.#search.append(controls);
    this.#picker = new Picker(controls, {
      group: `factory-${id}`,
      factories: () => this.#factories,
      chosen: () => this.card.factory,
      use: (factory) => void this.#use(factory),
    });
    controls.append(this.#reading.element);
    this.element = h(
      "section",
      { class: "collection", "aria-label": title },
      this.#header(),
      this.#said,
      this.#search,
      skippedList(card),
    );
    if (card.volatile) {
      this.#say(`Kept only until this tab is closed, because ${card.volatile}. Export it to take it along.`);
    }
    this.#showSize();
    void this.#begin();
  }

  /** Stop what is under way; the collection goes. */
  close(): void {
    this.#drop();
    void device.closeOwn(this.card.id);
  }

  /** What answers now: the chosen factory, or words until it is there. */
  get #usable(): Factory {
    return this.card.ready.includes(this.card.factory) ? this.card.factory : "lexical-only";
  }

  #header(): HTMLElement {
    const save = h("button", { type: "button", class: "plain" }, "Export as a bundle");
    save.addEventListener("click", () => void this.#export());
    const remove = h("button", { type: "button", class: "plain" }, "Remove");
    remove.addEventListener("click", () => {
      this.close();
      void ownPages.remove(this.card.id).then(this.removed);
    });
    return h(
      "header",
      {},
      h("h2", {}, h("bdi", {}, this.card.title)),
      this.#size,
      h("span", { class: "actions" }, save, remove),
    );
  }

  #showSize(): void {
    const { pages, sections, bytes: size } = this.card;
    const counted = (n: number, one: string) => `${n} ${n === 1 ? one : `${one}s`}`;
    this.#size.textContent = `${counted(pages, "page")}, ${counted(sections, "section")}, ${bytes(size, "en")}`;
  }

  #say(text: string, bad = false): void {
    this.#said.textContent = text;
    this.#said.hidden = !text;
    this.#said.classList.toggle("bad", bad);
  }

  /** The site's own factories tell which models there are; what a reload broke off begins again. */
  async #begin(): Promise<void> {
    try {
      this.#factories = await device.factories(MODELS);
    } catch {
      this.#factories = [];
    }
    this.#picker.show();
    if (this.#usable !== this.card.factory) this.#read(this.card.factory);
  }

  /** Give up what is under way, without a word of it. */
  #drop(): void {
    const job = this.#job;
    this.#job = null;
    this.#reading.element.hidden = true;
    job?.cancel();
  }

  async #use(factory: Factory): Promise<void> {
    if (this.card.factory !== factory) this.#drop();
    this.card = { ...this.card, factory };
    this.#search.factory = this.#usable;
    await ownPages.update(this.card).catch((error) => this.#say(messageOf(error), true));
    if (this.#usable !== factory) this.#read(factory);
  }

  #read(factory: Factory): void {
    if (
      factory === "lexical-only" ||
      !this.#factories?.some(({ id, available }) => id === factory && available)
    ) {
      return;
    }
    const job: EmbeddingJob = new EmbeddingJob(
      async ({ signal, onProgress, onBytes }) => {
        const { id } = this.card;
        const work = async () => {
          if (await this.#readElsewhere(factory)) return;
          const made = await device.embedOwn(id, { factory, models: MODELS, signal, onProgress, onBytes });
          await this.#embedded(factory, made.zip, made.info.factories);
        };
        await alone(`hinny-own-${id}`, signal, work);
      },
      (state) => {
        if (this.#job === job) this.#reading.show(state, { job, again: () => this.#read(factory) });
      },
    );
    this.#job = job;
    void job.run().then((end) => {
      if (this.#job !== job) return;
      if (end.stage === "cancelled") void this.#use("lexical-only").then(() => this.#picker.show());
      this.#picker.show();
    });
  }

  /** Another tab may have read it meanwhile: what it kept serves here, too. */
  async #readElsewhere(factory: Factory): Promise<boolean> {
    const kept = (await ownPages.list()).find(({ id }) => id === this.card.id);
    if (!kept?.ready.includes(factory)) return false;
    this.card = { ...kept, factory };
    this.#showSize();
    await device.closeOwn(this.card.id);
    this.#search.factory = factory;
    return true;
  }

  async #embedded(factory: Factory, zip: Uint8Array, found: readonly FactoryInfo[]): Promise<void> {
    const ready = found.filter(({ id, available }) => available && id !== "lexical-only").map(({ id }) => id);
    this.card = { ...this.card, ready, bytes: zip.byteLength };
    this.#showSize();
    if (this.card.factory === factory) this.#search.factory = factory;
    try {
      await ownPages.update(this.card, zip);
    } catch (error) {
      this.#say(
        `Searchable by meaning until this tab is closed; it could not be kept: ${messageOf(error)}`,
        true,
      );
    }
  }

  async #export(): Promise<void> {
    this.#say("Packing\u2026");
    try {
      const zip = await device.exportOwn(this.card.id);
      if (!zip) throw new Error("these pages are no longer on this device");
      const data = new Blob([zip as Uint8Array<ArrayBuffer>], { type: "application/zip" });
      const url = URL.createObjectURL(data);
      const name = this.card.title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/gu, "") || "pages";
      h("a", { href: url, download: `${name}-hinny.zip` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
      this.#say("");
    } catch (error) {
      this.#say(messageOf(error), true);
    }
  }
}

function skippedList({ skipped }: OwnCard): HTMLElement {
  const lines = h("ul");
  for (const { path, reason } of skipped.slice(0, 200))
    lines.append(h("li", {}, h("bdi", {}, path), `: ${reason}`));
  const summary = h("summary", {}, `${skipped.length} skipped`);
  return h("details", { class: "skipped", hidden: !skipped.length }, summary, lines);
}

/** One tab reads a collection, another that has it open waits. */
async function alone(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work();
  await navigator.locks.request(name, { signal }, work);
}
