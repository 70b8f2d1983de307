"""The guess at a language: one sentence of each, scripts, and what cannot be told."""

from __future__ import annotations

import pytest

from hinny.text.detection import guess_language

SENTENCES = {
    "en": "The house stands on a hill near the river, and we have lived there since the winter.",
    "de": "Das Haus steht auf einem Hügel am Fluss, und wir wohnen dort seit dem Winter.",
    "fr": "La maison se trouve sur une colline près de la rivière, et nous y vivons depuis cet hiver.",
    "es": "La casa está sobre una colina cerca del río, y vivimos allí desde el invierno pasado.",
    "it": "La casa si trova su una collina vicino al fiume, e noi ci viviamo dall'inverno scorso.",
    "pt": "A casa fica em uma colina perto do rio, e nós moramos nela desde o inverno passado.",
    "nl": "Het huis staat op een heuvel bij de rivier, en wij wonen er sinds de winter.",
    "sv": "Huset står på en kulle vid floden, och vi har bott där sedan vintern.",
    "fi": "Talo on mäellä joen rannalla, ja me olemme asuneet siellä talvesta asti.",
    "ru": "Дом стоит на холме у реки, и мы живём там с прошлой зимы.",
    "uk": "Будинок стоїть на пагорбі біля річки, і ми живемо там з минулої зими.",
    "pl": "Dom stoi na wzgórzu przy rzece, a my mieszkamy w nim od zimy.",
    "cs": "Dům stojí na kopci u řeky a my jsme v něm už od zimy, protože je velmi pěkný.",
    "tr": "Ev nehrin yanında bir tepede duruyor ve biz kıştan beri orada yaşıyoruz, ama bu çok güzel.",
    "ar": "يقع البيت على تل قرب النهر، ونحن نعيش فيه منذ الشتاء مع الأولاد.",
    "fa": "این خانه بر روی تپه‌ای در کنار رودخانه است و ما از زمستان در آن زندگی می‌کنیم.",
    "he": "הבית עומד על גבעה ליד הנהר, ואנחנו גרים בו מאז החורף עם כל הילדים.",
    "hi": "घर नदी के पास एक पहाड़ी पर है और हम सर्दियों से वहाँ रह रहे हैं।",
    "el": "Το σπίτι βρίσκεται σε έναν λόφο κοντά στο ποτάμι.",
    "cjk": "房子在河边的小山上,我们从冬天开始就住在那里。",
    "ko": "집은 강가의 언덕 위에 있고 우리는 겨울부터 거기서 살고 있다.",
    "ta": "வீடு ஆற்றின் அருகே ஒரு குன்றின் மீது உள்ளது",
}


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_one_sentence_is_enough(language: str) -> None:
    assert guess_language(SENTENCES[language]) == language


def test_japanese_and_thai_are_of_the_same_family() -> None:
    assert guess_language("これは日本語の文章です。") == "cjk"
    assert guess_language("นี่คือข้อความภาษาไทย") == "cjk"


@pytest.mark.parametrize(
    "text",
    ["", "12 34", "postgresql", "select x from y", "Vorrei xilofono zeppelin quadro jazz polka", "ᚠᚢᚦ"],
)
def test_what_is_not_clear_is_unknown(text: str) -> None:
    assert guess_language(text) is None


def test_english_with_some_chinese_is_english() -> None:
    assert guess_language(SENTENCES["en"] + " 人人生而自由") == "en"
