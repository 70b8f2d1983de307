/**
 * Starting Pyodide from bytes that are already here and checked. Pyodide's own loader would fetch by
 * itself, file after file; the steps below are the ones it takes, with everything handed in.
 */

import { HinnyError } from "../errors.ts";
import type { CreateModule, EmscriptenModule, Pyodide, Settings } from "./emscripten.ts";
import { asInTable, keepsIdentity } from "./identity.ts";
import { levelTable, restoreLibraries, restoreMemory, type Snapshot } from "./snapshot.ts";

/** Pyodide 0.27.7 stamps its snapshots with this; ours carry it for the same reason. */
const HOME = "/home/pyodide";
const STANDARD_LIBRARY = "/lib/python312.zip";
export const SITE_PACKAGES = "/lib/python3.12/site-packages";

export type Print = (line: string) => void;

export interface Core {
  createModule: CreateModule;
  wasm: WebAssembly.Module;
  print: Print;
}

interface Wanted {
  /** Bytes of the standard library, or null when a snapshot already holds what is needed of it. */
  standardLibrary: Uint8Array<ArrayBuffer> | null;
  memory?: number;
  /** Record the paths of JavaScript objects that Python holds, so that a snapshot can name them. */
  forSnapshot?: boolean;
}

async function create(core: Core, wanted: Wanted): Promise<EmscriptenModule> {
  const env: Record<string, string> = {
    HOME,
    // Without it Python would shut down when its start-up script ends.
    PYTHONINSPECT: "1",
    // One order of sets and dictionaries everywhere: what a reader reports can be reproduced.
    PYTHONHASHSEED: "0",
    // Nobody reads docstrings here: a snapshot without them is a fifth smaller.
    ...(wanted.forSnapshot ? { PYTHONOPTIMIZE: "2" } : {}),
  };
  const config = {
    jsglobals: globalThis,
    env,
    args: [],
    packages: [],
    indexURL: "",
    packageCacheDir: "",
    fullStdLib: false,
    enableRunUntilComplete: false,
    _makeSnapshot: wanted.forSnapshot ?? false,
  };
  let exited: unknown;
  const settings: Settings = {
    noImageDecoding: true,
    noAudioDecoding: true,
    noWasmDecoding: false,
    noInitialRun: wanted.standardLibrary === null,
    print: core.print,
    printErr: core.print,
    thisProgram: "./this.program",
    arguments: [],
    API: { config },
    locateFile: (path: string) => path,
    ...(wanted.memory ? { INITIAL_MEMORY: wanted.memory } : {}),
    quit(_status: number, toThrow: unknown) {
      exited = toThrow;
      throw toThrow;
    },
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) {
      void WebAssembly.instantiate(core.wasm, imports).then((instance) => {
        const table = imports.env?.__indirect_function_table as WebAssembly.Table;
        done(keepsIdentity() ? instance : { exports: asInTable(instance.exports, table, 0) }, core.wasm);
      });
      return {};
    },
    preRun: [
      (module: EmscriptenModule) => {
        module.API.sitePackages = SITE_PACKAGES;
        module.FS.mkdirTree(SITE_PACKAGES);
        module.FS.mkdirTree(HOME);
        module.FS.chdir(HOME);
        Object.assign(module.ENV, env);
        if (wanted.standardLibrary) module.FS.writeFile(STANDARD_LIBRARY, wanted.standardLibrary);
      },
    ],
  };
  const module = await core.createModule(settings);
  if (exited) throw exited;
  levelTable(module);
  return module;
}

function finish(module: EmscriptenModule, pyodide: Pyodide, print: Print): Pyodide {
  module.API._pyodide.set_excepthook();
  module.API.initializeStreams(undefined, print, print);
  return pyodide;
}

export interface Booted {
  module: EmscriptenModule;
  pyodide: Pyodide;
}

/** Start the interpreter from nothing; numpy and Hinny come after, with `install`. */
export async function bootPlain(
  core: Core,
  standardLibrary: Uint8Array<ArrayBuffer>,
  options: { forSnapshot?: boolean } = {},
): Promise<Booted> {
  const module = await create(core, { standardLibrary, ...options });
  const pyodide = module.API.finalizeBootstrap();
  module.API.sys.path.insert(0, "");
  if (options.forSnapshot) return { module, pyodide };
  return { module, pyodide: finish(module, pyodide, core.print) };
}

/** Unpack wheels and our own archive where Python finds them. */
export function install(pyodide: Pyodide, archives: Record<string, Uint8Array<ArrayBuffer>>): void {
  for (const [name, bytes] of Object.entries(archives)) {
    const path = `/tmp/${name}`;
    pyodide.FS.writeFile(path, bytes, { canOwn: true });
    pyodide.runPython(
      `import zipfile\nwith zipfile.ZipFile(${JSON.stringify(path)}) as archive: archive.extractall(${JSON.stringify(SITE_PACKAGES)})\ndel archive`,
    );
    pyodide.FS.unlink(path);
  }
  pyodide.runPython("import importlib; importlib.invalidate_caches()");
}

/** An interpreter that has not started: what a snapshot is compared with, and restored into. */
export function createEmpty(core: Core, memory: number): Promise<EmscriptenModule> {
  return create(core, { standardLibrary: null, memory });
}

/** Start from a snapshot: numpy and Hinny are imported already. Throws when it does not fit this runtime. */
export async function bootSnapshot(
  core: Core,
  snapshot: Snapshot,
  libraries: WebAssembly.Module[],
): Promise<Booted> {
  const module = await createEmpty(core, snapshot.header.memory);
  restoreLibraries(module, snapshot.header, libraries);
  restoreMemory(module, snapshot);
  for (const [path, bytes] of Object.entries(snapshot.files)) {
    module.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    module.FS.writeFile(path, bytes);
  }
  const pyodide = module.API.finalizeBootstrap(snapshot.header.held);
  return { module, pyodide: finish(module, pyodide, core.print) };
}

/** Put wheels that stay zipped on Python's path: little of them is ever imported. */
export function addZipped(pyodide: Pyodide, wheels: Record<string, Uint8Array<ArrayBuffer>>): void {
  for (const [name, bytes] of Object.entries(wheels)) {
    const path = zippedPath(name);
    pyodide.FS.writeFile(path, bytes);
    pyodide.runPython(`import sys; sys.path.append(${JSON.stringify(path)})`);
  }
}

export function zippedPath(name: string): string {
  return `/lib/${name}`;
}

/** Later: the standard library's archive, for modules that the snapshot does not hold. */
export function addStandardLibrary(pyodide: Pyodide, bytes: Uint8Array<ArrayBuffer>): void {
  pyodide.FS.writeFile(STANDARD_LIBRARY, bytes);
}

/** The factory that `pyodide.asm.js` leaves behind once it has run. */
export function moduleFactory(): CreateModule {
  const found = (globalThis as { _createPyodideModule?: CreateModule })._createPyodideModule;
  if (!found) throw new HinnyError("runtime", "pyodide.asm.js ran but left no module factory");
  return found;
}
