"""Ready-made options for `LexicalIndex.build`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hinny.lexical.options import FieldOptions


class BuildOptions(Mapping[str, Any]):
    """Options of `LexicalIndex.build`, as a mapping that cannot be changed: `build(documents, **options)`."""

    __slots__ = ("_options",)

    def __init__(self, **options: Any) -> None:
        self._options = options

    def __getitem__(self, name: str) -> Any:
        return self._options[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)

    def __repr__(self) -> str:
        return f"BuildOptions({self._options})"


api_search_preset = BuildOptions(
    fields={
        "symbol": FieldOptions(weight=3.0, b=0.3, analyzer="standard@1"),
        "description": FieldOptions(weight=1.0, b=0.5, analyzer="standard@1"),
    },
    titles=("symbol",),
    exact=("symbol",),
)
"""API documentation: a symbol and its description. Nothing is stemmed, for `sort` and `sorted` are different
functions; the symbol is kept for literal lookup."""
