"""docs/ranking.md and docs/explanations.md name every option, field, decision and reason there is."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from hinny.factories import FACTORIES
from hinny.ranking.options import FusionOptions, RerankOptions, SearchOptions, WeakLexicalOptions
from hinny.records import Degraded, DegradedReason, Hit, ScoreKind, SearchResponse, Signal

DOCS = Path(__file__).resolve().parents[2] / "docs"
RANKING = (DOCS / "ranking.md").read_text(encoding="utf-8")
EXPLANATIONS = (DOCS / "explanations.md").read_text(encoding="utf-8")


def named(name: str, text: str) -> bool:
    return re.search(rf"[`\"|]{re.escape(name)}\b", text) is not None


@pytest.mark.parametrize("kind", [SearchOptions, FusionOptions, WeakLexicalOptions, RerankOptions])
def test_every_option_is_documented(kind: type) -> None:
    for item in fields(kind):
        assert named(item.name, RANKING), item.name


@pytest.mark.parametrize("kind", [SearchResponse, Hit, Signal, Degraded])
def test_every_field_is_explained(kind: type) -> None:
    for item in fields(kind):
        assert named(item.name, EXPLANATIONS), item.name


def test_every_kind_of_score_and_failure_is_explained() -> None:
    for name in (*get_args(ScoreKind), *get_args(DegradedReason)):
        assert named(name, EXPLANATIONS), name


def test_every_reason_and_decision_in_the_code_is_explained() -> None:
    ranking = Path(__file__).resolve().parents[2] / "pysrc" / "hinny" / "ranking"
    code = "\n".join(path.read_text(encoding="utf-8") for path in ranking.glob("*.py"))
    found = re.findall(r'because\(\w[^,]*, f?"([\w-]+)', code)
    found += re.findall(r'"(?:action|reason)": "([\w-]+)"', code)
    found += re.findall(r'(?:return|unavailable\()\s*"([a-z]+-?[a-z-]*)"', code)
    assert len(set(found)) >= 12
    for name in set(found):
        assert named(name, EXPLANATIONS), name


def test_every_factory_has_its_line() -> None:
    for name in (
        "create_lexical_only_search",
        "create_lexical_semantic_tiny_search",
        "create_hybrid_index",
        "create_lexical_semantic_search",
        "create_three_source_search",
        "create_progressive_search",
    ):
        assert f"`{name}" in RANKING or f"`await {name}" in RANKING
    assert len(FACTORIES) == 4
