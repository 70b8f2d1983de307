/**
 * A collection being made searchable by meaning, in the background: one at a time, since they share a worker.
 * It can be paused between two batches of sections, and given up.
 */

import type { EmbedProgress, Progress } from "../../worker/src/api";
import { messageOf } from "../src/view";

export type Embedding =
  | { stage: "waiting" }
  | { stage: "model"; model: string; loaded: number; total: number }
  /** `left`: milliseconds, once there is something to reckon by. */
  | { stage: "sections"; done: number; total: number; left: number | null }
  | { stage: "paused"; done: number; total: number }
  | { stage: "done" }
  | { stage: "cancelled" }
  | { stage: "failed"; message: string };

export interface EmbeddingWork {
  signal: AbortSignal;
  onProgress: (progress: EmbedProgress) => Promise<void>;
  onBytes: (progress: Progress) => void;
}

/** A guess before this much has been measured would jump about. */
const RECKON_AFTER_MS = 1500;

export class EmbeddingJob {
  static #line: Promise<unknown> = Promise.resolve();

  readonly #stop = new AbortController();
  #state: Embedding = { stage: "waiting" };
  #gate: { opened: Promise<void>; open: () => void } | null = null;
  #model = "";
  #progress = { done: 0, total: 0 };
  /** When sections began to be read, and how many were read then; anew after each pause. */
  #began: { at: number; done: number } | null = null;

  constructor(
    private readonly work: (work: EmbeddingWork) => Promise<void>,
    private readonly changed: (state: Embedding) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get state(): Embedding {
    return this.#state;
  }

  /** Do it when its turn has come; how it ended. It never rejects. */
  run(): Promise<Embedding> {
    this.#set({ stage: "waiting" });
    const turn = EmbeddingJob.#line.then(() => this.#run());
    EmbeddingJob.#line = turn;
    return turn;
  }

  pause(): void {
    if (this.#gate || this.#ended) return;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#gate = { opened, open };
    this.#set({ stage: "paused", ...this.#progress });
  }

  resume(): void {
    this.#gate?.open();
    this.#gate = null;
    this.#began = null;
    if (!this.#ended) this.#set({ stage: "sections", ...this.#progress, left: null });
  }

  cancel(): void {
    this.#stop.abort();
    this.#gate?.open();
    this.#gate = null;
    if (!this.#ended) this.#set({ stage: "cancelled" });
  }

  get #ended(): boolean {
    return ["done", "cancelled", "failed"].includes(this.#state.stage);
  }

  async #run(): Promise<Embedding> {
    if (this.#ended) return this.#state;
    const { signal } = this.#stop;
    try {
      await this.work({
        signal,
        onProgress: (progress) => this.#told(progress),
        onBytes: ({ loaded, total }) => {
          if (this.#state.stage === "model") this.#set({ stage: "model", model: this.#model, loaded, total });
        },
      });
      if (!this.#ended) this.#set({ stage: "done" });
    } catch (error) {
      if (!this.#ended) this.#set({ stage: "failed", message: messageOf(error) });
    }
    return this.#state;
  }

  async #told({ stage, model, done, total }: EmbedProgress): Promise<void> {
    this.#model = model;
    this.#progress = { done, total };
    if (this.#gate) {
      this.#set({ stage: "paused", done, total });
      await this.#gate.opened;
      return;
    }
    if (this.#ended) return;
    if (stage === "model") this.#set({ stage: "model", model, loaded: 0, total: 0 });
    else this.#set({ stage: "sections", done, total, left: this.#left(done, total) });
  }

  #left(done: number, total: number): number | null {
    this.#began ??= { at: this.now(), done };
    const took = this.now() - this.#began.at;
    const read = done - this.#began.done;
    return took < RECKON_AFTER_MS || !read ? null : ((total - done) * took) / read;
  }

  #set(state: Embedding): void {
    this.#state = state;
    this.changed(state);
  }
}
