"""Search by meaning: models come, run and rank as on CPython; recorded questions need none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from meaning_pages import MEANING_QUESTIONS
from other_browsers.conftest import Answers
from other_browsers.server import Server
from other_browsers.tab import Tab

EXPECTED = {"dentist": "teeth.html", "thirst": "water.html", "shoes": "hooves.html"}


@pytest.fixture(scope="module")
def mules(meaning_folder: Path) -> Iterator[str]:
    """The small site's URL."""
    server = Server(meaning_folder)
    yield server.url
    server.close()


@pytest.mark.parametrize("factory", ["tiny", "semantic", "three-source"])
def test_a_factory_answers_as_on_cpython(
    warm: Tab, mules: str, factory: str, meaning_folder: Path, on_cpython: Answers
) -> None:
    warm.open(mules)
    warm.wait_ready()
    chosen = f"#picker input[value='{factory}']"
    warm.wait("return document.querySelector(arguments[0])?.disabled === false", chosen)
    warm.run("document.querySelector(arguments[0]).click()", chosen)
    warm.wait(
        """const [factory] = arguments;
        const buttons = [...document.querySelectorAll("#picker button")];
        buttons.find((button) => button.textContent.startsWith("Download"))?.click();
        return document.querySelector("#search").view.factory === factory;""",
        factory,
    )
    for id, question in MEANING_QUESTIONS.items():
        warm.fill(question)
        warm.wait_factory(factory)
        warm.wait_answer(question)
        expected = [url for url, _ in on_cpython(meaning_folder, question, "--factory", factory)]
        first = warm.view()["results"][0]["url"]
        assert first == expected[0]
        assert first.startswith(EXPECTED[id])


def test_a_recorded_question_needs_no_model(fresh: Tab, mules: str) -> None:
    fresh.open(mules)
    fresh.wait_ready()
    fresh.run("document.querySelector('#search').askRecorded('thirst', arguments[0], 'semantic')", "how much")
    fresh.wait("return document.querySelector('#search').view.answer?.factory === 'semantic'")
    assert fresh.view()["results"][0]["url"].startswith("water.html")
    kept = fresh.ask(
        """const { device } = await import(new URL("app/hinny.js", location.href).href);
        return (await device.stored()).filter(({ kind }) => kind === "model").length;"""
    )
    assert kept == 0
