"""`hinny models list | fetch | verify | pin`: see hinny.models.cli."""

from __future__ import annotations

from hinny.models.cli import add_parser

__all__ = ["add_parser"]
