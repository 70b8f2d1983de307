/**
 * Tokenizers and ONNX graphs for Python: what `hinny.platform.browser_models` calls. Arrays come from Python
 * as its buffers and are copied once on their way in; a model's own bytes stay on this side.
 */

import { ModelError } from "./models/errors.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A Python object with the buffer protocol, as Pyodide hands it over. */
interface PyBufferProxy {
  getBuffer(type: "u8"): { data: Uint8Array; release(): void };
}

interface OrtTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayBufferView;
}

interface OrtSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, OrtTensor>): Promise<Record<string, OrtTensor>>;
  release(): Promise<void>;
}

/** The part of onnxruntime-web that is used here. */
export interface Ort {
  env: {
    logLevel: string;
    wasm: {
      numThreads: number;
      wasmPaths: { mjs: string; wasm: string };
      wasmBinary: ArrayBuffer;
    };
  };
  InferenceSession: {
    create(graph: Uint8Array, options: Record<string, unknown>): Promise<OrtSession>;
  };
  Tensor: new (type: string, data: ArrayBufferView, dims: readonly number[]) => OrtTensor;
}

interface HubTokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] };
}

/** The part of @huggingface/tokenizers that is used here. */
export interface Tokenizers {
  Tokenizer: new (tokenizer: object, config: object) => HubTokenizer;
}

export type Device = "wasm" | "webgpu";

export interface Libraries {
  ort(device: Device): Promise<Ort>;
  tokenizers(): Promise<Tokenizers>;
}

const ARRAYS = {
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  bool: Uint8Array,
};

interface TensorSpec {
  name: string;
  type: keyof typeof ARRAYS;
  dims: number[];
}

/** Outputs as they go to Python: their description as JSON, and their bytes. */
export interface Outputs {
  specs: string;
  data: Uint8Array[];
}

/** Everything that is done with one session, in turn. */
class Line {
  #last: Promise<unknown> = Promise.resolve();

  after<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => {});
    return next;
  }
}

export class Sessions {
  #libraries: Libraries;
  #device: Device;
  #tokenizers = new Map<number, HubTokenizer>();
  #sessions = new Map<number, { session: OrtSession; line: Line }>();
  #taken = new Map<number, Bytes>();
  #last = 0;
  /** onnxruntime-web makes one session at a time. */
  #making = new Line();

  constructor(libraries: Libraries, device: Device = "wasm") {
    this.#libraries = libraries;
    this.#device = device;
  }

  /** Keep a copy of a Python buffer; the key serves one later call. */
  take(buffer: PyBufferProxy): number {
    const view = buffer.getBuffer("u8");
    try {
      this.#taken.set(++this.#last, view.data.slice());
    } finally {
      view.release();
    }
    return this.#last;
  }

  async loadTokenizer(tokenizer: Bytes | number, config: Bytes | number | null | undefined): Promise<number> {
    const text = this.#bytes(tokenizer);
    const settings = config === null || config === undefined ? null : this.#bytes(config);
    const { Tokenizer } = await this.#libraries.tokenizers();
    try {
      const description = parse(text);
      const made = new Tokenizer(description, settings ? parse(settings) : {});
      this.#tokenizers.set(++this.#last, lowercases(description) ? plainSigma(made) : made);
      return this.#last;
    } catch (error) {
      throw new ModelError("unknown", `the tokenizer cannot be read: ${message(error)}`);
    }
  }

  /** `texts` is JSON: an array of strings; the answer, too: an array of arrays of ids. */
  tokenize(handle: number, texts: string, special: boolean): string {
    const tokenizer = this.#tokenizers.get(handle);
    if (!tokenizer) throw released(handle);
    const ids = (JSON.parse(texts) as string[]).map(
      (text) => tokenizer.encode(text, { add_special_tokens: special }).ids,
    );
    return JSON.stringify(ids);
  }

  /** `external` is JSON: file names to keys of `take`. */
  async loadSession(graph: Bytes | number, external: string): Promise<number> {
    const bytes = this.#bytes(graph);
    const externalData = Object.entries(JSON.parse(external) as Record<string, number>).map(
      ([path, key]) => ({ path, data: this.#bytes(key) }),
    );
    const ort = await this.#libraries.ort(this.#device);
    const options = { executionProviders: [this.#device], ...(externalData.length && { externalData }) };
    try {
      const session = await this.#making.after(() => ort.InferenceSession.create(bytes, options));
      this.#sessions.set(++this.#last, { session, line: new Line() });
      return this.#last;
    } catch (error) {
      throw new ModelError("unknown", `the graph cannot be loaded: ${message(error)}`);
    }
  }

  /** JSON: the names of the graph's inputs. */
  inputNames(handle: number): string {
    return JSON.stringify(this.#session(handle).session.inputNames);
  }

  /** `specs` is JSON: for each input its name, type, dims and key of `take`. Calls to a session are in turn. */
  async run(handle: number, specs: string): Promise<Outputs> {
    const { session, line } = this.#session(handle);
    const { Tensor } = await this.#libraries.ort(this.#device);
    const feeds: Record<string, OrtTensor> = {};
    for (const { name, type, dims, key } of JSON.parse(specs) as (TensorSpec & { key: number })[]) {
      const bytes = this.#bytes(key);
      feeds[name] = new Tensor(type, new ARRAYS[type](bytes.buffer), dims);
    }
    let results: Record<string, OrtTensor>;
    try {
      results = await line.after(() => session.run(feeds));
    } catch (error) {
      throw new ModelError("unknown", `the model failed: ${message(error)}`);
    }
    const found = Object.entries(results);
    const described = found.map(([name, { type, dims }]) => ({ name, type, dims }));
    const data = found.map(([, { data: d }]) => new Uint8Array(d.buffer, d.byteOffset, d.byteLength));
    return { specs: JSON.stringify(described), data };
  }

  /** Free a session after its accepted work, or a tokenizer; harmless when called again. */
  async release(handle: number): Promise<void> {
    this.#tokenizers.delete(handle);
    const found = this.#sessions.get(handle);
    this.#sessions.delete(handle);
    await found?.line.after(() => found.session.release());
  }

  #session(handle: number): { session: OrtSession; line: Line } {
    const found = this.#sessions.get(handle);
    if (!found) throw released(handle);
    return found;
  }

  #bytes(given: Bytes | number): Bytes {
    if (typeof given !== "number") return given;
    const bytes = this.#taken.get(given);
    if (!bytes) throw new ModelError("unknown", `buffer ${given} was used already`);
    this.#taken.delete(given);
    return bytes;
  }
}

/** One step of a tokenizer.json's normaliser, or a sequence of them. */
interface Normaliser {
  type?: string;
  lowercase?: boolean;
  normalizers?: Normaliser[];
}

function parse(bytes: Bytes): { normalizer?: Normaliser | null } {
  return JSON.parse(new TextDecoder().decode(bytes)) as { normalizer?: Normaliser | null };
}

function lowercases({ normalizer }: { normalizer?: Normaliser | null }): boolean {
  const steps = normalizer?.type === "Sequence" ? (normalizer.normalizers ?? []) : [normalizer];
  return steps.some((step) => step?.type === "Lowercase" || step?.lowercase === true);
}

/**
 * Rust lowers letter by letter, JavaScript lowers a word's last capital sigma to its final form. The vectors
 * of an index were made with the former.
 */
function plainSigma(tokenizer: HubTokenizer): HubTokenizer {
  return { encode: (text, options) => tokenizer.encode(text.replaceAll("Σ", "σ"), options) };
}

function released(handle: number): ModelError {
  return new ModelError("unknown", `there is no tokenizer or session ${handle}: it was released`);
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A file of the site's runtime: its checked bytes, and its address. */
export interface RuntimeFiles {
  get(name: string): Promise<Bytes>;
  has(name: string): boolean;
  url(name: string): string;
  script<T>(name: string): Promise<T>;
}

/** onnxruntime-web and the tokenizer library out of the site's own runtime, each loaded once. */
export function runtimeLibraries(files: () => Promise<RuntimeFiles>): Libraries {
  let ort: Promise<Ort> | null = null;
  let tokenizers: Promise<Tokenizers> | null = null;
  const forget =
    <T>(clear: () => void) =>
    (error: unknown): T => {
      clear();
      throw error;
    };
  return {
    ort(device) {
      ort ??= loadOrt(files, device).catch(forget(() => (ort = null)));
      return ort;
    },
    tokenizers() {
      tokenizers ??= files()
        .then((runtime) => runtime.script<Tokenizers>("tokenizers.min.mjs"))
        .catch(forget(() => (tokenizers = null)));
      return tokenizers;
    },
  };
}

async function loadOrt(files: () => Promise<RuntimeFiles>, device: Device): Promise<Ort> {
  const runtime = await files();
  const [script, glue, binary] =
    device === "webgpu"
      ? ["ort.webgpu.min.mjs", "ort-wasm-simd-threaded.asyncify.mjs", "ort-wasm-simd-threaded.asyncify.wasm"]
      : ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];
  if (device === "webgpu") {
    if (!("gpu" in navigator)) {
      throw new ModelError("no-webgpu", "WebGPU was asked for, and this browser has none");
    }
    if (!runtime.has(script)) {
      throw new ModelError("no-webgpu", `WebGPU was asked for, and this site's runtime has no ${script}`);
    }
  }
  const [ort, wasm] = await Promise.all([
    runtime.script<Ort>(script),
    runtime.get(binary),
    runtime.get(glue),
  ]);
  ort.env.logLevel = "error";
  ort.env.wasm.wasmPaths = { mjs: runtime.url(glue), wasm: runtime.url(binary) };
  ort.env.wasm.wasmBinary = wasm.buffer as ArrayBuffer;
  ort.env.wasm.numThreads = globalThis.crossOriginIsolated
    ? Math.max(1, Math.min(4, (navigator.hardwareConcurrency ?? 2) >> 1))
    : 1;
  return ort;
}
