// Pyodide's core under Node, from the checked files of the runtime cache.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Read a file into an ArrayBuffer of its own (Node's Buffers share one). */
export function bytes(path) {
  return new Uint8Array(readFileSync(path));
}

/** The locked files of these groups, by name, with their paths in the cache (see hinny.runtime.fetch). */
export function cachedFiles(groups) {
  const lock = JSON.parse(readFileSync(join(ROOT, "pysrc/hinny/runtime/runtime.lock.json"), "utf8"));
  const { HINNY_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const users = XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache");
  const cache = HINNY_CACHE || join(users, "hinny");
  const files = lock.files.filter((file) => groups.includes(file.group));
  const paths = Object.fromEntries(
    files.map(({ name, sha256 }) => [name, join(cache, "runtime", `${sha256.slice(0, 16)}-${name}`)]),
  );
  for (const [name, path] of Object.entries(paths)) {
    if (!existsSync(path)) throw new Error(`${name} is not cached: run make runtime`);
  }
  return paths;
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
