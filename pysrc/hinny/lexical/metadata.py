"""Metadata columns: filter by value or range, sort, count facets.

A column holds, for every document, no, one or several values of one type: strings, numbers or truth values.
It is stored as its sorted distinct values, how many values each document has, and their numbers in that
order; so a range, of numbers or of ISO dates alike, is a range of numbers.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError, InvalidInput, InvalidOption, UnknownField
from hinny.lexical.codec import Strings, get_uints, put_strings, put_uints
from hinny.records import MetadataValue

_EXACT_INTEGERS = 1 << 53
_CONDITIONS = frozenset({"any", "none", "all", "min", "max"})

Scalar = str | float | bool
Condition = Any
"""A value, a list of values of which any fits, or a mapping with any of: any, none, all (lists), min, max."""


class FacetCount(NamedTuple):
    """How many matching documents have a value: without the filters, and with them."""

    value: Scalar
    before: int
    after: int


class Column:
    """One attribute of all documents."""

    __slots__ = ("codes", "kind", "name", "owners", "values")

    def __init__(
        self,
        name: str,
        kind: str,
        values: list[Scalar],
        counts: NDArray[np.int64],
        codes: NDArray[np.int64],
    ) -> None:
        self.name = name
        self.kind = kind
        self.values = values
        self.codes = codes
        self.owners = np.repeat(np.arange(counts.size, dtype=np.int64), counts.astype(np.intp))
        if self.owners.size != codes.size or (codes.size and int(codes.max()) >= len(values)):
            raise BundleError(f"the metadata {name!r} does not fit together")

    def where(self, condition: Condition, documents: int) -> NDArray[np.bool_]:
        """Which documents fulfil the condition: bool [N]."""
        if not isinstance(condition, Mapping):
            condition = {"any": condition if _is_list(condition) else [condition]}
        unknown = set(condition) - _CONDITIONS
        if unknown or not condition:
            raise InvalidOption(
                f"where[{self.name!r}]", condition, "a value, a list, or any of: any, none, all, min, max"
            )
        good = np.ones(documents, np.bool_)
        if "any" in condition:
            good &= self._having(self._codes_of(condition["any"]), documents)
        if "none" in condition:
            good &= ~self._having(self._codes_of(condition["none"]), documents)
        for value in _as_list(condition.get("all", ())):
            good &= self._having(self._codes_of([value]), documents)
        if "min" in condition or "max" in condition:
            low, high = 0, len(self.values)
            if condition.get("min") is not None:
                low = bisect_left(self.values, self._typed(condition["min"]))
            if condition.get("max") is not None:
                high = bisect_right(self.values, self._typed(condition["max"]))
            inside = (self.codes >= low) & (self.codes < high)
            ranged = np.zeros(documents, np.bool_)
            ranged[self.owners[inside]] = True
            good &= ranged
        return good

    def order(self, documents: int, *, descending: bool) -> NDArray[np.int64]:
        """A sort key for each document, smaller first; those without a value come last: int64 [N]."""
        key = np.full(documents, len(self.values), np.int64)
        np.minimum.at(key, self.owners, len(self.values) - 1 - self.codes if descending else self.codes)
        return key

    def counts(self, matching: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many of the documents `matching` bool [N] have each value: int64 [V]."""
        pairs = np.unique(self.owners * max(len(self.values), 1) + self.codes)
        owners, codes = pairs // max(len(self.values), 1), pairs % max(len(self.values), 1)
        chosen = codes[matching[owners]].astype(np.intp)
        return np.bincount(chosen, minlength=len(self.values)).astype(np.int64)

    def values_of(self, documents: int) -> list[tuple[Scalar, ...]]:
        """Each document's values."""
        cells: list[list[Scalar]] = [[] for _ in range(documents)]
        for owner, code in zip(self.owners.tolist(), self.codes.tolist(), strict=True):
            cells[owner].append(self.values[code])
        return [tuple(cell) for cell in cells]

    def _having(self, codes: list[int], documents: int) -> NDArray[np.bool_]:
        wanted = np.zeros(len(self.values) + 1, np.bool_)
        wanted[codes] = True
        having = np.zeros(documents, np.bool_)
        having[self.owners[wanted[self.codes]]] = True
        return having

    def _codes_of(self, values: Any) -> list[int]:
        codes = []
        for value in _as_list(values):
            typed = self._typed(value)
            at = bisect_left(self.values, typed)
            if at < len(self.values) and self.values[at] == typed:
                codes.append(at)
        return codes

    def _typed(self, value: Any) -> Scalar:
        """The value in the column's type; text from a form is read as a number where those are kept."""
        problem = InvalidOption(f"where[{self.name!r}]", value, f"a {self.kind}, as the documents have")
        if self.kind == "string":
            if isinstance(value, str):
                return value
            raise problem
        if self.kind == "truth value":
            if isinstance(value, bool):
                return value
            if value in ("true", "false"):
                return bool(value == "true")
            raise problem
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise problem
        try:
            number = float(value)
        except (ValueError, OverflowError):
            raise problem from None
        if not isfinite(number):
            raise problem
        return number


class Metadata:
    """All columns of an index."""

    def __init__(self, columns: Mapping[str, Column], documents: int) -> None:
        self.columns = dict(columns)
        self.documents = documents

    def column(self, name: str, option: str) -> Column:
        """The column of that name. Raises `UnknownField` when no document has it."""
        try:
            return self.columns[name]
        except KeyError:
            known = ", ".join(sorted(self.columns)) or "none: the documents have no metadata"
            raise UnknownField(option, name, f"one of the attributes {known}") from None

    def where(self, conditions: Mapping[str, Condition]) -> NDArray[np.bool_]:
        """Which documents fulfil all conditions: bool [N]."""
        good = np.ones(self.documents, np.bool_)
        for name, condition in conditions.items():
            good &= self.column(name, "where").where(condition, self.documents)
        return good

    def rows(self) -> list[Mapping[str, MetadataValue]]:
        """Each document's attributes."""
        rows: list[dict[str, Any]] = [{} for _ in range(self.documents)]
        for name, column in self.columns.items():
            for row, values in zip(rows, column.values_of(self.documents), strict=True):
                if values:
                    row[name] = values if len(values) > 1 else values[0]
        return list(rows)

    def facet(self, name: str, before: NDArray[np.bool_], after: NDArray[np.bool_]) -> tuple[FacetCount, ...]:
        """Counts of each value that occurs before filtering, the most frequent first, then by value."""
        column = self.column(name, "facets")
        one, two = column.counts(before).tolist(), column.counts(after).tolist()
        found = [FacetCount(column.values[at], one[at], two[at]) for at in range(len(one)) if one[at]]
        return tuple(sorted(found, key=lambda count: -count.before))  # the values are sorted already


def write_metadata(rows: Sequence[Mapping[str, MetadataValue]]) -> dict[str, NDArray[Any]]:
    """The arrays of all attributes. Raises `InvalidInput` for values of another or of mixed types."""
    names = sorted({name for row in rows for name in row})
    arrays: dict[str, NDArray[Any]] = {}
    kinds: list[tuple[str, str]] = []
    for number, name in enumerate(names):
        cells: list[list[Scalar]] = []
        kind = ""
        for at, row in enumerate(rows):
            cell = [_checked(value, name, at) for value in _as_list(row.get(name, ()))]
            for _, found in cell:
                if kind not in ("", found):
                    raise InvalidInput(
                        f"metadata {name!r}: document {at} has a {found}, others have a {kind}"
                    )
                kind = found
            cells.append([value for value, _ in cell])
        values = sorted({value for cell in cells for value in cell})
        code = {value: at for at, value in enumerate(values)}
        kinds.append((name, kind or "string"))
        put_uints(arrays, f"{number}.counts", np.array([len(cell) for cell in cells], np.int64))
        put_uints(arrays, f"{number}.codes", np.array([code[v] for cell in cells for v in cell], np.int64))
        if kind == "number" or kind == "truth value":
            arrays[f"{number}.numbers"] = np.array(values, np.float64)
        else:
            put_strings(arrays, f"{number}.strings", [str(value) for value in values])
    arrays["columns"] = np.frombuffer(json.dumps(kinds).encode(), np.uint8)
    return arrays


def read_metadata(arrays: Mapping[str, NDArray[Any]], documents: int) -> Metadata:
    """The columns that `write_metadata` wrote."""
    columns: dict[str, Column] = {}
    try:
        kinds = json.loads(arrays["columns"].tobytes())
        for number, (name, kind) in enumerate(kinds):
            values: list[Scalar]
            if kind == "string":
                values = list(Strings(arrays, f"{number}.strings").tolist())
            elif kind == "number":
                values = arrays[f"{number}.numbers"].tolist()
            else:
                values = [bool(value) for value in arrays[f"{number}.numbers"]]
            counts = get_uints(arrays, f"{number}.counts")
            columns[name] = Column(name, kind, values, counts, get_uints(arrays, f"{number}.codes"))
            if counts.size != documents:
                raise BundleError(f"the metadata {name!r} does not fit the documents")
    except (KeyError, ValueError, TypeError) as problem:
        raise BundleError(f"the metadata is damaged: {problem}") from problem
    return Metadata(columns, documents)


def _checked(value: Any, name: str, row: int) -> tuple[Scalar, str]:
    if isinstance(value, bool):
        return value, "truth value"
    if isinstance(value, str):
        return value, "string"
    if isinstance(value, int | float) and isfinite(value) and abs(value) <= _EXACT_INTEGERS:
        return float(value), "number"
    raise InvalidInput(
        f"metadata {name!r} of document {row} is {value!r}: "
        "strings, truth values and finite numbers up to 2**53 are kept"
    )


def _is_list(value: Any) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)


def _as_list(value: Any) -> Sequence[Any]:
    if not _is_list(value):
        return [value]
    return sorted(value) if isinstance(value, set | frozenset) else list(value)
