// The unit tests of tests/ inside Pyodide, under Node: `node worker/tools/test-pyodide.mjs [pytest arguments]`.
// tests/cpython is left out: what it tests needs threads, processes or compiled packages.
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createServer } from "vite";
import { bytes, cachedFiles, loadCore, ROOT } from "./node-core.mjs";

/** Folders and files of the repository that the tests see, at the same place below /repo. */
const VISIBLE = ["pyproject.toml", "README.md", "tests", "pysrc/hinny", "docs", "worker/src"];
const HIDDEN = new Set(["__pycache__", "assets", "cpython", ".pytest_cache", ".hypothesis"]);
const REPO = "/repo";

function* filesBelow(path) {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) if (!HIDDEN.has(name)) yield* filesBelow(join(path, name));
}

/** The start-up's own TypeScript, through Vite, so that nothing has to be built first. */
async function loadTools() {
  const server = await createServer({
    root: join(ROOT, "worker"),
    configFile: false,
    logLevel: "error",
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const tools = await server.ssrLoadModule("/src/runtime/make.ts");
  return { tools, close: () => server.close() };
}

const { tools, close } = await loadTools();
const paths = cachedFiles(["core", "files", "test"]);
const scratch = mkdtempSync(join(tmpdir(), "hinny-pyodide-"));
const loader = join(scratch, "pyodide.asm.js");
copyFileSync(paths["pyodide.asm.js"], loader);
const print = (line) => process.stdout.write(`${line}\n`);
let status = 2;
try {
  const core = await loadCore({ ...paths, "pyodide.asm.js": loader }, print);
  const { pyodide } = await tools.bootPlain(core, bytes(paths["python_stdlib.zip"]));
  const wheels = Object.entries(paths).filter(([name]) => name.endsWith(".whl"));
  tools.install(pyodide, Object.fromEntries(wheels.map(([name, path]) => [name, bytes(path)])));
  for (const visible of VISIBLE) {
    const from = join(ROOT, visible);
    if (!statSync(from, { throwIfNoEntry: false })) continue;
    for (const file of filesBelow(from)) {
      const to = `${REPO}/${relative(ROOT, file)}`;
      pyodide.FS.mkdirTree(to.slice(0, to.lastIndexOf("/")));
      pyodide.FS.writeFile(to, bytes(file));
    }
  }
  pyodide.globals.set("pytest_arguments", JSON.stringify(process.argv.slice(2)));
  status = pyodide.runPython(`
import json, os, sys
os.chdir("${REPO}")
sys.path[:0] = ["${REPO}/pysrc", "${REPO}/tests"]
import pyodide_loop
pyodide_loop.run_pytest(json.loads(pytest_arguments))
`);
} catch (error) {
  console.error(String(error?.message ?? error).slice(0, 4000));
} finally {
  rmSync(scratch, { recursive: true, force: true });
  await close();
}
process.exit(status);
