// Pyodide's core under Node, from the checked files of the runtime cache.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

/** Read a file into an ArrayBuffer of its own (Node's Buffers share one). */
export function bytes(path) {
  return new Uint8Array(readFileSync(path));
}

/** `paths`: where `pyodide.asm.js` and `pyodide.asm.wasm` lie. */
export async function loadCore(paths, print) {
  // pyodide.asm.js expects the names that Node gives to CommonJS modules.
  globalThis.require = createRequire(import.meta.url);
  globalThis.__dirname = dirname(paths["pyodide.asm.js"]);
  await import(pathToFileURL(paths["pyodide.asm.js"]).href);
  return {
    createModule: globalThis._createPyodideModule,
    wasm: await WebAssembly.compile(bytes(paths["pyodide.asm.wasm"])),
    print,
  };
}
