"""Full-text search in SQLite: BM25 over a contentless FTS5 index of spans.

A span is a stretch of a document (its owner), found by a locator that is the caller's own JSON value; the
index stores neither texts nor documents. A result is an owner, at the rank of its best span, with that
span's locator in the payload.

Every token of a query is quoted and the tokens are joined by OR (or AND), so that no punctuation of a
query can be FTS5 syntax.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from hinny.errors import InvalidInput, InvalidOption
from hinny.records import Candidate, Query

if TYPE_CHECKING:  # Pyodide ships sqlite3 as a package of its own, which may be absent
    import sqlite3


class Span(NamedTuple):
    """A stretch of a document and where it is."""

    owner: str
    text: str
    locator: Any = None
    """Any JSON value."""


class SpanIndex:
    """The tables `<name>` (owner, locator) and `<name>_fts` (contentless) in a caller's database."""

    def __init__(self, connection: sqlite3.Connection, *, name: str = "spans") -> None:
        """Uses the tables, making them where they are not there; the connection stays the caller's."""
        if not name.isidentifier() or not name.isascii():
            raise InvalidOption("name", name, "an ASCII identifier")
        self._db = connection
        self._name = name
        self._db.execute(
            f'CREATE TABLE IF NOT EXISTS "{name}" (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, locator TEXT)'
        )
        self._db.execute(
            f'CREATE VIRTUAL TABLE IF NOT EXISTS "{name}_fts" USING fts5('
            "text, content='', tokenize='unicode61 remove_diacritics 2')"
        )

    def add(self, spans: Iterable[Span]) -> int:
        """Index spans, in one transaction; how many there were."""
        count = 0
        with self._db:
            for span in spans:
                owner, text, locator = cast(tuple[Any, Any, Any], span)
                if not isinstance(owner, str) or not isinstance(text, str):
                    raise InvalidInput(f"a span has an owner and a text, not {owner!r} and {text!r}")
                place = None if locator is None else json.dumps(locator, ensure_ascii=False)
                cursor = self._db.execute(
                    f'INSERT INTO "{self._name}" (owner, locator) VALUES (?, ?)', (owner, place)
                )
                self._db.execute(
                    f'INSERT INTO "{self._name}_fts" (rowid, text) VALUES (?, ?)', (cursor.lastrowid, text)
                )
                count += 1
        return count

    def clear(self) -> None:
        """Forget all spans (an index is replaced whole, not edited)."""
        with self._db:
            self._db.execute(f'INSERT INTO "{self._name}_fts" ("{self._name}_fts") VALUES (\'delete-all\')')
            self._db.execute(f'DELETE FROM "{self._name}"')

    def search(
        self,
        text: str,
        *,
        limit: int,
        ids: Collection[str] | None = None,
        match: Literal["any", "all"] = "any",
    ) -> list[Candidate]:
        """At most `limit` owners, best span first; the score is SQLite's bm25 with its sign turned."""
        asked = fts5_query(text, match=match)
        if not asked or limit < 1:
            return []
        scope, parameters = "", [asked]
        if ids is not None:
            scope = "AND s.owner IN (SELECT value FROM json_each(?))"
            parameters.append(json.dumps(sorted(ids)))
        rows = self._db.execute(
            f"SELECT s.owner, s.locator, -bm25({self._name}_fts) "
            f'FROM "{self._name}_fts" JOIN "{self._name}" s ON s.id = "{self._name}_fts".rowid '
            f'WHERE "{self._name}_fts" MATCH ? {scope} ORDER BY 3 DESC, s.owner, s.id',
            parameters,
        )
        best: dict[str, Candidate] = {}
        for owner, locator, score in rows:
            if owner in best:
                continue
            payload = None if locator is None else {"locator": json.loads(locator)}
            best[owner] = Candidate(owner, float(score), payload=payload)
            if len(best) == limit:
                break
        return list(best.values())


class SpanRetriever:
    """A `Retriever` over a `SpanIndex`."""

    def __init__(self, index: SpanIndex, *, name: str = "fts", match: Literal["any", "all"] = "any") -> None:
        self.name = name
        self._index = index
        if match not in ("any", "all"):
            raise InvalidOption("match", match, "'any' or 'all'")
        self._match: Literal["any", "all"] = match

    def retrieve(self, query: Query, *, limit: int, ids: Collection[str] | None = None) -> list[Candidate]:
        """Owners by their best span."""
        return self._index.search(query.text, limit=limit, ids=ids, match=self._match)

    def rescore(self, query: Query, ids: Collection[str]) -> list[Candidate]:
        """The given owners that match."""
        return self._index.search(query.text, limit=len(ids), ids=ids, match=self._match)


def fts5_query(text: str, *, match: Literal["any", "all"] = "any") -> str:
    """The text's tokens, each in double quotes, joined by OR or AND; empty where it has no token.

    A token is a run of letters, digits and combining marks: what SQLite's unicode61 tokeniser keeps.
    """
    from unicodedata import category

    tokens: list[str] = []
    token: list[str] = []
    for character in [*text, " "]:
        if character.isalnum() or (token and category(character)[0] == "M"):
            token.append(character)
        elif token:
            tokens.append(f'"{"".join(token)}"')
            token = []
    return (" OR " if match == "any" else " AND ").join(tokens)
