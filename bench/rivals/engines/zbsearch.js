import { create, insertMultiple, load as restore, save, search } from "zbsearch";
import { orama } from "./orama-like.js";
import { segmented } from "./segments.js";

export const about = {
  package: "zbsearch",
  setup:
    "README: a schema of strings, english, term and properties; with typos: tolerance 1; Chinese: a tokenizer with Intl.Segmenter. Words are prefixes by default. It has no phrase search",
  modes: ["plain", "fuzzy", "typing"],
};

const mandarin = () => ({
  language: "mandarin",
  normalizationCache: new Map(),
  tokenize: (text) => (typeof text === "string" ? [...new Set(segmented(text))] : [text]),
});

export const { build, load } = orama({ create, insertMultiple, restore, save, search, mandarin });
