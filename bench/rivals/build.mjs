// Each engine as one minified module in dist/, and dist/engines.json with what is known of them.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = new URL(".", import.meta.url).pathname;
mkdirSync(`${here}dist`, { recursive: true });
const engines = {};
const options = { bundle: true, minify: true, format: "esm", target: "es2022", logLevel: "error" };
// Hinny's own scans, as its worker has them.
await build({
  entryPoints: [`${here}../../worker/src/scan/scans.ts`],
  outfile: `${here}dist/hinny-scans.js`,
  ...options,
});
for (const file of readdirSync(`${here}engines`).sort()) {
  const name = file.replace(/\.js$/, "");
  const outfile = `${here}dist/${file}`;
  await build({
    entryPoints: [`${here}engines/${file}`],
    outfile,
    ...options,
  });
  const { about } = await import(pathToFileURL(outfile));
  if (!about) continue;
  if (!about.package) {
    engines[name] = { ...about, version: "" };
    continue;
  }
  const folder = `${here}node_modules/${about.package}`;
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  for (const asset of about.files ?? []) {
    const source = [`${folder}/dist/${asset}`, `${folder}/${asset}`].find(existsSync);
    copyFileSync(source, `${here}dist/${asset}`);
  }
  engines[name] = { ...about, version };
}
writeFileSync(`${here}dist/engines.json`, `${JSON.stringify(engines, null, 1)}\n`);
