"""Relevance of every source, fusion, preset and policy on public collections: `make eval`."""
