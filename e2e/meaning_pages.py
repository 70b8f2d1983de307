"""A small site about keeping mules, whose questions share few words with their answers."""

from __future__ import annotations

MEANING_MODELS = {"tiny": "minilm-l6-late64", "semantic": "minilm-l6-int8"}
"""Factory to its model."""

MEANING_QUESTIONS = {
    "dentist": "when does the dentist come",
    "thirst": "how much do they drink",
    "shoes": "who looks after their feet",
}
"""Id to the text of a recorded question."""

_TEXTS = {
    "teeth": ("Teeth", "An equine vet files sharp molars smooth once a year, so that chewing does not hurt."),
    "water": ("Water", "Offer forty litres of clean water a day, and twice that in summer heat."),
    "hooves": ("Hooves", "The farrier trims the hooves every eight weeks and fits shoes for stony ground."),
    "feed": ("Feed", "Hay and straw through the day; oats only for those that work hard."),
    "stable": ("Stable", "A dry shed with a draught above their heads keeps lungs healthy."),
    "company": ("Company", "A mule kept alone pines; a donkey or a pony is companion enough."),
    "parents": ("Parents", "The sire of a mule is a donkey; a hinny has a stallion for its father."),
    "travel": ("Travel", "Load them into the trailer calmly, and stop every three hours on the road."),
}

MEANING_PAGES = {
    f"{name}.html": f"<title>{title}</title><h1>{title}</h1><p>{text}</p>"
    for name, (title, text) in _TEXTS.items()
}
"""Path to a page."""
