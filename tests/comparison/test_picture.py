"""The moving picture, whose terms add up to the positions."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.comparison import Ends
from core.comparison.moves_by_part import MOST_SHOWN
from core.examples import PRESETS, Preset
from core.examples.first_texts import OPENING
from tests.comparison.asking import ask, check_sums, known
from tests.tiers import some
from ui.comparison import between, picture


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


@pytest.mark.parametrize(
    ("a", "b", "kind", "bound"),
    [
        ("I saw a bat.", "He bought a bat.", "both", "one"),  # on one side
        (OPENING.text_a, OPENING.text_b, "both", "two"),  # on opposite sides
    ],
)
def test_the_band_of_not_clear_is_the_bound_of_the_verdict(
    minilm: core.Model, a: str, b: str, kind: str, bound: str
) -> None:
    word = "bat" if "bat" in a.split(".")[0].split() else OPENING.word
    found = between(ask(a, b, (word, word), known(word, a, b)))
    assert found is not None
    assert found.verdict.ends == kind
    assert picture(found, depth=6, adds=False).header["unclear"] == getattr(found.verdict.bounds, bound)


def test_without_a_verdict_there_is_no_band(minilm: core.Model) -> None:
    ends = Ends(("a", "b"), ("At the bank.",), ("river", "shore"))
    found = between(ask(OPENING.text_a, OPENING.text_b, ("bank", "bank"), ends))
    assert found is not None
    assert found.verdict.answer is None
    assert picture(found, depth=6, adds=False).header["unclear"] == 0


def test_the_word_in_its_contexts_is_drawn_as_the_axis_read_it(minilm: core.Model) -> None:
    axis = minilm.sense_axis("bank", ["money", "cash"], ["A bank by a river bank."])
    contexts = [*axis.frames.low.contexts, *axis.frames.high.contexts]
    assert axis.vectors is not None
    assert len(axis.vectors) == len(contexts) == 7  # two words in three frames, and a sentence
    for found, context in zip(axis.vectors, contexts, strict=True):
        trace = minilm.trace(context.text)
        assert trace.hidden is not None
        tokens = [
            i for i, (start, end) in enumerate(trace.offsets) if context.start <= start < context.end
        ]
        expected = trace.hidden[:, tokens].mean(axis=1)
        np.testing.assert_allclose(found, expected[-len(found) :], atol=1e-5)
