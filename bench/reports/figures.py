"""Figures without a rival's column: start, questions, build, pipeline, models, scans; with their meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.reports.tables import kilobytes, number, table

Summary = Mapping[str, float]
Figure = tuple[str, str, str]
"""Name in the summary, what it is, its unit."""

GROUPS: dict[str, Sequence[Figure]] = {
    "Start in Chromium, from navigation to the first hit of the manual": (
        (
            "startup_ratio_cold",
            "empty cache: Hinny's time by plain Pyodide's with numpy, median",
            "",
        ),
        ("startup_ratio_cold_least", "the least of the rounds", ""),
        ("startup_ratio_cold_largest", "the largest", ""),
        ("startup_cold_hinny_ms", "Hinny", "ms"),
        ("startup_cold_plain_ms", "plain Pyodide with numpy, which has nothing to find", "ms"),
        ("startup_ratio_warm", "from the browser's cache: the same ratio", ""),
        ("startup_ratio_warm_least", "the least of the rounds", ""),
        ("startup_ratio_warm_largest", "the largest", ""),
        ("startup_warm_hinny_ms", "Hinny", "ms"),
        ("startup_warm_plain_ms", "plain Pyodide with numpy", "ms"),
        ("startup_rounds", "rounds", ""),
    ),
    "A question to the manual, page to worker and back, with texts and excerpts of ten hits": (
        ("roundtrip_new_ms", "asked for the first time, slices and texts fetched from this machine", "ms"),
        ("roundtrip_ms", "asked again, median", "ms"),
        ("roundtrip_p95_ms", "95th percentile", "ms"),
        ("roundtrip_python_ms", "of it in Python, median", "ms"),
    ),
    "Building the manual's site by words alone, on CPython": (
        ("build_manual_pages", "pages", ""),
        ("build_manual_sections", "sections", ""),
        ("build_manual_s", "time", "s"),
        ("build_manual_cpu_s", "processor time", "s"),
        ("build_manual_mb", "highest memory", "MB"),
        ("build_manual_files", "files written, without the runtime", ""),
        ("build_manual_bytes", "their bytes", "bytes"),
    ),
    "The ranking pipeline over candidates of two sources": (
        ("pipeline_ms_25", "preset efficient, 25 + 25 candidates, Chromium", "ms"),
        ("pipeline_ms_100", "100 + 100", "ms"),
        ("pipeline_all_ms_25", "every policy, 25 + 25, Chromium", "ms"),
        ("pipeline_all_ms_100", "100 + 100", "ms"),
        ("pipeline_cpython_ms_25", "preset efficient, 25 + 25, CPython", "ms"),
        ("pipeline_cpython_ms_100", "100 + 100", "ms"),
        ("pipeline_all_cpython_ms_25", "every policy, 25 + 25, CPython", "ms"),
        ("pipeline_all_cpython_ms_100", "100 + 100", "ms"),
    ),
    "Models (MiniLM of 6 layers, 8 bits)": (
        ("query_embed_ms", "a question's vector, 11 tokens, Chromium, one thread", "ms"),
        ("query_encode_late_ms", "its token vectors for late interaction", "ms"),
        ("passage_embed_ms", "a passage of 128 tokens, Chromium", "ms"),
        ("session_ready_ms", "a later visit: stored bytes to the first vector", "ms"),
        ("first_session_ready_ms", "a first visit, the bytes just stored", "ms"),
        ("models_renderer_mb", "memory of the page's process with both models", "MB"),
        ("encode_passages_s", "passages of 128 tokens a second, CPython", ""),
        ("encode_late_passages_s", "the same for late interaction", ""),
    ),
    "Words on CPython beside bm25s, SciFact, all questions at once": (
        ("qps_ours", "questions a second, Hinny", ""),
        ("qps_bm25s", "questions a second, bm25s", ""),
        ("qps_vs_bm25s", "the first by the second", ""),
        ("qps_first_pass", "Hinny, each question asked for the first time", ""),
        ("index_time_vs_bm25s", "indexing, Hinny's time by bm25s's", ""),
    ),
}
WAYS = (
    ("scan", "Hinny's WebAssembly"),
    ("onnx", "a graph in onnxruntime-web"),
    ("numpy", "numpy over the codes"),
    ("numpy_float32", "numpy over float32"),
    ("javascript", "plain JavaScript over float32"),
    ("search", "a whole search with Hinny's"),
)
TASKS = (
    ("dense", "10,000 vectors of 384"),
    ("dense_100k", "100,000 vectors of 384"),
    ("maxsim", "MaxSim, 32 x 200,000 tokens of 96"),
)


def figures(summary: Summary) -> str:
    """The section, of what the summary has."""
    out = ["## Hinny alone: start, questions, build, pipeline, models, scans\n"]
    for title, known in GROUPS.items():
        rows = [(what, _shown(summary[name], unit)) for name, what, unit in known if name in summary]
        if rows:
            out.append(table((title, ""), rows))
    out.append(_scans(summary))
    return "\n".join(text for text in out if text)


def _shown(value: float, unit: str) -> str:
    return kilobytes(value) if unit == "bytes" else f"{number(value)} {unit}".strip()


def _scans(summary: Summary) -> str:
    """One row a way, one column a task."""
    rows = []
    for way, label in WAYS:
        names = [_name(task, way) for task, _ in TASKS]
        cells = [summary.get(name) for name in names]
        if any(cell is not None for cell in cells):
            rows.append((label, *cells))
    if not rows:
        return ""
    head = ("Scans of 4-bit codes in Chromium, called in turns, median ms", *(what for _, what in TASKS))
    return table(head, rows)


def _name(task: str, way: str) -> str:
    # Of 100,000 vectors the summary's aim is the whole search.
    return "dense_100k_ms" if (task, way) == ("dense_100k", "search") else f"{task}_{way}_ms"
