"""Every class of identifier, worked by hand."""

from __future__ import annotations

import pytest

from hinny.text.analyzer import JOINED, PART, WORD, get_analyzer

ANALYZER = get_analyzer("standard@1")


def forms(text: str) -> tuple[list[list[str]], list[str], list[str]]:
    """Whole words by position, parts, joined spellings."""
    tokens = ANALYZER.analyze(text)
    words = [token.term for token in tokens if token.kind == WORD]
    parts = [token.term for token in tokens if token.kind == PART]
    joined = [token.term for token in tokens if token.kind == JOINED]
    return [words], parts, joined


@pytest.mark.parametrize(
    ("written", "words", "parts"),
    [
        ("C++", ["c++"], []),
        ("C#", ["c#"], []),
        ("F#", ["f#"], []),
        ("C++17", ["c++17"], ["c++"]),
        ("notepad++", ["notepad++"], ["notepad"]),
        (".NET", [".net"], ["net"]),
        ("node.js", ["node.js"], ["node", "js"]),
        ("snake_case", ["snake_case"], ["snake", "case"]),
        ("camelCase", ["camelcase"], ["camel", "case"]),
        ("PascalCase", ["pascalcase"], ["pascal", "case"]),
        ("XMLHttpRequest", ["xmlhttprequest"], ["xml", "http", "request"]),
        ("base64Encode", ["base64encode"], ["base64", "encode"]),
        ("APIs", ["apis"], []),
        ("iPhone", ["iphone"], []),
        ("JavaScript", ["javascript"], []),
        ("std::vector", ["std::vector"], ["std", "vector"]),
        ("os.path.join", ["os.path.join"], ["os", "path", "join"]),
        (
            "src/text/fold_it.py",
            ["src/text/fold_it.py"],
            ["src", "text", "fold_it.py", "fold_it", "fold", "it", "py"],
        ),
        ("/etc/fs/tab", ["etc/fs/tab"], ["etc", "fs", "tab"]),
        ("C:\\Windows\\Temp", ["c", "\\windows\\temp"], ["windows\\temp", "windows", "temp"]),
        ("--no-cache", ["--no-cache"], ["nocache", "no", "cache"]),
        ("-v", ["-v"], []),
        ("@app.route", ["@app.route"], ["app.route", "app", "route"]),
        ("@scope/pkg", ["@scope/pkg"], ["scope/pkg", "scope", "pkg"]),
        ("$HOME", ["$home"], ["home"]),
        ("$1", ["$1"], []),
        ("#42", ["#42"], ["42"]),
        ("\\copy", ["\\copy"], ["copy"]),
        ("__init__", ["__init__"], ["init"]),
        ("_emphasis_", ["emphasis"], []),
        ("class_", ["class_"], ["class"]),
        ("ERR_404", ["err_404"], ["err", "404"]),
        ("0x80004005", ["0x80004005"], []),
        ("x86_64", ["x86_64"], ["x86", "64"]),
        ("me@example.org", ["me@example.org"], ["me", "example.org", "example", "org"]),
        ("AT&T", ["at&t"], ["at"]),
        ("String#length", ["string#length"], ["string", "length"]),
        ("foo()", ["foo"], []),
        ("a->b", ["a", "b"], []),
        ("key=value", ["key", "value"], []),
        ("section#", ["section"], []),
        ("5\u2032-end", ["5", "end"], []),
        ("(--all)", ["--all"], ["all"]),
    ],
)
def test_identifiers_are_whole_and_in_parts(written: str, words: list[str], parts: list[str]) -> None:
    assert forms(written) == ([words], parts, [])


@pytest.mark.parametrize(
    ("written", "words", "parts"),
    [
        ("3.14", ["3.14"], []),
        ("1,000,000", ["1000000"], []),
        ("12,345.67", ["12345.67"], []),
        ("1,2", ["1", "2"], []),
        ("1.2.3", ["1.2.3"], ["1.2"]),
        ("v1.2.3", ["v1.2.3"], ["1.2.3", "1.2"]),
        ("192.168.0.1", ["192.168.0.1"], ["192.168"]),
        ("2024-05-12", ["2024-05-12"], ["2024", "2024-05"]),
        ("2024/05/12", ["2024-05-12"], ["2024", "2024-05"]),
        ("2024-05", ["2024-05"], ["2024"]),
        ("2024-05-12T10:30", ["2024-05-12", "t10", "30"], ["2024", "2024-05"]),
        ("10:30", ["10", "30"], []),
        ("½", ["1/2"], []),
        ("1/2", ["1/2"], []),
    ],
)
def test_numbers_versions_dates(written: str, words: list[str], parts: list[str]) -> None:
    assert forms(written) == ([words], parts, [])


@pytest.mark.parametrize(
    ("written", "words", "joined"),
    [
        ("full-text", ["full", "text"], ["fulltext"]),
        ("e-mail", ["e", "mail"], ["email"]),
        ("UTF-8", ["utf", "8"], ["utf8"]),
        ("state-of-the-art", ["state", "of", "the", "art"], ["stateoftheart"]),
        ("a-b-c-d-e", ["a", "b", "c", "d", "e"], []),
        ("10-20", ["10", "20"], []),
        ("TCP/IP", ["tcp", "ip"], ["tcp/ip"]),
        ("word--word", ["word", "word"], []),
        ("non\u2011breaking", ["non", "breaking"], ["nonbreaking"]),
    ],
)
def test_hyphenated_words_are_words_and_their_closed_spelling(
    written: str, words: list[str], joined: list[str]
) -> None:
    tokens = ANALYZER.analyze(written)
    assert forms(written) == ([words], [], joined)
    assert [token.position for token in tokens if token.kind == WORD] == list(range(len(words)))
    assert all(token.position == 0 for token in tokens if token.kind == JOINED)


@pytest.mark.parametrize(
    ("written", "words", "parts"),
    [
        ("don't", ["dont"], []),
        ("don\u2019t", ["dont"], []),
        ("dog's", ["dog"], []),
        ("she'll", ["she"], []),
        ("we're", ["we"], []),
        ("dogs'", ["dogs"], []),
        ("'quoted'", ["quoted"], []),
        ("O'Reilly", ["oreilly"], ["reilly"]),
        ("O'Neill's", ["oneill"], ["neill"]),
        ("l'homme", ["l", "homme"], []),
        ("L\u2019été", ["l", "ete"], []),
        ("qu'il", ["qu", "il"], []),
        ("dell'arte", ["dell", "arte"], []),
        ("c'è", ["c", "e"], []),
        ("rock'n'roll", ["rocknroll"], ["rock", "roll"]),
        ("col·lecció", ["colleccio"], []),
        ("п'ять", ["пять"], ["ять"]),
        ("U.S.A.", ["usa"], []),
        ("U.S.", ["us"], []),
        ("e.g.", ["eg"], []),
        ("a.b", ["a.b"], []),
        ("end.Next", ["end.next"], ["end", "next"]),
    ],
)
def test_apostrophes_and_abbreviations(written: str, words: list[str], parts: list[str]) -> None:
    assert forms(written) == ([words], parts, [])


def test_parts_share_the_position_of_the_whole() -> None:
    tokens = ANALYZER.analyze("call getUserName now")
    assert [(token.term, token.position) for token in tokens] == [
        ("call", 0),
        ("getusername", 1),
        ("get", 1),
        ("user", 1),
        ("name", 1),
        ("now", 2),
    ]


def test_a_word_without_end_is_cut() -> None:
    tokens = ANALYZER.analyze("x" * 1000 + "_" + "y" * 10)
    assert [len(token.term) for token in tokens] == [128] * 7 + [104, 10]
    assert [token.position for token in tokens] == list(range(9))
