"""What can be asked of one search, checked once before anything is read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from hinny.errors import InvalidOption, UnknownField
from hinny.lexical.options import check_number

MAX_LIMIT = 10_000
Mode = Literal["words", "phrase", "prefix", "suffix", "substring", "fuzzy", "literal"]
MODES = ("words", "phrase", "prefix", "suffix", "substring", "fuzzy", "literal")
RANKINGS = ("relevance", "exact-first")


@dataclass(frozen=True, slots=True)
class Exact:
    """Literal equality over named fields: case, spelling and special characters as written."""

    fields: tuple[str, ...]
    case_sensitive: bool = True


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The options of `LexicalIndex.search`; `from_keywords` checks them."""

    limit: int = 10
    """At most so many hits; 0 to 10,000."""
    offset: int = 0
    """Leaves out the first hits; limit and offset together are 10,000 at most."""
    mode: Mode = "words"
    """`words` reads the syntax; the others take the whole text as it is: as one phrase, or every word as a
    prefix, suffix, substring or with typos; `literal` finds equal fields only (`exact` names them)."""
    syntax: bool = True
    """False searches the text as words, operators and all."""
    match: Literal["any", "all"] | float = "any"
    """`all`: every word; a number from 0 to 1: at least that share of the query's idf."""
    slop: int = 0
    """Of mode `phrase`: how far words may stand from their places."""
    fields: Mapping[str, float | None] | None = None
    """Fields to search, each with its weight or None for the index's own; None searches all."""
    ids: Collection[str] | None = None
    """Only these documents; statistics stay those of all."""
    where: Mapping[str, Any] | None = None
    """Conditions by attribute (`hinny.lexical.metadata`)."""
    sort: str | None = None
    """Attribute to sort by, smallest first; `-name` for largest first; None sorts by score."""
    facets: tuple[str, ...] = ()
    """Attributes whose values are counted."""
    prefix: bool = False
    """Every word is a prefix too."""
    as_you_type: bool = False
    """The last word is a prefix too."""
    fuzzy: bool | int | Literal["auto"] = "auto"
    """Typos: `auto` for words the index lacks; True for every word by its length; or a number of edits."""
    stem: bool = True
    """False matches words only as written."""
    ranking: Literal["relevance", "exact-first"] = "relevance"
    """`exact-first` puts literal matches first, then documents that match the words as written, and so on."""
    exact: Exact | None = None
    """Where literal matches are looked for."""
    synonyms: Mapping[str, Mapping[str, float]] | None = None
    """Folded word to folded words that may stand for it, with their weights from 0 to 1."""

    @classmethod
    def from_keywords(cls, keywords: Mapping[str, Any], known: Mapping[str, Any]) -> SearchOptions:
        """Checked options. `known` are the index's fields. Raises `InvalidOption` or `UnknownField`."""
        unknown = set(keywords) - _NAMES
        if unknown:
            name = min(unknown)
            raise InvalidOption(name, keywords[name], f"one of the options {', '.join(sorted(_NAMES))}")
        values = dict(keywords)
        _whole("limit", values.get("limit", 10), MAX_LIMIT)
        _whole("offset", values.get("offset", 0), MAX_LIMIT)
        if values.get("limit", 10) + values.get("offset", 0) > MAX_LIMIT:
            raise InvalidOption("offset", values["offset"], f"with limit at most {MAX_LIMIT}")
        _whole("slop", values.get("slop", 0), 1_000)
        _one_of("mode", values.get("mode", "words"), MODES)
        _one_of("ranking", values.get("ranking", "relevance"), RANKINGS)
        if values.get("match", "any") not in ("any", "all"):
            values["match"] = check_number("match", values["match"], 0.0, 1.0)
        fuzzy = values.get("fuzzy", "auto")
        if fuzzy != "auto" and not isinstance(fuzzy, bool):
            _whole("fuzzy", fuzzy, 3)
        for name in ("syntax", "prefix", "as_you_type", "stem"):
            if not isinstance(values.get(name, True), bool):
                raise InvalidOption(name, values[name], "True or False")
        if values.get("fields") is not None:
            values["fields"] = _fields(values["fields"], known)
        if values.get("ids") is not None and isinstance(values["ids"], str):
            raise InvalidOption("ids", values["ids"], "a collection of document ids")
        if values.get("where") is not None and not isinstance(values["where"], Mapping):
            raise InvalidOption("where", values["where"], "a mapping of attributes to conditions")
        facets = values.get("facets", ())
        values["facets"] = (facets,) if isinstance(facets, str) else tuple(facets)
        values["exact"] = _exact(values.get("exact"))
        values["synonyms"] = _synonyms(values.get("synonyms"))
        options = cls(**values)
        if options.mode == "literal" and options.exact is None:
            raise InvalidOption("mode", "literal", "exact, to say in which fields")
        return options


_NAMES = frozenset(item.name for item in fields(SearchOptions))
DEFAULT = SearchOptions()


def _whole(option: str, value: object, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise InvalidOption(option, value, f"a whole number from 0 to {most:,}")


def _one_of(option: str, value: object, allowed: Collection[str]) -> None:
    if value not in allowed:
        raise InvalidOption(option, value, f"one of {', '.join(allowed)}")


def _fields(given: Any, known: Mapping[str, Any]) -> dict[str, float | None]:
    if isinstance(given, str) or not isinstance(given, Collection):
        raise InvalidOption("fields", given, "field names, or a mapping of names to weights")
    chosen: dict[str, float | None] = {}
    for name in given:
        if name not in known:
            raise UnknownField("fields", name, f"fields of the index: {', '.join(known)}")
        weight = given[name] if isinstance(given, Mapping) else None
        chosen[name] = None if weight is None else check_number(f"fields[{name!r}]", weight, 0.0)
    if not chosen:
        raise InvalidOption("fields", given, "at least one field, or None for all")
    return chosen


def _exact(given: Any) -> Exact | None:
    if given is None or isinstance(given, Exact):
        return given
    if isinstance(given, Mapping):
        unknown = set(given) - {"fields", "case_sensitive"}
        names, sensitive = given.get("fields", ()), given.get("case_sensitive", True)
        if unknown or not isinstance(sensitive, bool):
            raise InvalidOption("exact", given, "fields (names) and case_sensitive (True or False)")
    else:
        names, sensitive = given, True
    if isinstance(names, str) or not isinstance(names, Collection) or not names:
        raise InvalidOption("exact", given, "names of at least one field")
    return Exact(tuple(names), sensitive)


def _synonyms(given: Any) -> Mapping[str, Mapping[str, float]] | None:
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise InvalidOption("synonyms", given, "a mapping of words to words with weights")
    for word, others in given.items():
        if not isinstance(others, Mapping):
            raise InvalidOption(f"synonyms[{word!r}]", others, "a mapping of words to weights from 0 to 1")
        for other, weight in others.items():
            check_number(f"synonyms[{word!r}][{other!r}]", weight, 0.0, 1.0)
    return given


__all__ = ["DEFAULT", "MAX_LIMIT", "Exact", "SearchOptions"]
