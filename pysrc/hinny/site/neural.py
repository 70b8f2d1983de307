"""Sections to what the neural factories search by, when a site is built.

    vectors/...            one vector a section, by an embedder              (factory `semantic`)
    tokens/index           a vector a token, by a late-interaction model     (factory `tiny`)
    site/questions         benchmark questions, gzipped JSON: [{"id", "text"}, ...]
    questions/vectors      their vectors, float32 [n, d]
    questions/tokens       their token vectors, one after the other: counts int32 [n], tokens float32 [t, d]

Sections are encoded as title, headings and text, a line each, shortest first, so that little is spent on
padding; what a model cannot take is cut and counted. A question that is recorded ranks without its model.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from re import compile as regex
from typing import TYPE_CHECKING, Any, NamedTuple

from hinny.errors import InvalidInput
from hinny.factories import Texts, query_encoder, texts_by_id
from hinny.site.factories import QUESTIONS, RECORDED, TOKENS, VECTOR
from hinny.site.store import pack_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hinny.models.colbert import ColbertEncoder
    from hinny.models.embedder import TextEmbedder
    from hinny.models.pins import ModelPin
    from hinny.platform.base import Platform

_GROUP = 256
"""Sections that a model is given at a time; it makes batches of them by itself."""
_SMALL_GROUP = 32
"""Sections that are tokenised at a time where somebody waits for a pause."""

Progress = Callable[[str, int, int], None]
"""Called with the model's id, how many sections are done, and how many there are."""


Pause = Callable[[], Awaitable[None]]


class Question(NamedTuple):
    """A benchmark question of a site."""

    id: str
    text: str


@dataclass(slots=True)
class Encoded:
    """Parts and manifest entries of the neural factories, and what became of the sections."""

    parts: dict[str, bytes] = field(default_factory=dict)
    pins: dict[str, ModelPin] = field(default_factory=dict)
    """The model of each source."""
    truncated: dict[str, int] = field(default_factory=dict)
    """By model: sections longer than it takes, of which only the beginning was encoded."""


def manifest_entry(pin: ModelPin, source: str, base: str) -> dict[str, Any]:
    """What the manifest says of a model: its pin, its fingerprint, what it serves and where its files are."""
    return {**pin.to_dict(), "fingerprint": pin.fingerprint(), "serves": source, "base": base}


async def encode_site(
    documents: Texts,
    pins: Mapping[str, ModelPin],
    platform: Platform,
    *,
    questions: Sequence[Question] = (),
    bits: int = 4,
    progress: Progress | None = None,
    batch_tokens: int | None = None,
    pause: Pause | None = None,
) -> Encoded:
    """Encode the documents by the model of each source; `bits` a coordinate are kept.

    `pause` is awaited between batches, for whoever has something else to do meanwhile; `batch_tokens` keeps
    them so small (a longer section is a batch of its own). `progress` is told of 0 before a model is loaded.
    Raises `ModelError` and its descendants when a model is not at hand or fails.
    """
    from hinny.models.encoders import make_encoder

    encoded = Encoded(pins=dict(pins))
    texts = texts_by_id(documents)
    if questions:
        encoded.parts[QUESTIONS] = pack_json([question._asdict() for question in questions])
    for source, pin in pins.items():
        encoder: Any = make_encoder(pin, platform, truncate=True)
        try:
            limit = pin.document_length - (pin.document_marker is not None)
            begun = [beginning(text, pin.document_length) for text in texts.values()]
            tell = _teller(progress, pin.id, len(begun), pause)
            await tell(0)
            lengths = await _lengths(encoder, [pin.document_prefix + text for text in begun], pause)
            encoded.truncated[pin.id] = sum(length > limit for length in lengths)
            encode = encoder.embed_documents if source == VECTOR else encoder.encode_documents
            rows = await _rows(begun, _batches(lengths, batch_tokens), encode, tell)
            parts = _vectors if source == VECTOR else _tokens
            encoded.parts |= parts(list(texts), rows, encoder, bits)
            if questions:
                encoded.parts[RECORDED[source]] = await _record(source, encoder, questions)
        finally:
            await encoder.dispose()
    return encoded


_WORDS = regex(r"\s*\S+")


def beginning(text: str, words: int) -> str:
    """The first `words` words of a text, as they are: a word is a token at least, so no model sees less."""
    end = 0
    for number, found in enumerate(_WORDS.finditer(text), 1):
        end = found.end()
        if number == words:
            return text[:end]
    return text


def read_questions(data: str, name: str = "questions") -> list[Question]:
    """Questions from JSON Lines: `{"text": ..., "id": ...}`; without an id it is the line's number.

    Raises `InvalidInput` with the line's number.
    """
    questions: dict[str, Question] = {}
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
            text, id = found["text"], str(found.get("id", number))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InvalidInput(f'{name}, line {number}: expected {{"text": ...}}') from None
        if not isinstance(text, str) or not text.strip():
            raise InvalidInput(f"{name}, line {number}: a question needs a text")
        if id in questions:
            raise InvalidInput(f"{name}, line {number}: the id {id!r} is there twice")
        questions[id] = Question(id, text)
    return list(questions.values())


def recorded_rows(data: bytes, source: str, fingerprint: str) -> list[NDArray[np.float32]]:
    """What `encode_site` recorded, by question; `FingerprintMismatch` when another model made it."""
    import numpy as np

    from hinny.dense.part_meta import unpack_part
    from hinny.models.pins import check_fingerprint

    name = RECORDED[source]
    arrays, meta = unpack_part({name: data}, name)
    check_fingerprint(name, str(meta["fingerprint"]), fingerprint)
    rows = arrays["rows"].astype(np.float32, copy=False)
    return list(rows) if source == VECTOR else np.split(rows, np.cumsum(arrays["counts"])[:-1])


async def _lengths(
    encoder: TextEmbedder | ColbertEncoder, texts: Sequence[str], pause: Pause | None
) -> list[int]:
    lengths: list[int] = []
    group = _GROUP if pause is None else _SMALL_GROUP
    for start in range(0, len(texts), group):
        lengths += map(len, await encoder.tokenize(texts[start : start + group]))
        if pause is not None:
            await pause()
    return lengths


def _batches(lengths: Sequence[int], tokens: int | None) -> Iterator[list[int]]:
    """Rows by length, the shortest first, in batches of `tokens` with padding, or of so many texts."""
    order = sorted(range(len(lengths)), key=lambda row: (lengths[row], row))
    batch: list[int] = []
    for row in order:
        full = len(batch) == _GROUP or (tokens is not None and (len(batch) + 1) * lengths[row] > tokens)
        if batch and full:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


async def _rows(
    texts: Sequence[str],
    batches: Iterator[list[int]],
    encode: Callable[..., Any],
    tell: Callable[[int], Awaitable[None]],
) -> list[Any]:
    rows: list[Any] = [None] * len(texts)
    done = 0
    for batch in batches:
        made = await encode([texts[row] for row in batch])
        for row, encoded in zip(batch, made, strict=True):
            rows[row] = encoded
        done += len(batch)
        await tell(done)
    return rows


def _vectors(ids: list[str], rows: list[Any], encoder: TextEmbedder, bits: int) -> dict[str, bytes]:
    from hinny.dense.retriever import create_vector_retriever

    return create_vector_retriever(
        ids=ids, vectors=rows, strategy="turboquant", bits=bits, fingerprint=encoder.fingerprint
    ).to_parts()


def _tokens(ids: list[str], rows: list[Any], encoder: ColbertEncoder, bits: int) -> dict[str, bytes]:
    from hinny.late.retriever import create_colbert_retriever

    return create_colbert_retriever(
        ids=ids,
        matrices=rows,
        encode_query=query_encoder(encoder),
        bits=bits,
        fingerprint=encoder.fingerprint,
    ).to_parts()


async def _record(source: str, encoder: Any, questions: Sequence[Question]) -> bytes:
    import numpy as np

    from hinny.dense.part_meta import pack_part

    # One by one, as a reader's words are: a batch's padding may change a last digit.
    embed = encoder.embed_queries if source == VECTOR else encoder.encode_queries
    made = [(await embed([question.text], truncate=True))[0] for question in questions]
    arrays: dict[str, Any] = {"rows": np.vstack(made).astype("<f4")}
    if source == TOKENS:
        arrays["counts"] = np.array([len(matrix) for matrix in made], dtype="<i4")
    return pack_part(arrays, {"fingerprint": encoder.fingerprint})


def _teller(
    progress: Progress | None, model: str, total: int, pause: Pause | None
) -> Callable[[int], Awaitable[None]]:
    async def tell(done: int) -> None:
        if progress is not None:
            progress(model, done, total)
        if pause is not None:
            await pause()

    return tell
