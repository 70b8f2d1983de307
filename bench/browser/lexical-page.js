// Engines in workers of their own, all asked the same in turns. One that fails is kept in the results as
// failed, with the reason.
const engines = new Map();

class Engine {
  constructor(name, patience) {
    this.patience = patience;
    this.failed = null;
    this.waiting = new Map();
    this.last = 0;
    this.worker = new Worker(`lexical-worker.js?${name}`, { type: "module" });
    this.worker.onmessage = ({ data }) => {
      const { resolve, reject } = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      data.error === undefined ? resolve(data.value) : reject(new Error(data.error));
    };
    this.worker.onerror = (event) => this.fail(event.message || "the worker could not start");
  }

  fail(reason) {
    this.failed ??= reason;
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
  }

  call(name, ...args) {
    return new Promise((resolve, reject) => {
      const id = ++this.last;
      const late = setTimeout(
        () => this.fail(`no answer to ${name} within ${this.patience} ms`),
        this.patience,
      );
      const done = (settle) => (value) => {
        clearTimeout(late);
        settle(value);
      };
      this.waiting.set(id, { resolve: done(resolve), reject: done(reject) });
      this.worker.postMessage({ id, name, args });
    });
  }
}

// Opens one engine after the other; name to what it took, or to { failed }.
globalThis.openEngines = async (given, set, patience) => {
  for (const { worker } of engines.values()) worker.terminate();
  engines.clear();
  const results = {};
  for (const { name, module, prebuilt } of given) {
    const result = {};
    const builder = prebuilt ? null : new Engine(name, patience);
    const engine = new Engine(name, patience);
    engines.set(name, engine);
    try {
      // What building leaves behind goes with its worker.
      if (builder) result.build_ms = await builder.call("build", { ...set, module, keep: `/keep/${name}` });
      builder?.worker.terminate();
      result.load_ms = await engine.call("load", { ...set, module, from: prebuilt ?? `/keep/${name}` });
      results[name] = result;
    } catch (error) {
      builder?.worker.terminate();
      engine.fail(error.message);
      results[name] = { failed: error.message };
    }
    await globalThis.advanced?.(1);
  }
  return results;
};

// Builds one engine and leaves what it made at the server; what it took, or { failed }.
globalThis.buildEngine = async ({ name, module }, set, patience) => {
  const builder = new Engine(name, patience);
  try {
    return { build_ms: await builder.call("build", { ...set, module, keep: `/keep/${name}` }) };
  } catch (error) {
    builder.fail(error.message);
    return { failed: error.message };
  }
};

// Asks every engine every text in turns, the first one another at each text. `plan` says, for each engine,
// the mode, that only every so-manieth text is asked, in how many rounds, and whether warming up is left out
// (`cold`). Returns, for each engine, milliseconds a round and
// text (null where it was not asked), the ids of the first round, and how often a later round differed. When
// `budget` milliseconds have passed, no more is asked.
globalThis.compareEngines = async (plan, texts, { rounds, limit, warm = [], budget = null }) => {
  const names = Object.keys(plan).filter((name) => engines.has(name));
  const results = {};
  for (const name of names) results[name] = { ms: [], ids: [], unstable: 0 };
  const until = performance.now() + (budget ?? Number.POSITIVE_INFINITY);
  const ask = async (name, text) => {
    const engine = engines.get(name);
    if (engine.failed || performance.now() > until) return null;
    try {
      return await engine.call("ask", text, plan[name].mode, limit);
    } catch (error) {
      engine.fail(`${error.message} (asked: ${text.slice(0, 80)})`);
      return null;
    }
  };
  for (const [at, text] of warm.entries())
    for (const name of names) if (!plan[name].cold && at % plan[name].every === 0) await ask(name, text);
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results[name].ms.push(texts.map(() => null));
    for (const [at, text] of texts.entries()) {
      for (let turn = 0; turn < names.length; turn++) {
        // Forwards and backwards: nobody has always the same one before it.
        const step = Math.floor((at + round) / names.length) % 2 ? names.length - turn : turn;
        const name = names[(at + round + step) % names.length];
        if (at % plan[name].every || round >= plan[name].rounds) continue;
        const answer = await ask(name, text);
        if (!answer) continue;
        const result = results[name];
        result.ms[round][at] = answer.ms;
        if (round === 0) result.ids[at] = answer.ids;
        else if (String(result.ids[at]) !== String(answer.ids)) result.unstable++;
      }
      if (at % 10 === 9) await globalThis.advanced?.(10);
    }
  }
  for (const name of names) {
    const { failed } = engines.get(name);
    if (failed) results[name] = { failed };
  }
  return results;
};

// Bytes of memory by engine, as the browser counts them; empty where it cannot, or does not within `patience`
// milliseconds: a worker that does not take part makes it wait a minute.
globalThis.engineMemory = async (patience) => {
  if (!performance.measureUserAgentSpecificMemory) return {};
  const late = new Promise((resolve) => setTimeout(resolve, patience, null));
  const counted = await Promise.race([performance.measureUserAgentSpecificMemory(), late]);
  if (!counted) return {};
  const { breakdown } = counted;
  const found = {};
  for (const { bytes, attribution } of breakdown)
    for (const { url } of attribution) {
      const name = url.split("lexical-worker.js?")[1];
      if (name) found[name] = (found[name] ?? 0) + bytes;
    }
  return found;
};
// A long task that is asked after: a page that dies meanwhile is noticed.
let task = null;
globalThis.startTask = (name, args) => {
  task = { done: false };
  const mine = task;
  globalThis[name](...args).then(
    (value) => Object.assign(mine, { done: true, value }),
    (error) => Object.assign(mine, { done: true, error: String(error) }),
  );
};
globalThis.askTask = () => (task.done ? task : null);
globalThis.ready = true;
