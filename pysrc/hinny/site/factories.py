"""Which factories a site's bundle serves, by its manifest alone: nothing here needs a model or numpy."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from hinny.errors import InvalidOption

LEXICAL_ONLY: Final = "lexical-only"
FACTORIES: Final = (LEXICAL_ONLY, "tiny", "semantic")

VECTOR: Final = "vector"
TOKENS: Final = "tokens"
SOURCE_OF: Final[Mapping[str, str]] = {"tiny": TOKENS, "semantic": VECTOR}
"""What each neural factory searches beside words."""
KIND_OF: Final[Mapping[str, str]] = {TOKENS: "colbert", VECTOR: "embedder"}
PARTS_OF: Final[Mapping[str, str]] = {TOKENS: "tokens", VECTOR: "vectors"}
"""The folder of a source's parts."""

QUESTIONS: Final = "site/questions"
RECORDED: Final[Mapping[str, str]] = {VECTOR: "questions/vectors", TOKENS: "questions/tokens"}


def check_factory(name: Any) -> str:
    """The name; `InvalidOption` for one that is no factory."""
    if name not in FACTORIES:
        raise InvalidOption("factory", name, f"one of {', '.join(FACTORIES)}")
    return str(name)


def model_of(source: str, models: Mapping[str, Any]) -> str | None:
    """Id of the model of a manifest that serves a source; None where it names none."""
    return next((id for id, entry in models.items() if entry.get("serves") == source), None)


def missing(factory: str, names: Collection[str], models: Mapping[str, Any]) -> str | None:
    """Why a bundle with parts of these names cannot serve a factory; None when it can."""
    if factory == LEXICAL_ONLY:
        return None
    source = SOURCE_OF[factory]
    folder = PARTS_OF[source]
    if not any(name.startswith(f"{folder}/") for name in names):
        return f"this bundle was built without {folder} (hinny build --factory {factory})"
    if model_of(source, models) is None:
        return f"this bundle names no {KIND_OF[source]} model for its {folder}"
    return None


def model_info(factory: str, models: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The models that a factory needs, as `ModelInfo` of worker/src/api.ts."""
    if factory == LEXICAL_ONLY:
        return []
    id = model_of(SOURCE_OF[factory], models)
    if id is None:
        return []
    entry = models[id]
    base = str(entry["base"])
    return [
        {
            "id": id,
            "kind": entry["kind"],
            "bytes": sum(int(file["bytes"]) for file in entry["files"]),
            "source": "this site" if base == "models" else base,
            "cached": False,
        }
    ]
