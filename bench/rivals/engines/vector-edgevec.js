import init, { EdgeVec, EdgeVecConfig } from "edgevec";
import { given, questions } from "./vectors.js";

export const about = {
  kind: "vector",
  documents: true,
  package: "edgevec",
  setup:
    "README: an HNSW index (its default) with cosine, search(vector, 10); kept in IndexedDB, which is the only place that it loads from",
  files: ["edgevec_bg.wasm"],
};

const NAME = "bench";

export async function build(documents) {
  await init({ module_or_path: "/rivals/edgevec_bg.wasm" });
  const config = new EdgeVecConfig(documents.dim);
  config.metric = "cosine";
  const index = new EdgeVec(config);
  for (const row of await given(documents)) index.insert(row);
  return {
    async serialise() {
      await index.save(NAME);
      const chunks = [];
      const stream = index.save_stream();
      for (let chunk = stream.next_chunk(); chunk; chunk = stream.next_chunk()) chunks.push(chunk);
      return new Uint8Array(await new Blob(chunks).arrayBuffer());
    },
  };
}

export async function load(_data, _fields, documents) {
  await init({ module_or_path: "/rivals/edgevec_bg.wasm" });
  const asked = await questions(documents);
  const index = await EdgeVec.load(NAME);
  return {
    search: (text, _mode, limit) =>
      index.search(asked[Number(text)], limit).map((hit) => documents.ids[hit.id]),
  };
}
