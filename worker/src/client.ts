/** The page's side: one worker for all search boxes of a page, typed calls, cancelling, errors with a kind. */

import * as Comlink from "comlink";
import type {
  BundleInfo,
  DownloadSettings,
  Encoded,
  EncodeRequest,
  Factory,
  FactoryChange,
  ModelInfo,
  OpenOptions,
  OwnBundle,
  OwnFile,
  Progress,
  SearchAnswer,
  SearchRequest,
  StoredFile,
} from "./api.ts";
import { HinnyError, type Reply } from "./errors.ts";
import type { SearchWorker } from "./worker.ts";

export * from "./api.ts";
export { type ErrorKind, HinnyError } from "./errors.ts";

export interface ClientOptions {
  /** URL of runtime.json, relative to the page, where it does not lie beside the worker's script. */
  runtime?: string;
  /** How downloads of models are watched over. */
  downloads?: DownloadSettings;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface OpenCallOptions extends CallOptions {
  onProgress?: (progress: Progress) => void;
}

/** An opened bundle. */
export interface SearchSession {
  readonly info: BundleInfo;
  search(request: SearchRequest, options?: CallOptions): Promise<SearchAnswer>;
  /**
   * Bring what a factory needs here, in the background. A search that names the factory does so, too; until
   * it is ready, words answer, and `degraded` says so.
   */
  prepare(factory: Factory): Promise<void>;
  /** Be told when a factory became ready or failed, so as to ask again; returns how to stop. */
  onChange(listener: (change: FactoryChange) => void): () => void;
  close(): Promise<void>;
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
    if (this.#options.downloads) void remote.configure(this.#options.downloads);
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

function opening(options: OpenOptions, zip: Uint8Array | undefined) {
  return (remote: Comlink.Remote<SearchWorker>) =>
    zip ? remote.openOwn(zip, options) : remote.open(options);
}

function withSlash(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}

class Session implements SearchSession {
  #client: SearchClient;
  #options: OpenOptions;
  #session: number;
  #generation: number;
  /** The bundle itself, where it is the reader's own. */
  #zip: Uint8Array | undefined;
  info: BundleInfo;

  private constructor(
    client: SearchClient,
    options: OpenOptions,
    opened: { session: number; info: BundleInfo },
    generation: number,
    zip?: Uint8Array,
  ) {
    this.#client = client;
    this.#options = options;
    this.#zip = zip;
    this.#session = opened.session;
    this.#generation = generation;
    this.info = opened.info;
  }

  static async open(
    client: SearchClient,
    options: OpenOptions,
    signal?: AbortSignal,
    zip?: Uint8Array,
  ): Promise<Session> {
    const { value, generation } = await client.call(opening(options, zip), signal);
    return new Session(client, options, value, generation, zip);
  }

  async search(request: SearchRequest, { signal }: CallOptions = {}): Promise<SearchAnswer> {
    if (this.#generation !== this.#client.generation) await this.#reopen(signal);
    const ask = (remote: Comlink.Remote<SearchWorker>, query: string) =>
      remote.search(this.#session, query, request);
    return (await this.#client.call(ask, signal)).value;
  }

  async prepare(factory: Factory): Promise<void> {
    if (this.#generation !== this.#client.generation) await this.#reopen();
    await this.#client.call((remote) => remote.prepare(this.#session, factory));
  }

  onChange(listener: (change: FactoryChange) => void): () => void {
    const mine = withSlash(this.#options.bundle);
    return this.#client.onChange((change) => {
      if (change.bundle === mine) listener(change);
    });
  }

  /** The worker died since: a new one knows nothing of this session. */
  async #reopen(signal?: AbortSignal): Promise<void> {
    const { value, generation } = await this.#client.call(opening(this.#options, this.#zip), signal);
    this.#session = value.session;
    this.#generation = generation;
    this.info = value.info;
  }

  async close(): Promise<void> {
    if (this.#generation === this.#client.generation) {
      await this.#client.call((remote) => remote.close(this.#session));
    }
  }
}

let shared: SearchClient | null = null;

/** The page's one client: every element that uses it shares one worker. */
export function sharedClient(options?: ClientOptions): SearchClient {
  shared ??= new SearchClient(options);
  return shared;
}

export type { BundleInfo, Factory, Progress, SearchAnswer, SearchRequest };
