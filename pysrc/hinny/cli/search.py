"""`hinny search DIR "words"`."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hinny.cli.text import complain, emphasis, say, say_json
from hinny.site.factories import FACTORIES

if TYPE_CHECKING:
    from hinny.platform.base import Platform

_EPILOG = """\
examples:
  hinny search public/search "two words"
  hinny search public/search '"an exact phrase" -without'
  hinny search public/search words --limit 3 --explain
  hinny search public/search words --factory tiny
  hinny search public/search words --json | jq -r '.results[].url'
"""


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "search",
        help="ask a built search from the command line",
        description="Search a folder that `hinny build` wrote: score, title, URL and excerpt of each hit. "
        "The exit status is 0 also when nothing is found.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("bundle", type=Path, metavar="DIR", help="what `hinny build --out` wrote")
    parser.add_argument("words", nargs="+", metavar="WORDS", help="the query")
    parser.add_argument("--limit", type=int, default=10, metavar="N", help="how many hits (default: 10)")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="how many hits to leave out first")
    parser.add_argument(
        "--factory",
        choices=FACTORIES,
        default="lexical-only",
        help="how to search (default: lexical-only)",
    )
    parser.add_argument(
        "--recorded",
        action="store_true",
        help="WORDS is the id of a question that the bundle recorded: it is ranked without a model",
    )
    parser.add_argument("--explain", action="store_true", help="say where each score comes from")
    parser.add_argument("--json", action="store_true", help="print the answer as the page gets it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Search and print; 0, also without hits."""
    answer = asyncio.run(_ask(arguments))
    if arguments.json:
        say_json(answer)
        return 0
    for problem in [*answer["query"]["problems"], *(item["message"] for item in answer["degraded"])]:
        complain(problem)
    if answer["query"]["didYouMean"]:
        say(f"Did you mean {answer['query']['didYouMean']}?")
    for result in answer["results"]:
        _print(result)
    if arguments.explain:
        from hinny.ranking.explain import explain_stats

        say(explain_stats(answer["stats"]))
    total = answer["total"]
    say(f"{total:,} {'hit' if total == 1 else 'hits'} in {answer['ms']:.1f} ms")
    return 0


async def _ask(arguments: argparse.Namespace) -> dict[str, Any]:
    from hinny.bundle.reader import BundleReader
    from hinny.site.search import SiteSearch

    reader = await BundleReader.open(str(arguments.bundle))

    def platform() -> Platform:
        from hinny.site.model_files import site_platform

        return site_platform(arguments.bundle)

    search = await SiteSearch.open(reader, platform=platform)
    try:
        if not arguments.recorded:
            await search.ready(arguments.factory)
        request = {
            "text": " ".join(arguments.words),
            "limit": arguments.limit,
            "offset": arguments.offset,
            "factory": arguments.factory,
            "explain": arguments.explain,
        }
        if arguments.recorded:
            request["recorded"] = request.pop("text")
        return await search.search(request)
    finally:
        await search.close()


def _print(result: dict[str, Any]) -> None:
    path = [result["pageTitle"], *result["headings"]]
    title = " › ".join(emphasis(item["text"], item["marks"]) for item in path)
    say(f"{result['rank']:>3}. {title}")
    say(f"     {result['score']:.3f}  {result['url']}")
    excerpt = result["excerpt"]
    if excerpt["text"]:
        say(f"     {emphasis(excerpt['text'], excerpt['marks'])}")
    explanation = result.get("explanation")
    if explanation:
        for line in _explained(explanation):
            say(f"       {line}")
    say()


def _explained(explanation: dict[str, Any]) -> list[str]:
    lines = []
    for source in explanation["sources"]:
        share = "" if source["contribution"] is None else f", gives {source['contribution']:.4f}"
        lines.append(f"{source['name']}: rank {source['rank']}, score {source['score']:.4f}{share}")
    lines.extend(
        f"{term['contribution']:.4f} = {term['word']} in {term['field']} ({term['match']}): "
        f"{term['tf']:g} times, idf {term['idf']:.3f}, weight {term['weight']:.3g}"
        for term in explanation["terms"]
    )
    if explanation["rerank"]:
        parts = (f"{name} {share:.4f}" for name, share in explanation["rerank"].items())
        lines.append(f"reranked: {' + '.join(parts)}")
    return [*lines, *explanation["reasons"]]
