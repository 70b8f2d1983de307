"""The blocking facade."""

from __future__ import annotations

import pytest

from hinny.errors import HinnyError
from hinny.ranking.blocking import _without_loop, run_blocking
from hinny.ranking.search import HybridSearch
from ranking_fakes import Source, falling, ids


def test_a_search_whose_sources_are_at_hand_needs_no_loop() -> None:
    search = HybridSearch(lexical=Source(falling("ab")), vector=Source(falling("b")))
    assert ids(search.search_sync("words", limit=1)) == ["b"]
    assert search.search_with_stats_sync("words").total_candidates == 2
    assert ids(_without_loop(search.search("words"))) == ["b", "a"]


def test_where_nothing_can_block_waiting_is_an_error_that_says_what_to_do() -> None:
    import asyncio

    async def waits() -> None:
        await asyncio.sleep(0)

    with pytest.raises(HinnyError, match="await search"):
        _without_loop(waits())


def test_errors_come_through() -> None:
    async def fails() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        run_blocking(fails)
