import { describe, expect, it } from "vitest";
import { condense } from "../demo/condense";
import { rangeOf } from "../demo/plots";

describe("what the benchmark page shows", () => {
  it("is picked from the results, by collection and by kind of question", () => {
    const vs = { difference: 0.01, low: 0.004, high: 0.02, p: 0.01 };
    const found = condense({
      summary: { startup_ms: 12, note: "text", broken: Number.NaN },
      machine: { processor: "P", cores: 2 },
      eval: {
        collections: {
          scifact: {
            facts: { documents: 5183, questions: 300 },
            methods: {
              lexical: { ndcg10: 0.7 },
              tiny: { ndcg10: 0.71, vs_lexical: vs },
              other: { ndcg10: 1 },
            },
          },
          secret: { methods: { lexical: { ndcg10: 0.1 } } },
        },
      },
      rivals: {
        results: {
          scifact: {
            lunr: { index: { gz: 1 }, plain: { median: 14, p95: 57, ndcg10: 0.6 } },
            hinny: { plain: { median: 3, p95: 16 }, fuzzy: { failed: "out of memory" } },
          },
        },
      },
    });
    expect(found.summary).toEqual({ startup_ms: 12 });
    expect(found.machine).toEqual({ processor: "P" });
    expect(found.relevance).toEqual([
      {
        collection: "scifact",
        documents: 5183,
        questions: 300,
        ndcg: { lexical: 0.7, tiny: 0.71 },
        differences: { tiny: { difference: 0.01, low: 0.004, high: 0.02 } },
      },
    ]);
    expect(found.timings).toEqual([
      {
        kind: "Plain questions",
        rows: [
          { engine: "hinny", median: 3, p95: 16 },
          { engine: "lunr", median: 14, p95: 57, ndcg: 0.6 },
        ],
      },
    ]);
  });

  it.each([{}, { summary: null, eval: 3, rivals: { results: [] }, machine: "x" }])(
    "is nothing where there is nothing: %j",
    (files) => {
      expect(condense(files)).toEqual({ summary: {}, machine: {}, relevance: [], timings: [] });
    },
  );

  it("has a range with zero in it and room at the ends that are used", () => {
    expect(rangeOf([2, 4])).toEqual([0, 4 + 4 * 0.06]);
    expect(rangeOf([-1, 1])).toEqual([-1.12, 1.12]);
    expect(rangeOf([])).toEqual([0, 0]);
  });
});
