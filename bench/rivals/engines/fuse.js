import Fuse from "fuse.js";

export const about = {
  package: "fuse.js",
  setup:
    "README: keys title and text with an index made beforehand, useTokenSearch (for several words), ignoreLocation (for long texts); it always searches with typos, so it has no mode for them",
  modes: ["plain", "typing"],
  // It reads every text at every question; asking it one question in so many, and once, keeps the run short.
  every: 100,
  rounds: 1,
};

const OPTIONS = { useTokenSearch: true, ignoreLocation: true };

export function build(documents, keys) {
  return engine(new Fuse(documents, { keys, ...OPTIONS }, Fuse.createIndex(keys, documents)));
}

export function load(data, keys, documents) {
  return engine(new Fuse(documents, { keys, ...OPTIONS }, Fuse.parseIndex(JSON.parse(data))));
}

const engine = (index) => ({
  search: (text, _mode, limit) => index.search(text, { limit }).map((hit) => hit.item.id),
  serialise: () => JSON.stringify(index.getIndex()),
});
