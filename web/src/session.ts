/**
 * One search box's conversation with the core: what was asked, what is shown, what is outdated.
 *
 * At most one question is with the core, and at most one, the newest, waits. An answer is shown only when it
 * answers what the box says now, so an older answer never replaces a newer one. While the core starts, the
 * titles file answers; its answer is replaced as soon as the core's is there.
 */

import type { BundleInfo, Factory, FactoryChange, Result, SearchRequest } from "../../worker/src/api";
import { Explanations } from "./explanations";
import { isAbort, type OpenBundle, type Port } from "./port";
import { quickResults, TitleIndex } from "./titles";
import { emptyView, type Filters, messageOf, type View } from "./view";

/** Hits at first: about a screen of them, and each excerpt costs time while somebody types. */
export const PAGE_SIZE = 10;
export const MORE_SIZE = 20;
/** What the core gives at once; further hits come by offset. */
const MOST_RESULTS = 100;

/** A question that the bundle recorded: a factory answers it without loading its model. */
export interface Recorded {
  id: string;
  factory: Factory;
}

interface Question {
  text: string;
  asYouType: boolean;
  recorded?: Recorded | undefined;
}

export class Session {
  view: View;

  #bundle: string;
  #factory: Factory;
  #opened: OpenBundle | null = null;
  #stopListening: (() => void) | undefined;
  #opening: Promise<void> | null = null;
  #titles: TitleIndex | null = null;
  #root = "../";
  /** Stays while the same bundle is opened for another factory. */
  #info: BundleInfo | null = null;
  #asking = false;
  #next: Question | null = null;
  /** What was asked last, whether it is answered or not. */
  #latest: Question = { text: "", asYouType: false };
  #limit = PAGE_SIZE;
  /** What the answer on the screen answers. */
  #shown: Question = { text: "", asYouType: false };
  /** Grows whenever bundle or factory change: what was started before is of no use then. */
  #generation = 0;
  readonly #explained = new Explanations();

  constructor(
    private readonly port: Port,
    private readonly changed: () => void,
    bundle: string,
    factory: Factory,
  ) {
    this.#bundle = bundle;
    this.#factory = factory;
    this.view = emptyView(factory);
  }

  get factory(): Factory {
    return this.#factory;
  }

  get limit(): number {
    return this.#limit;
  }

  /** URL of the site's root, relative to the bundle's folder. */
  get root(): string {
    return this.#root;
  }

  /** What the bundle holds, once it has been opened. */
  get info(): BundleInfo | null {
    return this.#info;
  }

  /** Point to another bundle or factory; the question is asked again there. */
  retarget(bundle: string, factory: Factory): void {
    if (bundle === this.#bundle && factory === this.#factory) return;
    if (bundle !== this.#bundle) {
      this.#titles = null;
      this.#info = null;
    }
    const running = this.view.phase !== "idle";
    this.#bundle = bundle;
    this.#factory = factory;
    this.#generation += 1;
    this.#stopListening?.();
    this.#opened = null;
    this.#opening = null;
    this.#asking = false;
    this.#next = null;
    this.#set({ phase: "idle", factory, error: null, progress: null, problem: null });
    if (running) void this.start();
    if (this.view.query) this.ask(this.view.query, false);
  }

  /** Bring the core up. Harmless when it is up or on its way; after a failure it tries again. */
  start(): Promise<void> {
    this.#opening ??= this.#start(this.#generation);
    return this.#opening;
  }

  async #start(generation: number): Promise<void> {
    this.#set({ phase: "starting", error: null });
    if (!this.#titles) void this.#loadTitles(generation);
    try {
      const opened = await this.port.open(this.#bundle, this.#factory, (progress) => {
        if (generation !== this.#generation) return;
        if (progress.problem !== undefined) this.#set({ problem: progress.problem });
        // Once the core is up, only a model is still worth telling of: words answer meanwhile.
        else if (!this.#opened || progress.stage === "model") this.#set({ progress });
      });
      if (generation !== this.#generation) return;
      this.#opened = opened;
      this.#info = opened.info;
      this.#stopListening = opened.onChange?.((change) => this.#factoryChanged(generation, change));
      this.#root = opened.info.base;
      this.#set({ phase: "ready", progress: null });
      void this.#pump();
    } catch (error) {
      if (generation !== this.#generation) return;
      this.#opening = null;
      this.#set({ phase: "failed", progress: null, error: messageOf(error) });
    }
  }

  /** What answers has changed; the question on the screen is asked again, in its place. */
  #factoryChanged(generation: number, change: FactoryChange): void {
    if (generation !== this.#generation || change.factory !== this.#factory) return;
    const progress = change.state === "joined" ? this.view.progress : null;
    this.#set({ progress, changes: this.view.changes + 1 });
    this.#askAgain();
  }

  /** Bring what was missing here after all: a model that was refused, or came damaged. */
  async retry(): Promise<void> {
    const opened = this.#opened;
    if (!opened) return this.start();
    try {
      await opened.prepare?.(this.#factory);
      if (opened === this.#opened) this.#askAgain();
    } catch (error) {
      if (opened === this.#opened) this.#set({ error: messageOf(error) });
    }
  }

  #askAgain(): void {
    if (this.#next || !this.view.query.trim()) return;
    this.#explained.forget();
    this.#next = this.#latest;
    void this.#pump();
  }

  async #loadTitles(generation: number): Promise<void> {
    try {
      const { root, entries } = await this.port.titles(this.#bundle);
      if (generation !== this.#generation) return;
      this.#titles = new TitleIndex(entries);
      this.#root = root;
      if (!this.#opened && this.view.query) this.#answerQuickly(this.view.query);
    } catch {
      // Quick answers are a courtesy; the core reports what is wrong with a bundle.
    }
  }

  /** Ask. `asYouType` says that the last word may be unfinished. */
  ask(text: string, asYouType: boolean, recorded?: Recorded): void {
    if (text !== this.view.query) this.#limit = PAGE_SIZE;
    this.#explained.forget();
    if (!text.trim()) {
      this.#next = null;
      this.#set({ query: text, results: [], quick: false, answer: null, roundTrip: null });
      return;
    }
    this.#latest = { text, asYouType, recorded };
    this.#next = this.#latest;
    this.#set({ query: text });
    if (this.#opened) void this.#pump();
    else {
      this.#answerQuickly(text);
      if (this.view.phase === "idle") void this.start();
    }
  }

  /** Ask for whole words; a recorded question stays one. */
  askWhole(text: string): void {
    this.ask(text, false, this.#latest.text === text ? this.#latest.recorded : undefined);
  }

  setFilters(filters: Filters): void {
    this.#limit = PAGE_SIZE;
    this.#set({ filters });
    this.askWhole(this.view.query);
  }

  /** The next hits after those that are shown. */
  async more(): Promise<void> {
    const { answer, results } = this.view;
    if (!this.#opened || !answer || this.view.quick) return;
    try {
      const request = { ...this.#request(this.#shown), offset: results.length, limit: MORE_SIZE };
      const next = await this.#opened.search(request);
      if (this.view.answer !== answer) return;
      this.#limit = Math.min(MOST_RESULTS, results.length + next.results.length);
      const known = new Set(results.map((result) => result.id));
      const fresh = next.results.filter((result) => !known.has(result.id));
      // Without anything new there is no more, whatever the total says.
      const total = fresh.length ? answer.total : results.length;
      this.#set({ results: [...this.view.results, ...fresh], answer: { ...answer, total } });
    } catch (error) {
      if (!isAbort(error) && this.view.answer === answer) this.#set({ error: messageOf(error) });
    }
  }

  /** Show as many hits as a page that is returned to had shown. */
  restore(query: string, limit: number, filters: Filters): void {
    this.#limit = Math.min(MOST_RESULTS, Math.max(PAGE_SIZE, limit));
    this.view = { ...this.view, query, filters };
  }

  /** The hit with its explanation, asked once for each answer. */
  async explain(id: string): Promise<Result | null> {
    const shown = this.view.results.find((result) => result.id === id);
    if (shown?.explanation || !this.#opened || this.view.quick) return shown ?? null;
    const { query } = this.view;
    const explained = await this.#explained.of(this.#opened, this.#request(this.#shown));
    if (query !== this.view.query) return null;
    // The list on the screen stays as it is, so nobody is told of a change.
    this.view = { ...this.view, results: this.view.results.map((found) => explained.get(found.id) ?? found) };
    return this.view.results.find((result) => result.id === id) ?? null;
  }

  #request(question: Question): SearchRequest {
    const { filters } = this.view;
    return {
      text: question.text,
      limit: this.#limit,
      factory: question.recorded?.factory ?? this.#factory,
      asYouType: question.asYouType,
      ...(question.recorded ? { recorded: question.recorded.id } : {}),
      ...(Object.keys(filters).length ? { filters } : {}),
    };
  }

  #answerQuickly(text: string): void {
    if (!this.#titles) return;
    this.#set({ results: quickResults(this.#titles.search(text)), quick: true, answer: null });
  }

  async #pump(): Promise<void> {
    const opened = this.#opened;
    if (this.#asking || !opened) return;
    const generation = this.#generation;
    this.#asking = true;
    while (this.#next && generation === this.#generation) {
      const question = this.#next;
      this.#next = null;
      await this.#askOnce(opened, question, generation);
    }
    if (generation === this.#generation) this.#asking = false;
  }

  async #askOnce(opened: OpenBundle, question: Question, generation: number): Promise<void> {
    const began = performance.now();
    try {
      const answer = await opened.search(this.#request(question));
      if (generation !== this.#generation || question.text !== this.view.query) return;
      this.#shown = question;
      this.#set({
        results: answer.results,
        answer,
        quick: false,
        error: null,
        roundTrip: performance.now() - began,
      });
    } catch (error) {
      if (generation !== this.#generation || isAbort(error) || question.text !== this.view.query) return;
      this.#set({ error: messageOf(error), results: [], answer: null, quick: false, roundTrip: null });
    }
  }

  #set(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.changed();
  }
}
