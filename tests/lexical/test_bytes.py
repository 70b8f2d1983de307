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
ARRAYS = "5dd9fe45703f1d74b5b54db7226c914ca08468440e5e63610c456f459898555b"
BYTES = "8d4490a110cbf33a4ec343485e4a92ccf83cf9cf93f93a63b808a74487e5162a"


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
