import { describe, expect, it } from "vitest";
import { MemoryStore } from "../src/own/memory";
import { OwnPages } from "../src/own/pages";
import { type OwnCard, type OwnStore, ownId, type Place } from "../src/own/store";

function card(id: string, added = "2024-01-01"): OwnCard {
  const counts = { pages: 1, sections: 1, bytes: 3, skipped: [] };
  return { id, title: id, added, factory: "lexical-only", ready: [], ...counts };
}

const zip = new Uint8Array([1, 2, 3]);
const files = [{ path: "a/b.md", bytes: new Uint8Array([4]) }];

/** A store that keeps until it is full. */
class SmallStore extends MemoryStore {
  override readonly place = "opfs" as never;
  full = false;

  override async keep(...given: Parameters<OwnStore["keep"]>): Promise<void> {
    if (this.full) throw new DOMException("no room", "QuotaExceededError");
    await super.keep(...given);
  }
}

describe("own pages", () => {
  it("are kept, listed with the newest first, read and removed", async () => {
    const store = new SmallStore();
    const pages = new OwnPages(async () => store);
    expect(await pages.place()).toBe<Place>("opfs");
    expect(await pages.keep(card("old"), zip, files)).toEqual(card("old"));
    await pages.keep(card("new", "2025-01-01"), zip, files);
    expect((await pages.list()).map(({ id }) => id)).toEqual(["new", "old"]);
    expect(await pages.zip("old")).toEqual(zip);
    expect(await pages.file("old", "a/b.md")).toEqual(new Uint8Array([4]));
    expect(await pages.file("old", "__proto__")).toBeNull();
    await pages.update({ ...card("old"), ready: ["tiny"] }, new Uint8Array([9]));
    expect(await store.zip("old")).toEqual(new Uint8Array([9]));
    await pages.remove("old");
    expect((await pages.list()).map(({ id }) => id)).toEqual(["new"]);
  });

  it("that no longer fit last as long as the tab, and say why", async () => {
    const store = new SmallStore();
    const pages = new OwnPages(async () => store);
    await pages.keep(card("kept"), zip, files);
    store.full = true;
    const passing = await pages.keep(card("passing", "2025-01-01"), zip, files);
    expect(passing.volatile).toContain("no storage left");
    expect((await pages.list()).map(({ id, volatile }) => [id, volatile !== undefined])).toEqual([
      ["passing", true],
      ["kept", false],
    ]);
    expect(await pages.zip("passing")).toEqual(zip);
    await pages.remove("passing");
    expect(await pages.list()).toHaveLength(1);
  });

  it("live in memory where nothing may be stored", async () => {
    const pages = new OwnPages(async () => null);
    expect(await pages.place()).toBe<Place>("memory");
    expect((await pages.keep(card("a"), zip, files)).volatile).toContain("private window");
    expect(await pages.list()).toHaveLength(1);
    expect(await pages.zip("a")).toEqual(zip);
  });

  it("have addresses of their own", () => {
    expect(ownId("own:12-ab/")).toBe("12-ab");
    expect(ownId("https://e.org/own:1/")).toBeNull();
  });
});
