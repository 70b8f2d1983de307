/**
 * A snapshot of a started interpreter, with numpy and Hinny imported: its memory, and what must be put back
 * in place around it.
 *
 * Memory alone is not enough once shared libraries are loaded: they add functions to the table, at positions
 * that the memory refers to. So a snapshot also says which libraries were loaded, in which order and where,
 * and restoring loads them again at the same places (each library's handle in memory carries its bases, and
 * the loader honours them), then compares the whole symbol table with the recorded one, and only then lays
 * the memory over it. Whatever does not fit is an error, and the caller starts plainly instead.
 *
 * Layout, little-endian: magic, version, length of the header, 0 (uint32 each); the header as JSON, padded to
 * 16 bytes; one byte a page (1: stored, 0: not); the stored pages, with near pointers as distances (`near.ts`);
 * the files, one after the other. A page that is not stored is as in an interpreter that has not started (for
 * static data) or zero (elsewhere).
 */

import { HinnyError } from "../errors.ts";
import type { EmscriptenModule, Held } from "./emscripten.ts";
import { withIdentity } from "./identity.ts";
import { chooseBase, toDistances, toPointers } from "./near.ts";

const MAGIC = 0x53594e48; // "HNYS"
const VERSION = 2;
const PAGE = 1024;

export interface SnapshotLibrary {
  /** The file's path in Python's file system. */
  path: string;
  /** Address of the loader's record, and the record itself, as it stands in memory. */
  handle: number;
  record: number[];
  memoryBase: number;
  memorySize: number;
  tableBase: number;
  /** The function that Python looked up: its look-up adds it to the table. */
  init: string;
}

export interface SnapshotHeader {
  /** SHA-256 of `pyodide.asm.wasm`, of the loader beside it, and of our package: what it was made with. */
  madeWith: Record<string, string>;
  memory: number;
  /** Length of the function table, and a checksum of all symbols' addresses. */
  table: number;
  symbols: number;
  /** End of the main module's static data: below it, pages may be left out that a fresh start has too. */
  staticEnd: number;
  held: Held;
  libraries: SnapshotLibrary[];
  files: { path: string; bytes: number }[];
  /** What near pointers are told from, 0 for none; see `near.ts`. Set by `encode`. */
  base?: number;
}

export interface Snapshot {
  header: SnapshotHeader;
  stored: Uint8Array;
  pages: Uint8Array;
  files: Record<string, Uint8Array>;
}

function misfit(what: string): HinnyError {
  return new HinnyError("runtime", `the snapshot does not fit this runtime: ${what}`);
}

/** FNV-1a over every symbol and its address: two interpreters agree on it when their tables are alike. */
function symbolChecksum(module: EmscriptenModule): number {
  let hash = 0x811c9dc5;
  const mix = (value: number) => {
    hash = Math.imul(hash ^ value, 0x01000193) >>> 0;
  };
  for (const [name, address] of Object.entries(module.GOT)) {
    for (let i = 0; i < name.length; i++) mix(name.charCodeAt(i));
    mix(Number(address.value));
  }
  return hash;
}

/**
 * The one thing in which engines differ: where WebAssembly can test a function's type, Pyodide adds a helper
 * to the table before anything else is loaded. Elsewhere its place is left empty, so that all that follows
 * stands at the same places everywhere.
 */
export function levelTable(module: EmscriptenModule): void {
  if (!module._PyEM_CountArgsPtr) module.wasmTable.grow(1);
}

/** Tell the restored Python whether this engine has the helper, whatever the one that made the snapshot had. */
function setHelper(module: EmscriptenModule): void {
  const offset = module.HEAPU32[module.__PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET >> 2] as number;
  module.HEAPU32[(module.__PyRuntime + offset) >> 2] = module._PyEM_CountArgsPtr;
}

/** Load a snapshot's libraries again, where they were. Their modules come in the header's order. */
export function restoreLibraries(
  module: EmscriptenModule,
  header: SnapshotHeader,
  compiled: WebAssembly.Module[],
): void {
  header.libraries.forEach((library, index) => {
    if (module.wasmTable.length !== library.tableBase) throw misfit(`the table before ${library.path}`);
    module.HEAPU8.set(library.record, library.handle);
    const loaded = module.newDSO(library.path, library.handle, "loading");
    loaded.refcount = 1;
    loaded.global = false;
    loaded.exports = withIdentity(module.wasmTable, library.tableBase, () =>
      module.loadWebAssemblyModule(
        compiled[index] as WebAssembly.Module,
        { global: false, nodelete: false, loadAsync: false },
        library.path,
        {},
        library.handle,
      ),
    );
    module.addFunction(loaded.exports[library.init]);
  });
  if (module.wasmTable.length !== header.table) throw misfit("the length of the function table");
  if (symbolChecksum(module) !== header.symbols) throw misfit("the addresses of its symbols");
}

/** Where pages may be left out because a fresh interpreter, libraries loaded, has the same there. */
function staticRanges(header: SnapshotHeader): [number, number][] {
  return [
    [0, header.staticEnd],
    ...header.libraries.map((l): [number, number] => [l.memoryBase, l.memoryBase + l.memorySize]),
  ];
}

function isStatic(ranges: [number, number][], page: number): boolean {
  const start = page * PAGE;
  return ranges.some(([from, to]) => start >= from && start + PAGE <= to);
}

/** Lay a snapshot's memory over an interpreter that has not started. */
export function restoreMemory(module: EmscriptenModule, snapshot: Snapshot): void {
  const heap = module.HEAPU8;
  if (heap.length !== snapshot.header.memory) throw misfit(`${heap.length} bytes of memory`);
  const ranges = staticRanges(snapshot.header);
  const { stored, pages } = snapshot;
  let from = 0;
  for (let page = 0; page < stored.length; ) {
    let end = page + 1;
    while (end < stored.length && stored[end] === stored[page]) end++;
    if (stored[page]) {
      const size = (end - page) * PAGE;
      heap.set(pages.subarray(from, from + size), page * PAGE);
      from += size;
    } else {
      clear(heap, ranges, page, end);
    }
    page = end;
  }
  setHelper(module);
}

function clear(heap: Uint8Array, ranges: [number, number][], first: number, end: number): void {
  for (let page = first; page < end; page++) {
    if (!isStatic(ranges, page)) heap.fill(0, page * PAGE, (page + 1) * PAGE);
  }
}

/** Write down the libraries that Python has loaded by now, in the order in which it loaded them. */
function describeLibraries(module: EmscriptenModule): SnapshotLibrary[] {
  const handles = new Map(
    Object.entries(module.LDSO.loadedLibsByHandle).map(([handle, library]) => [library, Number(handle)]),
  );
  const found: SnapshotLibrary[] = [];
  for (const [path, library] of Object.entries(module.LDSO.loadedLibsByName)) {
    const handle = handles.get(library);
    if (!handle || path === "__main__") continue;
    const word = (offset: number) => module.HEAPU32[(handle + offset) >> 2] as number;
    const init = Object.keys(library.exports).find((name) => name.startsWith("PyInit_"));
    if (!init) throw misfit(`${path} is no Python extension`);
    found.push({
      path,
      handle,
      record: [...module.HEAPU8.subarray(handle, handle + 36 + path.length + 1)],
      memoryBase: word(12),
      memorySize: word(16),
      tableBase: word(20),
      init,
    });
  }
  return found.sort((a, b) => a.tableBase - b.tableBase);
}

/** Describe a started interpreter. Its memory must not change between this and `encode`. */
export function describe(
  module: EmscriptenModule,
  madeWith: Record<string, string>,
  files: Record<string, Uint8Array>,
): SnapshotHeader {
  return {
    madeWith,
    memory: module.HEAPU8.length,
    table: module.wasmTable.length,
    symbols: symbolChecksum(module),
    staticEnd: module._emscripten_stack_get_end(),
    held: module.API.serializeHiwireState(),
    libraries: describeLibraries(module),
    files: Object.entries(files).map(([path, bytes]) => ({ path, bytes: bytes.length })),
  };
}

/**
 * The snapshot as bytes. `fresh` is an interpreter that has not started, with the same libraries loaded.
 * The unused part of the stack is left out.
 */
export function encode(
  module: EmscriptenModule,
  header: SnapshotHeader,
  fresh: EmscriptenModule,
  files: Record<string, Uint8Array>,
): Uint8Array<ArrayBuffer> {
  const heap = module.HEAPU8.slice();
  heap.fill(0, module._emscripten_stack_get_end(), module.stackSave());
  const ranges = staticRanges(header);
  const stored = new Uint8Array(heap.length / PAGE);
  for (let page = 0; page < stored.length; page++) {
    const bytes = heap.subarray(page * PAGE, (page + 1) * PAGE);
    const other = isStatic(ranges, page) ? fresh.HEAPU8.subarray(page * PAGE, (page + 1) * PAGE) : null;
    stored[page] = bytes.some((byte, i) => byte !== (other?.[i] ?? 0)) ? 1 : 0;
  }
  const count = stored.reduce((sum, one) => sum + one, 0);
  const pages = new Uint8Array(count * PAGE);
  let at = 0;
  stored.forEach((one, page) => {
    if (!one) return;
    pages.set(heap.subarray(page * PAGE, (page + 1) * PAGE), at);
    at += PAGE;
  });
  const words = new Uint32Array(pages.buffer);
  const base = chooseBase(words);
  toDistances(words, stored, PAGE, base);
  const json = new TextEncoder().encode(JSON.stringify({ ...header, base }));
  const start = align(16 + json.length);
  const size = Object.values(files).reduce((sum, file) => sum + file.length, 0);
  const out = new Uint8Array(start + stored.length + pages.length + size);
  new Uint32Array(out.buffer, 0, 4).set([MAGIC, VERSION, json.length, 0]);
  out.set(json, 16);
  out.set(stored, start);
  out.set(pages, start + stored.length);
  at = start + stored.length + pages.length;
  for (const file of Object.values(files)) {
    out.set(file, at);
    at += file.length;
  }
  return out;
}

function align(size: number): number {
  return Math.ceil(size / 16) * 16;
}

/** Read what `encode` wrote, at an address that 4 divides. The bytes are the snapshot's from then on. */
export function decode(bytes: Uint8Array<ArrayBuffer>): Snapshot {
  const [magic, version, length] = new Uint32Array(bytes.buffer, bytes.byteOffset, 4);
  if (magic !== MAGIC || version !== VERSION) throw misfit(`format ${magic} ${version}`);
  const json = bytes.subarray(16, 16 + (length as number));
  const header = JSON.parse(new TextDecoder().decode(json)) as SnapshotHeader;
  const start = align(16 + json.length);
  const stored = bytes.subarray(start, start + header.memory / PAGE);
  let at = start + stored.length;
  const pages = stored.reduce((sum, one) => sum + one, 0) * PAGE;
  const body = bytes.subarray(at, at + pages);
  at += pages;
  const files: Record<string, Uint8Array> = {};
  for (const file of header.files) {
    files[file.path] = bytes.subarray(at, at + file.bytes);
    at += file.bytes;
  }
  if (at !== bytes.length) throw misfit(`${bytes.length} bytes instead of ${at}`);
  const words = new Uint32Array(bytes.buffer, body.byteOffset, pages / 4);
  toPointers(words, stored, PAGE, header.base ?? 0);
  return { header, stored, pages: body, files };
}
