"""Short-text routing: where documents are very short, ask the vector source alone.

Documents of a few words give BM25 little to weigh. The average is the lexical retriever's own: analysed
terms a document, over the fields it searches. Length alone does not tell when this helps, so no preset
turns it on.
"""

from __future__ import annotations

from typing import Any

VECTOR_ONLY = "vector-only"


def short_text_route(average_length: float | None, below: float | None) -> dict[str, Any] | None:
    """The route taken with the average that decided it, or None for the usual way."""
    if below is None or average_length is None or average_length >= below:
        return None
    return {"name": VECTOR_ONLY, "average_length": average_length, "below": below}
