"""A tab driven by WebDriver, with words for what a reader does and what the elements know."""

from __future__ import annotations

import json
import time
from typing import Any

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

PATIENCE = 60.0
"""Seconds to wait for what must come, on a busy machine too."""

_ASYNC = """
const done = arguments[arguments.length - 1];
const body = async (...args) => { %s };
body(...[...arguments].slice(0, -1)).then(
  (value) => done(JSON.stringify({ value: value ?? null })),
  (error) => done(JSON.stringify({ error: `${error} ${error?.stack ?? ""}` })),
);
"""


class Tab:
    """One window of a browser."""

    def __init__(self, driver: WebDriver) -> None:
        self.driver = driver
        driver.set_script_timeout(PATIENCE)
        driver.set_page_load_timeout(PATIENCE)
        driver.set_window_size(1280, 900)

    def open(self, url: str) -> None:
        """Go there, and wait until it has loaded."""
        self.driver.get(url)

    def run(self, body: str, *args: Any) -> Any:
        """The value of `return ...` in a function's body; `args` are its `arguments`."""
        return self.driver.execute_script(body, *args)

    def ask(self, body: str, *args: Any) -> Any:
        """The same for the body of an async function, whose arguments are `args`; values as JSON has them."""
        told = json.loads(self.driver.execute_async_script(_ASYNC % body, *args))
        assert "error" not in told, told
        return told["value"]

    def wait(self, body: str, *args: Any) -> Any:
        """Until a function's body returns something true; what it returned."""
        deadline = time.monotonic() + PATIENCE
        while not (found := self.run(body, *args)):
            assert time.monotonic() < deadline, f"this did not come: {body} {args}"
            time.sleep(0.05)
        return found

    def all(self, selector: str, inside: str | None = "#search") -> list[WebElement]:
        """Elements, of an element's shadow tree or (None) of the page."""
        found: list[WebElement] = self.run(
            """const [selector, inside] = arguments;
            const root = inside ? document.querySelector(inside).shadowRoot : document;
            return [...root.querySelectorAll(selector)];""",
            selector,
            inside,
        )
        return found

    def one(self, selector: str, inside: str | None = "#search") -> WebElement:
        """The first of them, waited for."""
        self.wait(
            """const [selector, inside] = arguments;
            const root = inside ? document.querySelector(inside)?.shadowRoot : document;
            return root?.querySelector(selector) != null;""",
            selector,
            inside,
        )
        return self.all(selector, inside)[0]

    def texts(self, selector: str, inside: str | None = "#search") -> list[str]:
        """What such elements say."""
        return [element.text for element in self.all(selector, inside)]

    def press(self, *keys: str) -> None:
        """Keys for whatever has the focus."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, holding: str, key: str) -> None:
        """A key while another is held."""
        ActionChains(self.driver).key_down(holding).send_keys(key).key_up(holding).perform()

    def wait_ready(self, element: str = "#search") -> None:
        """Until the core is up, or has failed."""
        self.wait(
            "return ['ready', 'failed'].includes(document.querySelector(arguments[0])?.view?.phase)", element
        )
        assert self.view(element)["phase"] == "ready", self.view(element)["error"]

    def view(self, element: str = "#search") -> dict[str, Any]:
        """What an element shows, as data."""
        found: dict[str, Any] = json.loads(
            self.run("return JSON.stringify(document.querySelector(arguments[0]).view)", element)
        )
        return found

    def fill(self, text: str, element: str = "#search") -> None:
        """Empty the box and type."""
        box = self.one("input.input", element)
        box.clear()
        box.send_keys(text)

    def search_for(self, text: str, element: str = "#search") -> list[dict[str, Any]]:
        """Type a query and wait for the core's answer: its results."""
        self.fill(text, element)
        self.wait_answer(text, element)
        results: list[dict[str, Any]] = self.view(element)["results"]
        return results

    def wait_answer(self, text: str, element: str = "#search") -> None:
        """Until the core's own answer to `text` is drawn."""
        self.wait(
            """const view = document.querySelector(arguments[0])?.view;
            return view && !view.quick && (view.answer?.query.text === arguments[1] || view.error);""",
            element,
            text,
        )
        assert self.view(element)["error"] is None, self.view(element)["error"]
        self.drawn()

    def wait_factory(self, factory: str, element: str = "#search") -> None:
        """Until a factory and all its sources answer what the box says."""
        self.wait(
            """const [name, factory] = arguments;
            const view = document.querySelector(name)?.view;
            if (view?.factory !== factory || view.phase !== "ready") return false;
            if (!view.query) return true;
            return view.answer?.factory === factory && !view.answer.degraded.length;""",
            element,
            factory,
        )
        self.drawn()

    def drawn(self) -> None:
        """Until what the elements know is on the page: they draw it in the next frame."""
        self.ask("await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));")
