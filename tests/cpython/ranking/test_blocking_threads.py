"""The blocking facade where a loop is running already, as in a notebook: a thread of its own."""

from __future__ import annotations

import asyncio

from hinny.ranking.search import HybridSearch
from ranking_fakes import AsyncSource, falling, ids


def test_it_works_with_and_without_a_running_loop() -> None:
    search = HybridSearch(vector=AsyncSource(falling("ab")))

    async def notebook_cell() -> list[str]:
        return ids(search.search_sync("words"))

    assert ids(search.search_sync("words")) == ["a", "b"]
    assert asyncio.run(notebook_cell()) == ["a", "b"]
