/**
 * What Python may ask of JavaScript: the bundle's files, checked. An object of this shape is handed to
 * `hinny.browser_entry`; Python itself imports nothing of JavaScript.
 */

import type { FactoryChange } from "./api.ts";
import { HinnyError } from "./errors.ts";
import { type ManifestModel, ModelCatalogue, type ModelRole } from "./models/catalogue.ts";
import type { ModelStore } from "./models/store.ts";
import type { FileRequest, FileStore } from "./runtime/files.ts";
import { Scans } from "./scan/scans.ts";
import type { Sessions } from "./sessions.ts";

/** One part's line in a bundle's manifest. */
interface ManifestPart {
  file: string;
  bytes: number;
  sha256: string;
}

interface BundleManifest {
  parts?: Record<string, ManifestPart>;
  /** Names of the parts that every search needs; fetched while Python starts. */
  resident?: string[];
  models?: Record<string, ManifestModel>;
}

/** One for all bundles: a scan's handle says which. */
const scans = new Scans();

/** What neural models need beside the bundle. */
export interface ModelTools {
  store: ModelStore;
  sessions: Sessions;
  /** Told when a factory became ready or failed. */
  onChange?: (change: FactoryChange) => void;
}

function parse(manifest: string): BundleManifest {
  return JSON.parse(manifest) as BundleManifest;
}

export class BundleHost {
  readonly base: string;
  /** Runs graphs and tokenizers (sessions.ts). */
  readonly sessions: Sessions | null;
  /** Scans packed vectors (scan/scans.ts). */
  readonly scans = scans;
  #models: ModelStore | null;
  #onChange: (change: FactoryChange) => void;
  #catalogue: Promise<ModelCatalogue> | null = null;
  #files: FileStore;
  #manifest: Promise<string> | null = null;
  #parts: Map<string, ManifestPart & { name: string }> | null = null;

  /** `base` is the absolute URL of the bundle's folder. */
  constructor(base: string, files: FileStore, tools: ModelTools | null = null) {
    this.base = base.endsWith("/") ? base : `${base}/`;
    this.#files = files;
    this.#models = tools?.store ?? null;
    this.sessions = tools?.sessions ?? null;
    this.#onChange = tools?.onChange ?? (() => {});
  }

  /** The manifest's text. It is small, says what else there is, and so is asked of the server each time. */
  manifest(): Promise<string> {
    this.#manifest ??= this.#fetchManifest();
    return this.#manifest;
  }

  /** Take this manifest for the bundle's: that of a bundle which no server has, the reader's own. */
  adopt(manifest: string): void {
    this.#manifest = Promise.resolve(manifest);
    this.#catalogue = null;
    this.#parts = null;
  }

  /** A file of the bundle's folder, of the size and SHA-256 that the manifest promises. */
  async file(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const manifest = await this.manifest();
    if (path === "manifest.json") return new TextEncoder().encode(manifest);
    this.#parts ??= new Map(
      Object.entries(parse(manifest).parts ?? {}).map(([name, part]) => [part.file, { ...part, name }]),
    );
    const part = this.#parts.get(path);
    if (!part) throw new HinnyError("bundle-missing", `the bundle at ${this.base} names no file ${path}`);
    return await this.#files.get(this.#request(part.name, part));
  }

  /** Fetch what every search needs while the interpreter is on its way; problems show when Python asks. */
  async prefetch(): Promise<void> {
    try {
      const manifest = parse(await this.manifest());
      for (const name of manifest.resident ?? []) {
        const part = manifest.parts?.[name];
        if (part) this.#files.get(this.#request(name, part)).catch(() => {});
      }
    } catch {
      // Python reads the manifest next and says what is wrong with it.
    }
  }

  /** The models that the manifest names. */
  catalogue(): Promise<ModelCatalogue> {
    this.#catalogue ??= this.manifest().then(
      (manifest) => new ModelCatalogue(this.base, parse(manifest).models ?? {}),
    );
    return this.#catalogue;
  }

  /** A model's checked file; null where the model has none in that role. */
  async model(id: string, role: ModelRole): Promise<Uint8Array<ArrayBuffer> | null> {
    const file = (await this.catalogue()).request(id, role);
    if (!file) return null;
    if (!this.#models) throw new HinnyError("model", "this worker keeps no models");
    return await this.#models.get(file);
  }

  /** Python tells that a factory became ready or failed. */
  changed(factory: string, state: string, message: string): void {
    this.#onChange({ bundle: this.base, factory, state, message } as FactoryChange);
  }

  #request(name: string, part: ManifestPart): FileRequest {
    const url = new URL(part.file, this.base).href;
    return {
      name,
      url,
      bytes: part.bytes,
      sha256: part.sha256,
      type: "application/octet-stream",
      kind: "bundle",
    };
  }

  async #fetchManifest(): Promise<string> {
    const url = new URL("manifest.json", this.base).href;
    let response: Response;
    try {
      response = await fetch(url, { cache: "no-cache" });
    } catch (error) {
      const offline = navigator.onLine === false;
      throw new HinnyError(
        offline ? "offline" : "bundle-missing",
        offline
          ? `this device is offline and ${url} is not stored`
          : `${url} cannot be fetched: ${String(error)}`,
      );
    }
    if (!response.ok) {
      throw new HinnyError(
        "bundle-missing",
        `there is no search bundle at ${this.base}: manifest.json answered ${response.status}`,
      );
    }
    return await response.text();
  }
}
