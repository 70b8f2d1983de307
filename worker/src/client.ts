/** The page's side: one worker for all search boxes of a page, typed calls, cancelling, errors with a kind. */

import * as Comlink from "comlink";
import type {
  DownloadSettings,
  EmbedOptions,
  EmbedProgress,
  Encoded,
  EncodeRequest,
  ExecutionProvider,
  FactoryChange,
  ModelInfo,
  OpenOptions,
  OwnBundle,
  OwnEmbedded,
  OwnFile,
  Progress,
  StoredFile,
} from "./api.ts";
import { HinnyError, type Reply } from "./errors.ts";
import { type CallOptions, type SearchSession, Session } from "./session.ts";
import type { SearchWorker } from "./worker.ts";

export * from "./api.ts";
export { type ErrorKind, HinnyError } from "./errors.ts";
export type { CallOptions, SearchSession } from "./session.ts";

export interface ClientOptions {
  /** URL of runtime.json, relative to the page, where it does not lie beside the worker's script. */
  runtime?: string;
  /** How downloads of models are watched over. */
  downloads?: DownloadSettings;
  /**
   * `webgpu` runs models there or not at all: where the browser or the site (`hinny build --webgpu`) has none,
   * what needs a model fails and says so.
   */
  executionProvider?: ExecutionProvider;
}

export interface OpenCallOptions extends CallOptions {
  onProgress?: (progress: Progress) => void;
}

export interface EmbedCallOptions extends CallOptions {
  onProgress?: (progress: EmbedProgress) => void;
}

/** A worker that runs, and how to end it. */
interface Running {
  worker: Worker;
  remote: Comlink.Remote<SearchWorker>;
  started: Promise<Record<string, number>>;
  /** Rejects when the worker dies; never resolves. */
  crashed: Promise<never>;
  /** Grows with each restart: a session of an older worker opens its bundle again. */
  generation: number;
}

export class SearchClient {
  #options: ClientOptions;
  #running: Running | null = null;
  #listeners = new Set<(progress: Progress) => void>();
  #changes = new Set<(change: FactoryChange) => void>();
  #generation = 0;
  #queries = 0;
  #disposed = false;

  constructor(options: ClientOptions = {}) {
    this.#options = options;
  }

  /**
   * Load the worker and the interpreter; harmless when they are there. Opening a bundle does it too. The
   * answer is when what was ready, in milliseconds since the worker began.
   */
  async start(): Promise<Record<string, number>> {
    const running = this.#run();
    return await Promise.race([running.started, running.crashed]);
  }

  /** Open a bundle. The same bundle may be opened by several elements; each has its own session. */
  async open(options: OpenOptions, call: OpenCallOptions = {}): Promise<SearchSession> {
    const absolute = { ...options, bundle: new URL(options.bundle, document.baseURI).href };
    const { onProgress, signal } = call;
    if (onProgress) this.#listeners.add(onProgress);
    try {
      return await Session.open(this, absolute, signal);
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
    }
  }

  /** Open a bundle that `buildOwn` made, from its bytes. */
  async openOwn(zip: Uint8Array, options: OpenOptions, call: OpenCallOptions = {}): Promise<SearchSession> {
    const { onProgress, signal } = call;
    if (onProgress) this.#listeners.add(onProgress);
    try {
      return await Session.open(this, options, signal, zip);
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
    }
  }

  /** Index the reader's own files in the worker; `onFile` is told how many are read. */
  async buildOwn(
    files: OwnFile[],
    title: string,
    onFile: (done: number) => void = () => {},
    { signal }: CallOptions = {},
  ): Promise<OwnBundle> {
    const tell = Comlink.proxy(onFile);
    return (await this.call((remote) => remote.buildOwn(files, title, tell), signal)).value;
  }

  /**
   * Make the reader's own files, opened by `openOwn`, searchable by meaning, in the background: words go on
   * answering, and a search never waits for more than a batch of sections. The models are those of the site's
   * bundle and are kept and checked like there. Afterwards the session serves the factory (`onChange` says
   * `ready`, its `info` is the answer's), and the zip opens with all of it. `signal` gives up; the session is
   * then as it was. Factories may be added one after the other; what is there already is not encoded again.
   */
  async embedOwn(
    session: SearchSession,
    options: EmbedOptions,
    { signal, onProgress = () => {} }: EmbedCallOptions = {},
  ): Promise<OwnEmbedded> {
    if (!(session instanceof Session)) throw new HinnyError("query", "this is no session of this client");
    const asked = { ...options, models: new URL(options.models, document.baseURI).href };
    const number = await session.current(signal);
    const tell = Comlink.proxy(onProgress);
    const embed = (remote: Comlink.Remote<SearchWorker>, id: string) =>
      remote.embedOwn(number, id, asked, tell);
    const { value } = await this.call(embed, signal);
    session.replace(value.zip, value.info);
    return value;
  }

  /**
   * The reader's own bundle for another place: its zip with the files of the models that it names in
   * `models/`, so that `hinny serve` serves all of it wherever it is unpacked.
   */
  async exportOwn(zip: Uint8Array, { signal }: CallOptions = {}): Promise<Uint8Array> {
    return (await this.call((remote) => remote.exportOwn(zip), signal)).value.zip;
  }

  /** Be told of the start-up's progress; returns how to stop. */
  onProgress(listener: (progress: Progress) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Be told when a factory of any bundle became ready or failed; returns how to stop. */
  onChange(listener: (change: FactoryChange) => void): () => void {
    this.#changes.add(listener);
    return () => this.#changes.delete(listener);
  }

  /** The models that a bundle names, and whether this device has them. */
  async models(bundle: string): Promise<ModelInfo[]> {
    const url = new URL(bundle, document.baseURI).href;
    return (await this.call((remote) => remote.models(url), undefined, false)).value;
  }

  /** Download models before a search asks for them: all that the bundle names, or these. */
  async prefetch(bundle: string, models?: string[], { signal }: CallOptions = {}): Promise<void> {
    const url = new URL(bundle, document.baseURI).href;
    const stop = (remote: Comlink.Remote<SearchWorker>, id: string) => {
      signal?.addEventListener("abort", () => void remote.stopPrefetch(id), { once: true });
      return remote.prefetch(url, id, models);
    };
    await this.call(stop, signal, false);
  }

  /** Texts to vectors by a model that the bundle names. */
  async encode(bundle: string, request: EncodeRequest, { signal }: CallOptions = {}): Promise<Encoded> {
    const url = new URL(bundle, document.baseURI).href;
    return (await this.call((remote) => remote.encode(url, request), signal)).value;
  }

  /**
   * Ask the browser not to throw our files away when space is short. Some browsers ask the reader, so call it
   * from a click; true when they will be kept.
   */
  async persist(): Promise<boolean> {
    const storage = navigator.storage;
    if (!storage?.persist) return false;
    return (await storage.persisted()) || (await storage.persist());
  }

  /** What this device holds of the runtime, of bundles and of models. */
  async stored(): Promise<StoredFile[]> {
    return await this.#run().remote.stored();
  }

  async clear(kind?: StoredFile["kind"]): Promise<void> {
    await this.#run().remote.clear(kind);
  }

  /** End the worker. What is under way fails; the client is of no use afterwards. */
  dispose(): void {
    this.#disposed = true;
    this.#end();
  }

  /** For sessions: call the worker, whichever is running, and turn its replies into values and errors. */
  async call<T>(
    work: (remote: Comlink.Remote<SearchWorker>, query: string) => Promise<Reply<T>>,
    signal?: AbortSignal,
    /** Whether the call needs the interpreter; what only moves files does not wait for it. */
    python = true,
  ): Promise<{ value: T; generation: number }> {
    signal?.throwIfAborted();
    const running = this.#run();
    const query = String(++this.#queries);
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => {
        void running.remote.cancel(query);
        reject(signal.reason);
      });
    });
    aborted.catch(() => {});
    if (python) await Promise.race([running.started, running.crashed, aborted]);
    // A start that fails ends the worker, and with it all calls that did not wait for it.
    const failed = running.started.then(() => new Promise<never>(() => {}));
    const reply = await Promise.race([work(running.remote, query), running.crashed, failed, aborted]);
    if (reply.ok) return { value: reply.value, generation: running.generation };
    throw new HinnyError(reply.error.kind, reply.error.message);
  }

  get generation(): number {
    return this.#run().generation;
  }

  #run(): Running {
    if (this.#disposed) throw new HinnyError("crashed", "this search client was disposed");
    this.#running ??= this.#launch();
    return this.#running;
  }

  #end(): void {
    this.#running?.worker.terminate();
    this.#running = null;
  }

  #launch(): Running {
    let worker: Worker;
    try {
      worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "hinny" });
    } catch (error) {
      throw new HinnyError("no-module-worker", `this browser starts no module worker: ${String(error)}`);
    }
    const crashed = new Promise<never>((_, reject) => {
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        if (this.#running?.worker === worker) this.#end();
        const started = event.message ? "crashed" : "no-module-worker";
        reject(new HinnyError(started, `the search worker failed: ${event.message || "it did not load"}`));
      });
    });
    crashed.catch(() => {});
    const remote = Comlink.wrap<SearchWorker>(worker);
    const tell = (progress: Progress) => {
      for (const listener of this.#listeners) listener(progress);
    };
    const runtime = this.#options.runtime && new URL(this.#options.runtime, document.baseURI).href;
    const { downloads = {}, executionProvider } = this.#options;
    void remote.configure(downloads, executionProvider);
    const change = Comlink.proxy((found: FactoryChange) => {
      for (const listener of this.#changes) listener(found);
    });
    const started = remote.start(Comlink.proxy(tell), runtime || undefined, change).then((reply) => {
      if (reply.ok) return reply.value;
      // A start that failed can be tried again: the next call launches a new worker.
      if (this.#running?.worker === worker) this.#end();
      throw new HinnyError(reply.error.kind, reply.error.message);
    });
    started.catch(() => {});
    return { worker, remote, started, crashed, generation: ++this.#generation };
  }
}

let shared: SearchClient | null = null;

/** The page's one client: every element that uses it shares one worker. */
export function sharedClient(options?: ClientOptions): SearchClient {
  shared ??= new SearchClient(options);
  return shared;
}
