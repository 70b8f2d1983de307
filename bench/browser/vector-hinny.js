// Hinny's vectors as an engine among others: Pyodide with numpy, our package, an index of 4-bit codes built on
// CPython, and the scans that Hinny's worker has.

import { Scans } from "/rivals/hinny-scans.js";
import { loadPyodide } from "/runtime/pyodide.mjs";

const PYTHON = `
import io
import zipfile

import numpy as np

from hinny.dense.retriever import VectorRetriever
from hinny.platform.browser_models import BrowserRuntime
from hinny.records import Query

retriever = asked = None


async def load(data, ids, questions, dim, scans):
    global retriever, asked
    with zipfile.ZipFile(io.BytesIO(data.to_bytes())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    retriever = VectorRetriever.from_parts(parts, ids=ids.split("\\n"), runtime=BrowserRuntime(None, scans))
    asked = np.frombuffer(questions.to_bytes(), np.float32).reshape(-1, dim)


async def search(row, limit):
    found = await retriever.retrieve(Query(vector=asked[row]), limit=limit)
    return "\\n".join([hit.id for hit in found])


def kernel():
    return retriever.kernel
`;

const pyodide = await loadPyodide({ indexURL: "/runtime/", packages: ["numpy"] });
pyodide.unpackArchive(await (await fetch("/runtime/hinny-core.zip")).arrayBuffer(), "zip");
pyodide.runPython(PYTHON);
const [open, search, kernel] = ["load", "search", "kernel"].map((name) => pyodide.globals.get(name));

export const about = { documents: true };

export async function load(data, _fields, { ids, questions, dim }) {
  const asked = await (await fetch(questions)).arrayBuffer();
  await open(data, ids.join("\n"), asked, dim, new Scans());
  await search(0, 10);
  if (kernel() !== "wasm") throw new Error(`the scan is ${kernel()}'s, not WebAssembly's`);
  return {
    search: async (text, _mode, limit) => (await search(Number(text), limit)).split("\n"),
  };
}
