import { Charset, Document } from "flexsearch";

export const about = {
  package: "flexsearch",
  setup:
    "README: a Document index, tokenize forward, encoder LatinBalance, suggest true (without it a sentence finds nothing), fields merged in their order. Typos only as far as letters sound alike: no mode of its own",
  modes: ["plain", "typing"],
};

const empty = (fields) =>
  new Document({
    document: { id: "id", index: fields },
    tokenize: "forward",
    encoder: Charset.LatinBalance,
  });

export function build(documents, fields) {
  const index = empty(fields);
  for (const document of documents) index.add(document);
  return engine(index);
}

export async function load(data, fields) {
  const index = empty(fields);
  for (const [key, value] of JSON.parse(data)) index.import(key, value);
  return engine(index);
}

const engine = (index) => ({
  search(text, _mode, limit) {
    const found = index.search(text, { limit, suggest: true });
    return [...new Set(found.flatMap((field) => field.result))].slice(0, limit);
  },
  async serialise() {
    const parts = [];
    await index.export((key, value) => parts.push([key, value]));
    return JSON.stringify(parts);
  },
});
