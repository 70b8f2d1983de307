// One engine over one set of documents. An engine is a module: `about`, `build(documents, fields, language)`
// and `load(data, fields, documents, language)`; `about.documents` says that it reads the documents as it loads.
// What they make has `search(text, mode, limit)`, which gives ids, and `serialise()`, a string or bytes.
let engine;

const calls = {
  // Builds and leaves what is built at the server.
  async build({ module, documents, fields, language, keep }) {
    const { build } = await import(module);
    const given = await (await fetch(documents)).json();
    const began = performance.now();
    const built = await build(given, fields, language);
    const took = performance.now() - began;
    await fetch(keep, { method: "POST", body: await built.serialise() });
    return took;
  },

  // Loads what was built, as a page would.
  async load({ module, documents, fields, language, from }) {
    const { load, about } = await import(module);
    // Only for those that ask for them: their memory would be taken for the engine's.
    const given = about?.documents ? await (await fetch(documents)).json() : null;
    const answer = await fetch(from);
    const text = (answer.headers.get("Content-Type") ?? "").startsWith("text/");
    const data = text ? await answer.text() : new Uint8Array(await answer.arrayBuffer());
    const began = performance.now();
    engine = await load(data, fields, given, language);
    return performance.now() - began;
  },

  async ask(text, mode, limit) {
    const began = performance.now();
    const answer = engine.search(text, mode, limit);
    // Awaiting what is there already would add a turn of the event loop to it.
    const ids = typeof answer?.then === "function" ? await answer : answer;
    return { ms: performance.now() - began, ids };
  },
};

self.onmessage = async ({ data: { id, name, args } }) => {
  try {
    self.postMessage({ id, value: await calls[name](...args) });
  } catch (error) {
    self.postMessage({ id, error: String(error?.message ?? error) });
  }
};
