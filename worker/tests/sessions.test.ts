import { expect, test, vi } from "vitest";
import { type Libraries, type Ort, runtimeLibraries, Sessions } from "../src/sessions.ts";

const encoder = new TextEncoder();

function json(value: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(value));
}

/** A buffer of Python's, as Pyodide hands it over. */
function buffer(data: ArrayBufferView) {
  const release = vi.fn();
  const view = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { getBuffer: () => ({ data: view, release }), release };
}

/** onnxruntime-web whose sessions double their input; `log` tells what happened when. */
function fakeOrt(log: string[] = []) {
  class Tensor {
    constructor(
      readonly type: string,
      readonly data: ArrayBufferView,
      readonly dims: readonly number[],
    ) {}
  }
  const create = vi.fn(async (_graph: Uint8Array, _options: Record<string, unknown>) => ({
    inputNames: ["x"],
    outputNames: ["y"],
    async run({ x }: Record<string, Tensor>) {
      const input = (x as Tensor).data as Float32Array;
      log.push(`start ${input[0]}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push(`end ${input[0]}`);
      return {
        y: new Tensor(
          "float32",
          input.map((v) => 2 * v),
          (x as Tensor).dims,
        ),
      };
    },
    release: async () => void log.push("release"),
  }));
  return { ort: { env: { wasm: {} }, InferenceSession: { create }, Tensor } as unknown as Ort, create };
}

/** A tokenizer that gives code points, and what it was made with. */
function fakeTokenizers() {
  const made: [object, object][] = [];
  class Tokenizer {
    constructor(tokenizer: object, config: object) {
      made.push([tokenizer, config]);
    }
    encode(text: string, { add_special_tokens }: { add_special_tokens: boolean }) {
      const ids = [...text].map((c) => c.codePointAt(0) as number);
      return { ids: add_special_tokens ? [1, ...ids, 2] : ids };
    }
  }
  return { made, tokenizers: { Tokenizer } };
}

function libraries(ort = fakeOrt().ort, tokenizers = fakeTokenizers().tokenizers): Libraries {
  return { ort: async () => ort, tokenizers: async () => tokenizers };
}

async function run(sessions: Sessions, handle: number, values: number[]): Promise<number[]> {
  const key = sessions.take(buffer(new Float32Array(values)));
  const specs = [{ name: "x", type: "float32", dims: [values.length], key }];
  const { specs: described, data } = await sessions.run(handle, JSON.stringify(specs));
  expect(JSON.parse(described)).toEqual([{ name: "y", type: "float32", dims: [values.length] }]);
  return [...new Float32Array((data[0] as Uint8Array).slice().buffer)];
}

test("arrays go in and come back, and Python's buffer is let go of", async () => {
  const sessions = new Sessions(libraries());
  const handle = await sessions.loadSession(encoder.encode("graph"), "{}");
  expect(JSON.parse(sessions.inputNames(handle))).toEqual(["x"]);
  expect(await run(sessions, handle, [1, 2.5])).toEqual([2, 5]);
  const given = buffer(new Uint8Array([7]));
  sessions.take(given);
  expect(given.release).toHaveBeenCalledOnce();
});

test("calls to one session are in turn, and release comes after them", async () => {
  const log: string[] = [];
  const sessions = new Sessions(libraries(fakeOrt(log).ort));
  const handle = await sessions.loadSession(encoder.encode("graph"), "{}");
  const work = [run(sessions, handle, [1]), run(sessions, handle, [2])];
  await new Promise((resolve) => setTimeout(resolve, 1));
  const done = sessions.release(handle);
  await Promise.all([...work, done]);
  await sessions.release(handle);
  expect(log).toEqual(["start 1", "end 1", "start 2", "end 2", "release"]);
  await expect(sessions.run(handle, "[]")).rejects.toThrow("it was released");
});

test("external weights are named files, and a buffer serves one call", async () => {
  const { ort, create } = fakeOrt();
  const sessions = new Sessions(libraries(ort));
  const key = sessions.take(buffer(new Uint8Array([1, 2])));
  await sessions.loadSession(encoder.encode("graph"), JSON.stringify({ weights: key }));
  expect(create.mock.calls[0]?.[1]).toEqual({
    executionProviders: ["wasm"],
    externalData: [{ path: "weights", data: new Uint8Array([1, 2]) }],
  });
  await expect(sessions.loadSession(key, "{}")).rejects.toThrow("was used already");
});

test("a load that failed can be tried again", async () => {
  const { ort, create } = fakeOrt();
  create.mockRejectedValueOnce(new Error("out of memory"));
  const sessions = new Sessions(libraries(ort));
  await expect(sessions.loadSession(encoder.encode("g"), "{}")).rejects.toThrow(
    "the graph cannot be loaded: out of memory",
  );
  expect(await sessions.loadSession(encoder.encode("g"), "{}")).toBeGreaterThan(0);
});

test("texts are tokenised with and without special tokens", async () => {
  const { made, tokenizers } = fakeTokenizers();
  const sessions = new Sessions(libraries(fakeOrt().ort, tokenizers));
  const handle = await sessions.loadTokenizer(json({ model: {} }), json({ a: 1 }));
  expect(made).toEqual([[{ model: {} }, { a: 1 }]]);
  expect(sessions.tokenize(handle, '["ab", ""]', true)).toBe("[[1,97,98,2],[1,2]]");
  expect(sessions.tokenize(handle, '["ab"]', false)).toBe("[[97,98]]");
  await sessions.release(handle);
  expect(() => sessions.tokenize(handle, "[]", true)).toThrow("it was released");
});

test.each([
  [{ type: "BertNormalizer", lowercase: true }, true],
  [{ type: "Lowercase" }, true],
  [{ type: "Sequence", normalizers: [{ type: "NFC" }, { type: "Lowercase" }] }, true],
  [{ type: "BertNormalizer", lowercase: false }, false],
  [null, false],
])("a capital sigma is lowered as Rust lowers it: %j", async (normalizer, plain) => {
  const sessions = new Sessions(libraries());
  const handle = await sessions.loadTokenizer(json({ normalizer }), null);
  const sigma = plain ? "σ" : "Σ";
  expect(sessions.tokenize(handle, '["ΣΟΣ"]', false)).toBe(
    JSON.stringify([[...`${sigma}Ο${sigma}`].map((c) => c.codePointAt(0))]),
  );
});

function runtimeFiles(has: string[], ort: Ort) {
  return {
    asked: [] as string[],
    async get(name: string) {
      this.asked.push(name);
      return new Uint8Array([1]);
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

test("WebGPU that was asked for and is not there is an error, never a quiet fall back", async () => {
  const { ort } = fakeOrt();
  const loaded = runtimeLibraries(async () => runtimeFiles([], ort));
  vi.stubGlobal("navigator", {});
  await expect(loaded.ort("webgpu")).rejects.toMatchObject({ reason: "no-webgpu" });
  vi.stubGlobal("navigator", { gpu: {} });
  await expect(loaded.ort("webgpu")).rejects.toThrow("has no ort.webgpu.min.mjs");
  vi.unstubAllGlobals();
});
