// One engine over one set of documents. An engine is a module: `about`, `build(documents, fields)` and
// `load(data, fields, documents)`; what they make has `search(text, mode, limit)`, which gives ids, and
// `serialise()`, a string or bytes.
let engine;

const calls = {
  // Builds, keeps what is built at the server and loads that again, as a page would; or loads what was built
  // before, where `prebuilt` says where it is.
  async open({ module, documents: documentsUrl, fields, prebuilt, keep }) {
    const { build, load } = await import(module);
    const result = {};
    const documents = await (await fetch(documentsUrl)).json();
    let data;
    if (prebuilt) {
      data = new Uint8Array(await (await fetch(prebuilt)).arrayBuffer());
    } else {
      const began = performance.now();
      const built = await build(documents, fields);
      result.build_ms = performance.now() - began;
      data = await built.serialise();
      await fetch(keep, { method: "POST", body: data });
    }
    const began = performance.now();
    engine = await load(data, fields, documents);
    result.load_ms = performance.now() - began;
    return result;
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
