import { describe, expect, it } from "vitest";
import { unpack } from "../src/runtime/zstd.ts";
import { zstdDecoder } from "../tools/zstd-decoder.mjs";

const module = await WebAssembly.compile(zstdDecoder());
/** A frame of Python's zstandard at level 19: "near ".repeat(8). */
const FRAME = Uint8Array.from(Buffer.from("KLUv/SAoZQAAMG5lYXIgbgEAcEoR", "base64"));

describe("a Zstandard frame", () => {
  it("is unpacked to what was packed", async () => {
    expect(new TextDecoder().decode(await unpack(module, FRAME))).toBe("near ".repeat(8));
  });

  it("that was cut, altered or is none is refused", async () => {
    const altered = FRAME.slice();
    altered[0] = 0;
    for (const frame of [
      FRAME.slice(0, -3),
      altered,
      new Uint8Array(0),
      new TextEncoder().encode("<html>"),
    ]) {
      await expect(unpack(module, frame)).rejects.toThrow("damaged or no Zstandard frame");
    }
  });
});
