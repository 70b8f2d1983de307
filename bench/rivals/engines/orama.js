import { create, insertMultiple, load as restore, save, search } from "@orama/orama";
import { createTokenizer } from "@orama/tokenizers/mandarin";
import { orama } from "./orama-like.js";

export const about = {
  package: "@orama/orama",
  setup:
    "documentation's start: a schema of strings, english, term and properties; with typos: tolerance 1; Chinese: the tokenizer of @orama/tokenizers. Words are prefixes by default. It has no phrase search",
  modes: ["plain", "fuzzy", "typing"],
};

const mandarin = () => createTokenizer({ language: "mandarin" });

export const { build, load } = orama({ create, insertMultiple, restore, save, search, mandarin });
