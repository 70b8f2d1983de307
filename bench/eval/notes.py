"""What the report says in words, and the aims that it holds the numbers against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bench.eval.corpora import BELEBELE, COLLECTIONS, XQUAD

Tables = Mapping[str, Mapping[str, Any]]
PRESETS = ("efficient", "reranked", "tiny", "three_source")
PLAIN = ("bm25s", "lexical", "dense")

OPENING = """\
# How well it finds

Made by `make eval`; every number and picture here comes from its last run ({machine}; {versions}).
`HINNY_DATA` names the folder of the collections; without one, the command says where they can be had. A run
keeps what it encoded and measured (`bench/work`), and one that was broken off goes on where it stopped.

nDCG@10 counts gains as they are, as trec_eval does; R@k is the share of the relevant documents among the
first k. † marks a difference to words alone that chance explains in fewer than one case in twenty (paired
randomisation, two-sided, 10,000 rounds, one comparison at a time); intervals are of the paired bootstrap,
95%, 10,000 rounds. Both are seeded.

The models are the project's own, `minilm-l6-int8` (vectors) and `minilm-l6-late64` (tokens), made from
all-MiniLM-L6-v2. They know English only and read a text's first 256 tokens. So vectors and tokens are tried
on the English sets, and no figure here is one of a multilingual model. The reranker reads the same tokens
as the source of tokens does. Defaults were chosen on `scifact_train`, `nfcorpus_dev` and the manual alone
(the title's weight of 1 among them, where 0.5 is as good; that `cranfield` gains by it was known);
the presets' values are fixed."""

REASONS = """\
Where an aim is missed, why:

- Words on `belebele_zh`: with b = 0.75 in place of 0.4, which was chosen on English sets, it is 0.911, and
  0.914 without the bonus for a word as written, which says nothing in Chinese.
- Fusion on `scifact`: the aim was set beside a BM25 of 0.686. Hinny's own words have 0.698 and MiniLM's
  vectors 0.645, so the sources are unequal, and plain fusion, which trusts them equally, gains a third of
  what it gains on `cranfield`, where they are as good as each other. With the tokens, which are a better
  source here, linear fusion gains 0.032.

Which fusion, where nothing is known of a collection: on `manual_concept` plain fusion loses a tenth. There
the questions are terms that the right page has word for word, pages are long, and the models read their
first 256 tokens; the vectors alone have 0.51 against the words' 0.72. (A site is searched by sections,
which mostly fit; pages are what the book index judges.) So the three-source factory lets vectors and tokens
count by what the words leave open: in full where the first lexical hit matches nothing of the question, a
fifth where it matches all of it ([ranking](ranking.md#weights-by-what-the-words-leave-open)). Its weights
and that fifth were chosen on the tuning sets, by `python -m bench.eval.tune`: the best on average of those
that are above words on each. `three_source_fixed` is the same without the fitting; `adaptive_dense` and
`adaptive_three` have equal weights, fitted. The presets put words ahead by fixed weights."""

LANGUAGES = """\
bm25s has the set-up that its documentation recommends: its stop words and a Snowball stemmer where there
are such (none for Malay; no stop words for Arabic), Chinese in single characters and pairs. `lexical_sum`
adds up each field's own BM25 in place of saturating once over all; sets without titles have one field, so
there is no such variant. The `plain` variants leave out what Hinny adds to BM25: the bonus of a word as
written, of covered titles and of an equal title."""

POLICIES = """\
Positive: better with it. The weak-lexical rule is for questions whose words the index lacks. Where
questions are in the language of the documents it acts on one in a hundred and changes little; on German,
French and Spanish questions about English passages it is worth 0.02 to 0.045 to the preset, and on Chinese
ones, which these models cannot read, it costs 0.01. Routing by length acts on no set, since none has
documents below 12 words. Cutting at a drop gives up recall for a shorter list, so it can only lose here."""

QUANTISING = """\
Lost is float32's nDCG@10 minus that of the smaller index; overlap@10 the share of float32's first ten that
are in its first ten too. 4 bits are 196 bytes a vector of 384 dimensions, 36 a token of 64."""

ENDING = {
    "across": """\
German, French, Spanish and Chinese questions about English passages. Words find what names, numbers and
shared words give away. The models were made for English, yet know enough of the three European languages
that fusion gains 0.05 to 0.19; of Chinese they know next to nothing. A multilingual model
(`multilingual-e5-small` is pinned) would be measured here; it could not be had where this was run.""",
    "numbers": "The same as JSON: `bench/results/eval.json`.",
}


@dataclass(frozen=True)
class Aim:
    """A number that should be at least so high; None where its sets were not measured."""

    says: str
    target: float
    measure: Callable[[Tables], float | None]
    signed: bool = False


def _ndcg(name: str, method: str) -> Callable[[Tables], float | None]:
    def find(tables: Tables) -> float | None:
        row = tables.get(name, {}).get(method)
        return None if row is None else float(row["ndcg10"])

    return find


def _above(name: str, method: str, *others: str) -> Callable[[Tables], float | None]:
    """A method minus the best of others on one set."""

    def find(tables: Tables) -> float | None:
        table = tables.get(name, {})
        if method not in table:
            return None
        return float(
            table[method]["ndcg10"] - max(table[other]["ndcg10"] for other in others if other in table)
        )

    return find


def _worst(method: str, other: str) -> Callable[[Tables], float | None]:
    """A method minus another, on the set where that is worst; sets in their own language only."""

    def find(tables: Tables) -> float | None:
        found = [
            tables[name][method]["ndcg10"] - tables[name][other]["ndcg10"]
            for name, about in COLLECTIONS.items()
            if not about.asked_in and method in tables.get(name, {})
        ]
        return min(found) if found else None

    return find


AIMS = (
    Aim("words on `scifact`", 0.69, _ndcg("scifact", "lexical")),
    Aim("words on `nfcorpus`", 0.325, _ndcg("nfcorpus", "lexical")),
    Aim("words on `cranfield`", 0.37, _ndcg("cranfield", "lexical")),
    Aim("words on `manual_concept`", 0.66, _ndcg("manual_concept", "lexical")),
    *(
        Aim(f"words minus bm25s on `{name}`", 0.0, _above(name, "lexical", "bm25s"), signed=True)
        for name in (*(f"belebele_{tag}" for tag in BELEBELE.values()), *(f"xquad_{tag}" for tag in XQUAD))
    ),
    *(
        Aim(
            f"`{method}` minus the best of bm25s, words and vectors on `{name}`",
            0.03,
            _above(name, method, *PLAIN),
            signed=True,
        )
        for name in ("scifact", "cranfield")
        for method in (
            "rrf_dense",
            "linear_dense",
            "adaptive_dense",
            "rrf_three",
            "linear_three",
            "adaptive_three",
            "three_source",
        )
    ),
    *(
        Aim(f"`{method}` minus words, the worst set", 0.0, _worst(method, "lexical"), signed=True)
        for method in PRESETS
    ),
    *(
        Aim(f"`{method}` minus words, the worst set", 0.0, _worst(method, "lexical"), signed=True)
        for method in ("adaptive_dense", "adaptive_three")
    ),
    *(
        Aim(f"`{method}` minus bm25s, the worst set", 0.0, _worst(method, "bm25s"), signed=True)
        for method in PRESETS
    ),
    *(
        Aim(f"4 bits minus float32 on `{name}`", -0.005, _above(name, "dense_tq4", "dense"), signed=True)
        for name in ("scifact", "nfcorpus")
    ),
    *(
        Aim(
            f"4 bits, 100 refined, minus float32 on `{name}`",
            -0.001,
            _above(name, "dense_tq4_refined", "dense"),
            signed=True,
        )
        for name in ("scifact", "nfcorpus")
    ),
)
