"""Surface companions: a field once more with its words as written, beside their stems.

A companion `title~surface` carries the weight of `title` times a factor, and its b. It takes its words from
the same text, so documents carry that once, and it needs no postings of its own: the index knows which words
stand in a text as written. It counts for ranking, and neither for average length nor for match share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hinny.errors import InvalidOption
from hinny.lexical.options import SURFACE, FieldOptions, check_number, field_options
from hinny.text.analyzer import Analyzer, get_analyzer


def surface_field(name: str) -> str:
    """The name of a field's companion."""
    return name if name.endswith(SURFACE) else name + SURFACE


def surface_analyzer(analyzer: str | Analyzer) -> Analyzer:
    """The same analyzer without its stemmer and phonetic keys; itself when it has neither."""
    given = get_analyzer(analyzer) if isinstance(analyzer, str) else analyzer
    name, _, version = given.id.partition("@")
    return get_analyzer(f"{name.replace('+phonetic', '')}@{version}").surface()


def with_surface_fields(options: Mapping[str, Any], weight: float = 1.0) -> Mapping[str, Any]:
    """Options of `LexicalIndex.build` with a companion for every field that stems.

    `options["fields"]` must name the fields. A field without an analyzer of its own follows its documents'
    language and may stem. Returns `options` itself when no field stems, and adds nothing the second time.
    """
    check_number("weight", weight, 0.0)
    if options.get("fields") is None:
        raise InvalidOption("fields", None, "the fields by name, so that companions can be named after them")
    fields = field_options(options["fields"], options.get("analyzer"))
    more: dict[str, FieldOptions] = {}
    for name, field in fields.items():
        stems = field.analyzer is None or get_analyzer(field.analyzer).stems
        if field.surface or not stems or surface_field(name) in fields:
            continue
        more[surface_field(name)] = replace(
            field,
            weight=field.weight * weight,
            source=field.source or name,
            analyzer=None if field.analyzer is None else surface_analyzer(field.analyzer).id,
            surface=True,
        )
    return {**options, "fields": {**fields, **more}} if more else options
