// Hinny as an engine among others: plain Pyodide with numpy, our package, and an index built on CPython.
import { loadPyodide } from "/runtime/pyodide.mjs";

const PYTHON = `
import io
import zipfile

from hinny.lexical.index import LexicalIndex

OPTIONS = {
    "plain": {},
    "phrase": {},
    "fuzzy": {"prefix": True, "fuzzy": True},
    "typing": {"as_you_type": True},
}
index = None


def load(data):
    global index
    with zipfile.ZipFile(io.BytesIO(data.to_bytes())) as parts:
        index = LexicalIndex.from_parts({name: parts.read(name) for name in parts.namelist()})


def search(text, mode, limit):
    if mode == "phrase":
        text = f'"{text}"'
    hits = index.search(text, limit=limit, **OPTIONS[mode]).hits
    return "\\n".join([hit.id for hit in hits])
`;

const pyodide = await loadPyodide({ indexURL: "/runtime/", packages: ["numpy"] });
for (const name of ["hinny-core.zip", "snowballstemmer.zip"])
  pyodide.unpackArchive(await (await fetch(`/runtime/${name}`)).arrayBuffer(), "zip");
pyodide.runPython(PYTHON);
const [open, search] = ["load", "search"].map((name) => pyodide.globals.get(name));

export const about = { modes: ["plain", "fuzzy", "typing", "phrase"] };

export function load(data) {
  open(data);
  return {
    search(text, mode, limit) {
      const ids = search(text, mode, limit);
      return ids ? ids.split("\n") : [];
    },
  };
}
