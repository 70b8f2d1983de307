/** Making a snapshot: run once when the site's runtime is put together, under Node. */

import { addZipped, bootPlain, type Core, createEmpty, install, SITE_PACKAGES, zippedPath } from "./boot.ts";
import type { EmscriptenModule } from "./emscripten.ts";
import { describe, encode, restoreLibraries } from "./snapshot.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export { addZipped, bootPlain, install, SITE_PACKAGES };

export interface Ingredients {
  standardLibrary: Bytes;
  /** What is unpacked: numpy and our package. */
  archives: Record<string, Bytes>;
  /** What is imported from as it is; it travels with the snapshot. */
  zipped: Record<string, Bytes>;
  /** Names and SHA-256 of all of it, kept in the snapshot. */
  madeWith: Record<string, string>;
}

export interface Made {
  snapshot: Bytes;
  /** The shared libraries that a start from the snapshot needs, in its order. */
  libraries: { name: string; bytes: Bytes }[];
}

/** Python that imports and does once what a query needs, and then forgets what only that needed. */
const PREPARE = `
import gc, sys
from hinny.runtime import later
later.stand_in("numpy.linalg._umath_linalg")
del later
import hinny.browser_entry
hinny.browser_entry.preload()
from hinny.runtime.rehearsal import rehearse
if not rehearse():
    raise RuntimeError("the rehearsal found nothing")
del rehearse
for name in [name for name in sys.modules if name.startswith(("hinny.runtime.blocking", "hinny.runtime.rehearsal"))]:
    del sys.modules[name]
import linecache
linecache.clearcache()
gc.collect()
`;

export async function makeSnapshot(core: Core, from: Ingredients): Promise<Made> {
  const { module, pyodide } = await bootPlain(core, from.standardLibrary, { forSnapshot: true });
  install(pyodide, from.archives);
  addZipped(pyodide, from.zipped);
  pyodide.runPython(PREPARE);
  scrub(module);
  const files = dataFiles(pyodide.runPython(DATA_FILES) as string, (path) => module.FS.readFile(path));
  for (const [name, bytes] of Object.entries(from.zipped)) files[zippedPath(name)] = bytes;
  const header = describe(module, from.madeWith, files);
  const binaries = header.libraries.map((library) => ({
    name: library.path.slice(library.path.lastIndexOf("/") + 1).split(".")[0] as string,
    bytes: module.FS.readFile(library.path),
  }));
  const fresh = await createEmpty(core, header.memory);
  restoreLibraries(fresh, header, await Promise.all(binaries.map(({ bytes }) => WebAssembly.compile(bytes))));
  return { snapshot: encode(module, header, fresh, files), libraries: binaries };
}

/** Zero what the allocator has free, so that nothing of it is stored: take it block by block, then give it back. */
function scrub(module: EmscriptenModule): void {
  const top = module._sbrk(0);
  const taken: number[] = [];
  for (let size = 1 << 22; size >= 16; size >>= 1) {
    for (;;) {
      const block = module._emscripten_builtin_malloc(size);
      if (block === 0) break;
      taken.push(block);
      if (block + size > top) break; // the heap grew: nothing of this size was free any more
      module.HEAPU8.fill(0, block, block + size);
    }
  }
  for (const block of taken) module._emscripten_builtin_free(block);
}

/** Data that our package reads at query time: everything in it that is not Python. */
const DATA_FILES = `
import json, os
found = []
for folder, _, names in os.walk("${SITE_PACKAGES}/hinny"):
    found += [os.path.join(folder, n) for n in names if not n.endswith((".py", ".pyc"))]
json.dumps(sorted(found))
`;

function dataFiles(paths: string, read: (path: string) => Bytes): Record<string, Uint8Array> {
  return Object.fromEntries((JSON.parse(paths) as string[]).map((path) => [path, read(path)]));
}
