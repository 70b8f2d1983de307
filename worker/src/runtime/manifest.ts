/** `runtime.json`: every file the worker loads and that is not the worker, with size and SHA-256. */

import { HinnyError } from "../errors.ts";

export interface RuntimeEntry {
  /** Relative to runtime.json, or absolute. */
  url: string;
  bytes: number;
  sha256: string;
  type: string;
}

export interface RuntimeManifest {
  format: "hinny-runtime";
  version: 1;
  hinny: string;
  pyodide: string;
  python: string;
  /** By logical name: `pyodide.asm.wasm`, `python_stdlib.zip`, `numpy.whl`, `hinny-core.zip`, `ort...`. */
  files: Record<string, RuntimeEntry>;
  /** The ready-made start: logical names of the snapshot, of what unpacks it, and of the libraries that it needs loaded. */
  boot: { snapshot: string; unpacker: string; libraries: string[] } | null;
}

export async function loadManifest(url: URL): Promise<RuntimeManifest> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new HinnyError(
      navigator.onLine === false ? "offline" : "runtime",
      `runtime.json cannot be fetched from ${url}: ${String(error)}`,
    );
  }
  if (!response.ok) {
    throw new HinnyError(
      "runtime",
      `runtime.json: ${url} answered ${response.status} ${response.statusText}`,
    );
  }
  let manifest: RuntimeManifest;
  try {
    manifest = (await response.json()) as RuntimeManifest;
  } catch {
    throw new HinnyError("runtime", `${url} is not JSON: is this the folder that hinny build wrote?`);
  }
  if (manifest.format !== "hinny-runtime" || manifest.version !== 1) {
    throw new HinnyError(
      "runtime",
      `${url} has format ${manifest.format} ${manifest.version}, this worker reads hinny-runtime 1`,
    );
  }
  return manifest;
}
