import { describe, expect, it } from "vitest";
import { fold, quickResults, type TitleEntry, TitleIndex } from "../src/titles";
import { ModelBytes, ProgressSum, titleEntries } from "../src/worker-port";

const entry = (title: string, ...headings: string[]): TitleEntry => ({
  url: `${title}${headings.length ? `#${headings.at(-1)}` : ""}`,
  page: title,
  title,
  headings,
});

const index = new TitleIndex([
  entry("Reindexing"),
  entry("Index Types"),
  entry("CREATE INDEX"),
  entry("Index"),
  entry("CREATE INDEX", "Building Indexes Concurrently"),
  entry("Café Société"),
  entry("全文検索"),
]);

const names = (query: string, limit?: number) =>
  index.search(query, limit).map((found) => found.headings.at(-1) ?? found.title);

describe("TitleIndex", () => {
  it("puts the whole title first, then titles that begin so, then others, then headings", () => {
    expect(names("index")).toEqual(["Index", "Index Types", "CREATE INDEX", "Building Indexes Concurrently"]);
  });

  it("matches beginnings of words, in any order", () => {
    expect(names("ind cre")).toEqual(["CREATE INDEX"]);
    expect(names("dex")).toEqual([]);
  });

  it("folds case and diacritics, and reads every script", () => {
    expect(names("SOCIETE")).toEqual(["Café Société"]);
    expect(names("全文")).toEqual(["全文検索"]);
  });

  it("has no answer for nothing and for punctuation", () => {
    expect(names("")).toEqual([]);
    expect(names("?!")).toEqual([]);
  });

  it("keeps to its limit", () => {
    expect(names("index", 2)).toEqual(["Index", "Index Types"]);
  });
});

describe("the titles file", () => {
  it("becomes a row a page and a row a section", () => {
    const sections: [string, string][] = [
      ["x", "First"],
      ["", "Bare"],
    ];
    expect(titleEntries({ version: 1, complete: true, pages: [["a.html", "A", sections]] })).toEqual([
      { url: "a.html", page: "a.html", title: "A", headings: [] },
      { url: "a.html#x", page: "a.html", title: "A", headings: ["First"] },
      { url: "a.html", page: "a.html", title: "A", headings: ["Bare"] },
    ]);
  });

  it("of another version is refused", () => {
    expect(() => titleEntries({ version: 2 as 1, complete: true, pages: [] })).toThrow("version 2");
  });
});

it("results of titles have ranks and no explanation", () => {
  const [first, second] = quickResults(index.search("index"));
  expect(first).toMatchObject({ rank: 1, url: "Index", excerpt: { text: "", marks: [] } });
  expect(second?.rank).toBe(2);
});

it("folds to words", () => {
  expect(fold("  Straße—ÀÉ_x 42%")).toBe("straße ae x 42");
});

it("sums the bytes of all stages", () => {
  const sum = new ProgressSum();
  sum.add({ stage: "runtime", loaded: 10, total: 100 });
  expect(sum.add({ stage: "bundle", loaded: 5, total: 20 })).toMatchObject({ loaded: 15, total: 120 });
  expect(sum.add({ stage: "python", loaded: 1, total: 1 })).toMatchObject({ loaded: 15, total: 120 });
  expect(sum.add({ stage: "runtime", loaded: 100, total: 100 })).toMatchObject({ loaded: 105, total: 120 });
});

it("a model's bytes are counted from when it was asked for, whatever was brought or lost before", () => {
  const bytes = new ModelBytes();
  const model = (loaded: number, total: number) => ({ stage: "model" as const, loaded, total });
  bytes.watch(model(20, 50));
  bytes.watch({ stage: "runtime", loaded: 1, total: 2 });
  const count = bytes.counter();
  // 30 of the former total never came: that download failed.
  expect(count(model(20, 80))).toMatchObject({ loaded: 0, total: 30 });
  expect(count(model(35, 80))).toMatchObject({ loaded: 15, total: 30 });
});
