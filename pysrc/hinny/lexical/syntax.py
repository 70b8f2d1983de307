"""The reader's query syntax, to a small tree of frozen records.

    two words        "a phrase"       "a phrase"~3      -word            +word
    title:word       title:"a b"      pre*              *fix             *mid*
    wor~  wor~2      one OR other     (one two)         -(one two)

The parser never raises and never drops anything: what it cannot read is searched as text and said in
`problems`. An operator counts only at the edge of a word, so that `f(x)`, `std::vector`, `--flag`,
`12" disk` and `~/.bashrc` are what they look like. Quotation marks of all languages and full-width
operators work. There is no AND and no NOT: people search for `IF NOT EXISTS`.
Time and memory are linear in the query's length.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, overload

Occur = Literal["should", "must", "not"]
Match = Literal["word", "typing", "prefix", "suffix", "substring", "fuzzy"]

MAX_SLOP = 100
MAX_DISTANCE = 3
MAX_DEPTH = 16


class Term(NamedTuple):
    """A run of text without spaces, to be analysed; it may fall into several words."""

    text: str
    match: Match = "word"
    """`typing` is the last word of a query still being typed: itself, or as a prefix."""
    distance: int | None = None
    """Of a fuzzy match; None is the engine's choice by the word's length."""
    field: str | None = None
    occur: Occur = "should"
    start: int = 0
    """Code-point offsets of the clause in the query, operators included."""
    end: int = 0
    synonym: float = 0.0
    """The weight of a clause that a synonym added; 0 for what the reader typed."""


class Phrase(NamedTuple):
    """Words that must stand together, `slop` positions apart at most from that order."""

    text: str
    slop: int = 0
    field: str | None = None
    occur: Occur = "should"
    start: int = 0
    end: int = 0
    synonym: float = 0.0


class Group(NamedTuple):
    """Several clauses as one. `any_of`: alternatives joined by OR, else what stood in parentheses."""

    children: tuple[Clause, ...]
    any_of: bool = False
    occur: Occur = "should"
    start: int = 0
    end: int = 0


Clause = Term | Phrase | Group


class ParsedQuery(NamedTuple):
    """A query as the engine understands it."""

    text: str
    clauses: tuple[Clause, ...] = ()
    problems: tuple[str, ...] = ()
    """What could not be read as an operator, in words for the reader."""

    @property
    def is_plain(self) -> bool:
        """True when nothing but words was typed."""
        return all(
            isinstance(clause, Term)
            and clause.match in ("word", "typing")
            and clause.field is None
            and clause.occur == "should"
            and not clause.synonym
            for clause in self.clauses
        )

    @property
    def plain_text(self) -> str:
        """The wanted words without operators and without what is excluded: what a model should read."""
        return " ".join(leaf.text for leaf in self.leaves() if leaf.occur != "not" and not leaf.synonym)

    def leaves(self) -> Iterator[Term | Phrase]:
        """All terms and phrases from left to right; one inside an excluded group is excluded."""
        return _leaves(self.clauses, excluded=False)

    def to_dict(self) -> dict[str, Any]:
        """The query as JSON data; `from_dict` reads it back."""
        return {
            "text": self.text,
            "clauses": [_to_dict(clause) for clause in self.clauses],
            "problems": list(self.problems),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ParsedQuery:
        """The query that `to_dict` wrote."""
        clauses = tuple(_from_dict(item) for item in data["clauses"])
        return cls(data["text"], clauses, tuple(data["problems"]))


def _leaves(clauses: tuple[Clause, ...], *, excluded: bool) -> Iterator[Term | Phrase]:
    for clause in clauses:
        if isinstance(clause, Group):
            yield from _leaves(clause.children, excluded=excluded or clause.occur == "not")
        else:
            yield clause._replace(occur="not") if excluded else clause


def _to_dict(clause: Clause) -> dict[str, Any]:
    data: dict[str, Any] = {"type": type(clause).__name__.lower()}
    for name in clause._fields:
        value = getattr(clause, name)
        data[name] = [_to_dict(child) for child in value] if name == "children" else value
    return data


def _from_dict(data: Mapping[str, Any]) -> Clause:
    values = {name: value for name, value in data.items() if name != "type"}
    if data["type"] == "group":
        values["children"] = tuple(_from_dict(child) for child in values["children"])
        return Group(**values)
    return Term(**values) if data["type"] == "term" else Phrase(**values)


# One character for one, so that offsets stay: full-width operators as input methods type them, minus signs.
_OPERATORS = str.maketrans("＂－−–＋＊：（）～", '"---+*:()~')
_QUOTES = {**dict.fromkeys('"“”„‟«»', '"“”„‟«»'), "「": "」", "『": "』"}
_FIRST_OF_CLAUSE = frozenset("(*.@#$_\\" + "".join(_QUOTES))
_WORD = r"\S+"
_NAME = r"([^\W\d]\w*):(?![:\s/\\]|$)"
_SLOP = r"~(\d*)(?=[\s)]|$)"
_FUZZY = r"([^~*]+)~(\d*)"
_INNER_STAR = r"[^\W\d]\*[^\W\d]"
_FLAG = r"-[a-zA-Z](?=\s|$)"
_pattern = cache(re.compile)  # compiled when first needed: a plain query needs one


def parse(text: str, *, fields: Collection[str] = (), as_you_type: bool = False) -> ParsedQuery:
    """Read what a reader typed; `fields` are the names that may stand before a colon, in any case."""
    parser = _Parser(text, fields)
    clauses = parser.clauses(0, len(text), depth=0, scope=None)
    if clauses and all(clause.occur == "not" for clause in clauses):
        parser.problem("nothing is left to find beside what is excluded: searched as text")
        clauses = [
            Term(found.group(), start=found.start(), end=found.end()) for found in re.finditer(_WORD, text)
        ]
    if as_you_type and clauses:
        last = clauses[-1]
        if isinstance(last, Term) and last.match == "word" and last.end == len(text):
            clauses[-1] = last._replace(match="typing")
    return ParsedQuery(text, tuple(clauses), tuple(parser.problems))


class _Parser:
    """Recursive descent; every method takes where it may read and says where it stopped."""

    def __init__(self, text: str, fields: Collection[str]) -> None:
        self.text = text.translate(_OPERATORS)
        self.fields = {name.casefold(): name for name in fields}
        self.problems: list[str] = []
        self.brackets = _bracket_pairs(self.text)
        self.has_colon = ":" in self.text
        self.unclosed: set[str] = set()

    def problem(self, message: str) -> None:
        if message not in self.problems:
            self.problems.append(message)

    def clauses(self, at: int, limit: int, *, depth: int, scope: str | None) -> list[Clause]:
        """The clauses between two offsets."""
        found: list[Clause] = []
        alternative: Term | None = None  # an OR that waits for its right side
        while True:
            while at < limit and self.text[at].isspace():
                at += 1
            if at >= limit:
                break
            clause, at = self.clause(at, limit, depth=depth, scope=scope)
            if alternative is not None:
                found[-1] = self.either(found[-1], clause)
                alternative = None
            elif found and isinstance(clause, Term) and self.text[clause.start : at] == "OR":
                alternative = clause
            else:
                found.append(clause)
        if alternative is not None:
            found.append(alternative)
        return found

    def clause(self, at: int, limit: int, *, depth: int, scope: str | None) -> tuple[Clause, int]:
        """One clause with its signs, and the offset after it."""
        start = at
        occur: Occur = "should"
        if self.text[at] in "+-" and self.is_sign(at, limit):
            occur = "must" if self.text[at] == "+" else "not"
            at += 1
        name = self.has_colon and _pattern(_NAME).match(self.text, at, limit)
        if name:
            known = self.fields.get(name.group(1).casefold())
            if known is not None:
                scope, at = known, name.end()
            elif self.fields:
                self.problem(f"there is no field {name.group(1)!r}: searched as text")
        character = self.text[at]
        clause: Clause | None = None
        if character in _QUOTES:
            clause, after = self.phrase(at, limit, scope)
        elif character == "(":
            clause, after = self.group(at, limit, depth, scope)
        if clause is None:
            clause, after = self.word(at, limit, scope)
        return clause._replace(occur=occur, start=start, end=after), after

    def is_sign(self, at: int, limit: int) -> bool:
        """True for a + or - that is an operator: at the edge of something, and no command-line flag."""
        if at + 1 >= limit or _pattern(_FLAG).match(self.text, at, limit):
            return False
        following = self.text[at + 1]
        return following.isalnum() or following in _FIRST_OF_CLAUSE

    def phrase(self, at: int, limit: int, scope: str | None) -> tuple[Clause | None, int]:
        closing = _QUOTES[self.text[at]]
        end = at + 1
        if closing not in self.unclosed:
            while end < limit and self.text[end] not in closing:
                end += 1
            if end < limit:
                inside, end = self.text[at + 1 : end], end + 1
                slop = 0
                found = _pattern(_SLOP).match(self.text, end, limit)
                if found:
                    slop, end = self.number(found.group(1), MAX_SLOP, 1), found.end()
                return Phrase(inside, slop, scope), end
            if limit == len(self.text):
                self.unclosed.add(closing)
        self.problem("a quotation mark is not closed: searched as text")
        return None, at

    def group(self, at: int, limit: int, depth: int, scope: str | None) -> tuple[Clause | None, int]:
        closing = self.brackets.get(at, limit)
        if closing >= limit or depth >= MAX_DEPTH:
            self.problem("a bracket is not closed, or brackets are too deep: searched as text")
            return None, at
        children = self.clauses(at + 1, closing, depth=depth + 1, scope=scope)
        if not children:
            return Term(self.text[at : closing + 1], field=scope), closing + 1
        if len(children) == 1 and children[0].occur == "should":
            return children[0], closing + 1
        return Group(tuple(children)), closing + 1

    def word(self, at: int, limit: int, scope: str | None) -> tuple[Clause, int]:
        found = _pattern(_WORD).match(self.text, at, limit)
        assert found is not None  # the caller skipped white space
        word, end = found.group(), found.end()
        fuzzy = "~" in word and re.fullmatch(_FUZZY, word)
        if fuzzy and fuzzy.group(1)[-1].isalnum():
            distance = self.number(fuzzy.group(2), MAX_DISTANCE, None)
            return Term(fuzzy.group(1), "fuzzy", distance, scope), end
        core = word.strip("*")
        if "*" not in word or not any(map(str.isalnum, core)):
            return Term(word, field=scope), end
        if "*" in core or word.startswith("**") or word.endswith("**"):
            if re.search(_INNER_STAR, word):
                self.problem("a * counts only as the first or last character of a word: searched as text")
            return Term(word, field=scope), end
        match: Match = "suffix" if word[-1] != "*" else "substring" if word[0] == "*" else "prefix"
        return Term(core, match, field=scope), end

    @overload
    def number(self, digits: str, most: int, otherwise: int) -> int: ...
    @overload
    def number(self, digits: str, most: int, otherwise: None) -> int | None: ...
    def number(self, digits: str, most: int, otherwise: int | None) -> int | None:
        """The number after ~, at most `most`."""
        if not digits:
            return otherwise
        value = int(digits) if len(digits) < 9 else most + 1
        if value > most:
            self.problem(f"~{digits[:9]} is more than {most}: taken as {most}")
        return min(value, most)

    def either(self, left: Clause, right: Clause) -> Clause:
        """Both as alternatives; a chain of OR is one group."""
        occur: Occur = "must" if "must" in (left.occur, right.occur) else "should"
        children: list[Clause] = []
        for side in (left, right):
            if side.occur == "not":
                self.problem("- does not work beside OR: searched as text")
                children.append(Term(self.text[side.start : side.end], start=side.start, end=side.end))
            elif isinstance(side, Group) and side.any_of and side is left:
                children += side.children
            else:
                children.append(side._replace(occur="should"))
        return Group(tuple(children), True, occur, left.start, right.end)


def _bracket_pairs(text: str) -> dict[int, int]:
    """From each opening bracket that has a partner to the partner's offset."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for found in re.finditer(r"[()]", text):
        if found.group() == "(":
            opened.append(found.start())
        elif opened:
            pairs[opened.pop()] = found.start()
    return pairs
