"""Links between sections, as two arrays: part `site/links`, `from` and `to`, int32 [L], sorted, unique.

Links to a page lead to its introduction, links to an anchor to the section that the anchor lies in; links to
what is not in the index, and of a section to itself, are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hinny.npz import pack
from hinny.site.sections import Page

LINKS = "site/links"


def write_links(pages: Sequence[Page]) -> dict[str, bytes]:
    """The part `site/links`; nothing when no page links to another."""
    firsts: dict[str, int] = {}
    anchors: dict[str, int] = {}
    first = 0
    for page in pages:
        firsts[page.url] = first
        for anchor, place in page.anchors.items():
            anchors[f"{page.url}#{anchor}"] = first + place
        first += len(page.sections)
    pairs = set()
    for page in pages:
        for link in page.links:
            target = anchors.get(link.target)
            if target is None:
                target = firsts.get(link.target.partition("#")[0])
            origin = firsts[page.url] + link.section
            if target is not None and target != origin:
                pairs.add((origin, target))
    if not pairs:
        return {}
    table = np.array(sorted(pairs), dtype=np.int32)
    return {LINKS: pack({"from": table[:, 0], "to": table[:, 1]})}
