"""A question's way from the page to the worker and back with its hits and excerpts, in Chromium.

    python bench/roundtrip.py [--site demo] [--rounds 5]

The questions are words of the manual's own pages and sections, each asked once a round. In the first round
each is new, with its slices and texts still to be fetched, from this machine: `roundtrip_new_ms`. Nothing is
loaded any more in the rounds after it, so they are what a reader who types on feels.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from harness import HERE, Chromium, served  # noqa: E402

from site_arguments import site_arguments  # noqa: E402

QUESTIONS = [
    "vacuum",
    "create index concurrently",
    "transaction id wraparound",
    "point-in-time recovery",
    "logical replication slot",
    "partition pruning",
    "json path expressions",
    "row level security policies",
    "write ahead log configuration",
    "full text search dictionaries",
    "foreign data wrapper options",
    "how do I limit the number of connections",
    "advisory locks",
    "window function frame clause",
    "pg_stat_activity",
    "autovacuum_vacuum_scale_factor",
    "trigger procedures in plpgsql",
    "tablespace",
    "encoding conversion",
    "parallel query plans",
]
ASK = """async ([questions, rounds]) => {
  const session = await finished.then(() => globalThis.session);
  const trips = [], inside = [], fresh = [];
  for (let round = -1; round < rounds; round++)
    for (const text of questions) {
      const began = performance.now();
      const answer = await session.search({ text, limit: 10 });
      const trip = performance.now() - began;
      (round < 0 ? fresh : trips).push(trip);
      if (round >= 0) inside.push(answer.ms);
    }
  return { trips, inside, fresh };
}"""


def run(site: Path, rounds: int = 5) -> dict[str, float]:
    """`roundtrip_ms`, `roundtrip_p95_ms`, and `roundtrip_python_ms`, the median inside Python."""
    folders = {"": HERE, "site": site}
    with served(folders) as address, Chromium() as chromium, chromium.profile() as context:
        page = context.new_page()
        page.goto(f"{address}/hinny.html")
        found = page.evaluate(ASK, [QUESTIONS, rounds])
    return {
        "roundtrip_new_ms": round(median(found["fresh"]), 2),
        "roundtrip_ms": round(median(found["trips"]), 2),
        "roundtrip_p95_ms": round(quantiles(found["trips"], n=20)[-1], 2),
        "roundtrip_python_ms": round(median(found["inside"]), 2),
    }


if __name__ == "__main__":
    given = site_arguments(__doc__, rounds=5)
    print(json.dumps(run(given.site, given.rounds), indent=1))
