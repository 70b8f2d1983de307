/** One form for each plural category that a language uses; `other` always. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** Everything the element says. `{name}` stands for a value. */
export interface Texts {
  placeholder: string;
  label: string;
  open: string;
  close: string;
  clear: string;
  results: string;
  count: Plural;
  took: string;
  quick: string;
  starting: string;
  progress: string;
  stages: { runtime: string; python: string; bundle: string; model: string };
  none: string;
  noneHint: string;
  didYouMean: string;
  alsoSearched: string;
  more: string;
  inPage: Plural;
  recent: string;
  forget: string;
  filters: string;
  removeFilters: string;
  failed: string;
  retry: string;
  without: string;
  withoutLoading: string;
  withoutFailed: string;
  unlinked: string;
  moveKey: string;
  openKey: string;
  whyKey: string;
  /** Before the words that a hit lacks. */
  missing: string;
  why: string;
  source: string;
  sources: Record<string, string>;
  rank: string;
  score: string;
  share: string;
  words: string;
  match: Record<"exact" | "stem" | "prefix" | "typo" | "sound" | "synonym" | "phrase", string>;
  fields: Record<string, string>;
  field: string;
  times: string;
  weight: string;
  reranked: string;
  reasons: string;
  exact: string;
  /** Steps of an answer that are no source. */
  steps: Record<"fusion" | "policies" | "texts" | "excerpts", string>;
  /** Why a result stands where it does; `{amount}`, `{source}` and `{reason}` are put in. */
  because: Record<
    "title-covers" | "title-is" | "weak-lexical" | "unmatched" | "balance" | "rerank-skipped",
    string
  >;
  timings: string;
  total: string;
}
