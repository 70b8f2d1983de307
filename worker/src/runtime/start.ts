/** From `runtime.json` to a running interpreter: everything at once, from the snapshot where there is one. */

import { HinnyError } from "../errors.ts";
import {
  addStandardLibrary,
  addZipped,
  bootPlain,
  bootSnapshot,
  type Core,
  install,
  moduleFactory,
} from "./boot.ts";
import type { Pyodide } from "./emscripten.ts";
import type { FileRequest, FileStore } from "./files.ts";
import type { RuntimeManifest } from "./manifest.ts";
import { decode, type Snapshot } from "./snapshot.ts";
import { unpack } from "./zstd.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What a plain start unpacks, and what it leaves zipped; a snapshot holds all of it. */
const ARCHIVES = ["numpy.whl", "hinny-core.zip"];
const ZIPPED = ["snowballstemmer.whl"];
/** What reads HTML and Markdown, for files of the reader's own. */
const READERS = ["justhtml.whl", "markdown_it_py.whl", "mdit_py_plugins.whl", "mdurl.whl", "ruamel_yaml.whl"];

export class Runtime {
  readonly manifest: RuntimeManifest;
  #base: URL;
  #files: FileStore;
  #complete = false;
  /** When what was ready: milliseconds since the worker began. */
  readonly marks: Record<string, number> = {};
  #readers = false;

  constructor(manifest: RuntimeManifest, base: URL, files: FileStore) {
    this.manifest = manifest;
    this.#base = base;
    this.#files = files;
  }

  /** A file of the runtime as the store wants it asked for. */
  request(name: string): FileRequest {
    const entry = this.manifest.files[name];
    if (!entry) throw new HinnyError("runtime", `runtime.json names no ${name}: build the site again`);
    return { name, ...entry, url: new URL(entry.url, this.#base).href, kind: "runtime" };
  }

  get(name: string): Promise<Bytes> {
    return this.#files.get(this.request(name));
  }

  /** A file of WebAssembly, compiled; see `FileStore.compile`. */
  compile(name: string): Promise<WebAssembly.Module> {
    return this.#files.compile(this.request(name));
  }

  #mark(what: string): void {
    this.marks[what] = performance.now();
  }

  /** Names of the files that a start needs, for the progress bar's total. */
  get needed(): string[] {
    const core = ["pyodide.asm.js", "pyodide.asm.wasm"];
    const { boot } = this.manifest;
    if (boot) return [...core, boot.snapshot, boot.unpacker, ...boot.libraries];
    return [...core, "python_stdlib.zip", ...ARCHIVES, ...ZIPPED];
  }

  /**
   * Run a checked script of ours by its URL, which a strict content security policy allows. WebKit's workers ask the
   * network alone for a module, not the service worker: offline the checked bytes serve, where the policy allows `blob:`.
   */
  async script<T>(name: string): Promise<T> {
    const bytes = await this.get(name);
    try {
      return (await import(/* @vite-ignore */ this.request(name).url)) as T;
    } catch (error) {
      const url = URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
      return await (import(/* @vite-ignore */ url) as Promise<T>)
        .catch(() => Promise.reject(error))
        .finally(() => URL.revokeObjectURL(url));
    }
  }

  async start(print: (line: string) => void): Promise<Pyodide> {
    if (typeof WebAssembly !== "object") {
      throw new HinnyError("no-webassembly", "this browser has no WebAssembly, or a policy forbids it");
    }
    const core = this.#core(print);
    const { boot } = this.manifest;
    if (boot) {
      const snapshot = this.#snapshot(boot.snapshot, boot.unpacker);
      const libraries = Promise.all(boot.libraries.map((name) => this.compile(name)));
      try {
        const [ready, found, compiled] = await Promise.all([core, snapshot, libraries]);
        this.#mark("restoring");
        const { pyodide } = await bootSnapshot(ready, found, compiled);
        this.#mark("python");
        return pyodide;
      } catch (error) {
        // Not a reason to fail: the plain start needs none of it.
        console.warn("hinny: starting without the snapshot:", error);
      }
    }
    return await this.#startPlain(await core);
  }

  async #core(print: (line: string) => void): Promise<Core> {
    const [wasm] = await Promise.all([
      this.get("pyodide.asm.wasm")
        .then((bytes) => WebAssembly.compile(bytes))
        .finally(() => this.#mark("wasm")),
      this.script("pyodide.asm.js").finally(() => this.#mark("script")),
    ]);
    return { createModule: moduleFactory(), wasm, print };
  }

  async #snapshot(name: string, unpacker: string): Promise<Snapshot> {
    const [packed, module] = await Promise.all([this.get(name), this.compile(unpacker)]);
    this.#mark("snapshot fetched");
    const bytes = await unpack(module, packed);
    this.#mark("snapshot unpacked");
    return decode(bytes);
  }

  async #startPlain(core: Core): Promise<Pyodide> {
    const [standardLibrary, archives, zipped] = await Promise.all([
      this.get("python_stdlib.zip"),
      this.#getAll(ARCHIVES),
      this.#getAll(ZIPPED),
    ]);
    const { pyodide } = await bootPlain(core, standardLibrary);
    install(pyodide, archives);
    addZipped(pyodide, zipped);
    this.#complete = true;
    return pyodide;
  }

  async #getAll(names: string[]): Promise<Record<string, Bytes>> {
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await this.get(name)] as const)),
    );
  }

  /**
   * Bring what a snapshot leaves out: the standard library's archive, and numpy's and our files. Asked for
   * when an import fails; true when something was added, so that trying again makes sense.
   */
  async complete(pyodide: Pyodide): Promise<boolean> {
    if (this.#complete) return false;
    const [standardLibrary, archives] = await Promise.all([
      this.get("python_stdlib.zip"),
      this.#getAll(ARCHIVES),
    ]);
    this.#complete = true;
    addStandardLibrary(pyodide, standardLibrary);
    install(pyodide, archives);
    return true;
  }

  /** Bring what reads files of the reader's own. */
  async addReaders(pyodide: Pyodide): Promise<void> {
    if (this.#readers) return;
    const wheels = await this.#getAll(READERS);
    await this.complete(pyodide);
    if (!this.#readers) addZipped(pyodide, wheels);
    this.#readers = true;
  }
}
