/** The real port: one worker for all elements of a page, and the bundle's two small files that need none. */

import {
  type Progress,
  type SearchSession,
  type StoredFile,
  sharedClient,
  type TitlesFile,
} from "@hinny/worker";
import type { Factory, OwnBundle, OwnFile } from "../../worker/src/api";
import { ownId, readOwn } from "./own-store";
import type { Device, OpenBundle, Port, Titles } from "./port";
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

export class WorkerPort implements Port, Device {
  readonly #sessions = new Map<string, Promise<SearchSession>>();
  readonly #manifests = new Map<string, Promise<BundleManifest>>();

  async open(
    bundle: string,
    factory: Factory,
    onProgress: (progress: Progress) => void,
  ): Promise<OpenBundle> {
    const sum = new ProgressSum();
    let opened = false;
    // The start-up is one number; what a model still needs after it is another.
    const stop = sharedClient().onProgress((progress) => onProgress(opened ? progress : sum.add(progress)));
    try {
      const session = await this.#session(bundle);
      opened = factory !== "lexical-only";
      if (opened) {
        const done = session.onChange((change) => {
          if (change.factory !== factory) return;
          done();
          stop();
        });
        // What fails here is said by the search that follows.
        session.prepare(factory).catch(stop);
      }
      return {
        info: session.info,
        search: (request) => session.search(request),
        onChange: (listener) => session.onChange(listener),
      };
    } finally {
      if (!opened) stop();
    }
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
    const zip = await readOwn(own);
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

async function fetchManifest(bundle: string): Promise<BundleManifest> {
  const response = await fetch(new URL("manifest.json", bundle), { cache: "no-cache" });
  if (!response.ok) throw new Error(`manifest.json answered ${response.status}`);
  return (await response.json()) as BundleManifest;
}
