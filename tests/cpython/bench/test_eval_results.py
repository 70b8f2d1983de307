"""Numbers kept, put together and shown."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench.eval.corpora import COLLECTIONS
from bench.eval.evaluate import Scores, overlap
from bench.eval.metrics import METRICS
from bench.eval.notes import AIMS
from bench.eval.report import write_report
from bench.eval.results import flat, kept_file, read, save, summarise
from bench.eval.rivals import pairs


def scores() -> Scores:
    """Ten questions: words find all but one, vectors half."""
    words, vectors = np.ones((10, len(METRICS))), np.zeros((10, len(METRICS)))
    words[0] = 0
    vectors[:5] = 1
    values = {"bm25s": words / 2, "lexical": words, "dense": vectors, "maxsim": vectors, "dense_tq4": vectors}
    values |= {"dense_tq4_refined": vectors, "rrf_dense": np.ones((10, len(METRICS)))}
    return Scores(values, {"documents": 7.0, "questions": 10.0, "overlap10_dense_tq4": 0.95})


def test_what_was_kept_is_read_again(tmp_path: Path) -> None:
    save(tmp_path / "kept" / "one.npz", scores())
    again = read(tmp_path / "kept" / "one.npz")
    assert again.facts == scores().facts
    assert list(again.values) == list(scores().values)
    assert again.values["dense"].tolist() == scores().values["dense"].tolist()
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["one.npz"]


def test_a_change_of_data_code_or_model_is_another_file(tmp_path: Path) -> None:
    folder = tmp_path / "scifact"
    folder.mkdir()
    for name in ("corpus.jsonl", "queries.jsonl", "qrels.tsv"):
        (folder / name).write_text(name)
    about = COLLECTIONS["scifact"]
    first = kept_file(tmp_path, tmp_path, about, "code", ["model"])
    assert first == kept_file(tmp_path, tmp_path, about, "code", ["model"])
    others = {
        kept_file(tmp_path, tmp_path, about, "code2", ["model"]),
        kept_file(tmp_path, tmp_path, about, "code", ["model2"]),
    }
    (folder / "qrels.tsv").write_text("changed")
    others.add(kept_file(tmp_path, tmp_path, about, "code", ["model"]))
    assert len(others) == 3 and first not in others


def test_means_and_comparisons() -> None:
    found = summarise({"scifact": scores()})["scifact"]
    assert found["better"] == "lexical"
    table = found["methods"]
    assert table["lexical"]["ndcg10"] == 0.9
    assert table["rrf_dense"]["vs_lexical"]["difference"] == pytest.approx(0.1)
    assert table["rrf_dense"]["vs_better"] == table["rrf_dense"]["vs_lexical"]
    assert "vs_lexical" not in table["lexical"]
    assert table["lexical"]["vs_bm25s"]["p"] < 0.05 < table["rrf_dense"]["vs_lexical"]["p"]


def test_the_names_of_the_summary() -> None:
    numbers = flat(summarise({"scifact": scores(), "nfcorpus": scores()}))
    assert numbers["ndcg_scifact_rrf_dense"] == 1.0
    assert numbers["lexical_ndcg_nfcorpus"] == 0.9
    assert numbers["tq4_ndcg_loss_scifact"] == 0.0
    assert numbers["tq4_overlap10"] == 0.95


def test_overlap_is_of_the_first_ten() -> None:
    assert overlap([[*"abcd"]], [[*"abxy"]]) == 0.5
    assert overlap([[*"abcdefghij", "k"]], [[*"bcdefghijk", "a"]]) == 0.9


def test_the_report_is_the_same_for_the_same_numbers(tmp_path: Path) -> None:
    report = {
        "machine": "toy",
        "versions": {"numpy": "2"},
        "collections": summarise({"scifact": scores()}),
    }
    for name in ("one", "two"):
        write_report(report, tmp_path / name)
    text = (tmp_path / "one" / "evaluation.md").read_text(encoding="utf-8")
    assert "| words on `scifact` | 0.690 | 0.900 | met |" in text
    assert "| 1.000 (+0.100) |" in text
    pictures = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.svg"))
    assert pictures
    for picture in pictures:
        assert str(picture) in text
        assert (tmp_path / "one" / picture).read_bytes() == (tmp_path / "two" / picture).read_bytes()
    assert text == (tmp_path / "two" / "evaluation.md").read_text(encoding="utf-8")


def test_aims_are_measured_where_their_sets_were() -> None:
    assert [aim.measure({}) for aim in AIMS] == [None] * len(AIMS)
    tables = {"scifact": summarise({"scifact": scores()})["scifact"]["methods"]}
    found = {aim.says: aim.measure(tables) for aim in AIMS if aim.measure(tables) is not None}
    assert found["words on `scifact`"] == 0.9
    (fused,) = [value for says, value in found.items() if says.startswith("`rrf_dense`")]
    assert fused == pytest.approx(0.1)


def test_chinese_becomes_characters_and_pairs() -> None:
    assert pairs("看电影 now").split() == ["看", "电", "影", "看电", "电影", "now"]
    assert pairs("plain words") == "plain words"
