import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { condense } from "./demo/condense.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The demo takes `hinny.js` as any site would: as a file in `app/`, not as a part of its own script. While
 * developing, the source itself is taken, with the stand-in client when HINNY_MOCK is set.
 */
function hinnyIsAFile(): Plugin {
  return {
    name: "hinny-is-a-file",
    enforce: "pre",
    resolveId(source, _importer) {
      if (source !== "hinny") return null;
      const mock = process.env.HINNY_MOCK ? "./src/hinny-mock.ts" : "./src/hinny.ts";
      if (this.environment.mode === "dev") return here(mock);
      return { id: "./app/hinny.js", external: true };
    },
  };
}

/** What the benchmarks and the evaluation have measured, where they were run. */
function benchmarks(): Plugin {
  const read = (name: string): unknown => {
    const path = here(`../bench/results/${name}.json`);
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  };
  return {
    name: "benchmarks",
    generateBundle() {
      const names = ["summary", "machine", "eval", "rivals", "scaling"] as const;
      const source = JSON.stringify(condense(Object.fromEntries(names.map((name) => [name, read(name)]))));
      this.emitFile({ type: "asset", fileName: "benchmarks.json", source });
    },
  };
}

export default defineConfig({
  root: here("./demo"),
  base: "./",
  plugins: [hinnyIsAFile(), benchmarks()],
  build: {
    outDir: here("./dist/demo"),
    emptyOutDir: true,
    target: "es2022",
    // light-dark() as it is: rewritten, it would depend on properties that only our own page sets.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: "demo.[hash].js",
        chunkFileNames: "demo-[name].[hash].js",
        assetFileNames: "demo.[hash][extname]",
      },
    },
  },
});
