"""Checks of option values that several functions share."""

from __future__ import annotations

from hinny.errors import InvalidOption


def check_whole(option: str, value: object) -> None:
    """InvalidOption unless the value is an int of 0 or more."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidOption(option, value, "a whole number, 0 or more")
