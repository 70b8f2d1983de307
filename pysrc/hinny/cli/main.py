"""Parsing the command line, and turning Hinny's own errors into one line and exit status 1."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from hinny import __version__
from hinny.cli.text import complain
from hinny.errors import HinnyError

COMMANDS = {
    "build": "turn a folder of pages into a search",
    "search": "ask a built search from the command line",
    "serve": "serve a folder to a browser on this machine",
    "inspect": "say what a built search holds, and check it",
    "models": "fetch and check the pinned models",
    "runtime": "fetch and check the files that a browser loads",
}

_EPILOG = """\
start here:
  hinny build public --out public/search     index the site in public/
  hinny search public/search "two words"     ask it
  hinny serve public                         see it in a browser

`hinny COMMAND --help` has the options and more examples. docs/cli.md has everything.
"""


def make_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole parser, or, for speed, one that knows the arguments of one command only."""
    parser = argparse.ArgumentParser(
        prog="hinny",
        description="Search for static sites that runs whole in the reader's browser.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"hinny {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        if only is None or only == name:
            _module(name).add_parser(commands)
        else:
            commands.add_parser(name, help=summary)
    return parser


def _module(name: str) -> Any:
    return import_module(f"hinny.cli.{name}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status: 0, 1 when it failed, 2 when it was not understood."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    first = next((argument for argument in arguments if not argument.startswith("-")), "")
    parsed = make_parser(first).parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except HinnyError as error:
        complain(f"hinny {parsed.command}: {error}")
        return 1
    except BrokenPipeError:
        # The reader of our output has seen enough (`| head`); leave without a second error at exit.
        sys.stdout = None
        return 0
    except KeyboardInterrupt:
        complain("stopped")
        return 130
