/**
 * Files by their SHA-256: fetched in parallel with byte progress, checked, and only then kept in the Cache
 * API and handed out. What is cached is content-addressed, so two sites on one origin share it, and it is
 * checked again before each use.
 */

import type { StoredFile } from "../api.ts";
import { type ErrorKind, HinnyError, IntegrityError } from "../errors.ts";
import { sha256 } from "../sha256.ts";

export interface FileRequest {
  name: string;
  /** Absolute. */
  url: string;
  bytes: number;
  sha256: string;
  type: string;
  kind: StoredFile["kind"];
}

/** More bytes of a file are there. A file that turns out bad takes its bytes back. */
export type OnBytes = (file: FileRequest, count: number, cached: boolean) => void;

const STALL_MS = 30_000;
const STORE = "hinny-files-1";

/** Which error a file's failure is, for those who decide by kind. */
function kindOf(file: FileRequest, damaged: boolean): ErrorKind {
  if (file.kind === "bundle") return damaged ? "bundle-damaged" : "bundle-missing";
  return file.kind === "model" ? "model" : "runtime";
}

export class FileStore {
  #flights = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  #cache: Promise<Cache | null>;
  #onBytes: OnBytes;

  constructor(onBytes: OnBytes = () => {}) {
    this.#onBytes = onBytes;
    this.#cache = openCache();
  }

  /** The file's checked bytes. Requests for one file while it is on its way share one download. */
  get(file: FileRequest): Promise<Uint8Array<ArrayBuffer>> {
    let flight = this.#flights.get(file.sha256);
    if (!flight) {
      flight = this.#load(file).finally(() => this.#flights.delete(file.sha256));
      this.#flights.set(file.sha256, flight);
    }
    return flight;
  }

  /**
   * A checked file as a compiled module. The engine keeps its machine code with the HTTP cache's entry, and
   * only for a response that is compiled as it streams in: that halves a second visit's start. So the file
   * is asked for by its URL here, from the HTTP cache where it lies; a copy of the stream is hashed before the
   * module is handed out. Whatever is wrong with that way, the checked bytes serve; so where they are kept on this
   * device, no server is asked.
   */
  async compile(file: FileRequest): Promise<WebAssembly.Module> {
    const cache = await this.#cache;
    const key = keyOf(file.sha256);
    const kept = (await cache?.match(key)) !== undefined;
    let counted = 0;
    const count = (n: number) => {
      counted += n;
      this.#onBytes(file, n, kept);
    };
    try {
      const abort = new AbortController();
      const way = cacheOnly(file, kept);
      const response = await withAlarm(abort, fetch(file.url, { ...way, signal: abort.signal }));
      if (!response.ok) throw new Error(`${file.url} answered ${response.status}`);
      const checking = collect(response.clone(), file, count, abort);
      const [module, bytes] = await Promise.all([WebAssembly.compileStreaming(response), checking]);
      const problem = await examine(bytes, file, file.url);
      if (problem) throw problem;
      if (cache && !kept) void keep(cache, key, bytes, file);
      return module;
    } catch {
      this.#onBytes(file, -counted, kept);
      return (await this.#compileKept(file)) ?? (await WebAssembly.compile(await this.get(file)));
    }
  }

  /** The module out of this device's store, hashed while it is compiled; null where it is not there whole. */
  async #compileKept(file: FileRequest): Promise<WebAssembly.Module | null> {
    const cache = await this.#cache;
    try {
      const response = await cache?.match(keyOf(file.sha256));
      if (!response) return null;
      const bytes = new Uint8Array(await response.arrayBuffer());
      const examining = examine(bytes, file, "this device's cache");
      const [module, problem] = await Promise.all([WebAssembly.compile(bytes), examining]);
      if (problem) return null;
      this.#onBytes(file, bytes.length, true);
      return module;
    } catch {
      return null;
    }
  }

  async #load(file: FileRequest): Promise<Uint8Array<ArrayBuffer>> {
    const cache = await this.#cache;
    const key = keyOf(file.sha256);
    if (cache) {
      const bytes = await fromCache(cache, key, file);
      if (bytes) {
        this.#onBytes(file, bytes.length, true);
        return bytes;
      }
    }
    const bytes = await this.#download(file);
    if (cache) void keep(cache, key, bytes, file);
    return bytes;
  }

  async #download(file: FileRequest): Promise<Uint8Array<ArrayBuffer>> {
    let counted = 0;
    const count = (n: number) => {
      counted += n;
      this.#onBytes(file, n, false);
    };
    try {
      let bytes = await receive(file, count, "default");
      let problem = await examine(bytes, file, file.url);
      if (problem) {
        // The browser's own HTTP cache may hold an old or broken copy: ask the server once more.
        this.#onBytes(file, -counted, false);
        counted = 0;
        bytes = await receive(file, count, "reload");
        problem = await examine(bytes, file, file.url);
        if (problem) throw problem;
      }
      return bytes;
    } catch (error) {
      this.#onBytes(file, -counted, false);
      throw error;
    }
  }

  /** What this device holds. */
  async stored(): Promise<StoredFile[]> {
    const cache = await this.#cache;
    if (!cache) return [];
    const files: StoredFile[] = [];
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      if (!response) continue;
      files.push({
        name: decodeURIComponent(response.headers.get("x-hinny-name") ?? ""),
        kind: (response.headers.get("x-hinny-kind") ?? "runtime") as StoredFile["kind"],
        bytes: Number(response.headers.get("x-hinny-bytes") ?? 0),
        sha256: new URL(request.url).pathname.split("/").pop() ?? "",
        verified: true,
      });
    }
    return files;
  }

  /** Forget what is stored: all of it, or one kind. */
  async clear(kind?: StoredFile["kind"]): Promise<void> {
    const cache = await this.#cache;
    if (!cache) return;
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      if (!kind || response?.headers.get("x-hinny-kind") === kind) await cache.delete(request);
    }
  }
}

export async function openCache(): Promise<Cache | null> {
  try {
    return (await globalThis.caches?.open(STORE)) ?? null;
  } catch {
    return null; // private windows and insecure pages have no Cache API; all works without
  }
}

export function keyOf(hash: string): string {
  return new URL(`/.hinny-files/${hash}`, globalThis.location.origin).href;
}

/** How to ask for a file whose content never changes: the HTTP cache's copy will do, of any age. */
function cacheOnly(file: FileRequest, kept: boolean): RequestInit {
  const own = new URL(file.url).origin === globalThis.location.origin;
  return kept && own ? { cache: "only-if-cached", mode: "same-origin" } : { cache: "force-cache" };
}

async function fromCache(
  cache: Cache,
  key: string,
  file: FileRequest,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const response = await cache.match(key);
    if (!response) return null;
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!(await examine(bytes, file, "this device's cache"))) return bytes;
    await cache.delete(key);
  } catch {
    // A cache that cannot be read is the same as an empty one.
  }
  return null;
}

async function keep(
  cache: Cache,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  file: FileRequest,
): Promise<void> {
  const headers = {
    "content-type": file.type,
    "x-hinny-name": encodeURIComponent(file.name),
    "x-hinny-kind": file.kind,
    "x-hinny-bytes": String(bytes.length),
  };
  try {
    await cache.put(key, new Response(bytes, { headers }));
  } catch {
    // Over the quota: the file is used all the same and fetched again next time.
  }
}

export async function examine(
  bytes: Uint8Array<ArrayBuffer>,
  file: FileRequest,
  source: string,
): Promise<IntegrityError | null> {
  const kind = kindOf(file, true);
  if (bytes.length !== file.bytes) {
    return new IntegrityError(kind, file.name, source, `${file.bytes} bytes`, `${bytes.length} bytes`);
  }
  const found = await sha256(bytes);
  if (found === file.sha256) return null;
  return new IntegrityError(kind, file.name, source, `SHA-256 ${file.sha256}`, `SHA-256 ${found}`);
}

async function receive(
  file: FileRequest,
  count: (n: number) => void,
  cache: RequestCache,
): Promise<Uint8Array<ArrayBuffer>> {
  const abort = new AbortController();
  try {
    const response = await withAlarm(abort, fetch(file.url, { cache, signal: abort.signal }));
    if (!response.ok) {
      const said = `${response.status} ${response.statusText}`.trim();
      throw new HinnyError(kindOf(file, false), `${file.name}: ${file.url} answered ${said}`);
    }
    return await collect(response, file, count, abort);
  } catch (error) {
    if (error instanceof HinnyError) throw error;
    if (abort.signal.aborted) {
      throw new HinnyError(kindOf(file, false), `${file.name}: nothing came for ${STALL_MS / 1000} s`);
    }
    const offline = navigator.onLine === false;
    throw new HinnyError(
      offline ? "offline" : kindOf(file, false),
      `${file.name} cannot be fetched from ${file.url}: ${offline ? "this device is offline" : String(error)}`,
    );
  }
}

/** Abort when the promise keeps us waiting for too long. */
async function withAlarm<T>(abort: AbortController, waiting: Promise<T>): Promise<T> {
  const timer = setTimeout(() => abort.abort(), STALL_MS);
  try {
    return await waiting;
  } finally {
    clearTimeout(timer);
  }
}

/** A body's bytes, at most a little more than were promised. */
async function collect(
  response: Response,
  file: FileRequest,
  count: (n: number) => void,
  abort: AbortController,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  const bytes = new Uint8Array(file.bytes);
  let extra = 0;
  for (let at = 0; ; ) {
    const { done, value } = await withAlarm(abort, reader.read());
    if (done) return extra ? new Uint8Array(file.bytes + extra) : bytes.subarray(0, at);
    const room = bytes.subarray(at, at + value.length);
    room.set(value.subarray(0, room.length));
    at += room.length;
    extra += value.length - room.length;
    count(value.length);
  }
}
