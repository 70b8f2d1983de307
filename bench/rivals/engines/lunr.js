import lunr from "lunr";
import { isChinese, segmented } from "./segments.js";

export const about = {
  package: "lunr",
  setup:
    "guides: ref and fields, the default pipeline (stop words, stemmer), title boosted by 2; terms through query(), so that no text is read as syntax; with typos: editDistance 1; typing: the last word with a trailing wildcard beside itself, and where that throws (its issue 314: an expanded term that its index lacks) the same words without; Chinese: tokenizer with Intl.Segmenter, no pipeline (its trimmer takes such characters away). It has no phrase search",
  modes: ["plain", "fuzzy", "typing"],
};

const tokens = (text) => segmented(String(text ?? "")).map((word) => new lunr.Token(word.toLowerCase(), {}));

export function build(documents, fields, language) {
  const index = lunr(function () {
    this.ref("id");
    for (const name of fields) this.field(name, { boost: name === "text" ? 1 : 2 });
    if (isChinese(language)) {
      this.tokenizer = tokens;
      this.pipeline.reset();
      this.searchPipeline.reset();
    }
    for (const document of documents) this.add(document);
  });
  return engine(index, language);
}

export const load = (data, _fields, _documents, language) =>
  engine(lunr.Index.load(JSON.parse(data)), language);

const engine = (index, language) => {
  const asked = (terms, mode) =>
    index.query((query) => {
      for (const term of terms) {
        query.term(term);
        if (mode === "fuzzy") query.term(term, { editDistance: 1, boost: 0.5 });
      }
      const last = terms.at(-1);
      if (mode === "typing" && last)
        query.term(last, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false, boost: 0.5 });
    });
  return {
    search(text, mode, limit) {
      const terms = isChinese(language) ? tokens(text) : lunr.tokenizer(text);
      let found;
      try {
        found = asked(terms, mode);
      } catch (error) {
        if (mode !== "typing") throw error;
        found = asked(terms, "plain");
      }
      return found.slice(0, limit).map((hit) => hit.ref);
    },
    serialise: () => JSON.stringify(index),
  };
};
