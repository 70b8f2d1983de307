import pytest

from hinny.dense.last_query import LastQuery
from hinny.errors import InvalidOption, NotFinite
from support import run


def test_the_last_text_is_encoded_once():
    asked = []
    last = LastQuery(lambda text: asked.append(text) or text.upper(), "embed_query")
    answers = [run(last.get(text, list)) for text in ("a", "a", "b", "a")]
    assert answers == [["A"], ["A"], ["B"], ["A"]]
    assert asked == ["a", "b", "a"]


def test_coroutines_are_awaited():
    async def encode(text):
        return text * 2

    assert run(LastQuery(encode, "embed_query").get("x", str)) == "xx"


def test_what_fails_its_check_is_not_kept():
    asked = []

    def check(value):
        if len(asked) == 1:
            raise NotFinite("no")
        return value

    last = LastQuery(lambda text: asked.append(text) or 5, "embed_query")
    with pytest.raises(NotFinite):
        run(last.get("x", check))
    assert run(last.get("x", check)) == 5
    assert asked == ["x", "x"]


def test_no_encoder():
    with pytest.raises(InvalidOption, match="has a text and no vector"):
        run(LastQuery(None, "embed_query").get("x", str))
    with pytest.raises(InvalidOption, match="embed_query=5"):
        LastQuery(5, "embed_query")
