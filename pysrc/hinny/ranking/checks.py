"""What a retriever or reranker of anybody's may answer, checked before the answer is used.

A custom backend that returns an id out of scope, an id twice, too many rows or a score that is no
finite number is an error that names it; nothing of such an answer is used.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import isfinite
from typing import Any

from hinny.errors import SourceError
from hinny.records import Candidate


def check_candidates(
    source: str, rows: Any, *, limit: int | None = None, ids: Collection[str] | None = None
) -> list[Candidate]:
    """The rows as a new list of candidates with float scores; `(id, score)` pairs are taken too."""
    if isinstance(rows, str | bytes) or not isinstance(rows, Sequence):
        raise SourceError(source, f"answered {type(rows).__name__}, not a sequence of candidates")
    if limit is not None and len(rows) > limit:
        raise SourceError(source, f"answered {len(rows)} candidates, asked for at most {limit}")
    checked: list[Candidate] = []
    seen: set[str] = set()
    for row in rows:
        candidate = row if type(row) is Candidate else _candidate(source, row)
        id = candidate.id
        if type(id) is not str:
            raise SourceError(source, f"answered the id {id!r}, which is no string")
        if id in seen:
            raise SourceError(source, f"answered the id {id!r} twice")
        if ids is not None and id not in ids:
            raise SourceError(source, f"answered the id {id!r}, which is out of scope")
        score = candidate.score
        if type(score) is not float:
            candidate = Candidate(id, _number(source, id, score), candidate.tier, candidate.payload)
        elif not isfinite(score):
            raise SourceError(source, f"answered the score {score!r} for {id!r}: not finite")
        seen.add(id)
        checked.append(candidate)
    return checked


def check_permutation(source: str, rows: Any, ids: Sequence[str]) -> list[Candidate]:
    """A reranker's answer: every one of `ids` once, scores finite and not rising."""
    checked = check_candidates(source, rows, ids=frozenset(ids))
    if len(checked) != len(ids):
        missing = set(ids).difference(row.id for row in checked)
        raise SourceError(source, f"left out {len(missing)} of {len(ids)} ids, such as {min(missing)!r}")
    for rank in range(1, len(checked)):
        if checked[rank].score > checked[rank - 1].score:
            raise SourceError(source, f"scores rise at rank {rank + 1}: a reranker answers best first")
    return checked


def check_ids(
    source: str, answer: Any, *, limit: int | None = None, ids: Collection[str] | None = None
) -> list[str]:
    """A list of unique ids in scope (what `exact` answers)."""
    if isinstance(answer, str | bytes) or not isinstance(answer, Sequence):
        raise SourceError(source, f"answered {type(answer).__name__}, not a sequence of ids")
    return [row.id for row in check_candidates(source, [(id, 0.0) for id in answer], limit=limit, ids=ids)]


def _candidate(source: str, row: Any) -> Candidate:
    if isinstance(row, Candidate):
        return row
    if isinstance(row, tuple) and len(row) == 2:
        return Candidate(row[0], row[1])
    raise SourceError(source, f"answered a {type(row).__name__}, not a Candidate or an (id, score) pair")


def _number(source: str, id: str, score: Any) -> float:
    if isinstance(score, bool):
        raise SourceError(source, f"answered the score {score!r} for {id!r}: not a number")
    try:
        number = float(score)
    except (TypeError, ValueError, OverflowError):
        raise SourceError(source, f"answered the score {score!r} for {id!r}: not a number") from None
    if not isfinite(number):
        raise SourceError(source, f"answered the score {score!r} for {id!r}: not finite")
    return number
