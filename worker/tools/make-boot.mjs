// Makes the snapshot that a first visit starts from. Called by hinny.runtime.boot_assets with the paths of
// the checked ingredients as JSON; writes the snapshot, what unpacks it and the shared libraries to the folder
// named there.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSnapshot } from "../dist/tools/make.js";
import { bytes, loadCore } from "./node-core.mjs";
import { zstdDecoder } from "./zstd-decoder.mjs";

const { paths, madeWith, out } = JSON.parse(process.argv[2]);
const core = await loadCore(paths, (line) => console.error(line));
const made = await makeSnapshot(core, {
  standardLibrary: bytes(paths["python_stdlib.zip"]),
  archives: { "numpy.whl": bytes(paths["numpy.whl"]), "hinny-core.zip": bytes(paths["hinny-core.zip"]) },
  zipped: { "snowballstemmer.whl": bytes(paths["snowballstemmer.whl"]) },
  madeWith,
});
writeFileSync(join(out, "snapshot.bin"), made.snapshot);
writeFileSync(join(out, "zstd.wasm"), zstdDecoder());
for (const { name, bytes: library } of made.libraries) writeFileSync(join(out, `${name}.wasm`), library);
console.log(JSON.stringify({ libraries: made.libraries.map(({ name }) => name) }));
process.exit(0);
