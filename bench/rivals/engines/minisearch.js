import MiniSearch from "minisearch";

export const about = {
  package: "minisearch",
  setup:
    "README: fields title and text, title boosted by 2; with typos: prefix true, fuzzy 0.2; typing: prefix true",
  modes: ["plain", "fuzzy", "typing"],
};

const boost = { title: 2, headings: 2 };
const OPTIONS = {
  plain: { boost },
  fuzzy: { boost, prefix: true, fuzzy: 0.2 },
  typing: { boost, prefix: true },
};

export function build(documents, fields) {
  const index = new MiniSearch({ fields });
  index.addAll(documents);
  return engine(index);
}

export const load = (data, fields) => engine(MiniSearch.loadJSON(data, { fields }));

const engine = (index) => ({
  search: (text, mode, limit) =>
    index
      .search(text, OPTIONS[mode])
      .slice(0, limit)
      .map((hit) => hit.id),
  serialise: () => JSON.stringify(index),
});
