/** The search worker: Pyodide with Hinny in it, behind a handful of calls. */

import * as Comlink from "comlink";
import type * as api from "./api.ts";
import { HinnyError, type PlainError, type Reply, reply } from "./errors.ts";
import { BundleHost } from "./host.ts";
import { ModelStore } from "./models/store.ts";
import { type RuntimeFiles, runtimeLibraries } from "./ort.ts";
import type { Pyodide, PyProxy } from "./runtime/emscripten.ts";
import { type FileRequest, FileStore } from "./runtime/files.ts";
import { loadManifest } from "./runtime/manifest.ts";
import { Runtime } from "./runtime/start.ts";
import { Sessions } from "./sessions.ts";

/** How `hinny.browser_entry` answers: JSON, so that one string crosses the border and no proxy stays. */
type PythonReply<T> = { ok: true; value: T } | { ok: false; error: PlainError; incomplete?: boolean };

export interface Opened {
  session: number;
  info: api.BundleInfo;
}

interface Zipped {
  zip: Uint8Array;
}

/** As Python tells of a zip that waits there under the number `made`. */
type Made<T extends Zipped> = Omit<T, "zip"> & { made: number };

class SearchWorker {
  // Counted from the first byte on: a model may be on its way before the runtime's manifest has come.
  #files = new FileStore((file, count, cached) => this.#count(file, count, cached));
  #settings: api.DownloadSettings = {};
  #models = new ModelStore({
    onExpect: (file) => {
      this.#totals.model += file.bytes;
    },
    onBytes: (file, count, cached) => this.#count(file, count, cached),
    onProblem: (problem) => {
      console.warn(`hinny: ${problem}`);
      this.#progress({ stage: "model", loaded: this.#loaded.model, total: this.#totals.model, problem });
    },
    settings: () => this.#settings,
  });
  #sessions = new Sessions(runtimeLibraries(() => this.#runtimeFiles()));
  #totals = { runtime: 0, bundle: 0, model: 0 };
  #loaded = { runtime: 0, bundle: 0, model: 0 };
  #runtime: Promise<Runtime> | null = null;
  #python: Promise<{ pyodide: Pyodide; entry: PyProxy }> | null = null;
  #progress: (progress: api.Progress) => void = () => {};
  #changed: (change: api.FactoryChange) => void = () => {};
  #prefetches = new Map<string, AbortController>();

  /**
   * Start everything; the answer is when what was ready, in milliseconds since the worker began. `runtime` is the URL of runtime.json, where it does not
   * lie beside the worker. `onChange` is told when a factory became ready or failed.
   */
  start(
    onProgress: (progress: api.Progress) => void,
    runtime?: string,
    onChange: (change: api.FactoryChange) => void = () => {},
  ): Promise<Reply<Record<string, number>>> {
    this.#progress = onProgress;
    this.#changed = onChange;
    return reply(async () => {
      this.#runtime ??= this.#loadRuntime(new URL(runtime ?? "runtime.json", self.location.href));
      this.#python ??= this.#startPython(this.#runtime);
      await this.#python;
      return (await this.#runtime).marks;
    });
  }

  /** Open a bundle by the absolute URL of its folder. */
  open(options: api.OpenOptions): Promise<Reply<Opened>> {
    return reply(async () => {
      const host = this.#host(options.bundle);
      void host.prefetch();
      const opened = await this.#call<Opened>("open", host, JSON.stringify(options));
      this.#progress({ stage: "ready", loaded: 1, total: 1 });
      await this.#markCached(host, opened.info);
      return opened;
    });
  }

  /** `id` is the caller's, for `cancel`. */
  search(session: number, id: string, request: api.SearchRequest): Promise<Reply<api.SearchAnswer>> {
    return reply(() => this.#call<api.SearchAnswer>("search", session, id, JSON.stringify(request)));
  }

  /** Bring what a factory needs here, in the background; `onChange` tells when it is ready. */
  prepare(session: number, factory: api.Factory): Promise<Reply<null>> {
    return reply(() => this.#call<null>("prepare", session, factory));
  }

  /** Give up a search that is outdated; its answer is an error of its own. */
  async cancel(id: string): Promise<void> {
    const python = await this.#python;
    (python?.entry.cancel as ((id: string) => void) | undefined)?.(id);
  }

  close(session: number): Promise<Reply<null>> {
    return reply(() => this.#call<null>("close", session));
  }

  /** Index the reader's own files; `onFile` is told how many are read. */
  buildOwn(
    files: api.OwnFile[],
    title: string,
    onFile: (done: number) => void,
  ): Promise<Reply<api.OwnBundle>> {
    return this.#zipped(async () => {
      const { pyodide } = await this.#running();
      await (await this.#runtime)?.addReaders(pyodide);
      return await this.#call<Made<api.OwnBundle>>("build_own", files, JSON.stringify({ title }), onFile);
    });
  }

  /** Open a bundle that `buildOwn` made. */
  openOwn(zip: Uint8Array, options: api.OpenOptions): Promise<Reply<Opened>> {
    return reply(async () => {
      const { pyodide } = await this.#running();
      await (await this.#runtime)?.complete(pyodide);
      const host = this.#host(options.bundle);
      const opened = await this.#call<Opened>("open_own", zip, host, JSON.stringify(options));
      await this.#markCached(host, opened.info);
      return opened;
    });
  }

  /** Encode an opened own bundle in the background; `id` is the caller's, for `cancel`. */
  embedOwn(
    session: number,
    id: string,
    options: api.EmbedOptions,
    onProgress: (progress: api.EmbedProgress) => void,
  ): Promise<Reply<api.OwnEmbedded>> {
    const tell = (progress: string) => onProgress(JSON.parse(progress) as api.EmbedProgress);
    return this.#zipped(async () => {
      const site = this.#host(options.models);
      const made = await this.#call<Made<api.OwnEmbedded>>(
        "embed_own",
        session,
        id,
        site,
        JSON.stringify(options),
        tell,
      );
      await this.#markCached(site, made.info);
      return made;
    });
  }

  /** An own bundle with its models' files. */
  exportOwn(zip: Uint8Array): Promise<Reply<Zipped>> {
    return this.#zipped(async () => {
      const { pyodide } = await this.#running();
      await (await this.#runtime)?.complete(pyodide);
      return await this.#call<Made<Zipped>>("export_own", zip, this.#host(self.location.href));
    });
  }

  configure(settings: api.DownloadSettings, provider: api.ExecutionProvider = "wasm"): void {
    this.#settings = settings;
    this.#sessions.device = provider;
  }

  /** The models that a bundle names, and whether they are here. */
  models(bundle: string): Promise<Reply<api.ModelInfo[]>> {
    return reply(async () => {
      const catalogue = await this.#host(bundle).catalogue();
      return await Promise.all(
        [...catalogue.models.values()].map(async ({ id, kind, base }) => {
          const files = await this.#models.inspect(catalogue.requests(id));
          const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
          return { id, kind, bytes, source: base, cached: files.every((file) => file.stored) };
        }),
      );
    });
  }

  /** Bring models here (all that the bundle names, or these). `id` is the caller's, for `stopPrefetch`. */
  prefetch(bundle: string, id: string, models?: string[]): Promise<Reply<null>> {
    return reply(async () => {
      const stop = new AbortController();
      this.#prefetches.set(id, stop);
      try {
        const catalogue = await this.#host(bundle).catalogue();
        for (const model of models ?? catalogue.models.keys()) {
          await this.#models.prefetch(catalogue.requests(model), stop.signal);
        }
      } finally {
        this.#prefetches.delete(id);
      }
      return null;
    });
  }

  stopPrefetch(id: string): void {
    this.#prefetches.get(id)?.abort();
  }

  encode(bundle: string, request: api.EncodeRequest): Promise<Reply<api.Encoded>> {
    void this.#sessions.start(); // Python asks for the same, some steps later
    return reply(() => this.#call<api.Encoded>("encode", this.#host(bundle), JSON.stringify(request)));
  }

  stored(): Promise<api.StoredFile[]> {
    return this.#files.stored();
  }

  clear(kind?: api.StoredFile["kind"]): Promise<void> {
    return this.#files.clear(kind);
  }

  /** Run what makes a zip in Python, and hand its bytes on to the page without a copy. */
  async #zipped<T extends Zipped>(work: () => Promise<Made<T>>): Promise<Reply<T>> {
    const answer = await reply(async () => {
      const { made, ...rest } = await work();
      const { entry } = await this.#running();
      const bytes = (entry.take_own as (made: number) => PyProxy)(made);
      const zip = (bytes.toJs as () => Uint8Array<ArrayBuffer>)();
      bytes.destroy();
      return { ...rest, zip } as unknown as T;
    });
    return answer.ok ? Comlink.transfer(answer, [answer.value.zip.buffer as ArrayBuffer]) : answer;
  }

  #host(bundle: string): BundleHost {
    const onChange = (change: api.FactoryChange) => this.#changed(change);
    return new BundleHost(bundle, this.#files, { store: this.#models, sessions: this.#sessions, onChange });
  }

  /** Which of the models that a bundle's factories need lie on this device already. */
  async #markCached(host: BundleHost, info: api.BundleInfo): Promise<void> {
    const models = info.factories.flatMap((factory) => factory.models);
    if (!models.length) return;
    const catalogue = await host.catalogue();
    for (const model of models) {
      if (!catalogue.models.has(model.id)) continue;
      const files = await this.#models.inspect(catalogue.requests(model.id));
      model.cached = files.every((file) => file.stored);
    }
  }

  async #runtimeFiles(): Promise<RuntimeFiles> {
    const runtime = await this.#runtime;
    if (!runtime) throw new HinnyError("runtime", "the worker was not started");
    return {
      get: (name) => runtime.get(name),
      compile: (name) => runtime.compile(name),
      has: (name) => name in runtime.manifest.files,
      url: (name) => runtime.request(name).url,
      script: (name) => runtime.script(name),
    };
  }

  async #running(): Promise<{ pyodide: Pyodide; entry: PyProxy }> {
    if (!this.#python) throw new HinnyError("runtime", "the worker was not started");
    return await this.#python;
  }

  async #loadRuntime(url: URL): Promise<Runtime> {
    return new Runtime(await loadManifest(url), url, this.#files);
  }

  async #startPython(loading: Promise<Runtime>): Promise<{ pyodide: Pyodide; entry: PyProxy }> {
    const runtime = await loading;
    this.#totals.runtime = runtime.needed.reduce((sum, name) => sum + runtime.request(name).bytes, 0);
    const pyodide = await runtime.start((line) => console.info(`hinny: ${line}`));
    this.#progress({ stage: "python", loaded: 1, total: 1 });
    return { pyodide, entry: pyodide.pyimport("hinny.browser_entry") };
  }

  /** Tell of bytes as they come, by stage. */
  #count(file: FileRequest, count: number, cached: boolean): void {
    const stage = file.kind === "boot" ? "runtime" : file.kind;
    this.#loaded[stage] += count;
    const loaded = this.#loaded[stage];
    this.#progress({ stage, loaded, total: Math.max(this.#totals[stage], loaded), file: file.name, cached });
  }

  /** Call a function of `hinny.browser_entry`; when it lacks a module, bring the rest and call once more. */
  async #call<T>(name: string, ...args: unknown[]): Promise<T> {
    const { pyodide, entry } = await this.#running();
    const ask = async () =>
      JSON.parse(
        (await (entry[name] as (...args: unknown[]) => Promise<string>)(...args)) as string,
      ) as PythonReply<T>;
    let answer = await ask();
    if (!answer.ok && answer.incomplete && (await (await this.#runtime)?.complete(pyodide)))
      answer = await ask();
    if (answer.ok) return answer.value;
    throw new HinnyError(answer.error.kind, answer.error.message);
  }
}

export type { SearchWorker };

Comlink.expose(new SearchWorker());
