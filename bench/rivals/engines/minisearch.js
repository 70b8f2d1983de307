import MiniSearch from "minisearch";
import { isChinese, segmented } from "./segments.js";

export const about = {
  package: "minisearch",
  setup:
    "README: fields title and text, title boosted by 2; with typos: prefix true, fuzzy 0.2; typing: prefix true; Chinese: tokenize with Intl.Segmenter. It has no phrase search",
  modes: ["plain", "fuzzy", "typing"],
};

const boost = { title: 2, headings: 2 };
const OPTIONS = {
  plain: { boost },
  fuzzy: { boost, prefix: true, fuzzy: 0.2 },
  typing: { boost, prefix: true },
};
const options = (fields, language) => ({ fields, ...(isChinese(language) && { tokenize: segmented }) });

export function build(documents, fields, language) {
  const index = new MiniSearch(options(fields, language));
  index.addAll(documents);
  return engine(index);
}

export const load = (data, fields, _documents, language) =>
  engine(MiniSearch.loadJSON(data, options(fields, language)));

const engine = (index) => ({
  search: (text, mode, limit) =>
    index
      .search(text, OPTIONS[mode])
      .slice(0, limit)
      .map((hit) => hit.id),
  serialise: () => JSON.stringify(index),
});
