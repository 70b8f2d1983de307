"""`hinny build SRC --out DIR`."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from hinny.cli.neural import NeuralPlan, add_options, plan
from hinny.cli.text import complain, progress, say, say_json, size
from hinny.errors import InvalidInput, InvalidOption, NothingIndexed
from hinny.site.loaders import Skipped, find_sources, load
from hinny.site.sections import Page

if TYPE_CHECKING:
    from hinny.text.synonyms import Synonyms

_EPILOG = """\
examples:
  hinny build public --out public/search                  a built HTML site
  hinny build docs --out site/search --title "My docs"    Markdown sources
  hinny build pages.jsonl --out search --root /docs/      records: url, title, text
  hinny build public --out public/search --offline        ask no third party for anything
  hinny build public --out public/search --factory tiny   search by meaning, too

Put this into your pages (docs/install-on-your-site.md):
  <script type="module" src="search/app/hinny.js"></script>
  <hinny-search bundle="search/"></hinny-search>
"""
_SHOWN = 10


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "build",
        help="turn a folder of pages into a search",
        description="Index HTML, Markdown or JSON Lines and write a folder of static files that searches "
        "them. The folder appears whole or not at all, and the same pages give the same bytes.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", type=Path, metavar="SRC", help="a folder of pages, or one .jsonl file")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    parser.add_argument("--title", help="the site's name (default: the title of its first page)")
    parser.add_argument(
        "--root",
        metavar="URL",
        help="where the pages are, as seen from DIR (default: found out when DIR is inside SRC, else ../)",
    )
    parser.add_argument(
        "--language", metavar="TAG", help="of pages that name none, such as en or pt-BR (default: guessed)"
    )
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="PATTERN", help="paths to leave out (repeatable)"
    )
    parser.add_argument(
        "--markdown-urls",
        choices=("folder", "html", "source"),
        default="folder",
        help="where the site has a/b.md: a/b/ (default), a/b.html, or a/b.md",
    )
    parser.add_argument(
        "--max-page-mb", type=float, default=16, metavar="MB", help="largest page to read (default: 16)"
    )
    parser.add_argument(
        "--demo",
        action="store_true",
        help="add a page to search from and a copy of SRC, so that DIR is a site of its own",
    )
    parser.add_argument(
        "--synonyms", type=Path, metavar="FILE", help="the site's own synonyms (docs/analysis.md)"
    )
    parser.add_argument(
        "--phonetic",
        action="store_true",
        help="find English words that the site does not have by their sound, too: fonetiks, phonetics",
    )
    add_options(parser)
    parser.add_argument(
        "--offline", action="store_true", help="put the browser's runtime files into DIR too (about 17 MB)"
    )
    parser.add_argument("--force", action="store_true", help="replace DIR whatever it holds")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.add_argument(
        "--jobs", type=int, default=0, metavar="N", help="processes that read pages (default: by processor)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Build; 0, or 1 with a message when nothing could be indexed."""
    from hinny.bundle.writer import check_output, write_bundle
    from hinny.site.build import build_parts

    started = perf_counter()
    source, out = arguments.source, arguments.out
    _check(arguments)
    check_output(out, force=arguments.force)
    synonyms = None if arguments.synonyms is None else _synonyms(arguments.synonyms)
    neural = plan(arguments)
    sources = find_sources(
        source, exclude=arguments.exclude, skip=[out], markdown_urls=arguments.markdown_urls
    )
    done, close = progress(len(sources), "reading", quiet=arguments.json)
    pages: list[Page] = []
    skipped: list[Skipped] = []
    try:
        for answer in load(
            sources,
            largest=int(arguments.max_page_mb * 2**20),
            markdown_urls=arguments.markdown_urls,
            workers=arguments.jobs or min(os.cpu_count() or 1, 8),
            progress=done,
        ):
            if isinstance(answer, Skipped):
                skipped.append(answer)
            else:
                pages.append(answer)
    finally:
        close()
    if not pages:
        _report_skipped(skipped)
        raise NothingIndexed(
            f"nothing to index in {source}: {_reasons(skipped) or 'no .html, .md or .jsonl files'}"
        )
    read = perf_counter()
    root = "site/" if arguments.demo else _root(source, out) if arguments.root is None else arguments.root
    built = build_parts(
        pages,
        title=arguments.title,
        root=root,
        language=arguments.language,
        synonyms=synonyms,
        phonetic=arguments.phonetic,
    )
    indexed = perf_counter()
    if neural is not None:
        built = neural.encode(built, quiet=arguments.json)
    encoded = perf_counter()
    app = _App(source if arguments.demo else None, neural, offline=arguments.offline, webgpu=arguments.webgpu)
    manifest = write_bundle(out, built.manifest, built.parts, force=arguments.force, more=app.add)
    summary = {
        "out": str(out),
        **manifest.counts,
        "languages": dict(manifest.languages),
        "files": len(manifest.parts),
        "bytes": manifest.size,
        "app_bytes": app.bytes,
        "seconds": round(perf_counter() - started, 3),
        "seconds_reading": round(read - started, 3),
        "seconds_indexing": round(indexed - read, 3),
        "seconds_encoding": round(encoded - indexed, 3),
        "models": {} if neural is None else neural.summary(),
        "skipped": [{"path": item.path, "reason": item.reason} for item in skipped],
        "problems": [{"path": page.url, "problem": text} for page in pages for text in page.problems],
    }
    if arguments.json:
        say_json(summary)
        return 0
    _report(summary, app)
    return 0


def _check(arguments: argparse.Namespace) -> None:
    source, out = arguments.source.resolve(), arguments.out.resolve()
    if out == source or out in source.parents or out == Path.home().resolve():
        # Even --force must not delete what is to be indexed.
        raise InvalidOption("--out", str(arguments.out), "a folder of its own, not one that holds the pages")


def _synonyms(path: Path) -> Synonyms:
    from hinny.text.synonyms import Synonyms

    try:
        return Synonyms.parse(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, InvalidInput) as problem:
        raise InvalidInput(f"{path}: {problem}") from None


def _root(source: Path, out: Path) -> str:
    """The way from the bundle up to the site's root, when it lies inside."""
    try:
        inside = out.resolve().relative_to(source.resolve())
    except ValueError:
        return "../"
    return "../" * len(inside.parts)


class _App:
    """The files of the browser's side, copied beside the index."""

    def __init__(self, demo: Path | None, neural: NeuralPlan | None, *, offline: bool, webgpu: bool) -> None:
        self.demo = demo
        self.neural = neural
        self.offline = offline
        self.webgpu = webgpu
        self.bytes = 0
        self.missing: str | None = None

    def add(self, folder: Path) -> None:
        from hinny.site.app import NoApp, add_app, add_demo, write_release

        if self.neural is not None:
            self.neural.host(folder)
        try:
            models = self.neural is not None
            self.bytes = add_app(folder, offline=self.offline, models=models, webgpu=models and self.webgpu)
            if self.demo is not None:
                add_demo(folder, self.demo)
                write_release(folder)
        except NoApp as missing:
            self.missing = str(missing)


def _report(summary: dict[str, Any], app: _App) -> None:
    say(
        f"{summary['pages']:,} pages, {summary['sections']:,} sections, {summary['terms']:,} terms in "
        f"{summary['seconds']:.1f} s: {size(summary['bytes'])} in {summary['files']} files, {summary['out']}"
    )
    for id, model in summary["models"].items():
        if "sections" not in model:
            where = model["source"]
            say(f"{id} reorders the first hits; {size(model['bytes'])} for the browser, from {where}")
            continue
        say(
            f"{id}: {model['sections']:,} sections encoded, {model['truncated']:,} of them cut at "
            f"{model['tokens']} tokens; {size(model['bytes'])} for the browser, from {model['source']}"
        )
    if app.missing is not None:
        say(f"no page to search from: {app.missing}")
    elif app.bytes:
        say(f"{size(app.bytes)} for the browser in {summary['out']}/app")
    skipped = [(item["path"], item["reason"]) for item in summary["skipped"]]
    _list(f"{len(skipped)} skipped", skipped)
    problems = [(item["path"], item["problem"]) for item in summary["problems"]]
    _list(f"{len(problems)} with a problem", problems)


def _list(heading: str, items: list[tuple[str, str]]) -> None:
    if not items:
        return
    sys.stdout.flush()
    complain(f"{heading}:")
    for path, reason in items[:_SHOWN]:
        complain(f"  {path}: {reason}")
    if len(items) > _SHOWN:
        complain(f"  and {len(items) - _SHOWN} more (--json lists all)")


def _report_skipped(skipped: list[Skipped]) -> None:
    _list(f"{len(skipped)} skipped", [(item.path, item.reason) for item in skipped])


def _reasons(skipped: list[Skipped]) -> str:
    counts = Counter(item.reason for item in skipped)
    return ", ".join(f"{count} {reason}" for reason, count in counts.most_common(3))
