import type { Factory, FactoryInfo } from "../../worker/src/api";

export const FACTORIES: { id: Factory; name: string; text: string }[] = [
  {
    id: "lexical-only",
    name: "Words",
    text: "Words ranked by BM25F, with spelling, phrases and exclusions. Nothing more to download.",
  },
  {
    id: "tiny",
    name: "Words + passages",
    text: "Words, and the parts of each passage compared with those of the question by a tiny late-interaction model.",
  },
  {
    id: "semantic",
    name: "Words + meaning",
    text: "Words, and the meaning of each section as one vector; both lists fused.",
  },
  {
    id: "three-source",
    name: "All three",
    text: "Words, passages and meaning, fused. The largest download, and the most that is asked.",
  },
];

export function nameOf(id: Factory): string {
  return FACTORIES.find((factory) => factory.id === id)?.name ?? id;
}

/** What a factory still has to download here, each model once. */
export function missingBytes(factory: FactoryInfo | undefined): number {
  return (factory?.models ?? []).reduce((sum, model) => sum + (model.cached ? 0 : model.bytes), 0);
}
