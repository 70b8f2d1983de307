import { expect, test, vi } from "vitest";
import type { Libraries, OrtSession } from "../src/ort.ts";
import { Sessions } from "../src/sessions.ts";
import { fakeOrt } from "./fakes.ts";

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
  const specs = [{ name: "x", type: "float32", dims: [values.length], at: 0 }];
  const given = buffer(new Float32Array(values));
  const { specs: described, data } = await sessions.run(handle, JSON.stringify(specs), given);
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

test("inputs of one call come in one buffer, each from where its line says", async () => {
  const { ort, create } = fakeOrt();
  const sessions = new Sessions(libraries(ort));
  const handle = await sessions.loadSession(encoder.encode("graph"), "{}");
  const session = await create.mock.results[0]?.value;
  const ran = vi.spyOn(session as OrtSession, "run");
  const inputs = new Uint8Array(24);
  new Float32Array(inputs.buffer, 0, 1)[0] = 1.5;
  new BigInt64Array(inputs.buffer, 8, 2).set([7n, 8n]);
  const specs = [
    { name: "x", type: "float32", dims: [1, 1], at: 0 },
    { name: "z", type: "int64", dims: [2], at: 8 },
  ];
  const given = buffer(inputs);
  await sessions.run(handle, JSON.stringify(specs), given);
  const feeds = ran.mock.calls[0]?.[0] ?? {};
  expect(feeds.x).toMatchObject({ type: "float32", dims: [1, 1], data: new Float32Array([1.5]) });
  expect(feeds.z).toMatchObject({ type: "int64", dims: [2], data: new BigInt64Array([7n, 8n]) });
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
  await expect(sessions.run(handle, "[]", buffer(new Uint8Array(0)))).rejects.toThrow("it was released");
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

test("a graph without a producer is taken as it is, another's is optimised", async () => {
  const { ort, create } = fakeOrt();
  const sessions = new Sessions(libraries(ort));
  await sessions.loadSession(new Uint8Array([0x08, 8, 0x3a, 1]), "{}");
  await sessions.loadSession(new Uint8Array([0x08, 8, 0x12, 7]), "{}");
  expect(create.mock.calls.map(([, options]) => options)).toEqual([
    { executionProviders: ["wasm"], graphOptimizationLevel: "disabled" },
    { executionProviders: ["wasm"] },
  ]);
});

test("starting makes a session once and gives it back; a failure is left to the model that comes next", async () => {
  const log: string[] = [];
  const { ort, create } = fakeOrt(log);
  create.mockRejectedValueOnce(new Error("no memory"));
  const sessions = new Sessions(libraries(ort));
  await sessions.start();
  await Promise.all([sessions.start(), sessions.start()]);
  expect(create).toHaveBeenCalledTimes(2);
  expect(log).toEqual(["release"]);
});

test("models run where they were told to, scans with weights of their own in WebAssembly", async () => {
  const { ort, create } = fakeOrt();
  const asked: string[] = [];
  const loadOrt = async (device: string) => {
    asked.push(device);
    return ort;
  };
  const sessions = new Sessions({ ...libraries(ort), ort: loadOrt });
  sessions.device = "webgpu";
  const key = sessions.take(buffer(new Uint8Array([1])));
  const model = await sessions.loadSession(encoder.encode("model"), "{}");
  await sessions.loadSession(encoder.encode("scan"), JSON.stringify({ weights: key }));
  expect(create.mock.calls.map(([, options]) => options.executionProviders)).toEqual([["webgpu"], ["wasm"]]);
  asked.length = 0;
  await run(sessions, model, [1]);
  expect(asked).toEqual(["webgpu"]);
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
