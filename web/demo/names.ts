import type { BundleInfo, Factory } from "../../worker/src/api";

export const FACTORIES: { id: Factory; name: string; text: string }[] = [
  {
    id: "lexical-only",
    name: "Words",
    text: "Words ranked by BM25F, with spelling, phrases and exclusions. Nothing more to download.",
  },
  {
    id: "tiny",
    name: "Words + meaning, tiny",
    text: "Words, and passages compared token by token with a tiny ColBERT model.",
  },
  {
    id: "semantic",
    name: "Words + meaning",
    text: "Words and sentence vectors, fused, then the best reranked.",
  },
];

/** What a factory still has to download here. */
export function missingBytes(info: BundleInfo, id: Factory): number {
  const factory = info.factories.find((candidate) => candidate.id === id);
  return (factory?.models ?? []).reduce((sum, model) => sum + (model.cached ? 0 : model.bytes), 0);
}
