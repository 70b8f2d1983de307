"""What a `SearchRequest` (worker/src/api.ts) asks for, checked: nothing in it may be of another kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hinny.errors import InvalidOption

LONGEST_QUERY = 2000
"""Characters of a query that are read; what follows them is left out, and said so."""
MOST_RESULTS = 100


def read_text(request: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The query's text, and what is wrong with it."""
    text = request.get("text", "")
    if not isinstance(text, str):
        raise InvalidOption("text", text, "a string")
    if len(text) <= LONGEST_QUERY:
        return text, []
    return text[:LONGEST_QUERY], [f"only the first {LONGEST_QUERY} characters of the query were read"]


def read_page(request: Mapping[str, Any]) -> tuple[int, int]:
    """Limit and offset."""
    limit = _whole(request, "limit", 10, MOST_RESULTS)
    return limit, _whole(request, "offset", 0, 10_000 - MOST_RESULTS)


def lexical_options(
    request: Mapping[str, Any], synonyms: Mapping[str, Mapping[str, float]] | None, facets: Sequence[str]
) -> dict[str, Any]:
    """The lexical index's options; `facets` are the bundle's, all of them counted.

    Only what differs from the index's own: it has a short way for a query without options.
    """
    options: dict[str, Any] = {}
    if request.get("asYouType"):
        options["as_you_type"] = True
    if synonyms:
        options["synonyms"] = synonyms
    filters = request.get("filters") or {}
    if not isinstance(filters, Mapping):
        raise InvalidOption("filters", filters, "a mapping of facets to lists of values")
    if filters:
        options["where"] = {name: {"any": list(values)} for name, values in filters.items() if values}
    if facets:
        options["facets"] = tuple(facets)
    return options


def _whole(request: Mapping[str, Any], name: str, default: int, most: int) -> int:
    value = request.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise InvalidOption(name, value, f"a whole number from 0 to {most}")
    return value
