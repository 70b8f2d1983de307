"""How the worker is answered: JSON, and no exception crosses the border.

`{"ok": true, "value": ...}` or `{"ok": false, "error": {"kind", "message"}}`, the kinds being those of
worker/src/errors.ts. `"incomplete": true` says that a module was missing: the worker then loads what its
snapshot leaves out, and asks again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from hinny.errors import (
    BundleMissing,
    FingerprintMismatch,
    HinnyError,
    IntegrityError,
    InvalidInput,
    InvalidOption,
    ModelError,
    RuntimeFileError,
    UnsupportedVersion,
)

_KINDS: tuple[tuple[type[BaseException], str], ...] = (
    (UnsupportedVersion, "bundle-version"),
    (BundleMissing, "bundle-missing"),
    (FingerprintMismatch, "bundle-damaged"),
    (IntegrityError, "bundle-damaged"),
    (ModelError, "model"),
    (RuntimeFileError, "runtime"),
    (InvalidOption, "query"),
    (InvalidInput, "query"),
)

GIVEN_UP = '{"ok": false, "error": {"kind": "query", "message": "given up: a newer question came"}}'


def _kind(error: BaseException) -> str:
    kind = getattr(error, "kind", None)
    if isinstance(kind, str):
        return kind
    for family, name in _KINDS:
        if isinstance(error, family):
            return name
    return "bundle-damaged" if isinstance(error, HinnyError) else "query"


def _message(error: BaseException) -> str:
    """Our own errors speak for themselves; of any other, say its type and our line that met it."""
    if isinstance(error, HinnyError):
        return str(error)
    where = ""
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if "/hinny/" in file:
            where = f" (hinny/{file.rpartition('/hinny/')[2]}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return f"{type(error).__name__}: {error}{where}"


async def reply(work: Callable[[], Awaitable[Any]]) -> str:
    """The value of `work`, or what went wrong with it."""
    try:
        return json.dumps({"ok": True, "value": await work()}, ensure_ascii=False)
    except asyncio.CancelledError:
        return GIVEN_UP
    except Exception as error:
        answer: dict[str, Any] = {"error": {"kind": _kind(error), "message": _message(error)}}
        # The standard library's archive is absent while all that a query needs is in the snapshot.
        answer["incomplete"] = isinstance(error, ImportError) or (
            isinstance(error, FileNotFoundError) and str(error.filename).startswith("/lib/python")
        )
    return json.dumps({"ok": False, **answer}, ensure_ascii=False)
