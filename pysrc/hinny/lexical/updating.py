"""The parts of an index with documents added and others removed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from hinny.lexical.builder import collect
from hinny.lexical.engine import Engine
from hinny.lexical.storage import DICTIONARY, WHOLE, make_parts
from hinny.lexical.store import Arrays
from hinny.lexical.update import corpus_of, keep, merge
from hinny.records import Document
from hinny.text.analyzer import Analyzer, get_analyzer


def updated_parts(
    engine: Engine, added: Sequence[Document], remove: Collection[str], registry: Mapping[str, Analyzer]
) -> Mapping[str, Arrays]:
    """The arrays of all parts; the index must be all in memory.

    Raises `InvalidInput` for an id to remove that it does not have.
    """
    replaced = engine.rows_of([document.id for document in added])
    gone = {engine.row_of(id) for id in remove} | set(replaced.tolist())
    r, store = engine.resident, engine.store
    store.load_now([name for name in store.parts or () if name not in (WHOLE, DICTIONARY)])
    corpus = corpus_of(
        store,
        r.analyzers,
        engine.metadata().rows(),
        {name: engine.literals().texts(name) for name in r.literal},
    )
    parts = [(corpus, keep(corpus, gone))]
    if added:
        phonetic = any(getattr(analyzer, "phonetic_keys", False) for analyzer in engine.analyzers)
        new = collect(
            added, r.fields, literal=r.literal, titles=r.titles, registry=registry, phonetic=phonetic
        )
        parts.append((new, keep(new, ())))

    def stem(analyzer: str, exact: str) -> str:
        return (registry.get(analyzer) or get_analyzer(analyzer)).stem(exact)

    return make_parts(merge(parts, stem), r.scoring, r.titles, positions=r.has_positions)
