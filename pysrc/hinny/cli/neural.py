"""The neural side of `hinny build`: which models, their vectors, and where a page finds their files."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hinny.cli.text import progress
from hinny.errors import InvalidInput, InvalidOption, ModelError
from hinny.site.factories import FACTORIES, RERANK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinny.models.pins import ModelPin
    from hinny.models.store import ModelStore
    from hinny.site.build import Built
    from hinny.site.neural import Question


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `hinny build` that `plan` reads."""
    neural = parser.add_argument_group(
        "meaning", "search by meaning as well as by words (docs/factories.md); needs hinny[models]"
    )
    neural.add_argument(
        "--factory",
        default="lexical-only",
        metavar="NAMES",
        help="what else the bundle can serve: tiny (late interaction), semantic (vectors), three-source "
        "(both at once), or several (tiny,semantic or all; default: lexical-only)",
    )
    neural.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="ID",
        help="a model for them (repeatable; `hinny models list`; default: our own MiniLM)",
    )
    neural.add_argument(
        "--rerank",
        metavar="ID",
        help="a cross-encoder that reads the first 25 hits of semantic and three-source again and may "
        "reorder them (default: none)",
    )
    neural.add_argument(
        "--tokens",
        type=int,
        metavar="N",
        help="of a section, encode the first N tokens (default: what it takes)",
    )
    neural.add_argument(
        "--questions",
        type=Path,
        metavar="FILE",
        help='benchmark questions, one {"text": ..., "id": ...} a line: they rank without a model',
    )
    neural.add_argument(
        "--host-models", action="store_true", help="serve a hub's model from DIR (implied by --offline)"
    )
    neural.add_argument(
        "--webgpu",
        action="store_true",
        help="ship what runs models on WebGPU too (27 MB, loaded by a page that asks for it)",
    )


def plan(arguments: argparse.Namespace) -> NeuralPlan | None:
    """What the options ask for, checked before a page is read; None for words alone."""
    from hinny.site.model_choice import choose_pins, choose_reranker, read_factories, shortened
    from hinny.site.neural import read_questions

    factories = read_factories(arguments.factory)
    if not factories:
        for option, value in (
            ("--model", arguments.model),
            ("--questions", arguments.questions),
            ("--rerank", arguments.rerank),
        ):
            if value:
                raise InvalidOption(option, str(value), "none without --factory: words need no model")
        return None
    from hinny.models.store import ModelStore

    store = ModelStore()
    pins = {
        source: shortened(pin, arguments.tokens)
        for source, pin in choose_pins(factories, arguments.model, store.pin).items()
    }
    reranker = choose_reranker(factories, arguments.rerank, store.pin)
    for pin in (*pins.values(), *([reranker] if reranker else [])):
        if pin.source == "site" and not store.has(pin):
            raise ModelError(
                f"{pin.id} is not built yet: run `python -m hinny.models.make`, or name a --model"
            )
    questions: list[Question] = []
    if arguments.questions is not None:
        try:
            questions = read_questions(arguments.questions.read_text("utf-8"), str(arguments.questions))
        except (OSError, UnicodeDecodeError) as problem:
            raise InvalidInput(f"{arguments.questions}: {problem}") from None
    hosts = arguments.host_models or arguments.offline
    return NeuralPlan(store, factories, pins, questions, reranker=reranker, host=hosts)


class NeuralPlan:
    """The models of a build, and after `encode` what they made."""

    def __init__(
        self,
        store: ModelStore,
        factories: Sequence[str],
        pins: dict[str, ModelPin],
        questions: Sequence[Question],
        *,
        reranker: ModelPin | None = None,
        host: bool,
    ) -> None:
        self._store = store
        self._factories = factories
        self._pins = pins
        self._questions = questions
        self._reranker = reranker
        self._hosts = host
        self._sections = 0
        self._truncated: dict[str, int] = {}

    def encode(self, built: Built, *, quiet: bool) -> Built:
        """The bundle with vectors, tokens and the models' entries in its manifest."""
        from hinny.platform.cpython import cpython_platform
        from hinny.site.neural import encode_site, manifest_entry

        self._sections = len(built.documents)
        bars: dict[str, Any] = {}

        def tell(model: str, done: int, total: int) -> None:
            bar, shown = bars.setdefault(model, [progress(total, f"encoding with {model}", quiet=quiet), 0])
            for _ in range(done - shown):
                bar[0](model)
            bars[model][1] = done
            if done == total:
                bar[1]()

        platform = cpython_platform(self._store)
        encoded = asyncio.run(
            encode_site(built.documents, self._pins, platform, questions=self._questions, progress=tell)
        )
        self._truncated = encoded.truncated
        richest = max(self._factories, key=FACTORIES.index)
        serving = {**self._pins, **({RERANK: self._reranker} if self._reranker else {})}
        models = {pin.id: manifest_entry(pin, what, self._base(pin)) for what, pin in serving.items()}
        manifest = replace(built.manifest, factory=richest, models=models)
        return replace(built, parts=built.parts | encoded.parts, manifest=manifest)

    def host(self, folder: Path) -> None:
        """Copy to a bundle's folder the models that its site serves."""
        from hinny.models.export import FOLDER, export_model

        for pin in (*self._pins.values(), self._reranker):
            if pin is not None and self._base(pin) == FOLDER:
                export_model(pin.id, folder, store=self._store, host="site")

    def summary(self) -> dict[str, Any]:
        """By model: what was encoded, how much of it was cut, and what a browser loads from where."""
        found: dict[str, Any] = {
            pin.id: {
                "serves": source,
                "sections": self._sections,
                "truncated": self._truncated.get(pin.id, 0),
                "tokens": pin.document_length,
                "bytes": pin.bytes,
                "source": self._base(pin),
            }
            for source, pin in self._pins.items()
        }
        if self._reranker is not None:
            pin = self._reranker
            found[pin.id] = {"serves": RERANK, "bytes": pin.bytes, "source": self._base(pin)}
        return found

    def _base(self, pin: ModelPin) -> str:
        from hinny.models.export import FOLDER
        from hinny.models.pins import HUB

        if pin.source == "site" or self._hosts:
            return FOLDER
        return (self._store.base_url or HUB).rstrip("/")
