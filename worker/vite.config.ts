import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/**
 * The client and the worker without the page's element: what e2e and the benchmarks load. The worker is
 * a file of its own beside the client, found relative to it, so the folder can lie anywhere.
 */
export default defineConfig({
  base: "./",
  build: {
    outDir: fileURLToPath(new URL("./dist", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    rollupOptions: {
      input: { "hinny-client": fileURLToPath(new URL("./src/client.ts", import.meta.url)) },
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].[hash].js" },
    },
  },
  worker: {
    format: "es",
    rollupOptions: { output: { entryFileNames: "hinny-worker.[hash].js" } },
  },
});
