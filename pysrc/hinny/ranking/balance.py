"""Source coverage: each source's first N available candidates have a place in the first `window`.

A candidate that several sources reserve counts for each of them. A short or empty source reserves only
what it has. The window is a fixed prefix of the whole order, not a quota of each page. What is
reserved but stands below the window moves up into it, in its present order; the lowest unreserved
candidates of the window make room.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from hinny.errors import PolicyConflict


def reserve(
    order: Sequence[str], sources: Mapping[str, Sequence[str]], counts: Mapping[str, int]
) -> dict[str, list[str]]:
    """Reserved ids, each with the sources that reserve it; available is what `order` still holds."""
    present = frozenset(order)
    reserved: dict[str, list[str]] = {}
    for source, ids in sources.items():
        left = counts.get(source, 0)
        for id in ids:
            if not left:
                break
            if id in present:
                reserved.setdefault(id, []).append(source)
                left -= 1
    return reserved


def balance(
    order: Sequence[str], reserved: Collection[str], *, window: int, ahead: Collection[str] = ()
) -> list[str]:
    """The order with every reserved id inside the window.

    `ahead` are the ids that another policy put first (they lead `order`): they keep leading it, though
    among themselves a reserved one may move up. Where they and the reserved others need more places
    than the window has, that is a `PolicyConflict`.
    """
    inside = order[:window]
    missing = [id for id in order[window:] if id in reserved]
    if not missing:
        return list(order)
    fixed = sum(1 for id in order if id in ahead)
    others = sum(1 for id in order if id in reserved and id not in ahead)
    if others and fixed + others > window:
        raise PolicyConflict(
            f"balance needs {others} places in its window of {window} behind {fixed} exact or promoted "
            "matches: widen balance.window, lower its counts or drop one policy"
        )
    room = len(missing)
    moved: set[str] = set()
    for id in reversed(inside):
        if not room:
            break
        if id not in reserved and (id not in ahead or not others):
            moved.add(id)
            room -= 1
    head = [id for id in inside if id not in moved] + missing
    taken = set(head)
    return head + [id for id in order if id not in taken]
