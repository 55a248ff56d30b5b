"""The languages that a model knows, and sentences that seem to be in another one."""

from __future__ import annotations

import pytest

import core
from core.comparison import language
from core.comparison.source import Direct
from core.examples import PRESETS, labelled, words
from ui.comparison import Cached


@pytest.mark.few(8)
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
        "Ich gehe zur Bank und hole Geld.",
        "Er sitzt auf einer Bank im Park.",
        "Die Bank ist geschlossen.",
        "Was will der Mann?",
        "So war es.",
        "Peter kauft drei neue Lampen.",
        "Das Schloss liegt am See.",
        "Die alte Bank war kaputt.",
        "der hund ist im garten",
        "Voy al banco a sacar dinero.",
        "No tengo dinero.",
        "La planta necesita agua.",
        "Me siento en el banco.",
        "Je mange un avocat.",
        "Mon avocat parle bien.",
        "C’est la vie.",
        "Le chat dort.",
        "Vado in banca a prendere soldi.",
        "Il gatto beve il latte.",
        "O banco fecha cedo.",
        "Eu moro em Lisboa.",
        "De bank is dicht.",
        "We zitten op de bank.",
        "Han sitter i en bank.",
        "Jeg har ingen penge.",
        "Kot pije mleko.",
        "Banka je zavrena.",
        "Bu banka kapali.",
        "Kissa juo maitoa.",
        "Banca este inchisa.",
    ],
)
def test_sentences_of_other_languages_look_foreign(minilm: core.Model, text: str) -> None:
    assert language.foreign("minilm", text, minilm.trace(text))
    assert "English alone" in language.warning(Direct(minilm), ("On the river bank.", text))


@pytest.mark.few(25)
@pytest.mark.check
@pytest.mark.parametrize(
    "text",
    [
        *(text for preset in PRESETS for text in (preset.text_a, preset.text_b)),
        *(sentence.text for word in words() for sentence in labelled(word)),
        "river bank",
        "bank bank bank bank",
        "The café by the bank",
        "A bank 🏦 !",
        "die Bank",
        "Deposit money tomorrow",
        "Los Angeles banks close early.",
        "El Niño hit Peru.",
        "La Jolla beaches reopened.",
        "Van Gogh painted sunflowers.",
        "Die casting needs pressure.",
        "Les Misérables sold out.",
        "UN inspectors left.",
        "The café serves crème brûlée.",
        "He said “guten Tag” to the banker.",
        "German: die Bank means bench.",
        "Squirrels hoard acorns.",
        "Plumbers unclog drains.",
        "Woodpeckers drum loudly.",
        "I’ve ten men in a den.",
        "I’ll raise my offer to ten dollars.",
        "im so happy",
        "So was it war?",
        "Do as I say.",
        "Ha ha ha!",
        "Mail me@bank.com or see https://www.de.la/un",
        "Schwarzenegger photographed Wittgenstein.",
        "",
        "🎣",
        "1 2 3 4 5 6 7 8 9",
    ],
)
def test_english_sentences_and_bare_words_do_not(minilm: core.Model, text: str) -> None:
    assert language.warning(Direct(minilm), (text, text)) == ""
    if text.strip():
        assert not language.foreign("minilm", text, minilm.trace(text))


def test_what_is_said_of_a_model() -> None:
    foreign = "Wir saßen lange auf der Bank im Park."
    assert language.known("multilingual") == ""
    for model, name in (("minilm", "MiniLM"), ("bert", "BERT"), ("distilbert", "DistilBERT")):
        assert language.known(model).startswith(f"**{name}")
        assert "English alone" in language.known(model)
    assert language.warning(Cached("multilingual"), (foreign, foreign)) == ""
    assert language.of_frames("minilm") == ""
    assert "English" in language.of_frames("multilingual")
    assert language.of_frames("yours-1", toy=True) == ""  # its axis is made of sentences alone
