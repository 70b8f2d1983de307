import { describe, expect, it } from "vitest";
import { clip, fromFirstMark, pieces } from "../src/marks";

const joined = (text: string, marks: [number, number][]) =>
  pieces({ text, marks })
    .map((piece) => (piece.mark ? `[${piece.text}]` : piece.text))
    .join("");

describe("pieces", () => {
  it("marks by offsets", () => {
    expect(
      joined("create an index", [
        [0, 6],
        [10, 15],
      ]),
    ).toBe("[create] an [index]");
  });

  it("leaves markup as text", () => {
    expect(joined("<img src=x onerror=alert(1)>", [[1, 4]])).toBe("<[img] src=x onerror=alert(1)>");
  });

  it("clamps, sorts and merges wrong ranges so that no text is lost or doubled", () => {
    expect(
      joined("abcdef", [
        [4, 99],
        [-3, 2],
        [1, 3],
        [5, 5],
        [3, 1],
      ]),
    ).toBe("[abc]d[ef]");
  });

  it("joins to the text whatever the ranges", () => {
    const text = "The naïve café 😀 costs 3 €";
    for (let seed = 1; seed < 200; seed += 1) {
      const marks: [number, number][] = Array.from({ length: 4 }, (_, n) => [
        ((seed * 7 + n * 13) % 40) - 5,
        ((seed * 11 + n * 5) % 40) - 5,
      ]);
      expect(
        pieces({ text, marks })
          .map((piece) => piece.text)
          .join(""),
      ).toBe(text);
    }
  });
});

describe("clip", () => {
  it("keeps what is short", () => {
    const marked = { text: "short", marks: [[0, 2]] as [number, number][] };
    expect(clip(marked, 10)).toBe(marked);
  });

  it("cuts a title of a megabyte and the marks behind the cut", () => {
    const marked = clip(
      {
        text: "x".repeat(1_000_000),
        marks: [
          [0, 3],
          [500_000, 500_004],
        ],
      },
      200,
    );
    expect(marked.text).toBe(`${"x".repeat(200)}…`);
    expect(marked.marks).toEqual([[0, 3]]);
  });

  it("never cuts a surrogate pair in half", () => {
    expect(clip({ text: "ab😀cd", marks: [] }, 3).text).toBe("ab…");
    expect(clip({ text: "ab😀cd", marks: [] }, 4).text).toBe("ab😀…");
  });
});

describe("fromFirstMark", () => {
  it("keeps a text whose first mark is near its beginning, and one without marks", () => {
    const near = { text: "one two three", marks: [[8, 13]] as [number, number][] };
    expect(fromFirstMark(near, 8)).toBe(near);
    const none = { text: "one two three", marks: [] };
    expect(fromFirstMark(none, 2)).toBe(none);
  });

  it("begins at a word before the first mark, and moves the marks along", () => {
    const cut = fromFirstMark(
      {
        text: "\u2026one two three four five",
        marks: [
          [20, 24],
          [9, 14],
        ],
      },
      5,
    );
    expect(cut.text).toBe("\u2026two three four five");
    expect(cut.marks.map(([start, end]) => cut.text.slice(start, end))).toEqual(["five", "three"]);
  });

  it("begins at the mark where no space is near", () => {
    const cut = fromFirstMark({ text: "\u6570\u636e\u5e93\u7684\u7d22\u5f15", marks: [[4, 6]] }, 2);
    expect(cut).toEqual({ text: "\u2026\u7d22\u5f15", marks: [[1, 3]] });
  });
});
