import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetQueries, recentQueries, rememberQuery } from "../src/recent";

const kept = new Map<string, string>();

describe("recent searches", () => {
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("are the last five, each once, the newest first", () => {
    for (const query of ["a", "b", "c", " a ", "d", "e", "f", "", "x".repeat(101)]) rememberQuery(query);
    expect(recentQueries()).toEqual(["f", "e", "d", "a", "c"]);
    forgetQueries();
    expect(recentQueries()).toEqual([]);
  });

  it.each(["{", "3", '[1, null, "ok"]'])("are what can be read of %s", (text) => {
    kept.set("hinny-recent", text);
    expect(recentQueries()).toEqual(text.includes("ok") ? ["ok"] : []);
  });

  it("are none where nothing may be stored", () => {
    vi.stubGlobal("localStorage", undefined);
    rememberQuery("a");
    forgetQueries();
    expect(recentQueries()).toEqual([]);
  });
});
