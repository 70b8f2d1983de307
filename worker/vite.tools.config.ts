import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/**
 * Parts that also run without the worker: under Node, making a snapshot and the unit tests inside Pyodide; in
 * the benchmarks' own pages, the scans.
 */
export default defineConfig({
  build: {
    outDir: fileURLToPath(new URL("./dist/tools", import.meta.url)),
    emptyOutDir: true,
    target: "node20",
    minify: false,
    lib: {
      entry: {
        make: fileURLToPath(new URL("./src/runtime/make.ts", import.meta.url)),
        scans: fileURLToPath(new URL("./src/scan/scans.ts", import.meta.url)),
      },
      formats: ["es"],
    },
  },
});
