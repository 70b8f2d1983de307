/** The little of Emscripten's and Pyodide's inner interface that the start-up touches. */

export interface PyProxy {
  (...args: unknown[]): unknown;
  destroy(): void;
  get(name: string): PyProxy;
  [name: string]: unknown;
}

export interface Pyodide {
  FS: FileSystem;
  globals: PyProxy;
  runPython(code: string): unknown;
  pyimport(name: string): PyProxy;
  registerJsModule(name: string, module: object): void;
}

export interface FileSystem {
  mkdirTree(path: string): void;
  writeFile(path: string, data: Uint8Array, options?: { canOwn?: boolean }): void;
  readFile(path: string): Uint8Array<ArrayBuffer>;
  unlink(path: string): void;
  chdir(path: string): void;
}

/** A loaded side module. */
export interface Library {
  refcount: number;
  global: boolean;
  exports: Record<string, unknown>;
}

/** What Python holds of JavaScript in a snapshot. */
export interface Held {
  hiwireKeys: unknown[];
  immortalKeys: string[];
}

export interface PyodideApi {
  config: Record<string, unknown>;
  version: string;
  sitePackages: string;
  finalizeBootstrap(held?: Held): Pyodide;
  serializeHiwireState(): Held;
  initializeStreams(stdin: undefined, stdout: (line: string) => void, stderr: (line: string) => void): void;
  _pyodide: { set_excepthook(): void };
  sys: { path: { insert(index: number, path: string): void } };
}

export interface EmscriptenModule {
  API: PyodideApi;
  FS: FileSystem;
  ENV: Record<string, string>;
  HEAPU8: Uint8Array<ArrayBuffer>;
  HEAPU32: Uint32Array<ArrayBuffer>;
  wasmTable: WebAssembly.Table;
  GOT: Record<string, WebAssembly.Global>;
  LDSO: {
    loadedLibsByName: Record<string, Library>;
    loadedLibsByHandle: Record<string, Library>;
  };
  newDSO(name: string, handle: number, symbols: "loading"): Library;
  loadWebAssemblyModule(
    module: WebAssembly.Module,
    flags: { global: boolean; nodelete: boolean; loadAsync: false },
    name: string,
    localScope: object,
    handle: number,
  ): Record<string, unknown>;
  addFunction(fn: unknown): number;
  /** Where in the function table a helper of Python's stands, 0 in engines that cannot run it. */
  _PyEM_CountArgsPtr: number;
  /** Addresses: Python's state, and where the helper's place in it is kept. */
  __PyRuntime: number;
  __PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET: number;
  UTF8ToString(pointer: number): string;
  _emscripten_stack_get_base(): number;
  _emscripten_stack_get_end(): number;
  stackSave(): number;
  _sbrk(change: number): number;
  _emscripten_builtin_malloc(size: number): number;
  _emscripten_builtin_free(address: number): void;
}

export type Settings = Record<string, unknown>;
export type CreateModule = (settings: Settings) => Promise<EmscriptenModule>;
