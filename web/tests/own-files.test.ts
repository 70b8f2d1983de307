import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { gather, isPage, looksBinary, LIMITS as MOST, titleOf } from "../demo/gather";
import { unzip, ZipError } from "../src/unzip";

interface Member {
  path: string;
  data: Uint8Array;
  stored?: boolean;
  encrypted?: boolean;
  /** What the directory claims as the packed size. */
  claimed?: number;
}

/** A zip written by hand, as the format note says, so that wrong ones can be written too. */
function zip(members: Member[], comment = ""): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  const directory: number[] = [];
  const u16 = (n: number) => [n & 255, (n >> 8) & 255];
  const u32 = (n: number) => [n & 255, (n >> 8) & 255, (n >> 16) & 255, (n >>> 24) & 255];
  for (const { path, data, stored, encrypted, claimed } of members) {
    const name = [...new TextEncoder().encode(path)];
    const packed = [...(stored ? data : deflateRawSync(data))];
    const head = [
      ...u16(20),
      ...u16(encrypted ? 1 : 0),
      ...u16(stored ? 0 : 8),
      ...u32(0),
      ...u32(0),
      ...u32(claimed ?? packed.length),
      ...u32(data.length),
      ...u16(name.length),
    ];
    directory.push(
      ...u32(0x02014b50),
      ...u16(20),
      ...head,
      ...u16(0),
      ...u16(0),
      ...u16(0),
      ...u16(0),
      ...u32(0),
    );
    directory.push(...u32(out.length), ...name);
    out.push(...u32(0x04034b50), ...head, ...u16(0), ...name, ...packed);
  }
  const at = out.length;
  const note = [...new TextEncoder().encode(comment)];
  out.push(...directory, ...u32(0x06054b50), 0, 0, 0, 0, ...u16(members.length), ...u16(members.length));
  out.push(...u32(directory.length), ...u32(at), ...u16(note.length), ...note);
  return new Uint8Array(out);
}

const text = (value: string) => new TextEncoder().encode(value);
const read = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const LIMITS = { files: 10, fileBytes: 100_000, totalBytes: 150_000 };
const all = () => true;

describe("unzip", () => {
  it("reads packed and stored files, and a comment behind them", async () => {
    const data = zip(
      [
        { path: "docs/ä.md", data: text("# Größe") },
        { path: "b.txt", data: text("plain"), stored: true },
        { path: "docs/", data: text(""), stored: true },
      ],
      "made by hand",
    );
    const { entries, skipped } = await unzip(data, LIMITS, all);
    expect(entries.map(({ path, bytes }) => [path, read(bytes)])).toEqual([
      ["docs/ä.md", "# Größe"],
      ["b.txt", "plain"],
    ]);
    expect(skipped).toEqual([]);
  });

  it("stops a bomb while it unpacks, whatever the headers say", async () => {
    const bomb = zip([
      { path: "small.md", data: text("ok") },
      { path: "bomb.md", data: new Uint8Array(5_000_000) },
    ]);
    const { entries, skipped } = await unzip(bomb, LIMITS, all);
    expect(entries.map(({ path }) => path)).toEqual(["small.md"]);
    expect(skipped).toEqual([{ path: "bomb.md", reason: "unpacks to more than 100000 bytes" }]);
  });

  it("stops when many files together are too much", async () => {
    const members = Array.from({ length: 3 }, (_, n) => ({ path: `${n}.md`, data: new Uint8Array(90_000) }));
    await expect(unzip(zip(members), LIMITS, all)).rejects.toThrow("150000 bytes");
  });

  it("refuses more files than fit", async () => {
    const members = Array.from({ length: 11 }, (_, n) => ({ path: `${n}.md`, data: text("x") }));
    await expect(unzip(zip(members), LIMITS, all)).rejects.toThrow("more than 10 files");
  });

  it("is clear about what is no zip", async () => {
    await expect(
      unzip(new Uint8Array(text("not a zip at all, but long enough")), LIMITS, all),
    ).rejects.toThrow(ZipError);
    await expect(unzip(new Uint8Array(3), LIMITS, all)).rejects.toThrow("not a zip file");
  });

  it("skips damaged, encrypted and cut entries, each with its reason", async () => {
    const data = zip([
      { path: "secret.md", data: text("x"), encrypted: true },
      { path: "cut.md", data: text("x"), claimed: 1_000_000 },
      { path: "fine.md", data: text("fine") },
    ]);
    const { entries, skipped } = await unzip(data, LIMITS, all);
    expect(entries.map(({ path }) => path)).toEqual(["fine.md"]);
    expect(skipped).toEqual([
      { path: "secret.md", reason: "encrypted" },
      { path: "cut.md", reason: "cut off" },
    ]);
  });

  it("takes only what is wanted", async () => {
    const data = zip([
      { path: "a.md", data: text("a") },
      { path: "logo.png", data: text("b") },
    ]);
    const { entries, skipped } = await unzip(data, LIMITS, isPage);
    expect(entries.map(({ path }) => path)).toEqual(["a.md"]);
    expect(skipped).toEqual([{ path: "logo.png", reason: "not a page" }]);
  });
});

describe("what is taken", () => {
  it("is HTML, Markdown and text outside of hidden folders", () => {
    const wanted = ["a.html", "x/B.MD", "c.txt"];
    const other = ["a.png", ".git/a.md", "__MACOSX/a.md", "x/.hidden.md", "node_modules/p/readme.md", "html"];
    expect(wanted.filter(isPage)).toEqual(wanted);
    expect(other.filter(isPage)).toEqual([]);
  });

  it("is not a binary under a text's name", () => {
    expect(looksBinary(new Uint8Array([0x50, 0x4b, 0, 4]))).toBe(true);
    expect(looksBinary(text("plain"))).toBe(false);
    expect(looksBinary(new Uint8Array([0xff, 0xfe, 0x41, 0]))).toBe(false);
  });

  it("is named after its folder, or its first file", () => {
    const files = (...paths: string[]) => paths.map((path) => ({ path }));
    expect(titleOf(files("handbook/a.md", "handbook/b/c.md"))).toBe("handbook");
    expect(titleOf(files("notes.md"))).toBe("notes");
    expect(titleOf(files("a.md", "b.md", "c.md"))).toBe("a and 2 more");
    expect(titleOf([])).toBe("");
  });
});

it("of 10,000 files the first 5,000 are taken, and each other one is named", async () => {
  const files = Array.from({ length: 10_000 }, (_, number) => new File(["hay"], `${number}.txt`));
  const gathered = await gather.picked(files);
  expect(gathered.files).toHaveLength(MOST.files);
  expect(gathered.skipped).toHaveLength(10_000 - MOST.files);
  expect(new Set(gathered.skipped.map(({ reason }) => reason))).toEqual(
    new Set([`beyond the first ${MOST.files} files`]),
  );
});

it("a dropped file is read as such, whatever its entry can do; a dropped folder is walked", async () => {
  const unreadable = { isFile: true, isDirectory: false, fullPath: "/a.md" };
  const inFolder = {
    isFile: true,
    fullPath: "/book/b.md",
    file: (found: (file: File) => void) => found(new File(["b"], "b.md")),
  };
  const batches = [[inFolder], []];
  const reader = { readEntries: (found: (batch: unknown[]) => void) => found(batches.shift() ?? []) };
  const folder = { isDirectory: true, fullPath: "/book", createReader: () => reader };
  const items = [
    { kind: "file", webkitGetAsEntry: () => unreadable, getAsFile: () => new File(["a"], "a.md") },
    { kind: "file", webkitGetAsEntry: () => folder, getAsFile: () => null },
    { kind: "file", getAsFile: () => new File(["c"], "c.md") }, // an engine without entries
    { kind: "string", webkitGetAsEntry: () => null, getAsFile: () => null },
  ];
  const gathered = await gather.dropped({ items } as unknown as DataTransfer);
  expect(gathered.files.map(({ path }) => path)).toEqual(["a.md", "book/b.md", "c.md"]);
  expect(gathered.skipped).toEqual([]);
});
