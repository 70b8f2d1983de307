import { Charset, Document } from "flexsearch";
import { isChinese } from "./segments.js";

export const about = {
  package: "flexsearch",
  setup:
    "README: a Document index, tokenize forward, encoder LatinBalance (Chinese: CJK), suggest true (without it a sentence finds nothing), fields merged in their order. Typos only as far as letters sound alike: no mode of its own, and no phrase search",
  modes: ["plain", "typing"],
};

const empty = (fields, language) =>
  new Document({
    document: { id: "id", index: fields },
    tokenize: "forward",
    encoder: isChinese(language) ? Charset.CJK : Charset.LatinBalance,
  });

export function build(documents, fields, language) {
  const index = empty(fields, language);
  for (const document of documents) index.add(document);
  return engine(index);
}

export async function load(data, fields, _documents, language) {
  const index = empty(fields, language);
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
