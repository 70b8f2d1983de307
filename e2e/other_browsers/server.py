"""A web server that can be told to stop answering, and to send the policy of docs/csp.md with every file."""

from __future__ import annotations

import re
import threading
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

from hinny.cli.serve import Handler

DOCS = Path(__file__).parents[2] / "docs"
EMPTY = "empty.html"


def policy() -> str:
    """What docs/csp.md promises to be enough."""
    block = re.search(r"```\n(default-src.*?)```", (DOCS / "csp.md").read_text("utf-8"), re.DOTALL)
    assert block is not None
    return " ".join(block.group(1).split())


class _Handler(Handler):
    owner: Server

    def do_GET(self) -> None:  # noqa: N802 (http.server's name)
        if not self.owner.answering:
            self.owner.refused.append(self.path)
            self.close_connection = True  # without a word: what a browser sees when there is no network
        elif self.path.partition("?")[0] == f"/{EMPTY}":
            body = b"<!doctype html><html lang=en><meta charset=utf-8><title>empty</title>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        else:
            super().do_GET()

    def end_headers(self) -> None:
        if self.owner.strict:
            self.send_header("Content-Security-Policy", policy())
        super().end_headers()


class Server:
    """Serves a folder, and an empty page `empty.html`."""

    def __init__(self, folder: Path, *, strict: bool = False) -> None:
        self.answering = True
        self.refused: list[str] = []
        """What was asked for while it did not answer."""
        self.strict = strict
        handler = type("_OwnedHandler", (_Handler,), {"owner": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/"

    def close(self) -> None:
        """Stop for good."""
        self.answering = False
        self._http.shutdown()
        self._http.server_close()
