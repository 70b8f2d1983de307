"""What the unit tests need inside Pyodide: a way to run a coroutine to its end, and pytest itself."""

from __future__ import annotations

import sys

from hinny.runtime.blocking_loop import run_blocking

__all__ = ["run_blocking", "run_pytest"]


def run_pytest(arguments: list[str]) -> int:
    """Run the unit tests with settings that suit a slow single thread; pytest's exit status."""
    import os

    import hypothesis
    import pytest

    hypothesis.settings.register_profile(
        "pyodide",
        deadline=None,
        max_examples=20,
        database=None,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
    hypothesis.settings.load_profile("pyodide")
    # hypothesis is imported already, which its plugin for pytest minds.
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    # No terminal, no file descriptors to capture, nowhere to keep a cache.
    options = ["--capture=sys", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--color=no"]
    status = int(pytest.main([*options, *arguments]))
    sys.stdout.flush()
    return status
