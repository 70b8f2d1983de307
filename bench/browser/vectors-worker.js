// All kernels and two rivals in plain JavaScript, on the same data in one worker, called in turn.

import * as ort from "/runtime/ort.wasm.min.mjs";
import { loadPyodide } from "/runtime/pyodide.mjs";
import { Scans } from "/tools/scans.js";
import { ByteTableScan, MaxSimLoop } from "./vectors-rivals.js";

// Both runtimes' memories, to see how much an index takes of them. onnxruntime's is made with its first
// session, so a small task goes first where memory is to be read.
const memories = [];
const Memory = WebAssembly.Memory;
WebAssembly.Memory = class extends Memory {
  constructor(descriptor) {
    super(descriptor);
    memories.push(this);
  }
};

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = "/runtime/";

const sessions = new Map();
let last = 0;

// The part of a ModelRuntime that kernels use; vectors_page.py wraps it.
const runtime = {
  async load(graph, names, arrays) {
    const externalData = names.map((path, i) => ({ path, data: new Uint8Array(arrays[i].buffer) }));
    const session = await ort.InferenceSession.create(graph, { externalData, executionProviders: ["wasm"] });
    sessions.set(++last, session);
    return last;
  },
  async run(session, data, dims) {
    const answer = await sessions.get(session).run({ query: new ort.Tensor("float32", data, dims) });
    return answer.scores.data;
  },
};

let pyodide;
let page;
const rivals = {};
const data = {};

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const calls = {
  async boot(wheel, archive) {
    pyodide = await loadPyodide({ indexURL: "/runtime/" });
    await pyodide.loadPackage(wheel);
    pyodide.unpackArchive(await (await fetch(archive)).arrayBuffer(), "zip", { extractDir: "/lib/bench" });
    pyodide.runPython("import sys; sys.path.insert(0, '/lib/bench')");
    page = pyodide.pyimport("vectors_page");
    page.set_runtime(runtime, new Scans());
  },

  // What Python makes for a task, and the rivals on the same codes.
  async prepare(task, count) {
    const started = performance.now();
    const before = memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
    const made = await page.prepare(task, count);
    const after = memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
    data[task] = made;
    if (task === "dense") rivals.dense = new ByteTableScan(made);
    if (task === "maxsim") rivals.maxsim = new MaxSimLoop(made);
    return { memory_bytes: after - before, prepare_ms: performance.now() - started, load_ms: made.load_ms };
  },

  // Each way once a round, in turn; medians in milliseconds and the largest difference between scores.
  async measure(task, ways, rounds) {
    const { query } = data[task];
    const times = Object.fromEntries(ways.map((way) => [way, []]));
    const scores = {};
    for (let round = 0; round < rounds + 2; round++) {
      for (const way of ways) {
        const started = performance.now();
        if (way === "javascript") scores[way] = rivals[task].scores(query);
        else if (way === "onnx" || way === "search") await page.once_later(task, way);
        else page.once(task, way);
        if (round >= 2) times[way].push(performance.now() - started);
      }
    }
    const result = Object.fromEntries(
      ways.flatMap((way) => [
        [way, median(times[way])],
        [`${way}_min`, Math.min(...times[way])],
      ]),
    );
    for (const [way, apart] of Object.entries(await page.agreement(task))) result[`${way}_agreement`] = apart;
    if (scores.javascript) result.javascript_agreement = page.javascript_agreement(task, scores.javascript);
    return result;
  },
};

self.onmessage = async ({ data: { id, name, args } }) => {
  try {
    self.postMessage({ id, value: await calls[name](...args) });
  } catch (error) {
    self.postMessage({ id, error: String(error.stack ?? error) });
  }
};
