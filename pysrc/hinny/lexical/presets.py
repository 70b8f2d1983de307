"""Ready-made options for `LexicalIndex.build`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from hinny.lexical.options import FieldOptions

api_search_preset: Mapping[str, Any] = MappingProxyType(
    {
        "fields": {
            "symbol": FieldOptions(weight=3.0, b=0.3, analyzer="standard@1"),
            "description": FieldOptions(weight=1.0, b=0.5, analyzer="standard@1"),
        },
        "titles": ("symbol",),
        "exact": ("symbol",),
    }
)
"""API documentation: a symbol and its description. Nothing is stemmed, for `sort` and `sorted` are different
functions; the symbol is kept for literal lookup."""
