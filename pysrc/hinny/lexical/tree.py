"""A parsed query with its words looked up: what has to be loaded, before anything is scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hinny.lexical.expansion import edits_for
from hinny.lexical.found import Found
from hinny.lexical.lookup import How, Lookup
from hinny.lexical.search_options import SearchOptions
from hinny.lexical.syntax import Group, ParsedQuery, Phrase, Term
from hinny.lexical.words import QueryWord, Unit, WordReader, phrase_words
from hinny.text.analyzer import WORD


class Leaf:
    """A term or phrase: its words, what the dictionary has for each, and its units."""

    __slots__ = ("field", "found", "occur", "phrase", "slop", "synonym", "units", "words")

    def __init__(
        self,
        words: list[QueryWord],
        units: list[Unit],
        found: list[Found],
        occur: str,
        field: str | None,
        phrase: list[tuple[QueryWord, Found]] | None = None,
        slop: int = 0,
    ) -> None:
        self.words = words
        self.units = units
        self.found = found
        self.occur = occur
        self.field = field
        self.phrase = phrase
        """Words in their places, for a phrase of two words or more."""
        self.slop = slop
        self.synonym = False
        """True when a synonym added it: it may match, and asks for nothing."""


class Branch:
    """Clauses that count as one: any of them, or as at the top level."""

    __slots__ = ("any_of", "children", "occur")

    def __init__(self, children: list[Node], any_of: bool, occur: str) -> None:
        self.children = children
        self.any_of = any_of
        self.occur = occur


Node = Leaf | Branch


def leaves(nodes: Sequence[Node], *, excluded: bool = False) -> Iterator[tuple[Leaf, bool]]:
    """All leaves from left to right, and whether each is excluded."""
    for node in nodes:
        out = excluded or node.occur == "not"
        if isinstance(node, Branch):
            yield from leaves(node.children, excluded=out)
        else:
            yield node, out


class Compiler:
    """Turns clauses into nodes for one search."""

    def __init__(self, reader: WordReader, lookup: Lookup, options: SearchOptions) -> None:
        self._reader = reader
        self._lookup = lookup
        self._options = options

    def compile(self, parsed: ParsedQuery) -> list[Node]:
        """The query's nodes, without clauses that hold no word, and without idle function words."""
        nodes = [node for clause in parsed.clauses if (node := self._node(clause)) is not None]
        content = any(
            not out and (leaf.phrase is not None or any(not word.stop for word in leaf.words))
            for leaf, out in leaves(nodes)
        )
        return [node for node in nodes if not (content and _is_idle(node))]

    def how(self, match: str, distance: int | None, word: QueryWord) -> How:
        """How one word of a clause is looked up."""
        options = self._options
        synonyms = options.synonyms.get(word.term) if options.synonyms else None
        if match in ("prefix", "suffix", "substring"):
            return How(match, stem=options.stem)
        if match == "fuzzy":
            return How("fuzzy", edits=-1 if distance is None else distance, stem=options.stem)
        edits: int | None = None
        if options.fuzzy == "auto":
            edits = -1
        elif options.fuzzy is not False and not word.stop:
            edits = edits_for(word.term) if options.fuzzy is True else int(options.fuzzy)
        prefix = (match == "typing" or options.prefix) and not word.stop
        return How(edits=edits, prefix=prefix, stem=options.stem, synonyms=synonyms)

    def _node(self, clause: Term | Phrase | Group) -> Node | None:
        if isinstance(clause, Group):
            children = [node for child in clause.children if (node := self._node(child)) is not None]
            return Branch(children, clause.any_of, clause.occur) if children else None
        words, units = self._reader.leaf(clause.text)
        if not words:
            return None
        leaf = self._leaf(clause, words, units)
        if clause.synonym:
            leaf.synonym = True
            for word in words:
                word.weight *= clause.synonym
        return leaf

    def _leaf(self, clause: Term | Phrase, words: list[QueryWord], units: list[Unit]) -> Leaf:
        if isinstance(clause, Phrase):
            return self._phrase(clause, words, units)
        end = words[-1].position
        found = []
        for number, word in enumerate(words):
            match: str = clause.match
            if match == "typing" and number != len(words) - 1 and (word.position, word.kind) != (end, WORD):
                match = "word"
            found.append(self._lookup.find(word, self.how(match, clause.distance, word)))
        return Leaf(words, units, found, clause.occur, clause.field)

    def _phrase(self, clause: Phrase, words: list[QueryWord], units: list[Unit]) -> Leaf:
        places = phrase_words(words)
        if len(places) == 1:  # one quoted word: as written, no other form of it
            found = [self._lookup.find(word, _WRITTEN) for word in words]
            return Leaf(words, units, found, clause.occur, clause.field)
        found = [self._lookup.find(word, _ITSELF) for word in words]
        pairs = [(word, self._lookup.find(word, _ITSELF)) for word in places]
        return Leaf(words, units, found, clause.occur, clause.field, pairs, clause.slop)


_ITSELF = How()
_WRITTEN = How(stem=False)


def _is_idle(node: Node) -> bool:
    """True for a function word that nobody insisted on."""
    return (
        isinstance(node, Leaf)
        and node.occur == "should"
        and node.phrase is None
        and all(word.stop for word in node.words)
    )
