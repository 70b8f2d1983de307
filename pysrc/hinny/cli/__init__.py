"""The command line: `hinny build`, `search`, `serve`, `inspect`, `models`, `runtime`.

Each command is a module with `add_parser(commands)`, which sets `run`: from parsed arguments to the exit
status. Modules are imported when their command is named, so that help comes at once.
"""

from hinny.cli.main import main

__all__ = ["main"]
