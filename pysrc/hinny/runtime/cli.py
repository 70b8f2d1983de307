"""`hinny runtime fetch | verify | list`, also `python -m hinny.runtime`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from hinny.errors import HinnyError, IntegrityError
from hinny.runtime.fetch import Progress, cached_path, check, default_cache, fetch
from hinny.runtime.lock import GROUPS, RuntimeFile, load_lock


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")


def _complain(text: str) -> None:
    sys.stderr.write(text + "\n")


def _bar(total: int) -> tuple[Progress | None, object]:
    """A progress bar on a terminal, when tqdm is there."""
    if not sys.stderr.isatty():
        return None, None
    try:
        from tqdm import tqdm
    except ImportError:
        return None, None
    bar = tqdm(total=total, unit="B", unit_scale=True, leave=False)

    def advance(file: RuntimeFile, count: int) -> None:
        bar.set_description(file.name[:30], refresh=False)
        bar.update(count)

    return advance, bar


def _fetch(arguments: argparse.Namespace) -> int:
    files = load_lock().of(arguments.group)
    progress, bar = _bar(sum(file.bytes for file in files))
    try:
        paths = fetch(arguments.group, arguments.cache, progress=progress, problem=_complain)
    finally:
        if bar is not None:
            bar.close()  # type: ignore[attr-defined]
    size = sum(file.bytes for file in files) / 1e6
    where = (arguments.cache or default_cache()) / "runtime"
    _print(f"{len(paths)} runtime files, {size:.1f} MB, all checked, in {where}")
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    bad = 0
    for file in load_lock().of(arguments.group):
        path = cached_path(file, arguments.cache)
        state = "ok"
        try:
            check(path, file)
        except FileNotFoundError:
            state = "missing"
        except IntegrityError as error:
            state = f"damaged: expected {error.expected}, found {error.found}"
        bad += state != "ok"
        _print(f"{state:8} {file.group:6} {file.bytes:>10} {file.name}")
    if bad:
        _complain(f"{bad} of these files are missing or damaged: run `hinny runtime fetch`")
    return 1 if bad else 0


def _list(arguments: argparse.Namespace) -> int:
    for file in load_lock().of(arguments.group or GROUPS):
        _print(f"{file.group:6} {file.bytes:>10} {file.sha256[:16]} {file.name}")
        for source in file.sources:
            _print(f"       {source}")
    return 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the sub-commands; each sets `run`, from arguments to exit status."""
    commands = parser.add_subparsers(dest="runtime_command", required=True)
    for name, run, help_text in (
        ("fetch", _fetch, "fetch, check and cache the locked files"),
        ("verify", _verify, "check the cached files; exit status 1 when one is missing or damaged"),
        ("list", _list, "list the locked files and their sources"),
    ):
        command = commands.add_parser(name, help=help_text)
        command.add_argument(
            "--group", action="append", choices=GROUPS, help="only this group (repeatable; webgpu only so)"
        )
        command.add_argument(
            "--cache", type=Path, help="the cache folder (default: HINNY_CACHE or the user's)"
        )
        command.set_defaults(run=run)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status."""
    parser = argparse.ArgumentParser(prog="hinny runtime", description=__doc__)
    add_arguments(parser)
    arguments = parser.parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except HinnyError as error:
        _complain(f"hinny runtime: {error}")
        return 1
