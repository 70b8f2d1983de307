"""Words scored together, against each by itself and against frequencies added up field by field."""

from __future__ import annotations

import random

import numpy as np
import pytest

from hinny.lexical import impact_scorer
from hinny.lexical.found import Found
from hinny.lexical.index import LexicalIndex
from hinny.lexical.lookup import How
from hinny.lexical.words import QueryWord
from hinny.records import Document

WORDS = ["bolt", "bolts", "bolted", "belt", "cog", "cogs", "gear", "geared", "nut", "résumé", "resume", "the"]
ASKED = ["bolt", "bol", "cog", "gears", "resume", "résumé", "nux", "boltd"]


def made() -> LexicalIndex:
    """Some slices, words of several spellings, titles for some of the documents."""
    draw = random.Random(7)
    documents = [
        Document(
            f"d{n}",
            {
                "title": " ".join(draw.choices(WORDS, k=n % 3)),
                "text": " ".join([*draw.choices(WORDS, k=9), f"x{n % 211}y{n}"]),
            },
            {},
            "en",
        )
        for n in range(900)
    ]
    index = LexicalIndex.build(documents, slice_bytes=1024)
    assert index._engine.resident.layout.slices > 2
    index._engine.store.load_now([f"lexical/postings.{n:03d}" for n in range(index._resident.layout.slices)])
    return index


def looked_up(index: LexicalIndex) -> tuple[list[QueryWord], list[Found]]:
    """The words as prefixes and with typos, every second with a synonym."""
    words = [index._engine.reader.plain(text)[0][0] for text in ASKED]
    hows = [
        How(edits=2, prefix=True, synonyms={"gear": 0.5} if number % 2 else None)
        for number in range(len(words))
    ]
    return words, index._engine.lookup.find_all(words, hows)


@pytest.mark.parametrize("cells", [1, 700, 1 << 20])
def test_words_together_have_what_each_has_alone(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    monkeypatch.setattr(impact_scorer, "_CELLS", cells)
    index = made()
    words, founds = looked_up(index)
    assert {len(found.expansions) for found in founds} >= {1, 2, 3}
    together = index._engine.own.matches_all(words, founds)
    for word, found, matches in zip(words, founds, together, strict=True):
        (alone,) = index._engine.own._impacts.matches([word], [found])
        assert matches is not None
        assert matches.rows.tolist() == alone.rows.tolist()
        assert matches.scores.tobytes() == alone.scores.tobytes()
        assert matches.titles.tolist() == alone.titles.tolist()


def test_the_scores_are_those_of_the_frequencies() -> None:
    index = made()
    words, founds = looked_up(index)
    for word, found, matches in zip(words, founds, index._engine.own.matches_all(words, founds), strict=True):
        expected = index._engine.own._summed(word, found, kinds=False)
        assert matches is not None
        assert matches.rows.tolist() == expected.rows.tolist()
        np.testing.assert_allclose(matches.scores, expected.scores, rtol=1e-12)
        assert matches.titles.tolist() == expected.titles.tolist()


def test_a_word_without_anything_has_no_matches() -> None:
    index = made()
    words, _ = looked_up(index)
    nothing = index._engine.lookup.find(QueryWord("zzz", "zzz", 0, 0, False, 1.0), How())
    assert index._engine.own.matches_all(words[:1], [nothing]) == [None]
