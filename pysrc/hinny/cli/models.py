"""`hinny models list | fetch | verify | pin`: the commands of `hinny.models.cli`."""

from hinny.models.cli import add_parser

__all__ = ["add_parser"]
