import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The demo's service worker: a classic script of one file, as `register` wants it without options. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: here("./dist/demo"),
    emptyOutDir: false,
    target: "es2022",
    lib: { entry: here("./demo/sw.ts"), formats: ["iife"], name: "hinnyDemo", fileName: () => "sw.js" },
  },
});
