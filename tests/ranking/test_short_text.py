"""The route for very short documents."""

from __future__ import annotations

from hinny.ranking.short_text import short_text_route


def test_below_the_threshold_the_vector_source_answers_alone() -> None:
    assert short_text_route(11.9, 12) == {"name": "vector-only", "average_length": 11.9, "below": 12}


def test_at_the_threshold_the_usual_way_is_taken() -> None:
    assert short_text_route(12.0, 12) is None


def test_it_is_opt_in_and_needs_an_average() -> None:
    assert short_text_route(1.0, None) is None
    assert short_text_route(None, 12) is None
