import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FileStore, keyOf } from "../src/runtime/files.ts";
import { bytes, type FakeCache, fakeFetch, fileOf, stubPage } from "./fakes.ts";

/** The smallest WebAssembly, and a longer one that differs in a section which is passed over. */
const EMPTY = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const NAMED = new Uint8Array([...EMPTY, 0, 2, 1, 0x61]);
const OTHER = new Uint8Array([...EMPTY, 0, 2, 1, 0x62]);
const file = { ...fileOf(NAMED, "ort.wasm"), url: "https://site.example/ort.wasm", kind: "runtime" as const };

let cache: FakeCache;

beforeEach(() => {
  cache = stubPage();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A server, behind an HTTP cache that has nothing. */
function serve(answer: Uint8Array) {
  const host = fakeFetch((init) => {
    if (init.cache === "only-if-cached") throw new TypeError("Failed to fetch");
    return bytes(answer);
  });
  vi.stubGlobal("fetch", host.fetch);
  return host;
}

const sectionsOf = (module: WebAssembly.Module) =>
  ["a", "b"].filter((name) => WebAssembly.Module.customSections(module, name).length);

test("a module that this device keeps is compiled from there, and no server is asked", async () => {
  const host = serve(OTHER);
  await cache.put(keyOf(file.sha256), bytes(NAMED));
  let counted = 0;
  const store = new FileStore((_, count) => {
    counted += count;
  });
  expect(sectionsOf(await store.compile(file))).toEqual(["a"]);
  expect(host.asked.map((init) => init.cache)).toEqual(["only-if-cached"]);
  expect(counted).toBe(NAMED.length);
});

test.each([
  ["another module", OTHER],
  ["no module", new Uint8Array(NAMED.length)],
])("a kept copy that went bad is never handed out: %s", async (_, damaged) => {
  const host = serve(NAMED);
  await cache.put(keyOf(file.sha256), bytes(damaged));
  expect(sectionsOf(await new FileStore().compile(file))).toEqual(["a"]);
  expect(host.asked).toHaveLength(2);
  await vi.waitFor(async () => {
    const kept = await cache.match(keyOf(file.sha256));
    expect(new Uint8Array((await kept?.arrayBuffer()) as ArrayBuffer)).toEqual(NAMED);
  });
});

test("a module with a wrong hash is refused, whoever sent it", async () => {
  serve(OTHER);
  await expect(new FileStore().compile(file)).rejects.toMatchObject({ name: "IntegrityError" });
  expect(cache.entries.size).toBe(0);
});
