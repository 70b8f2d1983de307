import Fuse from "fuse.js";
import { isChinese, segmented } from "./segments.js";

export const about = {
  package: "fuse.js",
  setup:
    "README: keys title and text with an index made beforehand, useTokenSearch (for several words), ignoreLocation (for long texts); Chinese: tokenize with Intl.Segmenter; it always searches with typos, so it has no mode for them",
  modes: ["plain", "typing"],
  documents: true,
  // It reads every text at every question, for seconds: it is asked a sample, and once.
  slow: true,
};

const options = (language) => ({
  useTokenSearch: true,
  ignoreLocation: true,
  ...(isChinese(language) && { tokenize: segmented }),
});

export function build(documents, keys, language) {
  return engine(new Fuse(documents, { keys, ...options(language) }, Fuse.createIndex(keys, documents)));
}

export function load(data, keys, documents, language) {
  return engine(new Fuse(documents, { keys, ...options(language) }, Fuse.parseIndex(JSON.parse(data))));
}

const engine = (index) => ({
  search: (text, _mode, limit) => index.search(text, { limit }).map((hit) => hit.item.id),
  serialise: () => JSON.stringify(index.getIndex()),
});
