"""Pages read by several processes are the same pages in the same order."""

from __future__ import annotations

from pathlib import Path

from hinny.site.loaders import find_sources, load


def test_processes_change_nothing(tmp_path: Path) -> None:
    for number in range(220):
        text = "" if number % 50 == 0 else f"<title>T{number}</title><p>Text {number}."
        (tmp_path / f"{number:03}.html").write_text(text)
    sources = find_sources(tmp_path)
    seen: list[str] = []
    assert list(load(sources, workers=2, progress=seen.append)) == list(load(sources))
    assert seen == [source.path for source in sources]
