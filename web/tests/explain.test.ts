import { describe, expect, it } from "vitest";
import { reasonText, shares, stageName, waterfall } from "../src/explain";
import { bytes, milliseconds, score } from "../src/format";
import { groupByPage } from "../src/groups";
import { textsFor } from "../src/texts";

describe("waterfall", () => {
  it("puts stages behind each other and leaves the total out", () => {
    expect(waterfall({ parse: 1, lexical: 3, total: 5 })).toEqual({
      stages: [
        { name: "parse", start: 0, length: 1 },
        { name: "lexical", start: 1, length: 3 },
      ],
      total: 5,
    });
  });

  it("has no bar for what is no duration", () => {
    expect(waterfall({ a: Number.NaN, b: -1 })).toEqual({ stages: [], total: 0 });
  });
});

describe("names of the ranking, in the reader's language", () => {
  const german = textsFor("de");

  it.each([
    ["lexical", "Wörter"],
    ["rerank", "Zweite Rangfolge"],
    ["exact", "Genaue Übereinstimmung"],
    ["fusion", "Zusammenführen"],
    ["my_source", "my source"],
  ])("the step %s is %s", (step, text) => expect(stageName(step, german)).toBe(text));

  it.each([
    ["exact", "Genaue Übereinstimmung"],
    ["reranked", "Zweite Rangfolge"],
    ["weak-lexical", "Nach oben gerückt: Der erste Treffer nach Wörtern deckt wenig von der Suche ab"],
    ["title-covers:0.457", "Der Titel deckt die Suche ab: +0,457"],
    ["title-is:2.000", "Der Titel ist die Suche: +2"],
    ["unmatched:vector", "Nicht gefunden durch Bedeutung; folgt nach den anderen"],
    ["balance:lexical", "Ein Platz für Wörter"],
    ["rerank-skipped:vector-margin", "Keine zweite Rangfolge: vector margin"],
    ["constructor:of-a-plugin", "constructor:of-a-plugin"],
    ["own-rule", "own rule"],
  ])("the reason %s is %s", (reason, text) => expect(reasonText(reason, german, "de")).toBe(text));
});

it("shares are of the largest magnitude", () => {
  expect(shares([2, -4, 0])).toEqual([0.5, 1, 0]);
  expect(shares([0, 0])).toEqual([0, 0]);
  expect(shares([])).toEqual([]);
});

it("pages stand in the order of their best hit", () => {
  const hit = (id: string, page: string) => ({ id, page }) as never;
  const groups = groupByPage([hit("1", "a"), hit("2", "b"), hit("3", "a"), hit("4", "a")]);
  expect(groups.map(({ page, best, others }) => [page, best.id, others.map((other) => other.id)])).toEqual([
    ["a", "1", ["3", "4"]],
    ["b", "2", []],
  ]);
});

it("numbers are written as the language writes them", () => {
  expect(bytes(8_420_000, "en")).toBe("8.4 MB");
  expect(bytes(10_772_000_000, "en")).toBe("10.8 GB");
  expect(bytes(12_300, "en")).toBe("12 kB");
  expect(bytes(8_420_000, "de")).toBe("8,4 MB");
  expect(milliseconds(2.449, "en")).toBe("2.4 ms");
  expect(milliseconds(123.4, "en")).toBe("123 ms");
  expect(score(0.016393, "en")).toBe("0.0164");
});
