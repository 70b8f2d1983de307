"""Bytes to text, as browsers and broken pages need it.

In order: a byte order mark; the encoding that the page declares (`<meta charset>`, `<meta http-equiv>`,
an XML declaration) under the names of the WHATWG Encoding Standard; UTF-8; and at last windows-1252,
which fits any byte. Whatever had to be guessed is reported, never silent.
"""

from __future__ import annotations

import codecs
from re import IGNORECASE
from re import compile as regex

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = regex(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})|<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_.:-]{2,40})""",
    IGNORECASE,
)
_HEAD = 4096  # the standard reads 1,024 bytes; some generators put comments before

# What the web means by these names (encoding.spec.whatwg.org, "Names and labels") where Python means less.
_LABELS = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "latin1": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    # A page that could be read as ASCII to find this cannot be in UTF-16.
    "utf-16": "utf-8",
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
    "unicode": "utf-8",
}


def is_binary(data: bytes) -> bool:
    """True when the first 8 KiB hold a zero byte and no UTF-16 mark: an image, an archive, a program."""
    return b"\0" in data[:8192] and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def decode(data: bytes) -> tuple[str, str | None]:
    """The text, and what was wrong with its encoding (None when nothing was)."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), None
    declared = _declaration(data)
    encoding = _LABELS.get(declared, declared)
    if encoding in ("", "utf-8", "utf8"):
        text = _strict(data, "utf-8")
        if text is not None:
            return text, None
        return data.decode("cp1252", "replace"), "not UTF-8: read as windows-1252"
    utf8 = None if data.isascii() else _strict(data, "utf-8")
    if utf8 is not None and encoding.startswith("cp125"):
        # Bytes of a one-byte encoding are hardly ever valid UTF-8 by chance.
        return utf8, f"declared as {declared}, but is UTF-8"
    text = _strict(data, encoding)
    if text is not None:
        return text, None
    if utf8 is not None:
        return utf8, f"declared as {declared}, but is UTF-8"
    return data.decode("cp1252", "replace"), f"not {declared}, as declared: read as windows-1252"


def _declaration(data: bytes) -> str:
    found = _DECLARED.search(data[:_HEAD])
    return (found[1] or found[2]).decode("ascii").lower() if found else ""


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None
