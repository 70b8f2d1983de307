/**
 * The models of this device: fetched once for all tabs, hashed before they are kept, hashed again once a page
 * load before their first use. They lie beside the runtime's files, by their SHA-256, so that models which
 * share a tokenizer share it here too.
 */

import type { DownloadSettings } from "../api.ts";
import { examine, type FileRequest, keyOf, type OnBytes, openCache } from "../runtime/files.ts";
import { type DownloadOptions, download } from "./download.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface StoreOptions {
  /** A file is about to be read or fetched. */
  onExpect?: (file: FileRequest) => void;
  onBytes?: OnBytes;
  /** A model works but will not be here next time, and why. */
  onProblem?: (message: string) => void;
  settings?: () => DownloadSettings & { pauseMs?: number };
}

export interface FileState {
  name: string;
  bytes: number;
  stored: boolean;
}

export class ModelStore {
  #options: StoreOptions;
  #cache = openCache();
  /** Hashes of files that were seen to be right since this page was loaded. */
  #verified = new Set<string>();
  #flights = new Map<string, Promise<Bytes>>();

  constructor(options: StoreOptions = {}) {
    this.#options = options;
  }

  /** The file's checked bytes. Calls for one file while it is on its way share the download. */
  get(file: FileRequest, signal?: AbortSignal): Promise<Bytes> {
    let flight = this.#flights.get(file.sha256);
    if (!flight) {
      this.#options.onExpect?.(file);
      flight = this.#load(file, signal).finally(() => this.#flights.delete(file.sha256));
      this.#flights.set(file.sha256, flight);
    }
    return flight;
  }

  /** Which of these files are here. */
  async inspect(files: FileRequest[]): Promise<FileState[]> {
    const cache = await this.#cache;
    return await Promise.all(
      files.map(async ({ name, bytes, sha256 }) => ({
        name,
        bytes,
        stored: (await cache?.match(keyOf(sha256))) !== undefined,
      })),
    );
  }

  /** Bring files here without handing them out. */
  async prefetch(files: FileRequest[], signal?: AbortSignal): Promise<void> {
    for (const file of files) {
      if (!(await this.inspect([file]))[0]?.stored) await this.get(file, signal);
    }
  }

  async #load(file: FileRequest, signal?: AbortSignal): Promise<Bytes> {
    return (await this.#stored(file)) ?? (await this.#alone(file, () => this.#fetch(file, signal), signal));
  }

  /** One tab downloads, the others wait for it and then find the file. */
  async #alone(file: FileRequest, work: () => Promise<Bytes>, signal?: AbortSignal): Promise<Bytes> {
    const locks = globalThis.navigator?.locks;
    if (!locks) return await work();
    const options: LockOptions = signal ? { signal } : {};
    return await locks.request(`hinny-file-${file.sha256}`, options, async () => {
      return (await this.#stored(file)) ?? (await work());
    });
  }

  /** The file from the cache; a damaged one is deleted, and counts as absent. */
  async #stored(file: FileRequest): Promise<Bytes | null> {
    const cache = await this.#cache;
    if (!cache) return null;
    let bytes: Bytes;
    try {
      const response = await cache.match(keyOf(file.sha256));
      if (!response) return null;
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch {
      return null; // a cache that cannot be read is the same as an empty one
    }
    if (!this.#verified.has(file.sha256)) {
      if (await examine(bytes, file, "this device's cache")) {
        await cache.delete(keyOf(file.sha256));
        return null;
      }
      this.#verified.add(file.sha256);
    }
    this.#options.onBytes?.(file, bytes.length, true);
    return bytes;
  }

  async #fetch(file: FileRequest, signal?: AbortSignal): Promise<Bytes> {
    const { onBytes } = this.#options;
    const { stallMs = 30_000, attempts = 4, pauseMs = 500 } = this.#options.settings?.() ?? {};
    let counted = 0;
    const options: DownloadOptions = {
      onBytes: (count) => {
        counted += count;
        onBytes?.(file, count, false);
      },
      signal,
      stallMs,
      attempts,
      pauseMs,
    };
    let bytes = await download(file, options);
    let problem = await examine(bytes, file, file.url);
    if (problem) {
      // The browser's own HTTP cache may hold a broken copy: ask the host itself, once.
      options.onBytes(-counted);
      bytes = await download(file, { ...options, cache: "reload" });
      problem = await examine(bytes, file, file.url);
    }
    if (problem) {
      options.onBytes(-counted);
      throw problem;
    }
    this.#verified.add(file.sha256);
    await this.#keep(file, bytes);
    return bytes;
  }

  async #keep(file: FileRequest, bytes: Bytes): Promise<void> {
    const cache = await this.#cache;
    if (!cache) return;
    const headers = {
      "content-type": file.type,
      "x-hinny-name": encodeURIComponent(file.name),
      "x-hinny-kind": file.kind,
      "x-hinny-bytes": String(bytes.length),
    };
    try {
      await cache.put(keyOf(file.sha256), new Response(bytes, { headers }));
    } catch (error) {
      this.#options.onProblem?.(await whyNotKept(file, error));
    }
  }
}

async function whyNotKept(file: FileRequest, error: unknown): Promise<string> {
  const full = error instanceof DOMException && error.name === "QuotaExceededError";
  if (!full) return `${file.name} works now but could not be kept: ${String(error)}`;
  const { usage = 0, quota = 0 } = (await globalThis.navigator?.storage?.estimate?.()) ?? {};
  const free = `${Math.round((quota - usage) / 1e6)} of ${Math.round(quota / 1e6)} MB are free`;
  const need = `${Math.round(file.bytes / 1e6)} MB`;
  return `${file.name} works now but will be downloaded again: it takes ${need}, and ${free} for this site`;
}
