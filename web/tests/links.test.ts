import { describe, expect, it } from "vitest";
import { passage, readState, safeUrl, withPassage, writeState } from "../src/links";

const BASE = "https://example.org/docs/";

/** `a [b] c` as a marked text. */
function marked(pattern: string) {
  const marks: [number, number][] = [];
  let text = "";
  for (const part of pattern.split(/(\[[^\]]*\])/u)) {
    if (part.startsWith("[")) {
      marks.push([text.length, text.length + part.length - 2]);
      text += part.slice(1, -1);
    } else text += part;
  }
  return { text, marks };
}

describe("safeUrl", () => {
  it("resolves against the site's root", () => {
    expect(safeUrl("sql-createindex.html#NOTES", BASE)).toBe(
      "https://example.org/docs/sql-createindex.html#NOTES",
    );
    expect(safeUrl("https://other.example/x", BASE)).toBe("https://other.example/x");
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " \u0001javascript:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:https://example.org/1",
    "file:///etc/passwd",
    "https://[",
  ])("does not link %j", (url) => {
    expect(safeUrl(url, BASE)).toBeNull();
  });

  it("links files from files", () => {
    expect(safeUrl("a.html", "file:///home/docs/")).toBe("file:///home/docs/a.html");
  });
});

describe("passage", () => {
  it("takes the first mark with three words at each side", () => {
    expect(passage(marked("one two three four [index] five six seven eight [index]"))).toBe(
      "two three four index five six seven",
    );
  });

  it("stops where a block or a sentence may end", () => {
    expect(passage(marked("It ends here. Then an [index] begins. More"))).toBe("Then an index begins");
    expect(passage(marked("heading\nan [index]\nnext"))).toBe("an index");
    expect(passage(marked("… lost [index] …"))).toBe("lost index");
  });

  it("completes the word of which a part is marked", () => {
    expect(passage(marked("all [index]es here"))).toBe("all indexes here");
    expect(passage(marked("see pg_[stat]_activity, which"))).toBe("see pg_stat_activity");
  });

  it("has nothing to say without a mark", () => {
    expect(passage(marked("no mark at all"))).toBeNull();
  });
});

describe("withPassage", () => {
  it("puts the directive after the anchor and encodes what a directive reserves", () => {
    expect(withPassage("https://e.org/a#X", marked("the [write-ahead], log"))).toBe(
      "https://e.org/a#X:~:text=the%20write%2Dahead",
    );
    expect(withPassage("https://e.org/a", marked("a [b] c"))).toBe("https://e.org/a#:~:text=a%20b%20c");
    expect(withPassage("https://e.org/a#X", marked("nothing"))).toBe("https://e.org/a#X");
  });
});

describe("the address", () => {
  it("keeps what is not ours", () => {
    const href = writeState("https://e.org/?a=1#top", "x & y", "tiny");
    expect(href).toBe("https://e.org/?a=1&q=x+%26+y&factory=tiny#top");
    expect(readState(href)).toEqual({ query: "x & y", factory: "tiny" });
    expect(writeState(href, "", null)).toBe("https://e.org/?a=1#top");
  });
});
