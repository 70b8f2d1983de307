// Each engine as one minified module in dist/, and dist/engines.json with what is known of them.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = new URL(".", import.meta.url).pathname;
mkdirSync(`${here}dist`, { recursive: true });
const engines = {};
for (const file of readdirSync(`${here}engines`).sort()) {
  const name = file.replace(/\.js$/, "");
  const outfile = `${here}dist/${file}`;
  await build({
    entryPoints: [`${here}engines/${file}`],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    logLevel: "error",
  });
  const { about } = await import(pathToFileURL(outfile));
  if (!about) continue;
  const { version } = JSON.parse(readFileSync(`${here}node_modules/${about.package}/package.json`, "utf8"));
  for (const asset of about.files ?? [])
    copyFileSync(`${here}node_modules/${about.package}/dist/${asset}`, `${here}dist/${asset}`);
  engines[name] = { ...about, version };
}
writeFileSync(`${here}dist/engines.json`, `${JSON.stringify(engines, null, 1)}\n`);
