from __future__ import annotations

import numpy as np
import pytest

import core
from core.examples import PRESETS
from core.measures.contributions.sentence_parts import LEFT_OUT, Part, parts, sums

ENDS = ("money",), ("river",)


def whole(found: tuple[Part, ...]) -> str:
    return "".join(part.text for part in found)


@pytest.mark.parametrize(
    "text",
    [
        "He sat on the bank.",
        "  bank ",
        "¿bank? «don't» bank's",
        "🎣bank now",
        "ישב על bank הנהר",
        "a\tbank\n b",
    ],
)
def test_the_parts_are_the_sentence(minilm: core.Model, text: str) -> None:
    trace = minilm.trace(text)
    start = text.index("bank")
    found, chosen = parts(trace, start, start + 4, most=50)
    assert whole(found) == text
    assert found[chosen] == Part("bank", start, start + 4)
    assert [p.start for p in found[1:]] == [p.end for p in found[:-1]]


def test_of_a_long_sentence_the_words_around_the_chosen_one_are_shown(minilm: core.Model) -> None:
    text = " ".join(f"w{i}" for i in range(40)) + " bank " + " ".join(f"v{i}" for i in range(40))
    trace = minilm.trace(text)
    start = text.index("bank")
    found, chosen = parts(trace, start, start + 4, most=11)
    words = [part.text for part in found if part.text.strip()]
    assert words[0] == words[-1] == LEFT_OUT
    assert words[1:-1] == [*(f"w{i}" for i in range(35, 40)), "bank", *(f"v{i}" for i in range(5))]
    assert found[chosen].text == "bank"
    assert found[0].start == 0
    assert found[-1].end == len(text)
    found, chosen = parts(trace, 0, 2, most=5)
    assert [p.text for p in found if p.text.strip()] == ["w0", "w1", "w2", "w3", "w4", LEFT_OUT]
    assert chosen == 0


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("text", "word"),
    [(p.text_a, p.word) for p in PRESETS[:6]]
    + [
        (" ".join(f"bright{i} fields" for i in range(30)) + " by the bank", "bank"),
        ("🎣bank!", "bank"),
    ],
)
def test_what_the_sentence_adds_moves_the_word_from_where_it_stands_alone(
    minilm: core.Model, text: str, word: str
) -> None:
    axis = minilm.sense_axis(word, *ENDS)
    trace = minilm.trace(text)
    tokens = trace.find(word)
    one = next(o for o in trace.occurrences() if set(o.tokens) == set(tokens))
    shown, _ = parts(trace, one.start, one.end, most=24)
    here, there = (
        [minilm.contributions(t, word, axis.direction(i), layer=i) for i in range(axis.n_layers)]
        for t in (text, word)
    )
    layers = [one.from_alone(other) for one, other in zip(here, there, strict=True)]
    found = sums(trace, shown, axis, layers)
    alone = minilm.trace(word)
    np.testing.assert_allclose(found.alone, axis.coordinates(alone, alone.find(word)), atol=1e-5)
    made = found.alone + np.nansum(found.parts, axis=1) + found.special + found.bias
    np.testing.assert_allclose(made, axis.coordinates(trace, tokens), atol=1e-4)
    with pytest.raises(ValueError, match="alone"):
        sums(trace, shown, axis, here)
    for column, part in zip(found.parts.T, shown, strict=True):
        if part.text.strip() and text.isascii():  # one [UNK] may stand for two words
            assert np.isfinite(column).all(), part
