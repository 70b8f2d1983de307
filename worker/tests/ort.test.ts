import { expect, test, vi } from "vitest";
import { type Ort, runtimeLibraries } from "../src/ort.ts";
import { fakeOrt } from "./fakes.ts";

/** The smallest WebAssembly: a magic number and a version. */
const EMPTY = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

function runtimeFiles(has: string[], ort: Ort) {
  return {
    asked: [] as string[],
    async get(name: string) {
      this.asked.push(name);
      return new Uint8Array([1]);
    },
    async compile(name: string) {
      this.asked.push(name);
      return new WebAssembly.Module(EMPTY);
    },
    has: (name: string) => has.includes(name),
    url: (name: string) => `https://site.example/runtime/${name}`,
    async script<T>(name: string) {
      this.asked.push(name);
      return ort as T;
    },
  };
}

test("onnxruntime-web comes from the site's own runtime, once, on one thread", async () => {
  const { ort } = fakeOrt();
  const files = runtimeFiles([], ort);
  const loaded = runtimeLibraries(async () => files);
  expect(await loaded.ort("wasm")).toBe(await loaded.ort("wasm"));
  expect(files.asked.filter((name) => name === "ort.wasm.min.mjs")).toHaveLength(1);
  expect(ort.env.wasm).toMatchObject({
    numThreads: 1,
    wasmPaths: { wasm: "https://site.example/runtime/ort-wasm-simd-threaded.wasm" },
  });
});

test.each([
  [false, 16, 1],
  [true, 2, 1],
  [true, 6, 3],
  [true, 64, 4],
  [true, undefined, 1],
])(
  "threads where the page is cross-origin isolated: %s, %s processors, %s threads",
  async (isolated, processors, threads) => {
    vi.stubGlobal("crossOriginIsolated", isolated);
    vi.stubGlobal("navigator", { hardwareConcurrency: processors });
    const { ort } = fakeOrt();
    await runtimeLibraries(async () => runtimeFiles([], ort)).ort("wasm");
    expect(ort.env.wasm.numThreads).toBe(threads);
    vi.unstubAllGlobals();
  },
);

test("onnxruntime's loader gets the compiled module, and others what they ask for", async () => {
  const { ort } = fakeOrt();
  const files = runtimeFiles([], ort);
  await runtimeLibraries(async () => files).ort("wasm");
  expect(files.asked).toContain("ort-wasm-simd-threaded.wasm");
  const given = new Uint8Array(ort.env.wasm.wasmBinary);
  const { module, instance } = await WebAssembly.instantiate(given, {});
  expect(module).toBeInstanceOf(WebAssembly.Module);
  expect(instance).toBeInstanceOf(WebAssembly.Instance);
  expect((await WebAssembly.instantiate(EMPTY, {})).module).toBeInstanceOf(WebAssembly.Module);
  expect(await WebAssembly.instantiate(module, {})).toBeInstanceOf(WebAssembly.Instance);
  await expect(WebAssembly.instantiate(new Uint8Array(8), {})).rejects.toThrow();
});

test("WebGPU that was asked for and is not there is an error, never a quiet fall back", async () => {
  const { ort } = fakeOrt();
  const files = runtimeFiles([], ort);
  await expect(runtimeLibraries(async () => files).ort("webgpu")).rejects.toThrow("hinny build --webgpu");
  const loaded = runtimeLibraries(async () => runtimeFiles(["ort.webgpu.min.mjs"], ort));
  vi.stubGlobal("navigator", {});
  await expect(loaded.ort("webgpu")).rejects.toMatchObject({ reason: "no-webgpu" });
  vi.stubGlobal("navigator", { gpu: { requestAdapter: async () => null } });
  await expect(loaded.ort("webgpu")).rejects.toThrow("no adapter");
  vi.stubGlobal("navigator", { gpu: { requestAdapter: async () => ({}) }, hardwareConcurrency: 2 });
  expect(await loaded.ort("webgpu")).toBe(ort);
  expect(ort.env.wasm.wasmPaths.wasm).toContain("asyncify.wasm");
  vi.unstubAllGlobals();
});
