// The WebAssembly inside the package zstddec. Its own loader asks for it by a `data:` address, which a strict
// content security policy refuses; as a file it is fetched and checked like everything else. Its licences go with
// it, in a section of their own, which engines skip.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const EMBEDDED = /const wasm = "([A-Za-z0-9+/=]+)"/;
const LICENCE = /\/\*\*\s+\* BSD License[\s\S]*?\*\//;

/** The decoder's bytes. Throws when the package is laid out in another way than the pinned version. */
export function zstdDecoder() {
  const path = fileURLToPath(import.meta.resolve("zstddec"));
  const source = readFileSync(path, "utf8");
  const embedded = EMBEDDED.exec(source);
  const licence = LICENCE.exec(source);
  if (!embedded || !licence) throw new Error(`${path} holds no WebAssembly with its licence`);
  const own = readFileSync(new URL("../LICENSE", import.meta.resolve("zstddec")), "utf8");
  return Buffer.concat([Buffer.from(embedded[1], "base64"), section("licences", `${own}\n${licence[0]}\n`)]);
}

/** A custom section of a WebAssembly module. */
function section(name, text) {
  const content = Buffer.concat([size(Buffer.byteLength(name)), Buffer.from(name), Buffer.from(text)]);
  return Buffer.concat([Buffer.from([0]), size(content.length), content]);
}

/** A number in LEB128. */
function size(number) {
  const bytes = [];
  for (let rest = number; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}
