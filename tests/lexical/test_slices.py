"""Parts: the same answers whole and in slices, each part fetched once, damage named."""

from __future__ import annotations

import asyncio
import json
from random import Random

import numpy as np
import pytest

from hinny.errors import BundleError, BundleMissing, IntegrityError, UnsupportedVersion
from hinny.lexical.index import LexicalIndex
from hinny.npz import pack, unpack
from hinny.records import Document
from support import run

random = Random(5)
WORDS = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in ("rn", "st", "lt", "ng", "x")]
DOCUMENTS = [
    Document(
        f"d{n:04}",
        {
            "title": " ".join(random.choices(WORDS, k=3)),
            "text": "every page " + " ".join(random.choices(WORDS, k=60)),
        },
        {"n": n},
        "en",
    )
    for n in range(300)
]
SLICED = LexicalIndex.build(DOCUMENTS, slice_bytes=2048, whole=False)
PARTS = SLICED.to_parts()
QUERIES = [
    "barn",
    "best kelt",
    '"barn best"',
    "ba*",
    "barm",
    "title:dong",
    "+barn -best",
    "every page barn dong gix fust",
]


class Source:
    """A bundle that counts its reads."""

    def __init__(self, parts: dict[str, bytes], wait: bool = False) -> None:
        self.parts = parts
        self.reads: list[str] = []
        self.gate = asyncio.Event() if wait else None
        self.running = self.most = 0

    @property
    def names(self) -> list[str]:
        return list(self.parts)

    async def read(self, name: str) -> bytes:
        self.reads.append(name)
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            if self.gate is not None and name not in ("lexical/dictionary", "lexical/index"):
                await self.gate.wait()
            await asyncio.sleep(0)
            return self.parts[name]
        finally:
            self.running -= 1


def test_slices_and_the_whole_answer_bit_by_bit_alike() -> None:
    whole = LexicalIndex.build(DOCUMENTS, whole=True)
    assert "lexical/index" in whole.to_parts() and len(PARTS) > 8

    async def check() -> None:
        for query in QUERIES:
            opened = await LexicalIndex.open(Source(PARTS))
            hits = (await opened.search_async(query, limit=300)).hits
            assert (
                hits and hits == whole.search(query, limit=300).hits == SLICED.search(query, limit=300).hits
            )

    run(check())


def test_the_same_documents_give_the_same_bytes() -> None:
    assert LexicalIndex.build(DOCUMENTS, slice_bytes=2048, whole=False).to_parts() == PARTS
    assert LexicalIndex.from_parts(PARTS).to_parts() == PARTS


def test_a_query_reads_what_it_needs_and_nothing_twice() -> None:
    async def check() -> None:
        source = Source(PARTS)
        opened = await LexicalIndex.open(source)
        needs = opened.needs("barn kelt")
        assert 1 <= len(needs) <= 2 and all(name.startswith("lexical/postings.") for name in needs)
        await asyncio.gather(*(opened.search_async("barn kelt") for _ in range(5)))
        await opened.search_async("kelt barn")
        assert sorted(source.reads) == sorted(["lexical/dictionary", *needs])
        assert any(name.startswith("lexical/positions.") for name in opened.needs('"barn kelt"'))

    run(check())


def test_slices_are_fetched_in_parallel() -> None:
    async def check() -> None:
        source = Source(PARTS)
        opened = await LexicalIndex.open(source)
        await opened.search_async("barn dong fust kelt gix")
        assert source.most > 1

    run(check())


def test_a_cancelled_search_leaves_the_others_their_slice() -> None:
    async def check() -> None:
        source = Source(PARTS, wait=True)
        opened = await LexicalIndex.open(source)
        first = asyncio.ensure_future(opened.search_async("barn"))
        second = asyncio.ensure_future(opened.search_async("barn"))
        await asyncio.sleep(0.01)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert source.gate is not None
        source.gate.set()
        assert (await second).hits == SLICED.search("barn").hits
        assert len(source.reads) == 2

    run(check())


def test_a_search_without_waiting_says_what_is_not_there() -> None:
    async def check() -> None:
        opened = await LexicalIndex.open(Source(PARTS))
        with pytest.raises(BundleMissing, match="use search_async"):
            opened.search("barn")
        await opened.load(opened.needs("barn"))
        assert opened.search("barn").hits == SLICED.search("barn").hits

    run(check())


def test_a_failed_read_is_an_error_once_and_can_be_tried_again() -> None:
    class Failing(Source):
        broken = True

        async def read(self, name: str) -> bytes:
            if self.broken and name != "lexical/dictionary":
                raise IntegrityError(name, "here", "this", "that")
            return await super().read(name)

    async def check() -> None:
        source = Failing(PARTS)
        opened = await LexicalIndex.open(source)
        with pytest.raises(IntegrityError, match="lexical/postings"):
            await opened.search_async("barn")
        source.broken = False
        assert (await opened.search_async("barn")).hits

    run(check())


def part_of(query: str) -> str:
    return SLICED.needs(query)[0]


@pytest.mark.parametrize("harm", ["cut", "swapped", "other", "missing"])
def test_a_damaged_slice_is_named_and_not_searched(harm: str) -> None:
    name = part_of("barn")
    parts = dict(PARTS)
    if harm == "cut":
        parts[name] = parts[name][:-200]
    elif harm == "swapped":
        parts[name] = PARTS[next(n for n in PARTS if n.startswith("lexical/postings") and n != name)]
    elif harm == "other":
        parts[name] = pack({"something": np.zeros(3, np.uint8)})
    else:
        del parts[name]
    index = LexicalIndex.from_parts(parts)
    with pytest.raises(BundleError):
        index.search("barn")


@pytest.mark.parametrize("change", [slice(None, -1), slice(1, None)])
def test_a_slice_with_more_or_less_than_its_postings_is_damage(change: slice) -> None:
    name = part_of("barn")
    data = unpack(PARTS[name])["data"]
    for damaged in (data[change], np.concatenate([data, data[change]])):
        with pytest.raises(BundleError, match=r"lexical (part|slice)"):
            LexicalIndex.from_parts(PARTS | {name: pack({"data": damaged})}).search("barn")


def dictionary(**header: object) -> dict[str, bytes]:
    arrays = dict(unpack(PARTS["lexical/dictionary"]))
    known = json.loads(arrays["header"].tobytes())
    known.update(header)
    arrays["header"] = np.frombuffer(json.dumps(known).encode(), np.uint8)
    return PARTS | {"lexical/dictionary": pack(arrays)}


def test_another_format_version_is_refused() -> None:
    with pytest.raises(UnsupportedVersion, match="version 99"):
        LexicalIndex.from_parts(dictionary(version=99))
    with pytest.raises(BundleError, match="no lexical index"):
        LexicalIndex.from_parts(dictionary(format="other"))
    with pytest.raises(UnsupportedVersion, match="version 1"):
        LexicalIndex.from_parts(dictionary(version=1))
    with pytest.raises(BundleError, match="dictionary is damaged"):
        LexicalIndex.from_parts(dictionary(fields={"title": {"colour": 1}}))
    with pytest.raises(BundleMissing, match="lexical/dictionary"):
        LexicalIndex.from_parts({})


@pytest.mark.parametrize("array", ["data", "texts"])
def test_a_dictionary_that_does_not_fit_together_is_refused(array: str) -> None:
    arrays = dict(unpack(PARTS["lexical/dictionary"]))
    whole = arrays.pop(array)
    for damaged in (whole[:-1], whole[: whole.size // 2], whole[:0], np.append(whole, whole[:9]), whole[1:]):
        with pytest.raises(BundleError):
            LexicalIndex.from_parts(PARTS | {"lexical/dictionary": pack(arrays | {array: damaged})})
    with pytest.raises(BundleError, match=f"dictionary is damaged: '{array}'"):
        LexicalIndex.from_parts(PARTS | {"lexical/dictionary": pack(arrays)})


@pytest.mark.parametrize("documents", [299, 301, -1, 1 << 40])
def test_a_dictionary_of_another_number_of_documents_is_refused(documents: int) -> None:
    with pytest.raises(BundleError):
        LexicalIndex.from_parts(dictionary(documents=documents))
