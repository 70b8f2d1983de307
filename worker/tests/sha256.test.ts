import { describe, expect, it } from "vitest";
import { sha256, sha256Slow } from "../src/sha256.ts";

const text = (value: string) => new TextEncoder().encode(value);

describe("SHA-256", () => {
  it("gives the digests of FIPS 180-4's examples", () => {
    expect(sha256Slow(text("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(sha256Slow(text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))).toBe(
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    );
  });

  it("uses WebCrypto where there is one", async () => {
    expect(await sha256(text("abc"))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  it("is the same with and without WebCrypto, around every block boundary", async () => {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 70_001]) {
      const bytes = new Uint8Array(length).map((_, i) => (i * 31 + length) & 255);
      expect(sha256Slow(bytes)).toBe(await sha256(bytes));
    }
  });
});
