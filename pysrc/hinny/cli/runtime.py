"""`hinny runtime fetch | verify | list`."""

from __future__ import annotations

import argparse
from typing import Any

_EPILOG = """\
examples:
  hinny runtime fetch      get and check what is missing (about 35 MB)
  hinny runtime verify     check what is there
  hinny runtime list       names, sizes, hashes and sources
"""


def add_parser(commands: Any) -> None:
    """Add the command; its own commands are those of `hinny.runtime.cli`."""
    from hinny.runtime.cli import add_arguments

    parser = commands.add_parser(
        "runtime",
        help="fetch and check the files that a browser loads",
        description="The files of Pyodide, numpy and onnxruntime-web that a browser loads are named, with "
        "size and SHA-256, in a lock file inside Hinny. `hinny build --offline` copies them to the index.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_arguments(parser)
