import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/**
 * `hinny.js`, the one script of the one tag, with the worker as a file of its own beside it. It goes where the
 * Python package looks for what `hinny build` copies.
 */
export default defineConfig({
  base: "./",
  publicDir: false,
  build: {
    outDir: fileURLToPath(new URL("./dist/app", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // light-dark() as it is: rewritten, it would depend on properties that only our own page sets.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { hinny: fileURLToPath(new URL("./src/hinny.ts", import.meta.url)) },
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "[name].js", chunkFileNames: "hinny-[name].[hash].js" },
    },
  },
  worker: {
    format: "es",
    rollupOptions: { output: { entryFileNames: "hinny-worker.[hash].js" } },
  },
});
