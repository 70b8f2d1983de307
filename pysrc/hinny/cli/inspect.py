"""`hinny inspect DIR`."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import Any

from hinny.cli.text import complain, say, say_json, size

_EPILOG = """\
examples:
  hinny inspect public/search
  hinny inspect public/search --verify    check each file's size and SHA-256
  hinny inspect public/search --json
"""


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "inspect",
        help="say what a built search holds, and check it",
        description="Show a bundle's counts, languages, analyzers and parts. With --verify, read every part; "
        "the exit status is 1 when one is missing or damaged.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("bundle", type=Path, metavar="DIR", help="what `hinny build --out` wrote")
    parser.add_argument("--verify", action="store_true", help="check each file's size and SHA-256")
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print; 0, or 1 when --verify found something wrong."""
    from hinny.bundle.reader import BundleReader
    from hinny.site.factories import FACTORIES, missing

    reader = asyncio.run(BundleReader.open(str(arguments.bundle)))
    problems = asyncio.run(reader.verify()) if arguments.verify else []
    manifest = reader.manifest
    factories = [name for name in FACTORIES if missing(name, manifest.parts, manifest.models) is None]
    groups: dict[str, list[int]] = {}
    for name, part in manifest.parts.items():
        groups.setdefault(name.rpartition(".")[0] or name, []).append(part.bytes)
    if arguments.json:
        say_json(
            {
                "title": manifest.title,
                "hinny": manifest.hinny,
                "root": manifest.root,
                **manifest.counts,
                "bytes": manifest.size,
                "languages": dict(manifest.languages),
                "analyzers": list(manifest.analyzers),
                "factory": manifest.factory,
                "factories": factories,
                "models": {
                    id: {name: entry.get(name) for name in ("kind", "serves", "fingerprint", "base")}
                    for id, entry in manifest.models.items()
                },
                "parts": {name: {"files": len(sizes), "bytes": sum(sizes)} for name, sizes in groups.items()},
                "verified": arguments.verify and not problems,
                "problems": problems,
            }
        )
        return 1 if problems else 0
    counts = ", ".join(f"{count:,} {name}" for name, count in manifest.counts.items())
    say(f"{manifest.title}: {counts}")
    say(f"factories {', '.join(factories)}, made by Hinny {manifest.hinny}, pages at {manifest.root}")
    say("languages " + ", ".join(f"{tag} ({count:,})" for tag, count in manifest.languages.items()))
    say(f"analyzers {', '.join(manifest.analyzers)}")
    for entry in manifest.models.values():
        say(f"model {entry.get('fingerprint')} for {entry.get('serves')}, files in {entry.get('base')}")
    for name, sizes in sorted(groups.items()):
        files = f"  {len(sizes)} files" if len(sizes) > 1 else ""
        each = ""
        if name.startswith(("vectors/", "tokens/")) and manifest.counts.get("sections"):
            each = f"  {sum(sizes) / manifest.counts['sections']:,.0f} bytes a section"
        say(f"  {size(sum(sizes)):>9}  {name}{files}{each}")
    say(f"  {size(manifest.size):>9}  in {len(manifest.parts)} files")
    if arguments.verify:
        for problem in problems:
            complain(problem)
        say("every part is as the manifest says" if not problems else f"{len(problems)} parts are not")
    return 1 if problems else 0
