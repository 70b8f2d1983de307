/**
 * Tokenizers and ONNX graphs for Python: what `hinny.platform.browser_models` calls. Arrays come from Python
 * as its buffers, all of one call in one, and are copied once on their way in; a model's own bytes stay on this
 * side.
 */

import type { ExecutionProvider } from "./api.ts";
import { ModelError } from "./models/errors.ts";
import { weightsOutside } from "./models/outside.ts";
import type { Libraries, OrtSession, OrtTensor } from "./ort.ts";
import { type HubTokenizer, readTokenizer } from "./tokenizer.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A Python object with the buffer protocol, as Pyodide hands it over. */
interface PyBufferProxy {
  getBuffer(type: "u8"): { data: Uint8Array; release(): void };
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

/** An input, and where its bytes begin in the call's buffer: at a multiple of 8. */
interface InputSpec extends TensorSpec {
  at: number;
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

interface Loaded {
  session: OrtSession;
  device: ExecutionProvider;
  line: Line;
}

/** The smallest graph there is: one Identity. */
const IDENTITY =
  "CAgSBWhpbm55OlgKGQoFcXVlcnkSBnNjb3JlcyIISWRlbnRpdHkSBHNjYW5aGQoFcXVlcnkSEAoOCAESCgoDEgFxCgMIgANiGgoGc2NvcmVzEhAKDggBEgoKAxIBcQoDCIADQgQKABARQhEKDWNvbS5taWNyb3NvZnQQAQ==";

export class Sessions {
  #libraries: Libraries;
  /** Where models run. Asked for WebGPU, there is no quiet fall back. */
  device: ExecutionProvider;
  #tokenizers = new Map<number, HubTokenizer>();
  #sessions = new Map<number, Loaded>();
  #taken = new Map<number, Bytes>();
  #last = 0;
  #started: Promise<void> | null = null;
  /** onnxruntime-web makes one session at a time. */
  #making = new Line();

  constructor(libraries: Libraries, device: ExecutionProvider = "wasm") {
    this.#libraries = libraries;
    this.device = device;
  }

  /**
   * Load onnxruntime and make it work once, which compiles what every model needs: worth starting while a
   * model's bytes are still on their way. A problem shows when the model is loaded.
   */
  async start(): Promise<void> {
    this.#started ??= this.#create(bytesOf(IDENTITY), {}, this.device)
      .then((session) => session.release())
      .catch(() => {
        this.#started = null;
      });
    await this.#started;
  }

  /** Keep a copy of a Python buffer; the key serves one later call. */
  take(buffer: PyBufferProxy): number {
    this.#taken.set(++this.#last, copyOf(buffer));
    return this.#last;
  }

  async loadTokenizer(tokenizer: Bytes | number, config: Bytes | number | null | undefined): Promise<number> {
    const text = this.#bytes(tokenizer);
    const settings = config === null || config === undefined ? null : this.#bytes(config);
    const library = await this.#libraries.tokenizers();
    try {
      const tokenizer = readTokenizer(library, text, settings);
      tokenizer.encode("a", { add_special_tokens: true }); // the graph takes longer to come: what is slow once, now
      this.#tokenizers.set(++this.#last, tokenizer);
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
    // Scans are small integer products, which are faster where they are than on their way to a GPU.
    const device = externalData.length ? "wasm" : this.device;
    await this.#libraries.ort(device);
    try {
      const session = await this.#create(bytes, externalData.length ? { externalData } : {}, device);
      this.#sessions.set(++this.#last, { session, device, line: new Line() });
      return this.#last;
    } catch (error) {
      throw new ModelError("unknown", `the graph cannot be loaded: ${message(error)}`);
    }
  }

  async #create(graph: Bytes, more: Record<string, unknown>, device: ExecutionProvider): Promise<OrtSession> {
    const ort = await this.#libraries.ort(device);
    const options: Record<string, unknown> = { executionProviders: [device], ...more };
    let given = graph;
    if (optimised(graph)) {
      options.graphOptimizationLevel = "disabled";
      const rest = device === "wasm" && !more.externalData ? weightsOutside(graph, "weights") : null;
      if (rest) {
        given = rest;
        options.externalData = [{ path: "weights", data: graph }];
      }
    }
    return await this.#making.after(() => ort.InferenceSession.create(given, options));
  }

  /** JSON: the names of the graph's inputs. */
  inputNames(handle: number): string {
    return JSON.stringify(this.#session(handle).session.inputNames);
  }

  /** `specs` is JSON, an InputSpec for each input; `inputs` has their bytes. Calls to a session are in turn. */
  async run(handle: number, specs: string, inputs: PyBufferProxy): Promise<Outputs> {
    const { session, device, line } = this.#session(handle);
    const { buffer } = copyOf(inputs);
    const { Tensor } = await this.#libraries.ort(device);
    const feeds: Record<string, OrtTensor> = {};
    for (const { name, type, dims, at } of JSON.parse(specs) as InputSpec[]) {
      const size = dims.reduce((product, n) => product * n, 1);
      feeds[name] = new Tensor(type, new ARRAYS[type](buffer, at, size), dims);
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

  #session(handle: number): Loaded {
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

/**
 * Whether a graph was written in its final form, as ours are: in an ONNX file, which begins with its version, the
 * next field is the graph where no producer is named. Looking for what to fuse takes a third of a session's start.
 */
function optimised(graph: Bytes): boolean {
  const [VERSION, GRAPH] = [0x08, 0x3a];
  return graph[0] === VERSION && graph[2] === GRAPH;
}

function copyOf(buffer: PyBufferProxy): Bytes {
  const view = buffer.getBuffer("u8");
  try {
    return view.data.slice();
  } finally {
    view.release();
  }
}

function bytesOf(base64: string): Bytes {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

function released(handle: number): ModelError {
  return new ModelError("unknown", `there is no tokenizer or session ${handle}: it was released`);
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
