import * as glue from "voy-search/voy_search_bg.js";
import { given, questions } from "./vectors.js";

export const about = {
  kind: "vector",
  documents: true,
  package: "voy-search",
  setup: "README: a Voy of embedded resources, search(vector, 10); its index travels as a string",
  files: ["voy_search_bg.wasm"],
};

// The package's own entry leaves loading the wasm to a bundler; this does the same.
async function started() {
  const answer = await fetch("/rivals/voy_search_bg.wasm");
  const { instance } = await WebAssembly.instantiate(await answer.arrayBuffer(), {
    "./voy_search_bg.js": glue,
  });
  glue.__wbg_set_wasm(instance.exports);
}

export async function build(documents) {
  await started();
  const rows = await given(documents);
  const embeddings = rows.map((row, at) => ({
    id: documents.ids[at],
    title: documents.ids[at],
    url: "/",
    embeddings: Array.from(row),
  }));
  const index = new glue.Voy({ embeddings });
  return { serialise: () => index.serialize() };
}

export async function load(data, _fields, documents) {
  await started();
  const asked = await questions(documents);
  const index = glue.Voy.deserialize(data);
  return {
    search: (text, _mode, limit) =>
      index.search(asked[Number(text)], limit).neighbors.map((neighbour) => neighbour.id),
  };
}
