"""Synonyms of several words: a query's words as phrases, beside what was typed.

A synonym of one word for one word is looked up with the word (`synonyms=` of a search). What has several
words on a side becomes a clause of its own, a phrase or a word, that may match and is required of nothing:
`data base` beside `db`, `database` beside `data base`.
"""

from __future__ import annotations

from collections.abc import Iterator

from hinny.lexical.syntax import Clause, ParsedQuery, Phrase, Term
from hinny.text.synonyms import Synonyms, words_of


def widen(parsed: ParsedQuery, synonyms: Synonyms) -> ParsedQuery:
    """The query with clauses for those synonyms of its words that need one; itself when there are none.

    Only words without operators are replaced, and only those that stand together.
    """
    added: dict[tuple[str, ...], float] = {}
    for words in _runs(parsed.clauses):
        for found in synonyms.expand(words):
            if found.length > 1 or len(found.words) > 1:
                added[found.words] = max(found.weight, added.get(found.words, 0.0))
    if not added:
        return parsed
    clauses = [
        Phrase(" ".join(words), synonym=weight) if len(words) > 1 else Term(words[0], synonym=weight)
        for words, weight in added.items()
    ]
    return parsed._replace(clauses=(*parsed.clauses, *clauses))


def _runs(clauses: tuple[Clause, ...]) -> Iterator[list[str]]:
    """The folded words of neighbouring clauses that are plain words."""
    run: list[str] = []
    for clause in clauses:
        if isinstance(clause, Term) and _is_plain(clause):
            run += words_of(clause.text)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _is_plain(clause: Term) -> bool:
    return clause.match in ("word", "typing") and clause.field is None and clause.occur == "should"
