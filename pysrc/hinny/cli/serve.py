"""`hinny serve DIR`: a small web server for one's own machine."""

from __future__ import annotations

import argparse
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from hinny.bundle.manifest import NAME, Manifest
from hinny.bundle.writer import is_bundle
from hinny.cli.text import complain, say
from hinny.errors import InvalidOption

_EPILOG = """\
examples:
  hinny serve public                      the site with its search, on http://127.0.0.1:8000/
  hinny serve public --port 0             on any free port
  hinny serve public --isolate            with COOP and COEP, as hosts with cross-origin isolation do
"""


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "serve",
        help="serve a folder to a browser on this machine",
        description="Serve a folder of static files with the media types that the search needs; a bundle "
        "without a page gets one. "
        "For trying things out: put the folder on a real web server for readers.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder to serve")
    parser.add_argument(
        "--port", type=int, default=8000, metavar="N", help="0 for any free one (default: 8000)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="NAME", help="address to listen on (default: 127.0.0.1)"
    )
    parser.add_argument(
        "--isolate", action="store_true", help="send the headers of cross-origin isolation (COOP, COEP)"
    )
    parser.add_argument("--verbose", action="store_true", help="print each request")
    parser.set_defaults(run=run)


class Handler(SimpleHTTPRequestHandler):
    """Files with the right media types; names that carry a hash may be kept for ever."""

    protocol_version = "HTTP/1.1"
    # Head and body are sent apart: else the second waits, up to 50 ms, for the first's acknowledgement.
    disable_nagle_algorithm = True
    page: Path | None = None
    """A folder that is looked into for what the served one lacks."""
    isolate = False
    verbose = False
    _found = False
    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        "": "application/octet-stream",
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".jsonz": "application/octet-stream",
        ".md": "text/markdown; charset=utf-8",
        ".mjs": "text/javascript; charset=utf-8",
        ".npz": "application/octet-stream",
        ".onnx": "application/octet-stream",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
        ".whl": "application/zip",
        ".woff2": "font/woff2",
        ".zip": "application/zip",
        ".tar": "application/x-tar",
        ".gz": "application/gzip",
        ".txt": "text/plain; charset=utf-8",
    }

    def translate_path(self, path: str) -> str:
        """The file or folder that is asked for."""
        found = super().translate_path(path)
        place = Path(found)
        if self.page is None or _answers(place):
            return found
        other = self.page / place.relative_to(self.directory)
        return f"{other}/" if other.is_dir() and _answers(other) else str(other if other.is_file() else found)

    def send_response(self, code: int, message: str | None = None) -> None:
        """Remember whether the file was there."""
        self._found = code in (200, 304)
        super().send_response(code, message)

    def end_headers(self) -> None:
        """Add the headers that all answers carry."""
        kept = self._found and any(
            len(piece) == 16 and _is_hex(piece) for piece in self.path.rpartition("/")[2].split(".")
        )
        self.send_header("Cache-Control", "public, max-age=31536000, immutable" if kept else "no-cache")
        if self.isolate:
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
            self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        super().end_headers()

    def log_message(self, format: str, *values: Any) -> None:
        """One line on standard error, with --verbose only."""
        if self.verbose:
            complain(f"{self.address_string()} {format % values}")


def _answers(place: Path) -> bool:
    return place.is_file() or (place / "index.html").is_file()


def page_for(folder: Path, into: Path) -> Path | None:
    """A page to search from, made in `into`, for a bundle that has none; None for any other folder.

    An exported bundle has no page of its own. Its browser files are this package's, and the runtime's come
    from the cache (`hinny runtime fetch`). Raises `NoApp` when the scripts have not been built.
    """
    if not is_bundle(folder) or _answers(folder) or (folder / "app").exists():
        return None
    from hinny.site.app import add_app, add_page

    manifest = Manifest.from_bytes((folder / NAME).read_bytes(), str(folder / NAME))
    add_app(into, offline=True, models=bool(manifest.models))
    add_page(into, manifest.title, manifest.factory)
    return into


def _is_hex(text: str) -> bool:
    return all(sign in "0123456789abcdef" for sign in text)


def make_server(
    folder: Path,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    page: Path | None = None,
    isolate: bool = False,
    verbose: bool = False,
) -> ThreadingHTTPServer:
    """A server for the folder that listens already; `server_address` has the port. Raises `InvalidOption`.

    What the folder lacks is looked for in `page`.
    """
    if not folder.is_dir():
        raise InvalidOption("DIR", str(folder), "a folder that exists")
    handler = type("_Handler", (Handler,), {"page": page, "isolate": isolate, "verbose": verbose})
    try:
        return ThreadingHTTPServer((host, port), partial(handler, directory=str(folder)))
    except (OSError, OverflowError) as taken:
        raise InvalidOption("--port", port, f"a port that is free on {host} ({taken})") from taken


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from tempfile import TemporaryDirectory

    from hinny.site.app import NoApp

    with TemporaryDirectory(prefix="hinny-page-") as temporary:
        try:
            page = page_for(arguments.folder, Path(temporary))
        except NoApp as missing:
            complain(f"no page to search from: {missing}")
            page = None
        _serve(arguments, page)
    return 0


def _serve(arguments: argparse.Namespace, page: Path | None) -> None:
    server = make_server(
        arguments.folder,
        arguments.host,
        arguments.port,
        page=page,
        isolate=arguments.isolate,
        verbose=arguments.verbose,
    )
    with server:
        host = arguments.host if arguments.host not in ("", "0.0.0.0", "::") else "127.0.0.1"
        say(f"http://{host}:{server.server_address[1]}/")
        say("stop with Ctrl+C")
        import sys

        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say()
