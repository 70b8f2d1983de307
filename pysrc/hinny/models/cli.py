"""`hinny models list | fetch | verify | pin`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hinny.errors import HinnyError
from hinny.models.pins import KINDS, ModelPin, PinnedFile, load_pins, save_pins
from hinny.models.store import ModelStore

_EPILOG = """\
examples:
  hinny models list                                   what there is, and what is here
  hinny models fetch bge-small-en-v1.5                download and check one model
  hinny models verify                                 hash every file of the models that are here
  hinny models pin Xenova/gte-small --kind embedder   pin a model of the hub by its newest revision

A model of source `site` is not downloaded but built: python -m hinny.models.make
"""


def add_parser(commands: Any) -> None:
    """Add the command and its own commands; each sets `run`, from arguments to exit status."""
    parser = commands.add_parser(
        "models",
        help="fetch and check the pinned models",
        description="Neural models are pinned by revision, size and SHA-256, and kept in a cache folder "
        "(HINNY_MODELS). No file is kept or used before its hash was seen to be right.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--models", type=Path, metavar="DIR", help="the cache folder")
    parser.add_argument("--model-base-url", metavar="URL", help="a mirror in place of https://huggingface.co")
    parser.add_argument("--offline", action="store_true", default=None, help="never ask the network")
    actions = parser.add_subparsers(dest="models_command", metavar="ACTION", required=True)
    for name, run, text in (
        ("list", _list, "the pinned models"),
        ("fetch", _fetch, "download and check what is missing"),
        ("verify", _verify, "check what is here; exit status 1 when a file is damaged or missing"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument(
            "id", nargs="*", help="these models (default: all)" if name != "fetch" else "these models"
        )
        action.set_defaults(run=run)
    pin = actions.add_parser("pin", help="write a pin for a model of the hub")
    pin.add_argument("repository", metavar="REPO", help="owner/name")
    pin.add_argument("--revision", default="main", help="a branch, tag or commit (default: main)")
    pin.add_argument("--kind", choices=KINDS, help="what the model is (default: read from its files)")
    pin.add_argument("--id", help="the pin's id (default: the repository's name, in lower case)")
    pin.add_argument("--graph", metavar="PATH", help="the .onnx file (default: the smallest 8-bit one)")
    pin.set_defaults(run=_pin)


def _store(arguments: argparse.Namespace, progress: Any = None) -> ModelStore:
    return ModelStore(
        arguments.models,
        base_url=arguments.model_base_url,
        offline=arguments.offline,
        progress=progress,
    )


def _list(arguments: argparse.Namespace) -> int:
    store = _store(arguments)
    known = store.pins
    for pin in [store.pin(id) for id in arguments.id] or known.values():
        here = "here" if store.has(pin) else "-"
        state = "" if pin.confirmed else "  unconfirmed"
        origin = f"{pin.repository}@{pin.revision[:12]}" if pin.source == "hub" else "built here"
        _say(f"{pin.id:28} {pin.kind:14} {pin.bytes / 1e6:7.1f} MB  {here:5} {origin}{state}")
    return 0


def _fetch(arguments: argparse.Namespace) -> int:
    progress, close = _bar()
    store = _store(arguments, progress)
    if not arguments.id:
        _complain("name the models to fetch; `hinny models list` shows them")
        return 2
    pins = [store.pin(id) for id in arguments.id]
    try:
        for pin in pins:
            store.fetch(pin)
    finally:
        close()
    for pin in pins:
        _say(f"{pin.id}: {pin.bytes / 1e6:.1f} MB, checked, in {store.folder}")
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    store = _store(arguments)
    named = [store.pin(id) for id in arguments.id]
    # A model that was never fetched is not damaged: without names, only those that are here count.
    pins = named or [
        pin
        for pin in store.pins.values()
        if any(store.path(f).exists() for f in pin.files if f.role == "graph")
    ]
    bad = 0
    for pin in pins:
        for file, state in store.verify(pin):
            bad += state != "ok"
            _say(f"{state:8} {pin.id:28} {file.path}")
    if bad:
        _complain(f"{bad} files are missing or damaged: fetch or build the model again, that replaces them")
    return 1 if bad else 0


def _pin(arguments: argparse.Namespace) -> int:
    from hinny.models.hub import describe

    store = _store(arguments)
    pin = describe(
        arguments.repository,
        arguments.revision,
        base_url=store.base_url,
        kind=arguments.kind,
        id=arguments.id,
        graph=arguments.graph,
        offline=store.offline,
    )
    own = load_user_pins(store.pins_path)
    own[pin.id] = pin
    save_pins(store.pins_path, own.values())
    _say(f"{pin.id}: {pin.repository}@{pin.revision} ({pin.kind}, {pin.bytes / 1e6:.1f} MB)")
    _say(f"written to {store.pins_path}: read it over before you build with it")
    return 0


def load_user_pins(path: Path) -> dict[str, ModelPin]:
    """The pins of the user's own file alone."""
    shipped = load_pins()
    return {id: pin for id, pin in load_pins(path).items() if shipped.get(id) != pin}


def _bar() -> tuple[Callable[[ModelPin, PinnedFile, int], None] | None, Callable[[], None]]:
    """Progress for a terminal; nothing elsewhere or without tqdm."""
    if not sys.stderr.isatty():
        return None, lambda: None
    try:
        from tqdm import tqdm
    except ImportError:
        return None, lambda: None
    bar = tqdm(unit="B", unit_scale=True, leave=False)

    def show(pin: ModelPin, file: PinnedFile, have: int) -> None:
        bar.set_description(f"{pin.id} {file.path}", refresh=False)
        bar.total = file.bytes
        bar.n = have
        bar.refresh()

    return show, bar.close


def main(argv: list[str] | None = None) -> int:
    """`python -m hinny.models.cli`: the command without the rest of `hinny`."""
    parser = argparse.ArgumentParser(prog="hinny")
    add_parser(parser.add_subparsers(dest="command", required=True))
    arguments = parser.parse_args(["models", *(sys.argv[1:] if argv is None else argv)])
    try:
        return int(arguments.run(arguments))
    except HinnyError as error:
        _complain(f"hinny models: {error}")
        return 1


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


def _complain(text: str) -> None:
    sys.stderr.write(text + "\n")
