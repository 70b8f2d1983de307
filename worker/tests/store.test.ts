import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ModelStore } from "../src/models/store.ts";
import { bytes, DATA, type FakeCache, fakeFetch, fileOf, stubPage } from "./fakes.ts";

const file = fileOf(DATA);
const KEY = `https://site.example/.hinny-files/${file.sha256}`;
const WRONG = DATA.map((byte, i) => (i === 500 ? byte ^ 1 : byte));
const quick = { settings: () => ({ pauseMs: 1, attempts: 2 }) };

let cache: FakeCache;

beforeEach(() => {
  cache = stubPage();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function serve(...answers: Parameters<typeof fakeFetch>) {
  const host = fakeFetch(...answers);
  vi.stubGlobal("fetch", host.fetch);
  return host;
}

test("a file is fetched, kept by its hash, and not asked for again", async () => {
  const host = serve(() => bytes(DATA));
  const seen: [number, boolean][] = [];
  const store = new ModelStore({ ...quick, onBytes: (_, count, cached) => seen.push([count, cached]) });
  expect(await store.get(file)).toEqual(DATA);
  expect([...cache.entries.keys()]).toEqual([KEY]);
  expect(cache.entries.get(KEY)?.headers.get("x-hinny-kind")).toBe("model");
  expect(await store.get(file)).toEqual(DATA);
  expect(host.asked).toHaveLength(1);
  expect(seen.at(-1)).toEqual([1000, true]);
});

test("calls while it is on its way share one download", async () => {
  const host = serve(() => bytes(DATA));
  const store = new ModelStore(quick);
  await Promise.all([store.get(file), store.get(file), store.get(file)]);
  expect(host.asked).toHaveLength(1);
});

test("wrong bytes are asked for once more past the browser's cache, then refused and kept nowhere", async () => {
  const host = serve(() => bytes(WRONG));
  const store = new ModelStore(quick);
  await expect(store.get(file)).rejects.toMatchObject({
    name: "IntegrityError",
    expected: `SHA-256 ${file.sha256}`,
  });
  expect(host.asked.map(({ cache }) => cache)).toEqual(["default", "reload"]);
  expect(cache.entries.size).toBe(0);
  serve(() => bytes(DATA));
  expect(await store.get(file)).toEqual(DATA);
});

test("a kept file is hashed before its first use, and a bad one replaced", async () => {
  cache.entries.set(KEY, bytes(WRONG));
  const host = serve(() => bytes(DATA));
  expect(await new ModelStore(quick).get(file)).toEqual(DATA);
  expect(host.asked).toHaveLength(1);
  expect(new Uint8Array((await cache.entries.get(KEY)?.clone().arrayBuffer()) as ArrayBuffer)).toEqual(DATA);
});

test("once seen to be right, it is not hashed again on the same page", async () => {
  serve(() => bytes(DATA));
  const store = new ModelStore(quick);
  await store.get(file);
  const digest = vi.spyOn(crypto.subtle, "digest");
  await store.get(file);
  expect(digest).not.toHaveBeenCalled();
  await new ModelStore(quick).get(file);
  expect(digest).toHaveBeenCalledTimes(1);
  digest.mockRestore();
});

test("without room it works all the same, and says that it was not kept", async () => {
  cache.full = true;
  vi.stubGlobal("navigator", {
    storage: { estimate: async () => ({ usage: 90e6, quota: 100e6 }) },
  });
  serve(() => bytes(DATA));
  const said: string[] = [];
  const store = new ModelStore({ ...quick, onProblem: (message) => said.push(message) });
  expect(await store.get(file)).toEqual(DATA);
  expect(said[0]).toContain("10 of 100 MB are free");
});

test("of two tabs one downloads, the other finds the file", async () => {
  // Web Locks, as far as one lock is concerned.
  let last: Promise<unknown> = Promise.resolve();
  const locks = {
    request: (_name: string, _options: object, work: () => Promise<unknown>) => {
      const next = last.then(work);
      last = next.catch(() => {});
      return next;
    },
  };
  vi.stubGlobal("navigator", { locks });
  const host = serve(() => bytes(DATA));
  const tabs = [new ModelStore(quick), new ModelStore(quick)];
  expect(await Promise.all(tabs.map((tab) => tab.get(file)))).toEqual([DATA, DATA]);
  expect(host.asked).toHaveLength(1);
});

test("without a Cache API every use fetches", async () => {
  vi.stubGlobal("caches", undefined);
  const host = serve(() => bytes(DATA));
  const store = new ModelStore(quick);
  await store.get(file);
  await store.get(file);
  expect(host.asked).toHaveLength(2);
  expect(await store.inspect([file])).toEqual([{ name: file.name, bytes: 1000, stored: false }]);
});

test("prefetch brings what is missing only", async () => {
  const other = fileOf(DATA.slice(1), "m/tokenizer.json");
  cache.entries.set(KEY, bytes(DATA));
  const host = serve(() => bytes(DATA.slice(1)));
  const store = new ModelStore(quick);
  await store.prefetch([file, other]);
  expect(host.asked).toHaveLength(1);
  expect((await store.inspect([file, other])).every(({ stored }) => stored)).toBe(true);
});
