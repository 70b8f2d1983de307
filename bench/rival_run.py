"""Hinny beside one rival at a time, in a page of their own: opening, asking, what became of it.

Eight engines and their indexes in one page were too much for a renderer's memory; two are not, and a page
that dies takes only that rival's part of the run with it. Hinny is asked again beside each rival, so that
both sides of every ratio are measured in turns, in the same page.
"""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from lexical_page import Engines

import rival_pagefind
from hinny.lexical.index import LexicalIndex
from rival_work import Work

OURS, PAGEFIND = "hinny", "pagefind"
MODES = ("plain", "fuzzy", "typing", "phrase")
Open = Callable[[], AbstractContextManager[Engines]]


def gz(data: bytes) -> int:
    """Bytes after gzip at its best."""
    return len(gzip.compress(data, 9, mtime=0))


class Ours:
    """Our index of some documents as the browser gets it, built here."""

    def __init__(self, work: Work) -> None:
        began = perf_counter()
        self.parts = LexicalIndex.build(work.documents, work.fields, exact=()).to_parts()
        self.build_ms = (perf_counter() - began) * 1000
        # Positions serve phrases only; they are files of their own, fetched when a phrase is asked.
        self.positions = sum(len(data) for name, data in self.parts.items() if "positions" in name)
        self.size = sum(map(len, self.parts.values())) - self.positions

    def archive(self) -> bytes:
        """The parts in one file, stored as they are."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as packed:
            for name, data in sorted(self.parts.items()):
                packed.writestr(zipfile.ZipInfo(name), data)
        return out.getvalue()


@dataclass(frozen=True)
class Ask:
    """One kind of question to the documents of a work, and how often."""

    part: str
    """What the results call it."""
    mode: str
    """plain, fuzzy, typing, phrase, or typos: whatever mode of an engine corrects them."""
    work: Work
    rounds: int = 1
    sparse: int = 1
    """Engines that are asked only every so-manieth text are asked so many times more rarely."""

    def plan(self, name: str, about: Mapping[str, Any]) -> dict[str, Any] | None:
        """Mode, `every` and rounds for one engine; None where it has no such search."""
        modes = about.get("modes", MODES)
        mode = self.mode
        if mode == "typos":
            mode = "fuzzy" if name != OURS and "fuzzy" in modes else "plain"
        if mode == "phrase" and mode not in modes:
            mode = "plain"
        if mode not in modes:
            return None
        every = about.get("every", 1)
        return {
            "mode": mode,
            "every": every * self.sparse if every > 1 else 1,
            "rounds": min(self.rounds, about.get("rounds", self.rounds)),
        }


@dataclass
class Pair:
    """What one page found: index facts, and for each part what the page answered, by engine."""

    index: dict[str, dict[str, Any]] = field(default_factory=dict)
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)


class Run:
    """Pairs over one set of documents after another."""

    module = "/lexical-hinny.js"
    """Hinny's own."""

    def __init__(self, opened: Open, rivals: Mapping[str, Mapping[str, Any]], data: Path) -> None:
        self._opened = opened
        self._rivals = rivals
        self.data = data
        self._began = perf_counter()

    def say(self, done: str) -> None:
        """A line about what is done, with the seconds so far."""
        print(f"{perf_counter() - self._began:.0f} s: {done}", file=sys.stderr, flush=True)

    def over(self, work: Work, asks: Sequence[Ask]) -> dict[str, Pair]:
        """Every rival's pair over the documents of `work`."""
        facts = self.prepare(work)
        found = {}
        for name in self._rivals:
            found[name] = self._pair(name, work, asks, facts)
            self.say(f"{work.name}: {name}")
        return found

    def prepare(self, work: Work) -> dict[str, Any]:
        """Leave the documents as NAME.json and our index as NAME.zip; what is known of the index."""
        ours = Ours(work)
        (self.data / f"{work.name}.json").write_text(json.dumps(work.plain()), encoding="utf-8")
        (self.data / f"{work.name}.zip").write_bytes(ours.archive())
        return {"build_ms": ours.build_ms, "raw": ours.size, "gz": ours.size, "positions": ours.positions}

    def _pair(self, name: str, work: Work, asks: Sequence[Ask], ours: Mapping[str, Any]) -> Pair:
        pair = Pair({OURS: dict(ours)})
        about = self._rivals[name]
        engine = {"name": name, "module": about.get("module", f"/rivals/{name}.js")}
        known: dict[str, Any] = {}
        failed = ""
        try:
            if name == PAGEFIND:
                known = self._pagefind(work)
                engine["prebuilt"] = f"/data/{work.name}-pagefind.json"
            with self._opened() as engines:
                given = [{"name": OURS, "module": self.module, "prebuilt": f"/data/{work.name}.zip"}]
                took = engines.open([*given, engine], f"/data/{work.name}.json", work.fields, work.language)
                kept = engines.kept.get(name)
                if kept is not None:
                    known = {"raw": len(kept), "gz": gz(kept)}
                pair.index = {OURS: {**ours, **took[OURS]}, name: {**known, **took[name]}}
                self._memory(engines, pair)
                for ask in asks:
                    plan = {OURS: ask.plan(OURS, {}), name: ask.plan(name, about)}
                    chosen = {each: way for each, way in plan.items() if way is not None}
                    if name in chosen:
                        pair.parts[ask.part] = engines.compare(
                            chosen, ask.work.texts, rounds=ask.rounds, warm=ask.work.warm
                        )
        except (OSError, RuntimeError, subprocess.SubprocessError) as problem:
            failed = (str(problem) or type(problem).__name__).replace(str(self.data), "")
        if failed:
            # Our own failures are told by other pairs; a rival's must not be lost.
            pair.index.setdefault(name, {"failed": failed})
            for ask in asks:
                if ask.plan(name, about) is not None:
                    pair.parts.setdefault(ask.part, {name: {"failed": failed}})
        return pair

    def _memory(self, engines: Engines, pair: Pair) -> None:
        try:
            sizes = engines.memory()
        except Exception:  # an older browser cannot count; nothing else depends on it
            return
        for name, size in sizes.items():
            pair.index.get(name, {})["memory"] = size

    def _pagefind(self, work: Work) -> dict[str, Any]:
        folder = f"{work.name}-pagefind"
        built = rival_pagefind.build(work.plain(), self.data / folder, f"/data/{folder}/", work.language)
        (self.data / f"{folder}.json").write_text(built.pop("data"), encoding="utf-8")
        return built
