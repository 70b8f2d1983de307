"""Words, numbers and identifiers as people type them: into what each falls.

| as written | whole words | parts, or further forms |
|---|---|---|
| `createUser`, `XMLHttpRequest` | createuser, xmlhttprequest | create, user; xml, http, request |
| `snake_case`, `node.js`, `std::vector`, `src/a/b.py` | as written, folded | pieces, pieces of pieces |
| `--no-cache`, `@app.route`, `$HOME`, `.NET`, `\\copy` | as written, folded | without the sign; its pieces |
| `C++`, `C#`, `notepad++` | c++, c#, notepad++ | notepad (one letter is no part) |
| `full-text`, `UTF-8`, `e-mail` | full, text; utf, 8; e, mail | joined: fulltext; utf8; email |
| `TCP/IP`, `and/or` | tcp, ip; and, or | joined: tcp/ip; and/or |
| `don't`, `dog's`, `she'll`, `O'Reilly` | dont, dog, she, oreilly | reilly |
| `l'homme`, `qu'il` | l, homme; qu, il | |
| `1,000,000`, `1.2.3`, `2024-05-12` | 1000000, 1.2.3, 2024-05-12 | 1.2; 2024, 2024-05 |
| `U.S.A.`, `e.g.` | usa, eg | |
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from hinny.text.folding import fold
from hinny.text.tokens import JOINED, PART, WORD

# Term, position, start, end, kind, exact form.
Row = tuple[str, int, int, int, int, str]
Lower = Callable[[str], str]

MAX_LENGTH = 128
"""Longest term, in characters: longer runs are cut, and a longer identifier is taken as its words."""
_MAX_JOINED = 40

# Patterns over class letters, compiled when first used.
_PLAIN = "[aA0m]+"
_PIECE = f"[aA0][aA0m]{{0,{MAX_LENGTH - 1}}}"
_ACRONYM = r"(?:[aA]m*\.)+[aA]m*"
_DATE = "0000(?:-00(?:-00(?:[aA]0+[aA]?)?)?|/00/00)"
_VERSION = r"[aA]?0+(?:\.0+)+"
_THOUSANDS = r"0{1,3}(?:,000)+(?:\.0+)?"
_COMPOUND = "[aA0m'i]+(?:-[aA0m'i]+)+|[aAm'i]+/[aAm'i]+"
_EMPHASIS = "_[aA0][aA0m]*_+"
_SIGN = r"[@$#\\.-]*_*"
_TAIL = r"(?:_+|\+\+0*|#)$"
_CAMEL = "(?<=[am])(?=A)|(?<=A)(?=Am*a)|(?<=0)(?=Am*a)"
_PLURAL_ACRONYM = "A{2,}a"
_LEVELS = (("/\\@#&:", r"[/\\@#&]|::"), (".", r"\."), ("-", "-"), ("_", "_+"), ("'", "'"))
_SEPARATOR = "[-/]"
_compiled = cache(re.compile)
_LETTERS_AND_DIGITS = str.maketrans("", "", "aA0m")
_HYPHENS = str.maketrans("", "", "-\u2010")
_MARKS_INSIDE = str.maketrans("", "", "'\u2019\u02bc\u2018\u055a\u00b7\u0387\u05f3\u05f4,")

# What English hangs on a word: taken off, for `she'll` closed up would be `shell`.
_HANGING = frozenset({"s", "re", "ll", "ve", "d", "m"})
_ELISIONS = """
    l d j m t s n c qu jusqu lorsqu puisqu quoiqu quelqu presqu entr un dell all nell sull dall coll dagl negl
    quell quest sant bell tutt senz anch com dov cos
"""
_ELIDED = frozenset(_ELISIONS.split())
_SOUNDS_LIKE_A_VOWEL = frozenset(["a", "e", "i", "o", "u", "y", "h"])

# Names that are written with a capital inside and are one word all the same.
_CAPITALISED = """
    airpods arxiv bert bibtex bigquery bitbucket bittorrent bytedance chatgpt clickhouse coffeescript
    colbert couchdb covid deepmind devops dna dockerhub doi duckdb dynamodb ecmascript elasticsearch
    facebook fastapi freebsd ghz github gitlab gitops gmbh graphql hashicorp hubspot huggingface influxdb
    intellij javafx javascript jetbrains jquery khz latex libreoffice linkedin macbook macos mariadb
    mastercard matlab mcdonald mckinsey mhz mongodb mrna mysql netbsd netware nosql numpy openai openbsd
    opengl openid openjdk openmp opensearch openssh openssl openstack openstreetmap paypal phd photoshop
    playstation postgis postgresql powerpoint powershell pubmed pycharm pypi pypy pytorch quicktime
    rabbitmq redhat restructuredtext rocksdb rrna scipy scylladb sharepoint sirna sourceforge sqlalchemy
    sqlite stackoverflow tensorflow tiktok trna typescript unixware virtualbox vmware webassembly webgl
    webkit wifi wordpress xcode youtube
"""
_NAMES = frozenset(_CAPITALISED.split())


def cut_identifier(
    text: str,
    classes: str,
    start: int,
    end: int,
    position: int,
    rows: list[Row],
    lower: Lower,
) -> None:
    """Append the rows of `text[start:end]`, one match of the segmenter, from `position` on."""
    shape = classes[start:end]
    signs = shape.translate(_LETTERS_AND_DIGITS)
    if end - start > MAX_LENGTH:
        for match in re.finditer(_PIECE, shape):
            _add(text, start + match.start(), start + match.end(), position, WORD, rows, lower)
            position += 1
    elif not signs:
        _add(text, start, end, position, WORD, rows, lower)
        if "A" in shape[1:] and "a" in shape:
            _add_parts(text, classes, start, end, position, rows, lower)
    elif shape[0] == "0" and _matches(_DATE, shape):
        _cut_date(text, start, end, position, rows, lower)
    elif "." in signs and _matches(_ACRONYM, shape) and ("a" not in shape or classes[end : end + 1] == "."):
        end += classes[end : end + 1] == "."
        term = fold(text[start:end]).replace(".", "")
        rows.append((term, position, start, end, WORD, lower(text[start:end])))
    elif "," in signs and _matches(_THOUSANDS, shape):
        _add(text, start, end, position, WORD, rows, lower)
    elif not signs.strip("'i"):
        _cut_apostrophes(text, classes, start, end, position, rows, lower)
    elif shape[0] in "aA0" and _matches(_COMPOUND, shape):
        _cut_compound(text, classes, start, end, position, rows, lower)
    elif shape[-1] == "#" and (end - start > 4 or signs != "#"):
        cut_identifier(text, classes, start, end - 1, position, rows, lower)
    elif shape[0] == "_" and _matches(_EMPHASIS, shape):
        cut_identifier(text, classes, start + 1, start + len(shape.rstrip("_")), position, rows, lower)
    else:
        _add(text, start, end, position, WORD, rows, lower)
        _add_parts(text, classes, start, end, position, rows, lower)


def _matches(pattern: str, shape: str) -> bool:
    return _compiled(pattern).fullmatch(shape) is not None


def _term(piece: str) -> str:
    """Folded, without the marks that stand inside a word or number."""
    return fold(piece.translate(_MARKS_INSIDE))


def _add(text: str, start: int, end: int, position: int, kind: int, rows: list[Row], lower: Lower) -> None:
    piece = text[start:end]
    term, exact = _term(piece), lower(piece)
    rows.append((term, position, start, end, kind, term if exact == term else exact))


def _add_parts(
    text: str, classes: str, start: int, end: int, position: int, rows: list[Row], lower: Lower
) -> None:
    """What the pieces of the identifier just added are by themselves; a term once, none of one letter."""
    seen = {rows[-1][0]}
    for first, last in _inside(text, classes, start, end):
        inner: list[Row] = []
        cut_identifier(text, classes, first, last, position, inner, lower)
        for term, _, begin, stop, _, exact in inner:
            if stop - begin > 1 and term not in seen:
                seen.add(term)
                rows.append((term, position, begin, stop, PART, exact))


def _inside(text: str, classes: str, start: int, end: int) -> list[tuple[int, int]]:
    """The next smaller pieces: without its signs, else those between its strongest separators."""
    shape = classes[start:end]
    sign = None if shape[0] in "aA0" else _compiled(_SIGN).match(shape)
    head = sign.end() if sign else 0
    tail = _compiled(_TAIL).search(shape, head) if shape[-1] in "_#+" or "++" in shape else None
    if head or tail:
        core = (start + head, start + tail.start() if tail else end)
        return [(core[0], core[1] + 2), core] if tail and tail.group()[-1] == "0" else [core]  # c++17
    if "." in shape and _matches(_VERSION, shape):
        if shape[0] != "0":  # v1.2.3
            return [(start + 1, end)]
        second_dot = shape.find(".", shape.find(".") + 1)
        return [(start, start + second_dot)] if second_dot > 0 else []
    for signs, separator in _LEVELS:
        if any(sign in shape for sign in signs):
            return _pieces(separator, classes, start, end)
    if _matches(_PLURAL_ACRONYM, shape) or fold(text[start:end]) in _NAMES:
        return []
    pieces = _pieces(_CAMEL, classes, start, end)
    return [] if pieces[0][1] - pieces[0][0] < 2 or len(pieces) < 2 else pieces  # iPhone, eBay, aB


def _pieces(separator: str, classes: str, start: int, end: int) -> list[tuple[int, int]]:
    pieces: list[tuple[int, int]] = []
    at = start
    for match in _compiled(separator).finditer(classes, start, end):
        if match.start() > at:
            pieces.append((at, match.start()))
        at = match.end()
    if at < end:
        pieces.append((at, end))
    return pieces


def _cut_date(text: str, start: int, end: int, position: int, rows: list[Row], lower: Lower) -> None:
    """One term for all spellings of a day or month; year and month lead to it, a time of day follows it."""
    time, end = end, min(end, start + 10)
    digits = fold(text[start:end]).replace("/", "-")
    exact = lower(text[start:end])
    rows.append((digits, position, start, end, WORD, digits if exact == digits else exact))
    for length in (4, 7):
        if length < end - start:
            term, exact = digits[:length], lower(text[start : start + length])
            rows.append((term, position, start, start + length, PART, term if exact == term else exact))
    if time > end:
        _add(text, end, time, position + 1, WORD, rows, lower)


def _cut_apostrophes(
    text: str, classes: str, start: int, end: int, position: int, rows: list[Row], lower: Lower
) -> None:
    """An ending comes off, a contraction closes up, an elided article is a word; else whole and parts."""
    at = classes.find("'", start, end)
    if at < 0:  # only marks inside words, such as the Catalan middle dot
        _add(text, start, end, position, WORD, rows, lower)
        return
    head, rest = fold(text[start:at]), fold(text[at + 1 : end])
    if head in _ELIDED and rest[:1] in _SOUNDS_LIKE_A_VOWEL:
        _add(text, start, at, position, WORD, rows, lower)
        cut_identifier(text, classes, at + 1, end, position + 1, rows, lower)
        return
    last = classes.rfind("'", start, end)
    ending = fold(text[last + 1 : end])
    if ending in _HANGING:
        rows.append((_term(text[start:last]), position, start, end, WORD, lower(text[start:end])))
        if classes.find("'", start, last) < 0:
            return
        end = last
    else:
        _add(text, start, end, position, WORD, rows, lower)
        if ending == "t" and fold(text[last - 1]) == "n":  # don't
            return
    seen = {rows[-1][0]}
    for match in _compiled(_PLAIN).finditer(classes, start, end):
        if match.end() - match.start() > 1 and _term(match.group()) not in seen:
            _add(text, match.start(), match.end(), position, PART, rows, lower)


def _cut_compound(
    text: str, classes: str, start: int, end: int, position: int, rows: list[Row], lower: Lower
) -> None:
    """Words one after the other, as if written with spaces; and the closed spelling at the first."""
    pieces = _pieces(_SEPARATOR, classes, start, end)
    if len(pieces) <= 4 and end - start <= _MAX_JOINED and "a" in classes[start:end].lower():
        term, exact = _term(text[start:end].translate(_HYPHENS)), lower(text[start:end])
        rows.append((term, position, start, end, JOINED, term if exact == term else exact))
    for first, last in pieces:
        cut_identifier(text, classes, first, last, position, rows, lower)
        position = rows[-1][1] + 1
