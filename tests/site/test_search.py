"""A site's search: requests in, answers out, as worker/src/api.ts describes them."""

from __future__ import annotations

from typing import Any

import pytest

from hinny.bundle.reader import BundleReader, Parts
from hinny.bundle.storage import MappingStorage
from hinny.bundle.writer import bundle_files, with_parts
from hinny.errors import BundleError, BundleMissing, IntegrityError, InvalidOption, UnknownField
from hinny.site.request import LONGEST_QUERY
from hinny.site.search import SiteSearch
from hinny.text.synonyms import Synonyms
from site_pages import make_site, open_site
from support import run


def ask(request: dict[str, Any] | str) -> dict[str, Any]:
    async def asked() -> dict[str, Any]:
        search = await open_site()
        return await search.search({"text": request} if isinstance(request, str) else request)

    return run(asked())


def urls(answer: dict[str, Any]) -> list[str]:
    return [result["url"] for result in answer["results"]]


def test_a_result_is_what_the_page_shows() -> None:
    answer = ask("rasping teeth")
    assert answer["total"] == 1
    result = answer["results"][0]
    assert result["score"] > 0
    del result["score"]
    assert result == {
        "id": "care.html#teeth",
        "rank": 1,
        "scoreKind": "bm25f",
        "url": "care.html#teeth",
        "page": "care.html",
        "pageTitle": {"text": "Care", "marks": []},
        "headings": [{"text": "Teeth", "marks": [[0, 5]]}],
        "excerpt": {
            "text": "A vet should rasp the teeth of a mule once a year.",
            "marks": [[13, 17], [22, 27]],
        },
        "language": "en",
        "exact": False,
        "reasons": [],
        "metadata": {"topic": ["health"]},
        "missing": [],
    }
    assert answer["factory"] == "lexical-only"
    assert answer["degraded"] == []
    assert answer["query"] == {
        "text": "rasping teeth",
        "problems": [],
        "didYouMean": None,
        "alsoSearched": [],
    }
    assert answer["ms"] >= max(answer["timings"].values()) >= 0


def test_pages_in_every_language_are_searched_at_once() -> None:
    assert urls(ask("Maultier")) == ["de.html"]
    assert set(urls(ask("mules Heu"))) >= {"de.html", "./"}


def test_the_syntax_of_queries_works() -> None:
    assert urls(ask('"six weeks"')) == ["care.html#hooves"]
    assert urls(ask('"weeks six"')) == []
    assert "care.html#teeth" not in urls(ask("mule -vet"))
    assert urls(ask("headings:hooves")) == ["care.html#hooves"]


def test_a_word_being_typed_is_a_prefix() -> None:
    assert urls(ask({"text": "ras", "asYouType": True})) == ["care.html#teeth"]


def test_a_typo_is_forgiven() -> None:
    assert urls(ask("hoovse"))[0] == "care.html#hooves"


def test_limit_and_offset_page_through_the_hits() -> None:
    every = urls(ask("mule"))
    assert len(every) >= 3
    assert urls(ask({"text": "mule", "limit": 1, "offset": 1})) == every[1:2]
    assert ask({"text": "mule", "limit": 1, "offset": 1})["results"][0]["rank"] == 2
    assert urls(ask({"text": "mule", "limit": 0})) == []
    assert ask({"text": "mule", "limit": 0})["total"] == len(every)


def test_facets_are_counted_and_filter() -> None:
    answer = ask("mule Maultier")
    assert {(c["value"], c["before"], c["after"]) for c in answer["facets"]["topic"]} == {
        ("health", 2, 2),
        ("overview", 1, 1),
    }
    filtered = ask({"text": "mule Maultier", "filters": {"topic": ["overview"]}})
    assert urls(filtered) == ["de.html"]
    assert {c["value"]: (c["before"], c["after"]) for c in filtered["facets"]["topic"]} == {
        "health": (2, 0),
        "overview": (1, 1),
    }
    assert urls(ask({"text": "mule", "filters": {"topic": []}})) == urls(ask("mule"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "!!! ??? ...",
        '"',
        "-",
        "( ( (",
        "the of and",
        "\0\ud800",
        "🐎",
        "検索",
        "x" * 10_000,
        "a " * 5000,
    ],
)
def test_odd_queries_have_an_answer(text: str) -> None:
    answer = ask(text)
    assert isinstance(answer["results"], list)
    assert len(answer["query"]["text"]) <= LONGEST_QUERY
    assert bool(len(text) > LONGEST_QUERY) == any(
        "were read" in problem for problem in answer["query"]["problems"]
    )


@pytest.mark.parametrize("factory", ["tiny", "semantic"])
def test_a_factory_that_is_not_there_is_said_and_words_are_searched(factory: str) -> None:
    answer = ask({"text": "teeth", "factory": factory})
    assert urls(answer) == ["care.html#teeth"]
    assert answer["factory"] == "lexical-only"
    assert factory in answer["degraded"][0]["message"]


@pytest.mark.parametrize(
    "request_",
    [
        {"text": 3},
        {"text": None},
        {"text": "x", "limit": -1},
        {"text": "x", "limit": 101},
        {"text": "x", "limit": "10"},
        {"text": "x", "limit": True},
        {"text": "x", "offset": 1.5},
        {"text": "x", "factory": "huge"},
        {"text": "x", "filters": ["topic"]},
    ],
)
def test_what_a_request_cannot_mean_is_refused(request_: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption):
        ask(request_)


def test_explanations_sum_to_the_scores() -> None:
    answer = ask({"text": "mules hooves daily", "explain": True})
    assert len(answer["results"]) >= 2
    for result in answer["results"]:
        found = result["explanation"]
        title = sum(float(reason.rpartition(":")[2]) for reason in found["reasons"])
        total = sum(term["contribution"] for term in found["terms"]) + title
        assert total == pytest.approx(result["score"], abs=2e-3)
        assert found["sources"] == [
            {
                "name": "lexical",
                "rank": result["rank"],
                "score": pytest.approx(result["score"]),
                "contribution": None,
            }
        ]
    words = {(t["word"], t["field"]) for t in answer["results"][0]["explanation"]["terms"]}
    assert {("hooves", "headings"), ("hooves", "text"), ("daily", "text")} <= words
    assert "explanation" not in ask("mules")["results"][0]


def test_an_unknown_facet_is_refused() -> None:
    with pytest.raises(UnknownField):
        ask({"text": "mule", "filters": {"colour": ["grey"]}})


def test_the_bundles_info_is_complete() -> None:
    async def asked() -> dict[str, Any]:
        built = make_site(title="Mule book", root="site/")
        manifest = with_parts(built.manifest, built.parts)
        files = bundle_files(manifest, built.parts)
        search = await SiteSearch.open(await BundleReader.open(MappingStorage(files)))
        found = search.info()
        assert found["bytes"] == manifest.size
        return found

    found = run(asked())
    assert (found["title"], found["base"], found["pages"], found["sections"]) == ("Mule book", "site/", 3, 5)
    assert found["facets"] == ["topic"]
    assert found["languages"] == {"de": 1, "en": 4}
    assert [(f["id"], f["available"]) for f in found["factories"]] == [
        ("lexical-only", True),
        ("tiny", False),
        ("semantic", False),
        ("three-source", False),
    ]
    assert all(factory["available"] or factory["reason"] for factory in found["factories"])


def test_a_bundle_without_an_index_is_refused() -> None:
    async def opened(parts: dict[str, bytes]) -> None:
        await SiteSearch.open(Parts(parts))

    parts = make_site().parts
    with pytest.raises(BundleMissing):
        run(opened({name: data for name, data in parts.items() if not name.startswith("lexical/")}))
    with pytest.raises(BundleMissing):
        run(opened({name: data for name, data in parts.items() if name != "site/pages"}))
    with pytest.raises(BundleError):
        run(opened({name: data[:-5] for name, data in parts.items()}))


def test_a_corrupted_slice_fails_the_query_by_name_and_a_good_one_answers_again() -> None:
    async def asked() -> None:
        built = make_site()
        manifest = with_parts(built.manifest, built.parts)
        files = bundle_files(manifest, built.parts)
        part = manifest.parts["site/texts.0000"]
        good = files[part.file]
        search = await SiteSearch.open(await BundleReader.open(MappingStorage(files)))
        files[part.file] = b"\0" * part.bytes
        with pytest.raises(IntegrityError, match=r"site-texts\.0000"):
            await search.search({"text": "teeth"})
        files[part.file] = good
        assert (await search.search({"text": "teeth"}))["total"] == 1

    run(asked())


def test_a_sites_own_synonyms_are_searched_too() -> None:
    async def asked(text: str) -> dict[str, Any]:
        built = make_site(synonyms=Synonyms.parse("farrier => hooves ^0.5\n"))
        assert "site/synonyms" in built.manifest.resident
        search = await open_site(built)
        return await search.search({"text": text, "explain": True})

    answer = run(asked("farrier"))
    assert urls(answer)[0] == "care.html#hooves"
    assert {term["match"] for term in answer["results"][0]["explanation"]["terms"]} == {"synonym"}
    plain = run(asked("hooves"))
    assert urls(plain)[0] == "care.html#hooves"
    assert plain["results"][0]["score"] > answer["results"][0]["score"]


def test_synonyms_of_several_words_are_searched_as_phrases() -> None:
    async def asked(text: str, **options: Any) -> dict[str, Any]:
        built = make_site(synonyms=Synonyms.parse("farrier work => trim the hooves, teeth ^0.5\n"))
        search = await open_site(built)
        return await search.search({"text": text, "explain": True, **options})

    answer = run(asked("Farrier work"))
    assert urls(answer) == ["care.html#hooves", "care.html#teeth"]
    first = answer["results"][0]
    assert [first["excerpt"]["text"][a:b] for a, b in first["excerpt"]["marks"]][:2] == ["Trim", "hooves"]
    assert answer["query"]["text"] == "Farrier work"
    assert urls(run(asked("farrier wor", asYouType=True))) == []
    assert urls(run(asked("work farrier"))) == []


def test_synonyms_are_a_part_of_their_own_only_where_there_are_any() -> None:
    assert "site/synonyms" not in make_site().parts
    assert "site/synonyms" not in make_site(synonyms=Synonyms()).parts


def test_words_are_found_by_their_sound_where_the_site_is_built_so() -> None:
    async def asked(text: str, *, phonetic: bool) -> dict[str, Any]:
        search = await open_site(make_site(phonetic=phonetic))
        return await search.search({"text": text, "explain": True})

    answer = run(asked("huvz", phonetic=True))
    first = answer["results"][0]
    assert first["url"] == "care.html#hooves"
    assert {term["match"] for term in first["explanation"]["terms"]} == {"sound"}
    assert answer["query"]["didYouMean"] == "hooves"
    assert "hooves" in {first["excerpt"]["text"][a:b].lower() for a, b in first["excerpt"]["marks"]}
    assert urls(run(asked("huvz", phonetic=False))) == []
