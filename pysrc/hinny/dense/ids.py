"""Between document ids and the row numbers inside an index."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.errors import InvalidInput
from hinny.records import Candidate


class IdRows:
    """An owned list of unique ids; row i is the i-th."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.ids: tuple[str, ...] = tuple(ids)
        self.row_of: dict[str, int] = dict(zip(self.ids, range(len(self.ids)), strict=True))
        if len(self.row_of) != len(self.ids):
            twice = next(id for row, id in enumerate(self.ids) if self.row_of[id] != row)
            raise InvalidInput(f"ids: {twice!r} occurs twice")
        for id in self.ids:
            if not isinstance(id, str):
                raise InvalidInput(f"ids: {id!r} is not a string")

    def __len__(self) -> int:
        return len(self.ids)

    def expect(self, count: int, what: str) -> None:
        """InvalidInput unless there is one of `what` for every id."""
        if count != len(self.ids):
            raise InvalidInput(f"{len(self.ids)} ids for {count} {what}")

    def rows(self, ids: Collection[str]) -> NDArray[np.int32]:
        """Rows of those ids that are known, in the order given."""
        found = [row for row in map(self.row_of.get, ids) if row is not None]
        return np.array(found, dtype=np.int32)

    def mask(self, ids: Collection[str] | None) -> NDArray[np.bool_] | None:
        """bool [n], true for the given ids; None when all are eligible."""
        if ids is None:
            return None
        mask = np.zeros(len(self.ids), dtype=np.bool_)
        mask[self.rows(ids)] = True
        return mask

    def candidates(
        self, rows: NDArray[np.integer], scores: NDArray[np.float32], limit: int | None = None
    ) -> list[Candidate]:
        """Best first, ties by id; all of them, or the first `limit`."""
        pairs = zip(rows.tolist(), scores.tolist(), strict=True)
        ranked = sorted(((-score, self.ids[row]) for row, score in pairs))[:limit]
        return [Candidate(id, -negated) for negated, id in ranked]

    def digest(self) -> str:
        """SHA-256, hex, of the ids in order: an index may only be opened beside the ids it was built with."""
        return hashlib.sha256("\0".join(self.ids).encode("utf-8", "surrogatepass")).hexdigest()


def id_rows(ids: Sequence[str] | IdRows) -> IdRows:
    """The ids as they are kept; one object may serve several indexes."""
    return ids if isinstance(ids, IdRows) else IdRows(ids)
