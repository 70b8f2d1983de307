/**
 * `<hinny-search>`: a search box, its results and their explanations, in a shadow root.
 *
 * The keyboard follows the ARIA combobox pattern with a grid as its popup: focus stays in the box, arrows move
 * through rows, Left and Right between a row's cells (open it, explain it), Enter acts, Escape steps back.
 */

import type { BundleInfo, Factory, Result } from "../../worker/src/api";
import { parseFactory } from "./factory-names";
import { GridCursor } from "./grid";
import { pressed } from "./keys";
import { listen } from "./listeners";
import { Memory } from "./memory";
import { Painter } from "./painter";
import type { Port } from "./port";
import { inAQuietMoment } from "./preload";
import { forgetQueries, recentQueries, rememberQuery } from "./recent";
import { type Recorded, Session } from "./session";
import { registerShortcut } from "./shortcut";
import { buildSkeleton, type Skeleton } from "./skeleton";
import { styleSheet } from "./styles";
import { textsFor } from "./texts";
import { toggled, type View } from "./view";
import { WhyPanels } from "./why-panels";

export { parseFactory } from "./factory-names";
export type { AnswerDetail } from "./painter";

/** Of the event `hinny-open`, which may be cancelled. */
export interface OpenDetail {
  result: Result | undefined;
  query: string;
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
  #memory: Memory | null = null;
  #frame = 0;
  #release: (() => void)[] = [];
  #parts!: Skeleton;
  #cursor!: GridCursor;
  #why!: WhyPanels;
  #painter!: Painter;

  connectedCallback(): void {
    this.#root.adoptedStyleSheets = [styleSheet()];
    this.#setup();
  }

  disconnectedCallback(): void {
    for (const release of this.#release) release();
    this.#release = [];
    this.#painter.stop();
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

  /** Ask a question that the bundle recorded: no model is loaded for it. */
  askRecorded(id: string, text: string, factory: Factory): void {
    this.#parts.input.value = text;
    this.#ask(text, false, { id, factory });
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
    if (dialog && !dialog.open) {
      dialog.showModal();
      if (this.#session) this.#painter.again(this.#session.view);
    }
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
    const lang = this.getAttribute("lang") || document.documentElement.lang || navigator.language || "en";
    const texts = textsFor(lang);
    this.#session ??= new Session(HinnySearch.port, () => this.#schedule(), this.bundleUrl, this.factory);
    const session = this.#session;
    const parts = buildSkeleton({
      texts,
      lang,
      placeholder: this.getAttribute("placeholder") ?? texts.placeholder,
      gridId: `results-${this.#serial}`,
      dialog: this.mode === "dialog",
      box: this.getAttribute("box") !== "none",
      shortcut: this.getAttribute("shortcut") !== "none",
    });
    this.#parts = parts;
    this.#root.replaceChildren(parts.outer);
    const cursor = new GridCursor(parts.input, parts.results);
    const why = new WhyPanels(session, parts.results, texts, lang);
    this.#cursor = cursor;
    this.#why = why;
    this.#painter = new Painter({
      parts,
      cursor,
      why,
      texts,
      lang,
      siteBase: () => this.siteBase,
      recent: () => (this.#recalls ? recentQueries() : []),
      emit: (name, detail) => this.#emit(name, detail),
      answered: () => this.#memory?.shown(),
    });
    this.#listen(session);
    this.#remember();
    if ((this.getAttribute("preload") ?? "idle") === "idle") inAQuietMoment(() => void this.start());
    this.#painter.render(session.view);
  }

  #listen(session: Session): void {
    listen(this.#parts, {
      type: (text) => this.#ask(text, true),
      key: (event) => this.#key(event),
      start: () => void this.start(),
      empty: () => {
        this.query = "";
      },
      more: () => void session.more(),
      show: () => this.show(),
      hide: () => this.hide(),
      suggestion: (query) => {
        this.query = query;
        this.#memory?.push();
        this.#parts.input.focus();
      },
      retry: (what) => void (what === "start" ? this.start() : session.retry()),
      filter: (chosen) => {
        session.setFilters(chosen ? toggled(session.view.filters, chosen.facet, chosen.value) : {});
        this.#memory?.typed(this.query, session.view.filters, session.limit);
      },
      forget: () => {
        forgetQueries();
        this.#painter.again(session.view);
        this.#parts.input.focus();
      },
      openPage: (page) => this.#painter.openPage(page, session.view),
      explain: (id) => void this.#why.toggle(id),
      open: (event, id) => this.#opening(event, id),
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
      const { query, limit, filters } = memory.read();
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

  #ask(text: string, asYouType: boolean, recorded?: Recorded): void {
    this.#painter.closePages();
    this.#why.clear();
    this.#session?.ask(text, asYouType, recorded);
    this.#memory?.typed(text, this.#session?.view.filters ?? {}, this.#session?.limit ?? 0);
  }

  #key(event: KeyboardEvent): void {
    pressed(event, {
      cursor: this.#cursor,
      rightToLeft: this.#parts.root.dir === "rtl",
      dialog: this.mode === "dialog",
      query: this.query,
      ask: () => {
        this.#session?.askWhole(this.#parts.input.value);
        this.#memory?.push();
      },
      empty: () => {
        this.query = "";
      },
      hide: () => this.hide(),
    });
  }

  #opening(event: MouseEvent, id: string | undefined): void {
    this.#memory?.leave(this.#session?.view.filters ?? {}, this.#session?.limit ?? 0);
    const result = this.#session?.view.results.find((found) => found.id === id);
    const detail: OpenDetail = { result, query: this.query };
    if (this.#recalls) rememberQuery(this.query);
    // A page may open hits in its own way.
    if (!this.#emit("hinny-open", detail, true)) event.preventDefault();
    if (!event.ctrlKey && !event.metaKey) this.hide();
  }

  /** Whether the empty box offers what was searched for before. */
  get #recalls(): boolean {
    return this.mode === "dialog" && this.getAttribute("recent") !== "off";
  }

  #schedule(): void {
    if (this.#frame || !this.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#session) this.#painter.render(this.#session.view);
    });
  }

  #emit(name: string, detail: unknown, cancelable = false): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hinny-search": HinnySearch;
  }
}
