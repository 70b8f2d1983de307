// Compiles assembly/scan.ts twice into src/scan/kernels.ts, which is committed: `npm run scan`. A test compiles
// again and compares.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const SOURCE = new URL("../assembly/scan.ts", import.meta.url);
const TARGET = new URL("../src/scan/kernels.ts", import.meta.url);
const OPTIONS = ["-O3", "--noAssert", "--runtime", "stub", "--importMemory", "--enable", "simd"];

async function compiled(more) {
  const source = await readFile(SOURCE, "utf8");
  let binary;
  const { error, stderr } = await asc.main(["scan.ts", "--outFile", "scan.wasm", ...OPTIONS, ...more], {
    readFile: (name) => (name === "scan.ts" ? source : null),
    writeFile: (name, contents) => {
      if (name === "scan.wasm") binary = contents;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  return Buffer.from(binary).toString("base64");
}

/** The text of src/scan/kernels.ts. */
export async function kernels() {
  const relaxed = await compiled(["--enable", "relaxed-simd"]);
  const plain = await compiled([]);
  return `// Made by \`npm run scan\` from assembly/scan.ts; do not edit.

/** With relaxed SIMD. */
export const RELAXED =
  "${relaxed}";

/** With what every engine of WebAssembly SIMD has. */
export const PLAIN =
  "${plain}";
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(TARGET, await kernels());
