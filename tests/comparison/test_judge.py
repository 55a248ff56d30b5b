"""The computations of Compare: positions, the verdict, and a picture whose terms add up to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import core
from core.comparison import Chosen, Ends, Question
from core.comparison import picture as pictures
from core.comparison.parts import MOST_SHOWN
from core.errors import NotSupported
from core.examples import PRESETS, Preset, known_ends
from core.examples.first_texts import OPENING
from core.figures import Picture
from core.figures.trajectories.trajectory import trajectory
from tests.tiers import some
from ui.comparison import between, moved, picture, shown_parts, sure


def known(word: str, *texts: str) -> Ends:
    found = known_ends(word, texts)
    assert found is not None
    return Ends(found.names, found.low, found.high)


def ask(a: str, b: str, words: tuple[str, str], ends: Ends | None) -> Question:
    return Question("minilm", Chosen(a, words[0], 0), Chosen(b, words[1], 0), ends)


def check_sums(shown: Picture, positions: tuple[np.ndarray, ...]) -> None:
    """Check that the terms of all parts, and those of no word, add up to the position at each layer."""
    for side, position in zip(shown.header["sides"], positions, strict=True):
        adds = side["adds"]
        parts = np.array(adds["parts"], float)
        assert parts.shape == (6, len(side["parts"]))
        total = np.nansum(parts, axis=1) + np.array(adds["otherParts"], float)
        np.testing.assert_allclose(total, position, atol=1e-4)
        np.testing.assert_allclose(side["position"], position, atol=1e-5)


@pytest.mark.check
@pytest.mark.parametrize("preset", some(PRESETS, 3), ids=lambda p: p.label)
def test_the_picture_of_every_preset_adds_up(minilm: core.Model, preset: Preset) -> None:
    texts = preset.text_a, preset.text_b
    ends = Ends(("food", "data"), ("food",), ("data",))
    if preset.low is not None:
        ends = known(preset.word, *texts)
    found = between(ask(*texts, (preset.word, preset.word), ends))
    assert found is not None
    axis = minilm.sense_axis(preset.word, ends.low, ends.high)
    for position, text in zip(found.coordinates, texts, strict=True):
        trace = minilm.trace(text)
        np.testing.assert_allclose(
            position, axis.coordinates(trace, trace.find(preset.word)), atol=1e-5
        )
    shown = picture(found, depth=6, adds=True)
    check_sums(shown, found.coordinates)
    assert ["".join(side["parts"]) for side in shown.header["sides"]] == [*texts]
    assert [side["parts"][side["chosen"]].casefold() for side in shown.header["sides"]] == [
        *(preset.word, preset.word)
    ]
    # The word has the same position in the map as on the path, and so does each context of the ends.
    assert shown.header["layers"] == 6
    assert shown.header["ends"] == dict(zip(("low", "high"), ends.names, strict=True))
    points = shown.header["map"]["points"]
    assert len(points) == sum(len(end.contexts) for end in (axis.frames.low, axis.frames.high))
    for high, mean in ((True, 1), (False, -1)):
        own = np.mean([p["along"] for p in points if p["high"] is high], axis=0)
        if not any(end.sentences for end in (axis.frames.low, axis.frames.high)):
            np.testing.assert_allclose(own, mean, atol=1e-4)
    assert sum(sum(p["along"]) for p in points if p["high"]) > 0


def test_two_forms_of_one_word_have_an_axis_each(minilm: core.Model) -> None:
    texts = "Ducks nest along the river banks.", "The bank lends money."
    ends = known("bank", *texts)
    asked = ask(*texts, ("banks", "bank"), ends)
    assert asked.is_one_word(minilm.spelling)
    assert asked.names == ("A", "B", "banks alone", "bank alone")
    found = between(asked)
    assert found is not None
    assert [axis.word for axis in found.axes] == ["banks", "bank"]
    assert found.verdict.answer == "two meanings"
    for axis, position, text, word in zip(
        found.axes, found.coordinates, texts, ("banks", "bank"), strict=True
    ):
        trace = minilm.trace(text)
        np.testing.assert_allclose(position, axis.coordinates(trace, trace.find(word)), atol=1e-5)
    check_sums(picture(found, depth=6, adds=True), found.coordinates)


def test_two_different_words_have_paths_and_no_one_dot(minilm: core.Model) -> None:
    asked = ask(OPENING.text_a, OPENING.text_b, ("river", "money"), None)
    assert not asked.is_one_word(minilm.spelling)
    assert between(asked) is None
    found = moved(asked)
    assert len(found.alone) == 2
    assert found.together[0] < 0.99  # two learned vectors
    same = moved(ask(OPENING.text_a, OPENING.text_b, ("bank", "bank"), None))
    assert len(same.alone) == 1
    assert same.together[0] == pytest.approx(1)


def test_proposed_ends_and_unknown_ones_give_no_verdict(minilm: core.Model) -> None:
    texts = OPENING.text_a, OPENING.text_b
    named = Ends(("money", "river"), ("money", "cash", "loan"), ("river", "water", "shore"))
    for ends, reason in (
        (named._replace(proposed=True), "drawn from the sentences"),
        (named._replace(low=("money 🎣",)), "does not know a piece"),
    ):
        found = between(ask(*texts, ("bank", "bank"), ends))
        assert found is not None
        assert found.verdict.answer is None
        assert any(reason in one for one in found.verdict.reasons)
        check_sums(picture(found, depth=0, adds=True), found.coordinates)
    found = between(ask(*texts, ("bank", "bank"), named))
    assert found is not None
    assert found.verdict.answer is not None
    with pytest.raises(NotSupported, match="does not know “🎣”"):
        between(ask(*texts, ("bank", "bank"), named._replace(low=("🎣",))))
    with pytest.raises(core.WordNotFound, match="does not contain “bank”"):
        between(ask(*texts, ("bank", "bank"), named._replace(low=("He has a lot of money.",))))
    with pytest.raises(NotSupported, match="cannot tell the two ends apart"):
        between(ask(*texts, ("bank", "bank"), Ends(("x", "y"), ("river",), ("river",))))


@pytest.mark.few(2)
@pytest.mark.check
@pytest.mark.parametrize(
    "text",
    [
        "ضفة النهر bank جميلة",
        "🏦 bank 👨‍👩‍👧 🎣",
        "<b>bank</b> **x**",
        "bank",
        "The muddy bank " + "of the river " * 40,
        "The bank " + "w1 w2 " * 400,
    ],
)
def test_awkward_sentences_add_up_as_well(minilm: core.Model, text: str) -> None:
    found = between(ask(text, OPENING.text_b, ("bank", "bank"), known("bank")))
    assert found is not None
    shown = picture(found, depth=6, adds=True)
    check_sums(shown, found.coordinates)
    assert len(shown.header["sides"][0]["parts"]) <= 2 * MOST_SHOWN + 3


def test_the_dots_come_before_what_each_word_adds(
    minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = between(
        ask("A heron on the bank", "A cheque from the bank", ("bank", "bank"), known("bank"))
    )
    assert found is not None
    asked: list[object] = []
    monkeypatch.setattr(core.Model, "contributions", lambda *of, **_: asked.append(of))
    shown = picture(found, depth=3, play=True)
    assert not asked
    assert shown.header["awaitsContributions"] is True
    assert [side["adds"] for side in shown.header["sides"]] == [None, None]
    assert (shown.state, shown.header["autoplay"]) == ({"depth": 3}, True)


def test_a_question_has_one_name_for_itself() -> None:
    one = ask(OPENING.text_a, OPENING.text_b, ("bank", "bank"), known("bank"))
    again = ask(OPENING.text_a, OPENING.text_b, ("bank", "bank"), known("bank"))
    assert one.id == again.id
    others = {
        one._replace(ends=None).id,
        one._replace(model="other").id,
        one._replace(a=one.a._replace(number=1)).id,
        one._replace(a=one.b, b=one.a).id,
    }
    assert len(others | {one.id}) == 5


def test_what_stands_beside_the_verdict(minilm: core.Model) -> None:
    # River is in one sentence, money in the other.
    texts = (
        "Write a poem about a man fishing on a river bank.",
        "Write a poem about a man withdrawing money from a bank.",
    )
    found = between(ask(*texts, ("bank", "bank"), known("bank", *texts)))
    assert found is not None
    beside = sure(found)
    assert beside.ends == "both"
    assert beside.bounds == found.verdict.bounds
    assert {(one.word, one.text) for one in beside.standing} == {
        *(("river", 0), ("fishing", 0), ("money", 1))
    }
    assert beside.cosine == pytest.approx(0.85, abs=0.005)
    assert beside.labelled is not None
    assert beside.labelled.same.count == 2 * 28  # pairs of 8 sentences in each of two senses
    lamp = between(
        ask(
            "A blue lamp.",
            "The lamp of the ship.",
            ("lamp", "lamp"),
            Ends(("a", "b"), ("sea",), ("sky",)),
        )
    )
    assert lamp is not None
    assert sure(lamp).labelled is None


def test_the_chosen_place_of_a_word_is_the_one_that_is_shown(minilm: core.Model) -> None:
    text = "The bank by the river bank"
    for word, number, before in (
        ("bank", 0, "The "),
        ("bank", 1, "The bank by the river "),
        ("river bank", 0, "The bank by the "),
    ):
        shown, at = shown_parts("minilm", Chosen(text, word, number))
        assert shown[at].text == word
        assert text[: shown[at].start] == before
        assert "".join(part.text for part in shown) == text


def test_another_depth_is_no_other_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = "She sat on the bank.", "She went to the bank."
    found = between(ask(*texts, ("bank", "bank"), known("bank", *texts)))
    assert found is not None
    made = []

    def count(*args: Any, **more: Any) -> Picture:
        made.append(args)
        return trajectory(*args, **more)

    monkeypatch.setattr(pictures, "trajectory", count)
    shown = [picture(found, depth=depth, play=depth == 2) for depth in (2, 5)]
    assert [(one.state["depth"], one.header["autoplay"]) for one in shown] == [(2, True), (5, False)]
    assert shown[0].numbers() is shown[1].numbers()
    assert len(made) == 1
    picture(found, depth=2, adds=True)
    picture(found, depth=2, names="A")
    assert len(made) == 3


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ("un café noir", "a cafe here", ("café", "cafe")),
        ("قرب البَنْكِ", "قرب البنك", ("البَنْكِ", "البنك")),
        ("çok İyi", "çok iyi", ("İyi", "iyi")),
        ("ο ΛΌΓΟΣ", "ο λόγος", ("ΛΌΓΟΣ", "λόγος")),
        ("a ﬁne day", "a fine day", ("ﬁne", "fine")),  # one word, as its search has it
    ],
)
def test_what_the_model_reads_alike_is_one_word(
    minilm: core.Model, a: str, b: str, words: tuple[str, str]
) -> None:
    assert ask(a, b, words, None).is_one_word(minilm.spelling)
    assert not ask(a, b, (words[0], b.split()[0]), None).is_one_word(minilm.spelling)
