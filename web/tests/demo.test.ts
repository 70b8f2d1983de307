import { describe, expect, it } from "vitest";
import { comparable, grouped } from "../demo/figures";
import { missingBytes } from "../demo/names";
import { parseRelease, pathIn, sha256Hex, tierOf } from "../demo/release";

const SHA = "a".repeat(64);

describe("a release", () => {
  it("names its files by hash", () => {
    const release = { id: "0123456789abcdef", files: [{ path: "index.html", bytes: 1, sha256: SHA }] };
    expect(parseRelease(release)).toEqual(release);
  });

  it.each([
    null,
    {},
    { id: "x", files: [] },
    { id: "0123456789abcdef", files: [{ path: "a", bytes: 1, sha256: "?" }] },
  ])("is not %j", (value) => {
    expect(() => parseRelease(value)).toThrow(TypeError);
  });

  it("is found by path under its root, whatever the query", () => {
    const root = "https://e.org/demo/";
    expect(pathIn(root, "https://e.org/demo/")).toBe("index.html");
    expect(pathIn(root, "https://e.org/demo/?q=x#search")).toBe("index.html");
    expect(pathIn(root, "https://e.org/demo/parts/a%20b.npz")).toBe("parts/a b.npz");
    expect(pathIn(root, "https://e.org/other")).toBeNull();
    expect(pathIn(root, "https://cdn.example/demo/x")).toBeNull();
  });

  it("leaves the runtime to the search worker, and the pages for later", () => {
    expect(["index.html", "app/hinny.js", "parts/x.npz", "manifest.json"].map(tierOf)).toEqual(
      Array(4).fill("shell"),
    );
    expect(tierOf("runtime/pyodide.asm.wasm")).toBe("elsewhere");
    expect(tierOf("sw.js")).toBe("elsewhere");
    expect(tierOf("site/sql-createindex.html")).toBe("pages");
  });

  it("is checked by SHA-256", async () => {
    const data = new TextEncoder().encode("abc");
    expect(await sha256Hex(data.buffer)).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });
});

describe("benchmarks", () => {
  it("are gathered by their first word, numbers only", () => {
    const groups = grouped({
      roundtrip_ms: 3,
      roundtrip_p95_ms: 7,
      note: "text",
      build_manual_s: 12,
      bad: Number.NaN,
    });
    expect([...groups]).toEqual([
      [
        "roundtrip",
        [
          ["roundtrip_ms", 3],
          ["roundtrip_p95_ms", 7],
        ],
      ],
      ["build", [["build_manual_s", 12]]],
    ]);
  });

  it("stand beside each other as bars only in one unit", () => {
    expect(
      comparable([
        ["a_ms", 1],
        ["b_ms", 2],
      ]),
    ).toBe(true);
    expect(
      comparable([
        ["a_ms", 1],
        ["a_mb", 2],
      ]),
    ).toBe(false);
  });
});

it("a factory's download is what is not on the device yet", () => {
  const model = { id: "m", kind: "embedder" as const, source: "https://e.org", bytes: 100, cached: false };
  const models = [model, { ...model, cached: true, bytes: 7 }];
  expect(missingBytes({ id: "tiny", available: true, models })).toBe(100);
  expect(missingBytes(undefined)).toBe(0);
});
