"""Downloads one file of known size: to a side file, resumed after a break, tried again where that helps.

The bytes are not judged here beyond their number: whoever asked compares the hash before the file is
given its name.
"""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hinny.errors import FetchFailed, IntegrityError

CHUNK = 1 << 18
TIMEOUT = 30.0
"""Seconds without a byte before a download counts as stalled."""
ATTEMPTS = 4

Progress = Callable[[int, int], None]
"""Called with the bytes at hand and the bytes in all."""


class _Again(Exception):
    """A failure that another attempt may mend."""


def download(
    url: str,
    part: Path,
    size: int,
    *,
    progress: Progress | None = None,
    timeout: float = TIMEOUT,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Bring `part` to `size` bytes from `url`; what it already holds is not asked for again.

    Raises `FetchFailed` with the reason (refused, not found, a web page instead of the file, ended
    early, stalled), `IntegrityError` when the host sends more than `size` bytes. The part file stays
    after a break, for the next attempt to go on from.
    """
    if part.exists() and part.stat().st_size > size:
        part.unlink()
    for attempt in range(ATTEMPTS):
        if attempt:
            pause(0.5 * 2.0 ** (attempt - 1))
        try:
            _attempt(url, part, size, progress, timeout)
            return
        except _Again as failure:
            reason = str(failure)
    raise FetchFailed(f"{url}: {reason}, {ATTEMPTS} attempts made; what arrived is kept, try again later")


def _attempt(url: str, part: Path, size: int, progress: Progress | None, timeout: float) -> None:
    have = part.stat().st_size if part.exists() else 0
    if have == size:
        return
    request = urllib.request.Request(url, headers={"User-Agent": "hinny", "Accept-Encoding": "identity"})
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        with urllib.request.urlopen(request, timeout=timeout) as response:
            if response.status != 206:  # the host starts over
                have = 0
            _check_type(url, response)
            with part.open("ab" if have else "wb") as out:
                _copy(url, response, out, have, size, progress)
    except urllib.error.HTTPError as error:
        _answered(url, part, error)
    except TimeoutError:
        raise _Again(f"no byte for {timeout:g} s") from None
    except urllib.error.URLError as error:
        raise _Again(f"no answer ({error.reason})") from None
    except (http.client.HTTPException, ConnectionError) as error:
        raise _Again(f"the connection broke ({type(error).__name__})") from None
    got = part.stat().st_size
    if got < size:
        raise _Again(f"the answer ended after {got:,} of {size:,} bytes")


def _answered(url: str, part: Path, error: urllib.error.HTTPError) -> None:
    error.close()
    if error.code == 416:  # what we hold is no beginning of this file
        part.unlink(missing_ok=True)
        raise _Again("the host refused the range") from None
    if error.code in (408, 425, 429) or error.code >= 500:
        raise _Again(f"the host answered {error.code}") from None
    advice = {
        401: "it wants a login",
        403: "it refused",
        404: "there is no such file; is the pin or the base URL wrong?",
    }
    raise FetchFailed(
        f"{url}: the host answered {error.code}: {advice.get(error.code, error.reason)}"
    ) from None


def _check_type(url: str, response: Any) -> None:
    kind = (response.headers.get_content_type() or "").lower()
    if kind in ("text/html", "application/xhtml+xml"):
        raise FetchFailed(f"{url}: the host sent a web page in place of the file (a login or error page?)")


def _copy(url: str, response: Any, out: Any, have: int, size: int, progress: Progress | None) -> None:
    while chunk := response.read(CHUNK):
        have += len(chunk)
        if have > size:
            out.close()
            Path(out.name).unlink(missing_ok=True)
            raise IntegrityError(url.rsplit("/", 1)[-1], url, f"{size} bytes", f"{have} bytes and more")
        out.write(chunk)
        if progress is not None:
            progress(have, size)
