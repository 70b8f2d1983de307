/** The real port: one worker for all elements of a page, and the bundle's two small files that need none. */

import {
  type Progress,
  type SearchSession,
  type StoredFile,
  sharedClient,
  type TitlesFile,
} from "@hinny/worker";
import type { Factory, FactoryInfo, OwnBundle, OwnEmbedded, OwnFile } from "../../worker/src/api";
import { OwnPages } from "./own/pages";
import { ownId } from "./own/store";
import type { Device, EmbedOwnOptions, OpenBundle, Port, Titles } from "./port";
import type { TitleEntry } from "./titles";

interface BundleManifest {
  root?: string;
  parts?: Record<string, { file: string }>;
}

/** One number for a start-up of several stages: what is loaded and what is known to be needed, summed. */
export class ProgressSum {
  readonly #stages = new Map<Progress["stage"], Progress>();

  add(progress: Progress): Progress {
    // "python" and "ready" count steps, not bytes.
    const counted = progress.stage !== "python" && progress.stage !== "ready";
    if (counted) this.#stages.set(progress.stage, progress);
    let loaded = 0;
    let total = 0;
    for (const stage of this.#stages.values()) {
      loaded += stage.loaded;
      total += stage.total;
    }
    return { ...progress, loaded, total };
  }
}

/** The worker counts the bytes of all models that it ever brought; a reader wants those of the one on its way. */
export class ModelBytes {
  #last = { loaded: 0, total: 0 };

  /** Told of everything that the worker says. */
  watch({ stage, loaded, total }: Progress): void {
    if (stage === "model") this.#last = { loaded, total };
  }

  /** Counts from here on. */
  counter(): (progress: Progress) => Progress {
    const before = this.#last;
    return (progress) => {
      const loaded = Math.max(0, progress.loaded - before.loaded);
      return { ...progress, loaded, total: Math.max(loaded, progress.total - before.total) };
    };
  }
}

/** The rows of a titles file, a page before its sections. */
export function titleEntries(file: TitlesFile): TitleEntry[] {
  if (file.version !== 1) throw new TypeError(`titles of version ${file.version}`);
  const entries: TitleEntry[] = [];
  for (const [page, title, sections] of file.pages) {
    entries.push({ url: page, page, title, headings: [] });
    for (const [anchor, heading] of sections) {
      entries.push({ url: anchor ? `${page}#${anchor}` : page, page, title, headings: [heading] });
    }
  }
  return entries;
}

/** The reader's own collections: one list for the page and the worker's sessions. */
export const ownPages = new OwnPages();

export class WorkerPort implements Port, Device {
  readonly #sessions = new Map<string, Promise<SearchSession>>();
  #models: ModelBytes | null = null;
  readonly #manifests = new Map<string, Promise<BundleManifest>>();

  async open(
    bundle: string,
    factory: Factory,
    onProgress: (progress: Progress) => void,
  ): Promise<OpenBundle> {
    const sum = new ProgressSum();
    const stop = sharedClient().onProgress((progress) => onProgress(sum.add(progress)));
    let session: SearchSession;
    try {
      session = await this.#session(bundle);
    } finally {
      stop();
    }
    // The start-up is one number; what a model still needs after it is another.
    const prepare = (wanted: Factory) => this.#bring(session, wanted, onProgress);
    // What fails here is said by the search that follows.
    if (factory !== "lexical-only") prepare(factory).catch(() => {});
    return {
      info: session.info,
      search: (request) => session.search(request),
      onChange: (listener) => session.onChange(listener),
      prepare,
    };
  }

  /** Bring what a factory needs here, and tell of its models' bytes until it is ready or has failed. */
  async #bring(
    session: SearchSession,
    factory: Factory,
    onProgress: (progress: Progress) => void,
  ): Promise<void> {
    const stop = this.#onModel(onProgress);
    const done = session.onChange((change) => {
      if (change.factory === factory && change.state !== "joined") finish();
    });
    const finish = () => {
      done();
      stop();
    };
    try {
      await session.prepare(factory);
    } catch (error) {
      finish();
      throw error;
    }
  }

  #onModel(tell: (progress: Progress) => void): () => void {
    const client = sharedClient();
    if (!this.#models) {
      const models = new ModelBytes();
      client.onProgress((progress) => models.watch(progress));
      this.#models = models;
    }
    const count = this.#models.counter();
    return client.onProgress((progress) => {
      if (progress.stage === "model") tell(count(progress));
    });
  }

  async titles(bundle: string): Promise<Titles> {
    if (ownId(bundle) !== null) throw new Error("own pages have no titles before the core is up");
    const manifest = await this.#manifest(bundle);
    const part = manifest.parts?.["site/titles"];
    if (!part) throw new Error("this bundle has no titles");
    const response = await fetch(new URL(part.file, bundle));
    if (!response.ok || !response.body) throw new Error(`${part.file}: ${response.status}`);
    const unpacked = response.body.pipeThrough(new DecompressionStream("gzip"));
    const file = (await new Response(unpacked).json()) as TitlesFile;
    return { root: manifest.root ?? "../", entries: titleEntries(file) };
  }

  buildOwn(
    files: OwnFile[],
    title: string,
    onProgress: (done: number, total: number) => void,
  ): Promise<OwnBundle> {
    return sharedClient().buildOwn(files, title, (done) => onProgress(done, files.length));
  }

  async factories(bundle: string): Promise<FactoryInfo[]> {
    return (await this.#session(new URL(bundle, document.baseURI).href)).info.factories;
  }

  async embedOwn(id: string, options: EmbedOwnOptions): Promise<OwnEmbedded> {
    const { factory, models, signal, onProgress, onBytes } = options;
    const client = sharedClient();
    const session = await this.#session(ownAddress(id));
    const stop = this.#onModel(onBytes);
    try {
      const made = await client.embedOwn(session, { factory, models }, { signal, onProgress });
      // What it brought is here for the site's own pages, too.
      const brought = made.info.factories.flatMap((found) => found.models).filter((model) => model.cached);
      for (const model of (await this.factories(models)).flatMap((found) => found.models)) {
        if (brought.some(({ id }) => id === model.id)) model.cached = true;
      }
      return made;
    } finally {
      stop();
    }
  }

  async exportOwn(id: string): Promise<Uint8Array | null> {
    const zip = await ownPages.zip(id);
    return zip && (await sharedClient().exportOwn(zip));
  }

  async closeOwn(id: string): Promise<void> {
    const session = this.#sessions.get(ownAddress(id));
    this.#sessions.delete(ownAddress(id));
    await (await session?.catch(() => null))?.close();
  }

  stored(): Promise<StoredFile[]> {
    return sharedClient().stored();
  }

  clear(kind?: StoredFile["kind"]): Promise<void> {
    return sharedClient().clear(kind);
  }

  /** One session serves all factories of a bundle: they share its index. */
  #session(bundle: string): Promise<SearchSession> {
    let session = this.#sessions.get(bundle);
    if (!session) {
      session = this.#open(bundle);
      this.#sessions.set(bundle, session);
      // What failed may be tried again.
      session.catch(() => this.#sessions.delete(bundle));
    }
    return session;
  }

  async #open(bundle: string): Promise<SearchSession> {
    const own = ownId(bundle);
    if (own === null) {
      const session = await sharedClient().open({ bundle });
      session.onChange(({ factory, state }) => {
        const models = session.info.factories.find(({ id }) => id === factory)?.models ?? [];
        if (state === "ready") for (const model of models) model.cached = true;
      });
      return session;
    }
    const zip = await ownPages.zip(own);
    if (!zip) throw new Error("these pages are no longer on this device");
    return sharedClient().openOwn(zip, { bundle });
  }

  #manifest(bundle: string): Promise<BundleManifest> {
    let manifest = this.#manifests.get(bundle);
    if (!manifest) {
      manifest = fetchManifest(bundle);
      this.#manifests.set(bundle, manifest);
      manifest.catch(() => this.#manifests.delete(bundle));
    }
    return manifest;
  }
}

/** As `bundleUrl` of an element writes it. */
function ownAddress(id: string): string {
  return `own:${id}/`;
}

async function fetchManifest(bundle: string): Promise<BundleManifest> {
  const response = await fetch(new URL("manifest.json", bundle), { cache: "no-cache" });
  if (!response.ok) throw new Error(`manifest.json answered ${response.status}`);
  return (await response.json()) as BundleManifest;
}
