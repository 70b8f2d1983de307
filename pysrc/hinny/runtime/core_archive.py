"""`hinny-core.zip`: our package as the worker loads it, the same bytes for the same sources."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path, PurePosixPath

PACKAGE = Path(__file__).parents[1]

_LEFT_OUT = ("assets/", "runtime/", "models/make/", "cli/", "__main__.py")
"""What only a machine that builds sites needs."""

_KEPT = ("runtime/__init__.py", "runtime/blocking_loop.py", "runtime/later.py", "runtime/rehearsal.py")
"""What makes a snapshot, inside the interpreter that it is made of."""

_DATE = (1980, 1, 1, 0, 0, 0)


def core_files(package: Path = PACKAGE) -> dict[str, bytes]:
    """The files that go to the browser, by their path in the archive, sorted."""
    found: dict[str, bytes] = {}
    for path in package.rglob("*"):
        inside = path.relative_to(package).as_posix()
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        if inside.startswith(_LEFT_OUT) and inside not in _KEPT:
            continue
        found[str(PurePosixPath("hinny", inside))] = path.read_bytes()
    return dict(sorted(found.items()))


def build(package: Path = PACKAGE) -> bytes:
    """The archive: deflated, every date 1980, names sorted."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in core_files(package).items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()
