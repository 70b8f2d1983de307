import { describe, expect, it } from "vitest";
import { condense } from "../demo/condense";
import { decades, spread } from "../demo/line-plot";
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
        kind: "Plain questions, SciFact",
        rows: [
          { engine: "hinny", median: 3, p95: 16 },
          { engine: "lunr", median: 14, p95: 57, ndcg: 0.6 },
        ],
      },
    ]);
  });

  it("holds growing corpora in their order", () => {
    const row = (median: number) => ({ questions: { median, p95: 9 }, index: { gz: 5 } });
    const results = {
      sections_100000: { hinny: row(4) },
      sections_10000: { lunr: row(3), hinny: row(2), orama: { failed: "died" } },
      other: { hinny: row(1) },
    };
    expect(
      condense({ scaling: { results } }).scaling.map(({ engine, sections }) => [engine, sections]),
    ).toEqual([
      ["hinny", 10_000],
      ["lunr", 10_000],
      ["hinny", 100_000],
    ]);
  });

  it.each([{}, { summary: null, eval: 3, rivals: { results: [] }, machine: "x" }])(
    "is nothing where there is nothing: %j",
    (files) => {
      const nothing = { summary: {}, machine: {}, relevance: [], timings: [], scaling: [] };
      expect(condense(files)).toEqual(nothing);
    },
  );

  it("has a range with zero in it and room at the ends that are used", () => {
    expect(rangeOf([2, 4])).toEqual([0, 4 + 4 * 0.06]);
    expect(rangeOf([-1, 1])).toEqual([-1.12, 1.12]);
    expect(rangeOf([])).toEqual([0, 0]);
  });

  it("has axes of whole decades and labels that do not lie on each other", () => {
    expect(decades([3, 40])).toEqual([1, 10, 100]);
    expect(decades([10])).toEqual([10, 100]);
    expect(spread([50, 10, 12], 15)).toEqual([50, 10, 25]);
  });
});
