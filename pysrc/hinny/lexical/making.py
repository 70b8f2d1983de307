"""From documents and options to the parts of an index: what is chosen where nothing was said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from hinny.errors import InvalidOption, UnknownField
from hinny.lexical.builder import collect
from hinny.lexical.literal import SHORT
from hinny.lexical.options import DEFAULT_FIELDS, TITLE_FIELDS, FieldOptions, Scoring, field_options
from hinny.lexical.storage import make_parts
from hinny.lexical.store import Arrays
from hinny.records import Document
from hinny.text.analyzer import Analyzer


def build_parts(
    documents: Sequence[Document],
    fields: Mapping[str, FieldOptions | float] | Iterable[str] | None,
    analyzer: str | None,
    scoring: Scoring | None,
    titles: Collection[str] | None,
    exact: Collection[str] | None,
    positions: bool,
    slice_bytes: int,
    analyzers: Mapping[str, Analyzer] | None,
    *,
    phonetic: bool = False,
) -> Mapping[str, Arrays]:
    """The arrays of all parts; the options are those of `LexicalIndex.build`.

    Raises `UnknownField` or `InvalidOption` for options that do not fit the documents.
    """
    chosen = field_options(_named(documents) if fields is None else fields, analyzer)
    scoring = scoring or Scoring()
    scoring.check()
    stored = [name for name, options in chosen.items() if not options.surface]
    if titles is None:
        titles = [name for name in TITLE_FIELDS if name in stored]
    literal = _short(documents, chosen, stored) if exact is None else list(exact)
    for option, names in (("titles", titles), ("exact", literal)):
        for name in names:
            if name not in stored:
                raise UnknownField(option, name, f"fields of the index: {', '.join(stored)}")
    if slice_bytes < 1024:
        raise InvalidOption("slice_bytes", slice_bytes, "1,024 or more")
    corpus = collect(documents, chosen, literal=literal, titles=titles, registry=analyzers, phonetic=phonetic)
    return make_parts(corpus, scoring, list(titles), slice_bytes=slice_bytes, positions=positions)


def _named(documents: Sequence[Document]) -> list[str]:
    seen = dict.fromkeys(name for document in documents for name in document.fields)
    known = [name for name in DEFAULT_FIELDS if name in seen]
    return [*known, *(name for name in seen if name not in DEFAULT_FIELDS)] or list(DEFAULT_FIELDS)


def _short(
    documents: Sequence[Document], fields: Mapping[str, FieldOptions], stored: Sequence[str]
) -> list[str]:
    return [
        name
        for name in stored
        if all(len(document.fields.get(fields[name].source or name, "")) <= SHORT for document in documents)
    ]
