"""Reading a bundle: verified, each part fetched once at a time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hinny.bundle.manifest import NAME, Manifest
from hinny.bundle.reader import BundleReader, Parts
from hinny.bundle.storage import FolderStorage, MappingStorage
from hinny.bundle.writer import bundle_files, with_parts
from hinny.errors import BundleError, BundleMissing, IntegrityError
from hinny.protocols import PartSource
from support import run

PARTS = {"a": b"alpha", "b/c": b"PK\3\4"}
MANIFEST = with_parts(Manifest("T", {"pages": 1, "sections": 1, "terms": 1}, {}), PARTS)
FILES = bundle_files(MANIFEST, PARTS)


def test_parts_are_read_from_memory_and_from_a_folder(tmp_path: Path) -> None:
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)

    async def read() -> None:
        for storage in (MappingStorage(FILES), FolderStorage(tmp_path), str(tmp_path)):
            reader = await BundleReader.open(storage)
            assert isinstance(reader, PartSource)
            assert set(reader.names) == set(PARTS)
            assert {name: await reader.read(name) for name in reader.names} == PARTS
            assert await reader.verify() == []

    run(read())


def test_a_part_that_is_not_there_is_named() -> None:
    async def read() -> None:
        reader = await BundleReader.open(MappingStorage(FILES, "the place"))
        with pytest.raises(BundleMissing, match="the place has no part 'nothing'"):
            await reader.read("nothing")

    run(read())
    with pytest.raises(BundleMissing, match="no part 'nothing'"):
        Parts(PARTS).read("nothing")
    assert Parts(PARTS).read("a") == b"alpha"


@pytest.mark.parametrize(
    ("data", "expected", "found"),
    [
        (b"alph", "5 bytes", "4 bytes"),
        (b"", "5 bytes", "0 bytes"),
        (b"alphA", "SHA-256 8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8", "SHA-256"),
    ],
)
def test_a_changed_part_is_refused(data: bytes, expected: str, found: str) -> None:
    files = {**FILES, MANIFEST.parts["a"].file: data}

    async def read() -> None:
        reader = await BundleReader.open(MappingStorage(files))
        with pytest.raises(IntegrityError) as caught:
            await reader.read("a")
        assert caught.value.expected == expected
        assert caught.value.found.startswith(found)
        assert caught.value.found != expected
        assert await reader.read("b/c") == PARTS["b/c"]
        assert len(await reader.verify()) == 1

    run(read())


def test_a_missing_file_and_a_missing_bundle_are_named(tmp_path: Path) -> None:
    files = {name: data for name, data in FILES.items() if name != MANIFEST.parts["a"].file}

    async def read() -> None:
        reader = await BundleReader.open(MappingStorage(files))
        with pytest.raises(BundleMissing):
            await reader.read("a")
        assert len(await reader.verify()) == 1
        with pytest.raises(BundleMissing, match=r"manifest.json"):
            await BundleReader.open(FolderStorage(tmp_path / "nowhere"))
        with pytest.raises(BundleMissing):
            await BundleReader.open(MappingStorage({}))
        with pytest.raises(BundleError, match=r"here/manifest\.json is no JSON"):
            await BundleReader.open(MappingStorage({NAME: b"<html>"}, "here/"))

    run(read())


def test_a_folder_in_the_place_of_a_file_is_an_error_of_the_bundle(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with pytest.raises(BundleError, match="cannot be read"):
        FolderStorage(tmp_path).read("x")


class Slow:
    """A storage that counts, and that answers when told to."""

    place = "slow"

    def __init__(self) -> None:
        self.reads: list[str] = []
        self.go = asyncio.Event()

    async def read(self, file: str) -> bytes:
        self.reads.append(file)
        await self.go.wait()
        return FILES[file]


def test_reads_that_overlap_share_one_fetch_and_later_ones_do_not() -> None:
    async def read() -> None:
        storage = Slow()
        reader = BundleReader(MANIFEST, storage)
        several = [asyncio.ensure_future(reader.read("a")) for _ in range(3)]
        await asyncio.sleep(0)
        storage.go.set()
        assert await asyncio.gather(*several) == [b"alpha"] * 3
        assert len(storage.reads) == 1
        await reader.read("a")
        assert len(storage.reads) == 2

    run(read())


def test_a_reader_that_gives_up_does_not_take_the_part_from_another() -> None:
    async def read() -> None:
        storage = Slow()
        reader = BundleReader(MANIFEST, storage)
        one, two = (asyncio.ensure_future(reader.read("a")) for _ in range(2))
        await asyncio.sleep(0)
        one.cancel()
        await asyncio.sleep(0)
        storage.go.set()
        assert await two == b"alpha"
        assert one.cancelled()

    run(read())


def test_a_failure_is_not_kept() -> None:
    async def read() -> None:
        files = {**FILES, MANIFEST.parts["a"].file: b""}
        reader = BundleReader(MANIFEST, MappingStorage(files))
        with pytest.raises(IntegrityError):
            await reader.read("a")
        files[MANIFEST.parts["a"].file] = b"alpha"
        assert await reader.read("a") == b"alpha"

    run(read())
