import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The parts of the start-up that also run under Node: making a snapshot, and the unit tests inside Pyodide. */
export default defineConfig({
  build: {
    outDir: fileURLToPath(new URL("./dist/tools", import.meta.url)),
    emptyOutDir: true,
    target: "node20",
    minify: false,
    lib: {
      entry: fileURLToPath(new URL("./src/runtime/make.ts", import.meta.url)),
      formats: ["es"],
      fileName: "make",
    },
  },
});
