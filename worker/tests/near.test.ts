import { describe, expect, it } from "vitest";
import { chooseBase, toDistances, toPointers } from "../src/runtime/near.ts";

const PAGE = 1024;
const WORDS = PAGE / 4;

describe("near pointers", () => {
  // Pages 1 and 3 of four are stored.
  const stored = new Uint8Array([0, 1, 0, 1]);
  const image = () => {
    const words = new Uint32Array(2 * WORDS);
    words[0] = PAGE + 64; // from the first word of page 1 to 64 bytes after it
    words[WORDS] = 3 * PAGE - 1024; // as far back as a distance reaches
    words[WORDS + 1] = 3 * PAGE + 4 + 1024; // one too far on
    words[WORDS + 2] = 0xffffffff;
    words[WORDS + 3] = 0x7f000001;
    return words;
  };

  it("become distances from the base, and pointers again", () => {
    const words = image();
    const base = chooseBase(words);
    toDistances(words, stored, PAGE, base);
    expect(words[0]).toBe(base + 64);
    expect(words[WORDS]).toBe(base - 1024);
    expect(words[WORDS + 1]).toBe(3 * PAGE + 4 + 1024);
    toPointers(words, stored, PAGE, base);
    expect(words).toEqual(image());
  });

  it("are told from a base that no word is near", () => {
    const words = new Uint32Array(256);
    const base = chooseBase(words);
    words[0] = base - 1024;
    const other = chooseBase(words);
    expect(Math.abs(other - base)).toBeGreaterThan(2048);
    words[1] = other + 1023;
    const third = chooseBase(words);
    words[2] = third + 1024; // just out of reach
    words[3] = third - 1025;
    expect(chooseBase(words)).toBe(third);
    expect(new Set([base, other, third]).size).toBe(3);
  });

  it("find a base among what is common in memory", () => {
    // Every byte among zeros, at every place.
    const words = Uint32Array.from({ length: 1024 }, (_, i) => ((i >> 2) << (8 * (i & 3))) >>> 0);
    expect(chooseBase(words)).toBeGreaterThan(0);
  });

  it("stay as they are where every base is taken", () => {
    const base = chooseBase(new Uint32Array(1));
    const words = Uint32Array.from({ length: WORDS }, (_, i) => base - (255 - i) * 2 ** 24);
    words[0] = PAGE + 8;
    const before = words.slice();
    expect(chooseBase(words)).toBe(0);
    toDistances(words, new Uint8Array([0, 1]), PAGE, 0);
    expect(words).toEqual(before);
  });
});
