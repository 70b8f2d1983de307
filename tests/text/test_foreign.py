"""A question in a language that an index has none of is known by its function words."""

from __future__ import annotations

import pytest

from hinny.text.foreign import foreign_stop_words
from hinny.text.stopwords import stop_words

EN = stop_words("en")
GERMAN = "Wie kann man mit Array.prototype.map() eine neue Liste aus der alten machen?"


def test_a_question_in_another_language_brings_its_function_words() -> None:
    found = foreign_stop_words(GERMAN, EN)
    assert found == stop_words("de")
    assert {"wie", "mit", "der"} <= found
    assert "array" not in found


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Comment est-ce que je peux supprimer une table dans la base ?", "fr"),
        ("¿Cómo puedo crear un índice en una tabla que no se bloquea?", "es"),
        ("как создать индекс, чтобы таблица не была заблокирована", "ru"),
    ],
)
def test_other_languages_too(text: str, language: str) -> None:
    assert foreign_stop_words(text, EN) == stop_words(language)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "die hard",  # two words, of which one is German: a keyword stays one
        "le monde de la musique"[:14],
        "how do I create an index that does not lock writers out?",
        "protein kinase inhibitor resistance melanoma die",
        "ADAR1 binds to Dicer to cleave pre-miRNA.",
        "autovacuum_vacuum_scale_factor autovacuum_naptime shared_buffers work_mem max_wal_size",
        "全文検索は文書から語を探す",
    ],
)
def test_a_question_in_a_language_that_is_here_or_in_none_brings_nothing(text: str) -> None:
    assert foreign_stop_words(text, EN) == frozenset()


def test_its_own_language_is_not_foreign() -> None:
    assert foreign_stop_words(GERMAN, stop_words("de")) == frozenset()
