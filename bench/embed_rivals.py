"""A question's vector: Hinny's worker beside transformers.js, the same MiniLM files, in Chromium, in turns.

    python bench/embed_rivals.py [--quick] [--keep FILE]

Both have a worker with the 8-bit model on one thread; the clock runs inside the worker, from the text to the
pooled and normalised vector (for Hinny through Python). The questions are SciFact's, or the manual's where
SciFact is not here. `agreement` is the smallest cosine between the two sides' vectors. Needs `make models`.
Details go to bench/results/embed.json; prints one flat JSON object.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

import numpy as np  # noqa: E402
from bench.models import EMBEDDER, START, site_folder  # noqa: E402
from bench.places import RESULTS  # noqa: E402
from bench.rivals_npm import DIST, RIVALS, prepared  # noqa: E402
from harness import HERE, Chromium, Folders, served  # noqa: E402

from rival_figures import beside, times  # noqa: E402
from rival_keeping import Keeping, keeping_parser  # noqa: E402
from rival_run import OURS  # noqa: E402
from rival_work import Work, scifact, sentences  # noqa: E402

KEPT = RESULTS / "embed.json"
RIVAL = "transformers"
SETUP = "SearchClient.encode, as for a query"
# What transformers.js looks for beside the graph and the tokenizer.
CONFIG = {
    "model_type": "bert",
    "architectures": ["BertModel"],
    "hidden_size": 384,
    "num_attention_heads": 12,
    "num_hidden_layers": 6,
    "vocab_size": 30522,
}
TOKENIZER = {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 256}
ASK = """async ([texts, rounds]) => {
  const encode = (text) => client.encode("./", { model: "minilm-l6-int8", texts: [text], as: "query" });
  const worker = new Worker("/lexical-worker.js", { type: "module" });
  let last = 0;
  const call = (name, ...args) => new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || "the worker could not start"));
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.value));
    worker.postMessage({ id: ++last, name, args });
  });
  const found = { ours: [], theirs: [], vectors: [], failed: null };
  const began = performance.now();
  try {
    await call("load", { module: "/rivals/embed-transformers.js", from: "/embed.json", fields: [] });
    found.load_ms = performance.now() - began;
  } catch (error) {
    found.failed = String(error.message ?? error);
  }
  const ask = {
    ours: async (text) => {
      const answer = await encode(text);
      return { ms: answer.ms, vector: answer.vectors[0] };
    },
    theirs: async (text) => {
      const { ms, ids } = await call("ask", text, "plain", 1);
      return { ms, vector: ids };
    },
  };
  const sides = found.failed ? ["ours"] : ["ours", "theirs"];
  for (const side of sides) for (const text of texts.slice(0, 5)) await ask[side](text);
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) found[side].push([]);
    for (const [at, text] of texts.entries())
      for (let turn = 0; turn < sides.length; turn++) {
        const side = sides[(at + round + turn) % sides.length];
        const answer = await ask[side](text);
        found[side][round].push(answer.ms);
        if (round === 0) (found.vectors[at] ??= {})[side] = answer.vector;
      }
  }
  return found;
}"""


def layout(out: Path) -> None:
    """Our model's files as transformers.js wants them, beside the site's own."""
    ours, theirs = out / "models" / EMBEDDER, out / "hub" / "minilm"
    (theirs / "onnx").mkdir(parents=True)
    shutil.copyfile(ours / "model.onnx", theirs / "onnx" / "model_quantized.onnx")
    shutil.copyfile(ours / "tokenizer.json", theirs / "tokenizer.json")
    (theirs / "config.json").write_text(json.dumps(CONFIG))
    (theirs / "tokenizer_config.json").write_text(json.dumps(TOKENIZER))
    about = {"models": "/site/hub/", "model": "minilm", "runtime": "/ort/"}
    (out / "embed.json").write_text(json.dumps(about))


def compare(texts: Sequence[str], rounds: int) -> dict[str, dict[str, Any]]:
    """Rows of both, as beside other rivals."""
    with site_folder() as out:
        layout(out)
        for name in ("lexical-worker.js",):
            shutil.copyfile(HERE / name, out / name)
        folders = {"": out, "site": out, "rivals": DIST, "ort": RIVALS / "node_modules/onnxruntime-web/dist"}
        handler = type("_Isolated", (Folders,), {"isolate": True})
        with served(folders, handler) as address, Chromium() as chromium, chromium.profile() as context:
            page = context.new_page()
            page.set_default_timeout(300_000)
            page.goto(f"{address}/empty.html")
            began = perf_counter()
            page.evaluate(START)
            page.evaluate("(model) => client.prefetch('./', [model])", EMBEDDER)
            ready = 1000 * (perf_counter() - began)
            found = page.evaluate(ASK, [list(texts), rounds])
    work = Work("embed", [], (), list(texts))
    ours = {"ms": found["ours"], "ids": [], "unstable": 0}
    rows: dict[str, dict[str, Any]] = {OURS: {"index": {"load_ms": round(ready, 1)}, "embed": times(ours)}}
    if found["failed"]:
        return rows | {RIVAL: {"index": {"failed": found["failed"]}, "embed": {"failed": found["failed"]}}}
    theirs = {"ms": found["theirs"], "ids": [], "unstable": 0}
    rows[RIVAL] = {"index": {"load_ms": round(found["load_ms"], 1)}, "embed": times(theirs)}
    rows[RIVAL]["embed"]["beside"] = beside(ours, theirs, work)
    pairs = [(np.array(each["ours"]), np.array(each["theirs"])) for each in found["vectors"]]
    rows[RIVAL]["embed"]["agreement"] = round(min(float(a @ b) for a, b in pairs), 4)
    return rows


def main() -> None:
    """Measure, keep, print."""
    arguments = keeping_parser(__doc__, KEPT).parse_args()
    work = scifact(20 if arguments.quick else 100)
    texts = work.texts if work else sentences()
    known = {RIVAL: prepared()["embed-transformers"] | {"module": ""}}
    rows = compare(texts, 1 if arguments.quick else 3)
    Keeping(arguments.keep, known, SETUP, fresh=True).add("embed", rows, quick=arguments.quick)
    found = {"embed_ms_hinny": rows[OURS]["embed"]["median"]}
    if "failed" not in rows[RIVAL]["embed"]:
        found["embed_ms_transformers"] = rows[RIVAL]["embed"]["median"]
        found["embed_vs_transformers"] = rows[RIVAL]["embed"]["beside"]["ratio"][0]
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
