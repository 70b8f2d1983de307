"""Which factories a site's bundle serves, by its manifest alone: nothing here needs a model or numpy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from hinny.errors import InvalidOption

LEXICAL_ONLY: Final = "lexical-only"
FACTORIES: Final = (LEXICAL_ONLY, "tiny", "semantic", "three-source")

VECTOR: Final = "vector"
TOKENS: Final = "tokens"
RERANK: Final = "rerank"
SOURCES_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "tiny": (TOKENS,),
    "semantic": (VECTOR,),
    "three-source": (VECTOR, TOKENS),
}
"""What each neural factory searches beside words."""
RERANKED: Final = ("semantic", "three-source")
"""Factories whose first hits a cross-encoder reorders, where the bundle has one."""
KIND_OF: Final[Mapping[str, str]] = {TOKENS: "colbert", VECTOR: "embedder", RERANK: "cross-encoder"}
HOSTED: Final = "models"
"""The folder beside a bundle where a site hosts models: `base` of their manifest entries."""
PARTS_OF: Final[Mapping[str, str]] = {TOKENS: "tokens", VECTOR: "vectors"}
"""The folder of a source's parts."""

QUESTIONS: Final = "site/questions"
RECORDED: Final[Mapping[str, str]] = {VECTOR: "questions/vectors", TOKENS: "questions/tokens"}


def check_factory(name: Any) -> str:
    """The name; `InvalidOption` for one that is no factory."""
    if name not in FACTORIES:
        raise InvalidOption("factory", name, f"one of {', '.join(FACTORIES)}")
    return str(name)


def sources_of(factories: Iterable[str]) -> tuple[str, ...]:
    """The sources that factories search beside words, each once."""
    return tuple(dict.fromkeys(source for name in factories for source in SOURCES_OF.get(name, ())))


def model_of(source: str, models: Mapping[str, Any]) -> str | None:
    """Id of the model of a manifest that serves a source or reranks; None where it names none."""
    return next((id for id, entry in models.items() if entry.get("serves") == source), None)


def reranker_of(factory: str, models: Mapping[str, Any]) -> str | None:
    """Id of the model that reorders a factory's first hits; None where none does."""
    return model_of(RERANK, models) if factory in RERANKED else None


def missing(factory: str, names: Collection[str], models: Mapping[str, Any]) -> str | None:
    """Why a bundle with parts of these names cannot serve a factory; None when it can."""
    for source in SOURCES_OF.get(factory, ()):
        folder = PARTS_OF[source]
        if not any(name.startswith(f"{folder}/") for name in names):
            return f"this bundle was built without {folder} (hinny build --factory {factory})"
        if model_of(source, models) is None:
            return f"this bundle names no {KIND_OF[source]} model for its {folder}"
    return None


def factory_info(factory: str, models: Mapping[str, Any], problem: str | None) -> dict[str, Any]:
    """A `FactoryInfo` of worker/src/api.ts; `problem` says why the factory cannot be served."""
    if problem is not None:
        return {"id": factory, "available": False, "reason": problem, "models": []}
    reranker = reranker_of(factory, models)
    ids = [*(model_of(source, models) for source in SOURCES_OF.get(factory, ())), reranker]
    info = {
        "id": factory,
        "available": True,
        "models": [_model_info(id, models[id]) for id in ids if id is not None],
    }
    return info if reranker is None else {**info, "reranker": reranker}


def _model_info(id: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """A `ModelInfo`; whether the model is on the device, the platform knows."""
    base = str(entry["base"])
    return {
        "id": id,
        "kind": entry["kind"],
        "bytes": sum(int(file["bytes"]) for file in entry["files"]),
        "source": "this site" if base == HOSTED else base,
        "cached": False,
    }
