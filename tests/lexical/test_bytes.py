"""The same documents give the same bytes, on CPython and in Pyodide: this file runs in both."""

from __future__ import annotations

from hashlib import sha256

from hinny.lexical.index import LexicalIndex
from hinny.npz import unpack
from hinny.records import Document

DOCUMENTS = [
    Document(
        "a#1", {"title": "Créer un index", "text": "index tables: node.js, full-text"}, {"year": 1}, "fr"
    ),
    Document("a#2", {"title": "CREATE INDEX", "headings": "SQL\nCREATE INDEX", "text": "an index " * 40}),
    Document("b", {"title": "索引", "text": "建立索引的方法。索引"}, {"tag": ["x", "é"]}, "zh"),
    Document("c", {"title": "Tables", "text": "tables have columns; résumé, resume"}, {"year": 2.5}, "en"),
]
ARRAYS = "66cfa8016cc503017ae2413e249a2eb15bb349fbdcd10ecc71cf1aee11a003f3"
BYTES = "cbc430387ea370b1cfa89ab6385bafdb06bf689a10f637533e007fa5a2052b8f"


def test_the_parts_are_those_that_every_machine_writes() -> None:
    arrays, packed = sha256(), sha256()
    for name, data in sorted(LexicalIndex.build(DOCUMENTS, whole=False).to_parts().items()):
        packed.update(name.encode() + data)
        for key, array in sorted(unpack(data).items()):
            arrays.update(f"{name}/{key} {array.dtype.str} {array.shape}".encode() + array.tobytes())
    assert arrays.hexdigest() == ARRAYS
    # The zlib of CPython and that of Pyodide pack equal arrays alike.
    assert packed.hexdigest() == BYTES


def test_the_order_of_fields_in_a_document_changes_nothing() -> None:
    turned = [
        Document(d.id, dict(reversed(list(d.fields.items()))), d.metadata, d.language) for d in DOCUMENTS
    ]
    assert LexicalIndex.build(turned).to_parts() == LexicalIndex.build(DOCUMENTS).to_parts()
