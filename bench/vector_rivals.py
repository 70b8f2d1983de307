"""Hinny's vectors beside Voy, EdgeVec, Orama's vector mode and plain JavaScript, in Chromium, in turns.

    python bench/vector_rivals.py [--quick] [--only NAME ...] [--keep FILE]

SciFact's abstracts as our MiniLM encodes them (5,183 rows of 384), asked its 300 test questions; where
SciFact or the model is not here, 5,000 made vectors around 500 centres, 200 of them asked for again with
noise. All engines get float32 unit vectors, give the ids of the ten best, and sit in workers beside Hinny as
in lexical_rivals.py. `overlap10` is the share of the ten that exact float32 products would give. Details go
to bench/results/vectors.json; prints one flat JSON object.
"""

from __future__ import annotations

import asyncio
import io
import json
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from bench.places import RESULTS  # noqa: E402
from bench.rivals_npm import DIST, prepared  # noqa: E402
from lexical_page import engine_pages, runtime_folder  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from hinny.dense.retriever import create_vector_retriever  # noqa: E402
from rival_figures import pooled, rows  # noqa: E402
from rival_keeping import Keeping, keeping_parser  # noqa: E402
from rival_run import OURS, Ask, Run  # noqa: E402
from rival_work import Work, scifact  # noqa: E402

KEPT = RESULTS / "vectors.json"
SETUP = "VectorRetriever over 4-bit codes (TurboQuant), its WebAssembly scan, built on CPython"
MADE, CENTRES, NOISE = 5000, 500, 0.6
Matrix = NDArray[np.float32]


def unit(values: Matrix) -> Matrix:
    """Rows of length 1."""
    return (values / np.linalg.norm(values, axis=1, keepdims=True)).astype(np.float32)


def made(questions: int = 200, dim: int = 384, seed: int = 7) -> tuple[Work, Matrix, Matrix]:
    """Vectors around centres, and some of them again with noise; each question's answer is its origin."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((CENTRES, dim))
    spread = NOISE * random.standard_normal((MADE, dim))
    vectors = unit(centres[random.integers(CENTRES, size=MADE)] + spread)
    chosen = random.choice(MADE, questions, replace=False)
    asked = unit(vectors[chosen] + NOISE / dim**0.5 * random.standard_normal((questions, dim)))
    work = Work("vectors", [], (), [], [], [{f"d{row}": 1} for row in chosen])
    return work, vectors, asked


def encoded(work: Work) -> tuple[Matrix, Matrix]:
    """SciFact's abstracts and questions by our model, kept in bench/work."""
    from bench.eval.encoding import Encoders

    async def run() -> tuple[Matrix, Matrix]:
        encoders = Encoders(ROOT / "bench" / "work")
        texts = [" ".join(each.fields.values()) for each in work.documents]
        found = (await encoders.documents(texts)).vectors, (await encoders.queries(work.texts)).vectors
        await encoders.close()
        return found

    return asyncio.run(run())


def given(questions: int | None) -> tuple[Work, list[str], Matrix, Matrix]:
    """What is asked, ids, vectors, the questions' vectors."""
    from hinny.errors import HinnyError

    work = scifact(questions)
    try:
        if work is not None:
            vectors, asked = encoded(work)
            ids = [each.id for each in work.documents]
            return Work("vectors", [], (), [], [], work.judged), ids, unit(vectors), unit(asked)
    except HinnyError as problem:
        print(f"made vectors in place of SciFact's: {problem}", file=sys.stderr)
    work, vectors, asked = made(questions or 200)
    return work, [f"d{row}" for row in range(len(vectors))], vectors, asked


class VectorRun(Run):
    """Pairs over vectors."""

    module = "/vector-hinny.js"

    def __init__(self, *arguments: Any, ids: list[str], vectors: Matrix, asked: Matrix) -> None:
        super().__init__(*arguments)
        self._ids, self._vectors, self._asked = ids, vectors, asked

    def prepare(self, work: Work) -> dict[str, Any]:
        began = perf_counter()
        retriever = create_vector_retriever(ids=self._ids, vectors=self._vectors, strategy="turboquant")
        parts = retriever.to_parts()
        build_ms = (perf_counter() - began) * 1000
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, data in sorted(parts.items()):
                archive.writestr(zipfile.ZipInfo(name), data)
        files = {"vectors": self._vectors, "questions": self._asked}
        for name, values in files.items():
            (self.data / f"{name}.f32").write_bytes(values.tobytes())
        about = {"ids": self._ids, "dim": self._vectors.shape[1]}
        about |= {name: f"/data/{name}.f32" for name in files}
        (self.data / f"{work.name}.json").write_text(json.dumps(about))
        (self.data / f"{work.name}.zip").write_bytes(packed.getvalue())
        size = sum(map(len, parts.values()))
        return {"build_ms": build_ms, "raw": size, "gz": size}


def overlap(ids: list[list[str] | None], exact: list[set[str]]) -> float:
    """Share of the exact ten that was found."""
    pairs = [(found, best) for found, best in zip(ids, exact, strict=True) if found is not None]
    return round(mean(len(best.intersection(found)) / len(best) for found, best in pairs), 4)


def flat(group: Mapping[str, Any]) -> dict[str, float]:
    """The flat figures of the summary."""
    found: dict[str, float] = {}
    for name, row in group.items():
        short, value = name.removeprefix("vector-"), row.get("vectors", {})
        if "median" in value:
            found |= {
                f"vectors_ms_{short}": value["median"],
                f"vectors_overlap10_{short}": value["overlap10"],
            }
            found |= {f"vectors_ndcg10_{short}": value["ndcg10"], f"vectors_gz_{short}": row["index"]["gz"]}
        if "ratio" in value.get("beside", {}):
            found[f"vectors_vs_{short}"] = value["beside"]["ratio"][0]
    return found


def main() -> None:
    """Measure, keep the details, print the figures."""
    parser = keeping_parser(__doc__, KEPT)
    parser.add_argument("--only", nargs="*", help="these rivals only, beside those kept")
    arguments = parser.parse_args()
    known = {name: about for name, about in prepared().items() if about.get("kind") == "vector"}
    for about in known.values():
        about["modes"] = ["plain"]
    rivals = {name: about for name, about in known.items() if not arguments.only or name in arguments.only}
    work, ids, vectors, asked = given(40 if arguments.quick else None)
    texts = [str(row) for row in range(len(asked))]
    work = Work(work.name, [], (), texts, texts[-20:], work.judged)
    products = asked @ vectors.T
    exact = [{ids[row] for row in best} for best in np.argsort(-products, axis=1, kind="stable")[:, :10]]
    with tempfile.TemporaryDirectory(prefix="hinny-vectors-") as name, runtime_folder() as runtime:
        folders = {"runtime": runtime, "data": Path(name), "rivals": DIST}
        with engine_pages(folders, patience_ms=180_000) as opened:
            run = VectorRun(opened, rivals, Path(name), ids=ids, vectors=vectors, asked=asked)
            ask = Ask("vectors", "plain", work, 1 if arguments.quick else 3)
            pairs = run.over(work, [ask])
    group = rows(pairs, {"vectors": work})
    for name, row in group.items():
        answers = (
            pooled([pair.parts["vectors"][OURS] for pair in pairs.values() if OURS in pair.parts["vectors"]])
            if name == OURS
            else pairs[name].parts["vectors"][name]
        )
        if "failed" not in answers:
            row["vectors"]["overlap10"] = overlap(answers["ids"], exact)
    keeping = Keeping(arguments.keep, known, SETUP, fresh=not arguments.only)
    keeping.add("vectors", group, quick=arguments.quick)
    print(json.dumps(flat(keeping.results["vectors"]), indent=1))


if __name__ == "__main__":
    main()
