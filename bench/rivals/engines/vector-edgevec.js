import init, { EdgeVec, EdgeVecConfig } from "edgevec";
import { given, questions } from "./vectors.js";

export const about = {
  kind: "vector",
  documents: true,
  package: "edgevec",
  setup:
    "README: an HNSW index (its default), search(vector, 10); metric l2, which orders unit vectors as cosine does (with its cosine, 0.9.0 gives the farthest first). Reading its own saved index fails in 0.9.0 (a deserialiser's error), so it is built again where it is asked: its load is a build",
  files: ["edgevec_bg.wasm"],
};

async function made(documents) {
  await init({ module_or_path: "/rivals/edgevec_bg.wasm" });
  const config = new EdgeVecConfig(documents.dim);
  config.metric = "l2";
  const index = new EdgeVec(config);
  const names = new Map();
  for (const [at, row] of (await given(documents)).entries()) names.set(index.insert(row), documents.ids[at]);
  return { index, names };
}

export async function build(documents) {
  const { index } = await made(documents);
  return {
    async serialise() {
      const chunks = [];
      const stream = index.save_stream();
      for (let chunk = stream.next_chunk(); chunk; chunk = stream.next_chunk()) chunks.push(chunk);
      return new Uint8Array(await new Blob(chunks).arrayBuffer());
    },
  };
}

export async function load(_data, _fields, documents) {
  const asked = await questions(documents);
  const { index, names } = await made(documents);
  return {
    search: (text, _mode, limit) => index.search(asked[Number(text)], limit).map((hit) => names.get(hit.id)),
  };
}
