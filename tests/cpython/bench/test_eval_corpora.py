"""Collections as BEIR has them, found or asked for by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.eval import corpora
from bench.eval.corpora import COLLECTIONS, Collection, NoCollections, data_folder, load


def lines(path: Path, *rows: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write(folder: Path) -> None:
    """Two documents, one without a title and one without anything; three questions, two of them judged."""
    lines(
        folder / "corpus.jsonl",
        {"_id": "a", "title": "Vacuum", "text": "reclaims space"},
        {"_id": "b", "title": "", "text": "plain"},
        {"_id": "c", "title": "", "text": ""},
    )
    lines(folder / "queries.jsonl", *({"_id": f"q{n}", "text": f"question {n}"} for n in range(3)))
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq2\ta\t2\nq0\tb\t1\nq0\ta\t0\n")


def test_a_collection_has_its_judged_questions_in_their_order(tmp_path: Path) -> None:
    write(tmp_path / "toy")
    loaded = load(tmp_path, Collection("toy", "toy", "de"))
    assert [(each.id, dict(each.fields), each.language) for each in loaded.documents] == [
        ("a", {"title": "Vacuum", "text": "reclaims space"}, "de"),
        ("b", {"text": "plain"}, "de"),
        ("c", {}, "de"),
    ]
    assert loaded.texts == {"a": "Vacuum reclaims space", "b": "plain", "c": "c"}
    assert loaded.questions == {"q0": "question 0", "q2": "question 2"}
    assert loaded.judged == {"q0": {"b": 1, "a": 0}, "q2": {"a": 2}}


def test_questions_may_come_from_another_folder(tmp_path: Path) -> None:
    write(tmp_path / "toy")
    lines(tmp_path / "other" / "queries.jsonl", {"_id": "q2", "text": "Frage"})
    asked = load(tmp_path, Collection("across", "toy", asked_in="other"))
    assert asked.questions == {"q2": "Frage"}
    assert asked.judged == {"q2": {"a": 2}}


def test_the_folder_is_the_one_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines(tmp_path / "scifact" / "corpus.jsonl")
    monkeypatch.setenv("HINNY_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("HINNY_DATA")
    monkeypatch.setattr(corpora, "ROOT", tmp_path / "checkout")
    with pytest.raises(NoCollections):
        data_folder()
    beside = tmp_path / "data" / "scifact" / "corpus.jsonl"
    lines(beside)
    assert data_folder() == tmp_path / "data"


def test_without_a_folder_it_says_where_each_collection_comes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HINNY_DATA", str(tmp_path))
    with pytest.raises(NoCollections) as problem:
        data_folder()
    for folder in {each.folder.split("/")[0] for each in COLLECTIONS.values()}:
        assert folder in str(problem.value)
