"""Hinny beside its rivals in pages of their own: opening, asking, what became of it.

Over many documents each rival shares a page with Hinny alone: eight engines and their indexes in one page
were too much for a renderer's memory, and a page that dies takes only that rival's part of the run with it.
Over few documents all share one page, which is asked in a fraction of the time. Either way both sides of
every ratio are measured in turns, in the same page.
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

from lexical_page import Engines, PageDied

import rival_pagefind
from hinny.lexical.index import LexicalIndex
from rival_work import Work

OURS, PAGEFIND = "hinny", "pagefind"
MODES = ("plain", "fuzzy", "typing", "phrase")
Open = Callable[[], AbstractContextManager[Engines]]


LARGE = 8_000_000
"""Beyond so many bytes gzip at its best takes up to a minute, for about a hundredth of the size."""
SLOW_COST = 30e6
"""Characters of the documents times words of the questions that a slow engine is asked: some 4 seconds."""
SLOW_QUESTIONS = (2, 20)
"""At least and at most. Over large documents two take as long as all else."""


def gz(data: bytes) -> int:
    """Bytes after gzip: at its best (9), of what is `LARGE` as servers have it by default (6)."""
    return len(gzip.compress(data, 9 if len(data) < LARGE else 6, mtime=0))


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
        if not about.get("slow", False):
            return {"mode": mode, "every": 1, "rounds": self.rounds}
        # A question takes it so long that its code is warm within the first one.
        return {"mode": mode, "every": self.every(), "rounds": 1, "cold": True}

    def every(self) -> int:
        """An engine that reads all texts at every question is asked every so-manieth, from the first on."""
        texts = self.work.texts
        chars = sum(len(text) for each in self.work.documents for text in each.fields.values())
        words = sum(len(text.split()) for text in texts)
        least, most = SLOW_QUESTIONS
        cost = max(1.0, chars * words / max(1, len(texts)))
        wanted = min(max(SLOW_COST / cost, least), most)
        return max(1, len(texts) // round(wanted))


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

    def over(self, work: Work, asks: Sequence[Ask], *, together: bool = False) -> dict[str, Pair]:
        """Every rival's pair over the documents of `work`; with `together` all of them in one page.

        Where that page dies, each rival has one beside Hinny after all.
        """
        facts = self.prepare(work)
        found: dict[str, Pair] = {}
        if together and len(self._rivals) > 1:
            try:
                found = self._page(list(self._rivals), work, asks, facts)
            except PageDied as problem:
                self.say(f"{work.name}: {problem}; one rival at a time")
            else:
                self.say(f"{work.name}: all in one page")
        for name in self._rivals:
            if name not in found:
                found |= self._page([name], work, asks, facts)
                self.say(f"{work.name}: {name}")
        return found

    def prepare(self, work: Work) -> dict[str, Any]:
        """Leave the documents as NAME.json and our index as NAME.zip; what is known of the index."""
        ours = Ours(work)
        (self.data / f"{work.name}.json").write_text(json.dumps(work.plain()), encoding="utf-8")
        (self.data / f"{work.name}.zip").write_bytes(ours.archive())
        return {"build_ms": ours.build_ms, "raw": ours.size, "gz": ours.size, "positions": ours.positions}

    def _page(
        self, names: Sequence[str], work: Work, asks: Sequence[Ask], ours: Mapping[str, Any]
    ) -> dict[str, Pair]:
        """Hinny and these rivals in one page. Raises `PageDied` where it is more than one rival's failure."""
        pairs = {name: Pair({OURS: dict(ours)}) for name in names}
        failed: dict[str, str] = {}
        try:
            self._measured(pairs, work, asks, ours, failed)
        except PageDied as problem:
            if len(names) > 1:
                raise
            failed[names[0]] = str(problem)
        except (OSError, RuntimeError, subprocess.SubprocessError) as problem:
            reason = self._reason(problem)
            failed = dict.fromkeys(names, reason) | failed
        for name, reason in failed.items():
            # Our own failures are told by other pairs; a rival's must not be lost.
            pairs[name].index.setdefault(name, {"failed": reason})
            for ask in asks:
                if ask.plan(name, self._rivals[name]) is not None:
                    pairs[name].parts.setdefault(ask.part, {name: {"failed": reason}})
        return pairs

    def _measured(
        self,
        pairs: Mapping[str, Pair],
        work: Work,
        asks: Sequence[Ask],
        ours: Mapping[str, Any],
        failed: dict[str, str],
    ) -> None:
        """Fill the pairs from one page; what does not even get there is added to `failed`."""
        given = [{"name": OURS, "module": self.module, "prebuilt": f"/data/{work.name}.zip"}]
        known: dict[str, dict[str, Any]] = {}
        for name in pairs:
            engine = {"name": name, "module": self._rivals[name].get("module", f"/rivals/{name}.js")}
            if name == PAGEFIND:
                try:
                    known[name] = self._pagefind(work)
                except (OSError, RuntimeError, subprocess.SubprocessError) as problem:
                    failed[name] = self._reason(problem)
                    continue
                engine["prebuilt"] = f"/data/{work.name}-pagefind.json"
            given.append(engine)
        there = [name for name in pairs if name not in failed]
        if not there:
            return
        with self._opened() as engines:
            took = engines.open(given, f"/data/{work.name}.json", work.fields, work.language)
            kept = engines.kept
            for name in there:
                if name in kept:
                    known[name] = {"raw": len(kept[name]), "gz": gz(kept[name])}
                pairs[name].index = {
                    OURS: {**ours, **took[OURS]},
                    name: {**known.get(name, {}), **took[name]},
                }
            self.say(f"{work.name}: {', '.join(there)} opened")
            if len(there) == 1:
                # Many workers are often not counted within its time.
                self._memory(engines, [pairs[name] for name in there])
            for ask in asks:
                plan = {OURS: ask.plan(OURS, {})}
                plan |= {name: ask.plan(name, self._rivals[name]) for name in there}
                chosen = {each: way for each, way in plan.items() if way is not None}
                asked = [name for name in there if name in chosen]
                if asked:
                    answers = engines.compare(chosen, ask.work.texts, rounds=ask.rounds, warm=ask.work.warm)
                    for name in asked:
                        pairs[name].parts[ask.part] = {OURS: answers[OURS], name: answers[name]}
                    self.say(f"{work.name}: {', '.join(asked)} asked, {ask.part}")

    def _reason(self, problem: Exception) -> str:
        return (str(problem) or type(problem).__name__).replace(str(self.data), "")

    def _memory(self, engines: Engines, pairs: Sequence[Pair]) -> None:
        try:
            sizes = engines.memory()
        except Exception:  # an older browser cannot count; nothing else depends on it
            return
        for pair in pairs:
            for name, row in pair.index.items():
                if name in sizes:
                    row["memory"] = sizes[name]

    def _pagefind(self, work: Work) -> dict[str, Any]:
        folder = f"{work.name}-pagefind"
        built = rival_pagefind.build(work.plain(), self.data / folder, f"/data/{folder}/", work.language)
        (self.data / f"{folder}.json").write_text(built.pop("data"), encoding="utf-8")
        return built
