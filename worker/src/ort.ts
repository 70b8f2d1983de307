/** onnxruntime-web and the tokenizer library out of the site's own runtime, each loaded once. */

import type { ExecutionProvider } from "./api.ts";
import { ModelError } from "./models/errors.ts";
import type { Tokenizers } from "./tokenizer.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface OrtTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayBufferView;
}

export interface OrtSession {
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

export interface Libraries {
  ort(device: ExecutionProvider): Promise<Ort>;
  tokenizers(): Promise<Tokenizers>;
}

/** A file of the site's runtime: its checked bytes, and its address. */
export interface RuntimeFiles {
  get(name: string): Promise<Bytes>;
  compile(name: string): Promise<WebAssembly.Module>;
  has(name: string): boolean;
  url(name: string): string;
  script<T>(name: string): Promise<T>;
}

export function runtimeLibraries(files: () => Promise<RuntimeFiles>): Libraries {
  const orts = new Map<ExecutionProvider, Promise<Ort>>();
  let tokenizers: Promise<Tokenizers> | null = null;
  const forget =
    <T>(clear: () => void) =>
    (error: unknown): T => {
      clear();
      throw error;
    };
  return {
    ort(device) {
      let ort = orts.get(device);
      if (!ort) {
        ort = loadOrt(files, device).catch(forget(() => orts.delete(device)));
        orts.set(device, ort);
      }
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

async function loadOrt(files: () => Promise<RuntimeFiles>, device: ExecutionProvider): Promise<Ort> {
  const runtime = await files();
  const [script, glue, binary] =
    device === "webgpu"
      ? ["ort.webgpu.min.mjs", "ort-wasm-simd-threaded.asyncify.mjs", "ort-wasm-simd-threaded.asyncify.wasm"]
      : ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];
  if (device === "webgpu") {
    if (!runtime.has(script)) {
      throw new ModelError(
        "no-webgpu",
        `WebGPU was asked for, and this site's runtime has no ${script}: build it with \`hinny build --webgpu\``,
      );
    }
    await adapter();
  }
  const [ort, module] = await Promise.all([
    runtime.script<Ort>(script),
    runtime.compile(binary),
    runtime.get(glue),
  ]);
  ort.env.logLevel = "error";
  ort.env.wasm.wasmPaths = { mjs: runtime.url(glue), wasm: runtime.url(binary) };
  ort.env.wasm.wasmBinary = standIn(module);
  ort.env.wasm.numThreads = globalThis.crossOriginIsolated
    ? Math.max(1, Math.min(4, (navigator.hardwareConcurrency ?? 2) >> 1))
    : 1;
  return ort;
}

/** There is an adapter, or the reason why not. */
async function adapter(): Promise<void> {
  const { gpu } = navigator as { gpu?: { requestAdapter(): Promise<unknown> } };
  if (!gpu) throw new ModelError("no-webgpu", "WebGPU was asked for, and this browser has none");
  const found = await gpu.requestAdapter().catch(() => null);
  if (!found)
    throw new ModelError("no-webgpu", "WebGPU was asked for, and this device has no adapter for it");
}

const modules = new WeakMap<ArrayBufferLike, WebAssembly.Module>();
let standing = false;

/**
 * Bytes that onnxruntime's loader, which takes nothing else, gives to `WebAssembly.instantiate`, and that are
 * this module there. So a module can be used that the engine has kept the machine code of: on a second visit a
 * session is ready sooner, and its first runs are as fast as its later ones (measured 5 times).
 */
function standIn(module: WebAssembly.Module): ArrayBuffer {
  const binary = new ArrayBuffer(8);
  modules.set(binary, module);
  if (standing) return binary;
  standing = true;
  const { instantiate } = WebAssembly;
  const standingIn = async (source: BufferSource | WebAssembly.Module, imports?: WebAssembly.Imports) => {
    const known = ArrayBuffer.isView(source) ? modules.get(source.buffer) : undefined;
    if (!known) return await instantiate(source as BufferSource, imports);
    return { module: known, instance: await instantiate(known, imports) };
  };
  WebAssembly.instantiate = standingIn as typeof instantiate;
  return binary;
}
