"""Bytes to text: marks, declarations, UTF-8, and guesses that are named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.site.encoding import decode, is_binary

GERMAN = "Größe über alles"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (GERMAN.encode(), GERMAN),
        (b"\xef\xbb\xbf" + GERMAN.encode(), GERMAN),
        (GERMAN.encode("utf-16"), GERMAN),
        (b"\xfe\xff" + GERMAN.encode("utf-16-be"), GERMAN),
        (b'<meta charset="iso-8859-1">' + GERMAN.encode("latin-1"), '<meta charset="iso-8859-1">' + GERMAN),
        (
            b"<?xml version='1.0' encoding='ISO-8859-15'?>\xa4",
            "<?xml version='1.0' encoding='ISO-8859-15'?>€",
        ),
        (
            b'<META http-equiv=Content-Type content="text/html; charset=Shift_JIS">' + "検索".encode("cp932"),
            '<META http-equiv=Content-Type content="text/html; charset=Shift_JIS">検索',
        ),
        (b'<meta charset="gb2312">' + "全文检索".encode("gb18030"), '<meta charset="gb2312">全文检索'),
        # What the web calls latin1 is windows-1252: 0x93 and 0x94 are quotation marks.
        (b"<meta charset=latin1>\x93so\x94", "<meta charset=latin1>“so”"),
        (b'<meta charset="utf-16">plain', '<meta charset="utf-16">plain'),
    ],
)
def test_text_comes_out_as_it_was_written(data: bytes, expected: str) -> None:
    assert decode(data) == (expected, None)


def test_a_wrong_declaration_of_utf8_is_named_and_read_as_windows_1252() -> None:
    text, problem = decode(b'<meta charset="utf-8">' + GERMAN.encode("latin-1"))
    assert text.endswith(GERMAN)
    assert problem == "not UTF-8: read as windows-1252"


def test_undeclared_bytes_that_are_not_utf8_are_named() -> None:
    assert decode(b"caf\xe9") == ("café", "not UTF-8: read as windows-1252")


def test_utf8_declared_as_latin1_is_utf8() -> None:
    text, problem = decode(b'<meta charset="iso-8859-1">' + GERMAN.encode())
    assert text.endswith(GERMAN)
    assert problem == "declared as iso-8859-1, but is UTF-8"


@pytest.mark.parametrize("name", ["no-such-code", "rot13", "hex", "idna"])
def test_an_encoding_that_is_none_is_named(name: str) -> None:
    data = f'<meta charset="{name}">'.encode() + GERMAN.encode()
    text, problem = decode(data)
    assert text.endswith(GERMAN)
    assert problem == f"declared as {name}, but is UTF-8"


def test_bytes_that_break_their_declared_encoding_are_named() -> None:
    text, problem = decode(b'<meta charset="euc-jp">ab\xff\xfe\xe9')
    assert text.endswith("é")
    assert problem == "not euc-jp, as declared: read as windows-1252"


def test_a_zero_byte_makes_a_file_binary_unless_it_is_utf16() -> None:
    assert is_binary(b"GIF89a\0\0")
    assert not is_binary("text".encode("utf-16"))
    assert not is_binary(b"text")


@given(st.text())
def test_any_text_survives_as_utf8(text: str) -> None:
    text = text.replace("\ufeff", "")
    found, problem = decode(b"<meta charset=utf-8>" + text.encode("utf-8", "surrogatepass"))
    if problem is None:
        assert found == "<meta charset=utf-8>" + text


@given(st.binary())
def test_no_bytes_are_refused(data: bytes) -> None:
    assert isinstance(decode(data)[0], str)
