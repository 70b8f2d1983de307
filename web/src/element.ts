/**
 * `<hinny-search>`: a search box, its results and their explanations, in a shadow root.
 *
 * The keyboard follows the ARIA combobox pattern with a grid as its popup: focus stays in the box, arrows move
 * through rows, Left and Right between a row's cells (open it, explain it), Enter acts, Escape steps back.
 */

import type { BundleInfo, Factory, Result, SearchAnswer } from "../../worker/src/api";
import { h, icon } from "./dom";
import { explanationPanel } from "./explain";
import { GridCursor } from "./grid";
import { Memory } from "./memory";
import type { Port } from "./port";
import { renderGroups } from "./results";
import { type Filters, Session, type View } from "./session";
import { registerShortcut } from "./shortcut";
import { renderFacets, renderNotices, statusText } from "./status";
import { styleSheet } from "./styles";
import { direction, fill, plural, type Texts, textsFor } from "./texts";

const FACTORIES: readonly Factory[] = ["lexical-only", "tiny", "semantic"];
/** The result count is spoken when the reader has paused, not at every letter. */
const SPEAK_AFTER_MS = 700;

/** The names that the first texts of this project used are understood too. */
export function parseFactory(value: string | null): Factory | null {
  const aliases: Record<string, Factory> = { lexical: "lexical-only", "lexical-semantic": "semantic" };
  const name = value === null ? null : (aliases[value] ?? value);
  return FACTORIES.find((factory) => factory === name) ?? null;
}

/** Of the event `hinny-open`, which may be cancelled. */
export interface OpenDetail {
  result: Result | undefined;
  query: string;
}

/** Of the event `hinny-answer`. */
export interface AnswerDetail {
  answer: SearchAnswer;
  roundTrip: number;
}

let count = 0;

export class HinnySearch extends HTMLElement {
  static readonly observedAttributes = ["bundle", "base", "factory", "placeholder", "lang", "mode"];
  /** The worker's client, and the bundle that a script in `app/` belongs to. Set once by `hinny.ts`. */
  static port: Port;
  static defaultBundle = "./";

  readonly #root = this.attachShadow({ mode: "open" });
  readonly #serial = ++count;
  #session: Session | null = null;
  #texts: Texts = textsFor("en");
  #lang = "en";
  #memory: Memory | null = null;
  #frame = 0;
  #speakTimer = 0;
  #lastShown: View | null = null;
  #openPages = new Set<string>();
  #openWhy = new Set<string>();
  #release: (() => void)[] = [];
  #parts!: ReturnType<HinnySearch["build"]>;
  #cursor!: GridCursor;

  connectedCallback(): void {
    this.#root.adoptedStyleSheets = [styleSheet()];
    this.#setup();
  }

  disconnectedCallback(): void {
    for (const release of this.#release) release();
    this.#release = [];
    clearTimeout(this.#speakTimer);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.#session || before === after) return;
    if (name === "bundle" || name === "factory") {
      this.#session.retarget(this.bundleUrl, this.factory);
      return;
    }
    const query = this.query;
    this.disconnectedCallback();
    this.#setup();
    if (query) this.query = query;
  }

  /** Absolute URL of the bundle's folder. */
  get bundleUrl(): string {
    const url = new URL(this.getAttribute("bundle") ?? HinnySearch.defaultBundle, document.baseURI).href;
    return url.endsWith("/") ? url : `${url}/`;
  }

  /** Absolute URL of the site whose pages the bundle describes. */
  get siteBase(): string {
    const given = this.getAttribute("base");
    if (given !== null) return new URL(given, document.baseURI).href;
    return new URL(this.#session?.root ?? "../", this.bundleUrl).href;
  }

  /** What the bundle holds, once the core has opened it. */
  get info(): BundleInfo | null {
    return this.#session?.info ?? null;
  }

  get factory(): Factory {
    return parseFactory(this.getAttribute("factory")) ?? "lexical-only";
  }

  set factory(value: Factory) {
    this.setAttribute("factory", value);
  }

  get mode(): "inline" | "dialog" {
    return this.getAttribute("mode") === "dialog" ? "dialog" : "inline";
  }

  get query(): string {
    return this.#session?.view.query ?? "";
  }

  set query(text: string) {
    this.#parts.input.value = text;
    this.#ask(text, false);
  }

  /** What is shown now. */
  get view(): View | null {
    return this.#session?.view ?? null;
  }

  /** Bring the core up before anybody types. */
  start(): Promise<void> {
    return this.#session?.start() ?? Promise.resolve();
  }

  override focus(options?: FocusOptions): void {
    this.#parts.input.focus(options);
  }

  /** Open the dialog (in `mode="dialog"`) or focus the box. */
  show(): void {
    const { dialog, input } = this.#parts;
    if (dialog && !dialog.open) dialog.showModal();
    input.focus();
    input.select();
  }

  hide(): void {
    const { dialog, input } = this.#parts;
    if (!dialog?.open) return;
    dialog.close();
    // Where nothing takes the focus back, a hidden box keeps it until the next frame, and a `/` would be its text.
    input.blur();
  }

  /** Mark the hits that a second list lacks; for pages that show two lists side by side. */
  markOnlyHere(others: ReadonlySet<string>): void {
    for (const row of this.#parts.results.querySelectorAll<HTMLElement>(".row[data-id]")) {
      row.classList.toggle("only-here", !others.has(row.dataset.id ?? ""));
    }
  }

  #setup(): void {
    this.#lang = this.getAttribute("lang") || document.documentElement.lang || navigator.language || "en";
    this.#texts = textsFor(this.#lang);
    this.#lastShown = null;
    this.#session ??= new Session(HinnySearch.port, () => this.#schedule(), this.bundleUrl, this.factory);
    this.#parts = this.build();
    this.#cursor = new GridCursor(this.#parts.input, this.#parts.results);
    this.#listen();
    this.#remember();
    this.#preload();
    this.#render();
  }

  /** The skeleton: everything that is there before a word is typed. */
  private build() {
    const texts = this.#texts;
    const placeholder = this.getAttribute("placeholder") ?? texts.placeholder;
    const gridId = `results-${this.#serial}`;
    const input = h("input", {
      class: "input",
      part: "input",
      type: "search",
      role: "combobox",
      "aria-label": texts.label,
      "aria-expanded": "false",
      "aria-controls": gridId,
      "aria-haspopup": "grid",
      "aria-autocomplete": "list",
      autocomplete: "off",
      autocapitalize: "none",
      autocorrect: "off",
      spellcheck: "false",
      enterkeyhint: "search",
      maxlength: 10_000,
      placeholder,
      dir: "auto",
    });
    const clear = h("button", {
      type: "button",
      class: "clear",
      part: "clear",
      "aria-label": texts.clear,
      hidden: true,
    });
    clear.append(icon("clear"));
    const bar = h(
      "div",
      {
        class: "progress",
        part: "progress",
        role: "progressbar",
        "aria-label": texts.starting,
        hidden: true,
      },
      h("span"),
    );
    const isDialog = this.mode === "dialog";
    const shortcut = h("kbd", { "aria-hidden": "true" }, isDialog ? "Esc" : shortcutName());
    const closer = h(
      "button",
      { type: "button", class: "closer", "aria-label": `${texts.close} Esc` },
      shortcut,
    );
    const box = h("form", { class: "box", part: "box", role: "search" }, icon("search"), input, clear);
    if (isDialog) box.append(closer);
    else if (this.getAttribute("shortcut") !== "none") box.append(shortcut);
    box.append(bar);
    // A page may bring its own box and set `query`.
    box.hidden = this.getAttribute("box") === "none";
    const status = h("div", { class: "status", part: "status" });
    const notices = h("div", { class: "notices", part: "notices" });
    const facets = h("div", { class: "facets", part: "facets", hidden: true });
    const results = h("div", {
      class: "results",
      part: "results",
      role: "grid",
      id: gridId,
      "aria-label": texts.results,
    });
    const empty = h("div", { class: "empty", part: "empty", hidden: true });
    const more = h("button", { type: "button", class: "more", part: "more", hidden: true }, texts.more);
    const live = h("div", { class: "live", role: "status", "aria-live": "polite", "aria-atomic": "true" });
    const controls = h("slot", { name: "controls" });
    const scroll = h("div", { class: "scroll" }, controls, status, notices, facets, results, empty, more);
    const keys = h(
      "div",
      { class: "keys", "aria-hidden": "true" },
      h("span", {}, h("kbd", {}, "\u2191"), h("kbd", {}, "\u2193"), texts.moveKey),
      h("span", {}, h("kbd", {}, "\u21b5"), texts.openKey),
      h("span", {}, h("kbd", {}, "\u2192"), texts.whyKey),
    );
    const root = h(
      "div",
      { class: "root", part: "root", lang: this.#lang, dir: direction(this.#lang) },
      box,
      scroll,
    );
    if (isDialog) root.append(keys);
    root.append(live);
    let dialog: HTMLDialogElement | null = null;
    let opener: HTMLButtonElement | null = null;
    if (isDialog) {
      opener = h("button", { type: "button", class: "opener", part: "button", "aria-haspopup": "dialog" });
      opener.append(
        icon("search"),
        h("span", { class: "name" }, placeholder),
        h("kbd", { "aria-hidden": "true" }, shortcutName()),
      );
      dialog = h("dialog", { part: "dialog", "aria-label": texts.label }, root);
      const frame = h("div", { lang: this.#lang, dir: direction(this.#lang) }, opener, dialog);
      this.#root.replaceChildren(frame);
    } else {
      this.#root.replaceChildren(root);
    }
    return {
      root,
      box,
      input,
      clear,
      bar,
      status,
      notices,
      facets,
      results,
      empty,
      more,
      live,
      dialog,
      opener,
      closer,
      scroll,
    };
  }

  #listen(): void {
    const { box, input, clear, results, more, dialog, opener, closer, facets, notices, status } = this.#parts;
    input.addEventListener("input", () => this.#ask(input.value, true));
    input.addEventListener("focus", () => void this.start());
    input.addEventListener("keydown", (event) => this.#key(event));
    box.addEventListener("submit", (event) => event.preventDefault());
    clear.addEventListener("click", () => {
      this.query = "";
      input.focus();
    });
    results.addEventListener("click", (event) => this.#clicked(event));
    more.addEventListener("click", () => this.#session?.more());
    for (const place of [notices, status]) {
      place.addEventListener("click", (event) => {
        const button = (event.target as Element).closest("button");
        if (button?.dataset.query !== undefined) {
          this.query = button.dataset.query;
          this.#memory?.push();
          input.focus();
        } else if (button?.dataset.action === "retry") void this.start();
      });
    }
    facets.addEventListener("click", (event) => this.#facetClicked(event));
    opener?.addEventListener("click", () => this.show());
    opener?.addEventListener("pointerenter", () => void this.start(), { once: true });
    closer.addEventListener("click", () => this.hide());
    dialog?.addEventListener("click", (event) => {
      if (event.target === dialog) this.hide();
    });
    if (this.getAttribute("shortcut") !== "none") {
      this.#release.push(registerShortcut({ dialog: this.mode === "dialog", show: () => this.show() }));
    }
  }

  /** `?q=` and the history belong to the first inline box of a page, unless it says `deep-link="off"`. */
  #remember(): void {
    const wanted = this.getAttribute("deep-link") ?? (this.mode === "inline" ? "on" : "off");
    const memory = wanted === "off" ? null : Memory.claim();
    if (!memory) return;
    this.#memory = memory;
    const recall = () => {
      const { query, factory, limit, filters } = memory.read();
      const known = parseFactory(factory);
      if (known && known !== this.factory) this.factory = known;
      const shown = this.query;
      this.#session?.restore(query, limit, filters);
      this.#parts.input.value = query;
      if (query || shown) this.#session?.ask(query, false);
    };
    memory.onReturn(recall);
    this.#release.push(() => {
      memory.release();
      this.#memory = null;
    });
    recall();
  }

  #preload(): void {
    const wanted = this.getAttribute("preload") ?? "idle";
    const connection = (navigator as { connection?: { saveData?: boolean; effectiveType?: string } })
      .connection;
    const thrifty = connection?.saveData || /2g/u.test(connection?.effectiveType ?? "");
    if (wanted !== "idle" || thrifty) return;
    const begin = () => void this.start();
    const idle = () => {
      if ("requestIdleCallback" in window) requestIdleCallback(begin, { timeout: 3000 });
      else setTimeout(begin, 600);
    };
    if (document.readyState === "complete") idle();
    else window.addEventListener("load", idle, { once: true });
  }

  #ask(text: string, asYouType: boolean): void {
    this.#openPages.clear();
    this.#openWhy.clear();
    this.#session?.ask(text, asYouType);
    this.#memory?.typed(text, this.#session?.view.filters ?? {}, this.#session?.limit ?? 0);
  }

  #key(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const handled = this.#cursor.key(event, this.#parts.root.dir === "rtl");
    if (handled) {
      event.preventDefault();
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      if (this.#cursor.act(event)) return;
      if (this.mode === "dialog" && this.#cursor.first(event)) return;
      this.#session?.ask(this.#parts.input.value, false);
      this.#memory?.push();
    } else if (event.key === "Escape") {
      const moved = this.#cursor.leave();
      if (!moved && this.mode === "inline" && !this.query) return;
      // By itself the browser would empty a search field before it closes a dialog.
      event.preventDefault();
      if (moved) return;
      if (this.mode === "dialog") this.hide();
      else this.query = "";
    }
  }

  #clicked(event: Event): void {
    const target = event.target as Element;
    const inPage = target.closest<HTMLElement>(".in-page");
    if (inPage?.dataset.page !== undefined) {
      this.#openPages.add(inPage.dataset.page);
      this.#lastShown = null;
      this.#render();
      return;
    }
    const why = target.closest(".why-button");
    const row = target.closest<HTMLElement>(".row");
    if (why && row?.dataset.id !== undefined) {
      void this.#toggleWhy(row.dataset.id);
      return;
    }
    if (target.closest("a.hit")) {
      this.#memory?.leave(this.#session?.view.filters ?? {}, this.#session?.limit ?? 0);
      const result = this.#session?.view.results.find((found) => found.id === row?.dataset.id);
      const detail: OpenDetail = { result, query: this.query };
      const opening = new CustomEvent("hinny-open", {
        detail,
        bubbles: true,
        composed: true,
        cancelable: true,
      });
      // A page may open hits in its own way.
      if (!this.dispatchEvent(opening)) event.preventDefault();
      if (!(event as MouseEvent).ctrlKey && !(event as MouseEvent).metaKey) this.hide();
    }
  }

  async #toggleWhy(id: string): Promise<void> {
    if (this.#openWhy.has(id)) {
      this.#openWhy.delete(id);
      this.#placeWhy(id, null);
      return;
    }
    this.#openWhy.add(id);
    await this.#showWhy(id);
  }

  async #showWhy(id: string): Promise<void> {
    const session = this.#session;
    const answer = session?.view.answer;
    if (!session || !answer) return;
    let panel: HTMLElement;
    try {
      const result = await session.explain(id);
      if (!result || session.view.answer !== answer || !this.#openWhy.has(id)) return;
      panel = explanationPanel(result, answer, this.#texts, this.#lang);
    } catch (error) {
      panel = h(
        "div",
        { class: "why" },
        h("p", { class: "error" }, error instanceof Error ? error.message : String(error)),
      );
    }
    this.#placeWhy(id, panel);
  }

  #placeWhy(id: string, panel: HTMLElement | null): void {
    for (const row of this.#parts.results.querySelectorAll<HTMLElement>(".row[data-id]")) {
      if (row.dataset.id !== id) continue;
      row.querySelector(".why-button")?.setAttribute("aria-expanded", String(panel !== null));
      const next = row.nextElementSibling;
      if (next?.classList.contains("why-row")) next.remove();
      if (panel)
        row.after(
          h("div", { role: "row", class: "why-row" }, h("div", { role: "gridcell", tabindex: -1 }, panel)),
        );
      return;
    }
  }

  #facetClicked(event: Event): void {
    const target = (event.target as Element).closest<HTMLElement>("button");
    if (!target || !this.#session) return;
    const { facet, value } = target.dataset;
    const filters: Filters = structuredClone(this.#session.view.filters);
    if (facet === undefined || value === undefined) {
      this.#session.setFilters({});
    } else {
      const chosen = new Set(filters[facet] ?? []);
      if (!chosen.delete(value)) chosen.add(value);
      if (chosen.size) filters[facet] = [...chosen];
      else delete filters[facet];
      this.#session.setFilters(filters);
    }
    this.#memory?.typed(this.query, this.#session.view.filters, this.#session.limit);
  }

  #schedule(): void {
    if (this.#frame || !this.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  #render(): void {
    const session = this.#session;
    if (!session) return;
    const { view } = session;
    const before = this.#lastShown;
    const { input, clear, results, empty, more, status, notices, facets, root } = this.#parts;
    clear.hidden = !view.query;
    this.#renderProgress(view);
    status.replaceChildren(...statusText(view, this.#texts, this.#lang));
    if (
      !before ||
      before.results !== view.results ||
      before.answer !== view.answer ||
      before.quick !== view.quick
    ) {
      const place = this.#cursor.place();
      results.classList.toggle("quick", view.quick);
      results.replaceChildren(
        renderGroups(view.results, {
          texts: this.#texts,
          lang: this.#lang,
          siteBase: this.siteBase,
          explainable: !view.quick && view.answer !== null,
          openPages: this.#openPages,
        }),
      );
      this.#cursor.restore(place);
      for (const id of this.#openWhy) void this.#showWhy(id);
      notices.replaceChildren(...renderNotices(view, this.#texts));
      renderFacets(facets, view, this.#texts, this.#lang);
      this.#speak(view);
      if (view.answer && before?.answer !== view.answer) this.#announceAnswer(view, view.answer);
    }
    input.setAttribute("aria-expanded", String(view.results.length > 0));
    const nothing = view.answer !== null && view.results.length === 0;
    empty.hidden = !nothing;
    if (nothing) {
      const line = fill(this.#texts.none, { query: view.query.slice(0, 200) });
      empty.replaceChildren(h("strong", {}, h("bdi", {}, line)), this.#texts.noneHint);
    }
    more.hidden =
      !view.answer || view.quick || view.results.length >= view.answer.total || !view.results.length;
    root.dataset.phase = view.phase;
    const moved = before?.phase !== view.phase || before.factory !== view.factory;
    if (moved || before.changes !== view.changes) {
      this.#emit("hinny-phase", { phase: view.phase, error: view.error });
    }
    this.#lastShown = view;
  }

  #renderProgress(view: View): void {
    const { bar } = this.#parts;
    bar.hidden = view.phase !== "starting";
    if (bar.hidden) return;
    const progress = view.progress;
    const done = progress?.total ? Math.min(1, progress.loaded / progress.total) : 0;
    (bar.firstElementChild as HTMLElement).style.setProperty("--done", done.toFixed(3));
    bar.setAttribute("aria-valuenow", String(Math.round(done * 100)));
    if (progress) this.#emit("hinny-progress", progress);
  }

  #announceAnswer(view: View, answer: SearchAnswer): void {
    this.#emit("hinny-answer", { answer, roundTrip: view.roundTrip ?? 0 } satisfies AnswerDetail);
    this.#memory?.shown();
  }

  #speak(view: View): void {
    clearTimeout(this.#speakTimer);
    this.#speakTimer = window.setTimeout(() => {
      const { live } = this.#parts;
      if (!view.query.trim()) live.textContent = "";
      else if (view.quick) live.textContent = this.#texts.quick;
      else if (view.answer) {
        live.textContent = view.answer.results.length
          ? plural(this.#texts.count, view.answer.total, this.#lang)
          : fill(this.#texts.none, { query: view.query.slice(0, 200) });
      }
    }, SPEAK_AFTER_MS);
  }

  #emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

function shortcutName(): string {
  return /mac|iphone|ipad/iu.test(navigator.platform) ? "\u2318K" : "Ctrl K";
}

declare global {
  interface HTMLElementTagNameMap {
    "hinny-search": HinnySearch;
  }
}
