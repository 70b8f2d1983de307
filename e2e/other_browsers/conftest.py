"""The built demo in Firefox and in WebKit: `make e2e-browsers`. Not part of `make test`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from other_browsers.engines import ENGINES, Display, Engine, wanted
from other_browsers.server import Server
from other_browsers.tab import Tab

Answers = Callable[..., list[tuple[str, float]]]


@pytest.fixture(scope="session")
def display() -> Iterator[None]:
    """A screen."""
    screen = Display()
    yield
    screen.close()


@pytest.fixture(scope="session", params=wanted())
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn."""
    found = ENGINES[request.param]
    missing = found.missing()
    if missing:
        pytest.fail(f"{found.name} cannot be tested here. Missing: {', '.join(missing)}", pytrace=False)
    if found.name == "webkit":
        request.getfixturevalue("display")
    return found


@pytest.fixture(scope="session")
def warm(engine: Engine) -> Iterator[Tab]:
    """One tab of an engine, in which the runtime is kept after the first test."""
    driver = engine.start(False)
    yield Tab(driver)
    driver.quit()


@pytest.fixture
def fresh(engine: Engine) -> Iterator[Tab]:
    """A tab with a profile of its own: no cache, no storage."""
    driver = engine.start(False)
    yield Tab(driver)
    driver.quit()


@pytest.fixture(scope="session")
def manual(site_folder: Path) -> Iterator[str]:
    """The built demo's URL."""
    server = Server(site_folder)
    yield server.url
    server.close()


@pytest.fixture(scope="session")
def on_cpython() -> Answers:
    """What `hinny search DIR WORDS` finds: URLs and scores, in order."""

    def search(folder: Path, *words: str) -> list[tuple[str, float]]:
        command = [sys.executable, "-m", "hinny", "search", str(folder), *words, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
        answer: dict[str, Any] = json.loads(done.stdout)
        return [(result["url"], result["score"]) for result in answer["results"]]

    return search
