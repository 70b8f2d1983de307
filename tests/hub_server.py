"""A hub on this machine, which can misbehave in every way that is tested."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Hub:
    """What it serves, how it misbehaves, and what it was asked."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.api: dict[str, Any] = {}
        self.requests: list[tuple[str, str | None]] = []
        """Path and Range header."""
        self.faults: list[str] = []
        """Used up one a request: `500`, `404`, `cut`, `stall`, `html`, `flip`, `no-range`, `more`."""
        self.redirect = False
        self.url = ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        hub = self.hub
        hub.requests.append((self.path, self.headers.get("Range")))
        if hub.redirect and not self.path.startswith("/cdn"):
            self.send_response(302)
            self.send_header("Location", f"{hub.url}/cdn{self.path}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        path = self.path.removeprefix("/cdn")
        if path in hub.api:
            self._send(200, json.dumps(hub.api[path]).encode(), "application/json")
            return
        fault = hub.faults.pop(0) if hub.faults else ""
        if fault.isdigit():
            self._send(int(fault), b"no", "text/plain")
        elif fault == "html":
            self._send(200, b"<!doctype html><title>Log in</title>", "text/html; charset=utf-8")
        elif path not in hub.files:
            self._send(404, b"no", "text/plain")
        else:
            self._file(hub.files[path], fault)

    def _file(self, data: bytes, fault: str) -> None:
        start = 0
        wanted = self.headers.get("Range")
        if wanted and fault != "no-range":
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(data):
                self._send(416, b"", "text/plain")
                return
        body = data[start:]
        if fault == "flip":
            body = bytes([body[0] ^ 1]) + body[1:]
        if fault == "more":
            body += b"!"
        self.send_response(206 if start else 200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if fault in ("cut", "stall"):
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            if fault == "stall":
                time.sleep(1.5)
            self.close_connection = True
            return
        self.wfile.write(body)

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serve() -> Iterator[Hub]:
    """Start it on a free port of this machine."""
    hub = Hub()
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
