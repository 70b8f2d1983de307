"""Literal lookup: fields whose text equals the query as written, with no analysis at all.

Case, white space, special characters and Unicode spelling count; case can be let go. A field's distinct
texts are kept once, with the number of each document's text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError
from hinny.lexical.codec import Strings, get_uints, put_strings, put_uints

SHORT = 256
"""Where a build names no literal fields, those whose texts have at most this many characters are kept."""


def write_literals(fields: Mapping[str, Sequence[str]]) -> dict[str, NDArray[Any]]:
    """The arrays of each field's texts, one text a document."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, texts in fields.items():
        distinct = list(dict.fromkeys(texts))
        number = {text: at for at, text in enumerate(distinct)}
        put_strings(arrays, f"{name}.texts", distinct)
        put_uints(arrays, f"{name}.rows", np.array([number[text] for text in texts], np.int64))
    return arrays


class Literals:
    """The texts of some fields, found by equality. A look-up table is made when a field is first asked."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], documents: int) -> None:
        self._arrays = arrays
        self._documents = documents
        self._tables: dict[tuple[str, bool], dict[str, list[int]]] = {}
        self._rows: dict[str, NDArray[np.int64]] = {}

    def equal(self, field: str, text: str, *, case_sensitive: bool = True) -> NDArray[np.bool_]:
        """Which documents have exactly `text` in `field`: bool [N]. An empty text equals nothing."""
        if not text:
            return np.zeros(self._documents, np.bool_)
        table = self._table(field, case_sensitive)
        numbers = table.get(text if case_sensitive else text.casefold(), [])
        return np.isin(self._rows[field], np.array(numbers, np.int64))

    def texts(self, field: str) -> list[str]:
        """Each document's text in `field`."""
        distinct = Strings(self._arrays, f"{field}.texts").tolist()
        return [distinct[number] for number in get_uints(self._arrays, f"{field}.rows").tolist()]

    def _table(self, field: str, case_sensitive: bool) -> dict[str, list[int]]:
        key = (field, case_sensitive)
        if key not in self._tables:
            table: dict[str, list[int]] = {}
            for number, text in enumerate(Strings(self._arrays, f"{field}.texts").tolist()):
                table.setdefault(text if case_sensitive else text.casefold(), []).append(number)
            rows = get_uints(self._arrays, f"{field}.rows")
            if rows.size != self._documents:
                raise BundleError(f"the literal texts of {field!r} do not fit the documents")
            self._rows[field] = rows
            self._tables[key] = table
        return self._tables[key]
