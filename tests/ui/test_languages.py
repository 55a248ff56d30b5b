"""Which languages a model knows, and which sentences look as if it could not read them."""

from __future__ import annotations

import pytest

from core.examples import PRESETS, labelled, words
from ui import languages, workshop


@pytest.mark.parametrize(
    "text",
    [
        "Wir saßen lange auf der Bank im Park.",
        "Der Angler sitzt am Ufer und sieht den Booten zu.",
        "Je me suis assis sur le banc près de la rivière.",
        "El banco de la plaza está pintado de verde.",
        "Мы сидели на берегу реки.",
        "我在河边的银行",
        "ضفة النهر جميلة",
        "ישבנו על גדת הנהר",
    ],
)
def test_sentences_of_other_languages_look_foreign(text: str) -> None:
    assert languages.is_foreign(text)
    assert "English alone" in languages.warning("minilm", ("On the river bank.", text))


@pytest.mark.parametrize(
    "text",
    [
        *(text for preset in PRESETS for text in (preset.text_a, preset.text_b)),
        *(sentence.text for word in words() for sentence in labelled(word)),
        "river bank",
        "bank bank bank bank",
        "The café by the bank",
        "A bank 🏦 !",
        "",
        "🎣",
        "1 2 3 4 5 6 7 8 9",
    ],
)
def test_english_sentences_and_bare_words_do_not(text: str) -> None:
    assert not languages.is_foreign(text)
    assert languages.warning("minilm", (text, text)) == ""


def test_what_is_said_of_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = "Wir saßen lange auf der Bank im Park."
    assert languages.known("minilm") == languages.ENGLISH_ALONE
    assert languages.known("multilingual") == ""
    assert languages.warning("multilingual", (foreign, foreign)) == ""
    assert languages.of_frames("minilm") == ""
    assert "English" in languages.of_frames("multilingual")
    monkeypatch.setattr(workshop, "is_own", lambda name: True)
    assert languages.of_frames("yours-1") == ""  # its axis is made of sentences alone
