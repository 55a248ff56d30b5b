"""Meanings of the dictionary as a model reads them: by hand, and on MiniLM."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import core
from core.comparison.ends import end_of, typed_end
from core.dictionary import meanings_of
from core.measures.senses import meanings as module
from core.measures.senses.meanings import (
    MOST_WORDS,
    SURE,
    Meaning,
    Reading,
    guess,
    likely,
    meanings,
    reading,
    shares,
)
from core.records.unknown import all_unknown as unknown_only


def at(*vectors: Sequence[float]) -> list[Meaning]:
    """Meanings that no order of a dictionary prefers, each with its words where it is itself."""
    return [one(vector, 0, f"m{i}") for i, vector in enumerate(vectors)]


def one(vector: Sequence[float], number: int, name: str = "m", parts: str = "nva") -> Meaning:
    where = np.array(vector, float)
    return Meaning((name,), where, where[None], number, frozenset(parts))


def seen(*vector: float, around: Sequence[Sequence[float]] = ()) -> Reading:
    return Reading(np.array(vector), np.array(around, float).reshape(-1, len(vector)))


EVERY = at((1, 0), (0, 1), (-1, -1))


def test_the_nearest_meaning_of_each_sentence_is_an_end() -> None:
    assert guess(EVERY, [seen(3.0, 0.1), seen(0.2, 2.0)])[:2] == (
        1,
        0,
    )  # low: B's, high: A's
    assert guess(EVERY, [seen(-3.0, -2.9), seen(1.0, 0.0)])[:2] == (0, 2)


def test_one_meaning_twice_takes_the_next_nearest() -> None:
    assert {*guess(EVERY, [seen(3.0, 0.5), seen(2.0, 0.5)])[:2]} == {0, 1}
    assert guess(EVERY, [seen(3.0, 0.5)])[:2] == (1, 0)  # and so does one sentence


def test_the_pair_that_is_likeliest_together_is_guessed() -> None:
    # Both are nearest to the first meaning, B by far: A has the other one, although it is less near.
    a, b = seen(2.0, 1.9), seen(3.0, -0.5)
    share = likely(EVERY, [a, b])
    assert share.argmax(axis=1).tolist() == [0, 0]
    assert share.sum(axis=1) == pytest.approx(1)
    found = guess(EVERY, [a, b])
    assert found[:2] == (0, 1)
    together = {(lo, hi): share[1, lo] * share[0, hi] for lo in range(3) for hi in range(3) if lo != hi}
    assert max(together, key=lambda two: together[two]) == found[:2]


def test_a_guess_is_sure_where_both_meanings_are_likely_enough() -> None:
    far, between = [seen(3.0, 0.0), seen(0.0, 3.0)], [seen(1.0, 1.0)] * 2
    assert guess(EVERY, far).sure
    assert not guess(EVERY, between).sure
    share = likely(EVERY, far)
    assert min(share[0, 0], share[1, 1]) >= SURE
    assert guess(EVERY, far[:1]).sure
    assert not guess(EVERY, [far[0], seen(1.0, 1.0)]).sure  # of A alone


def test_a_meaning_in_another_part_of_speech_is_the_last_to_be_guessed() -> None:
    noun, verb, both = one((1, 0), 0, parts="n"), one((0.6, 0.8), 0, parts="v"), one((-1, 0), 0)
    a, b = seen(3.0, 0.0), seen(-3.0, 0.0)
    assert guess([noun, verb, both], [a, b]) == (2, 0, True)
    found = guess([noun, verb, both], [a, b], ["v", "n"])
    assert found == (2, 1, False)  # the model is not sure: the nearest has another part of speech
    found = guess([noun, verb, both], [a, b], ["n", "n"])
    assert found == (2, 0, True)
    of = shares([noun, verb, both], [a, b], ["v", "n"])
    assert of.sum(axis=1) == pytest.approx(1)
    assert of.argmax(axis=1).tolist() == [1, 2]
    assert guess([noun, noun], [a, a], ["v", "v"]).low != guess([noun, noun], [a, a], ["v", "v"]).high


def test_a_meaning_is_named_by_the_words_nearest_to_the_word(minilm: core.Model) -> None:
    found = meanings("coat", minilm.trace_many)
    assert len(found) == len(meanings_of("coat"))
    for one, named in zip(found, meanings_of("coat"), strict=True):
        assert len(one.words) == min(MOST_WORDS, len(named))
        assert [word for word in named if word in one.words] == [*one.words]  # in their order
        assert one.name == (one.gloss or ", ".join(one.words))
    assert [one.name for one in found if "garment" in one.words] == ["outer garment"]
    # The vectors are those of one text, in which all its words stand, also those that do not name it.
    first, words = found[0], meanings_of("coat")[0]
    trace = minilm.trace(f"In the sense of {', '.join(words)}, a coat.")
    assert first.vector == pytest.approx(trace.contextual[trace.find("coat")].mean(axis=0), abs=1e-5)
    own = [trace.contextual[trace.find(word)].mean(axis=0) for word in words]
    assert first.own == pytest.approx(np.stack(own), abs=1e-5)


def test_a_definition_names_a_meaning_unless_a_typed_name_would_be_read_otherwise(
    minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a comma, a colon or the word itself, or for two meanings: their words name them."""
    first = [words[0] for words in meanings_of("coat")]
    for gloss in ("hair, wool or fur", "worn: outside", "put a coat on", "many coats"):
        monkeypatch.setattr(module, "glosses_of", lambda word, gloss=gloss: {first[0]: gloss})
        assert [one.gloss for one in meanings("coat", minilm.trace_many)] == [""] * len(first)
    monkeypatch.setattr(module, "glosses_of", lambda word: dict.fromkeys(first[:2], "x y"))
    assert not any(one.gloss for one in meanings("coat", minilm.trace_many))
    monkeypatch.undo()
    for word in ("coat", "run", "light"):
        for one in meanings(word, minilm.trace_many):
            typed = typed_end(one.name, one.words, word)
            assert end_of(typed, word) == (one.name, one.words)


@pytest.mark.parametrize("unknown", ["garment", "outer"])
def test_a_word_that_the_model_does_not_know_names_no_meaning(
    unknown: str, minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.records import sense_axis

    every = meanings("coat", minilm.trace_many)
    known = unknown_only

    def as_if(tokens: Sequence[str], at: Sequence[int]) -> bool:
        return known(tokens, at) or [tokens[i] for i in at] == [unknown]

    monkeypatch.setattr(sense_axis, "all_unknown", as_if)
    found = meanings("coat", minilm.trace_many)
    assert [one.number for one in found] == [*range(len(every))]
    assert not any(unknown in one.words for one in found)
    assert [one.words for one in every if unknown not in one.words] == [
        one.words for one, own in zip(found, every, strict=True) if unknown not in own.words
    ]


def test_only_a_meaning_of_which_no_word_is_known_is_left_out(
    minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.measures.senses import meanings as module
    from core.records import sense_axis

    known = unknown_only

    def as_if(tokens: Sequence[str], at: Sequence[int]) -> bool:
        return known(tokens, at) or [tokens[i] for i in at] in (["paint"], ["layer"])

    monkeypatch.setattr(sense_axis, "all_unknown", as_if)
    monkeypatch.setattr(
        module, "meanings_of", lambda word: (("garment",), ("paint", "layer"), ("fur", "hair"))
    )
    found = meanings("coat", minilm.trace_many)
    assert [(one.words, one.number) for one in found] == [(("garment",), 0), (("fur", "hair"), 2)]
    monkeypatch.setattr(module, "meanings_of", lambda word: (("garment",), ("paint", "layer")))
    assert meanings("coat", minilm.trace_many) == ()


def test_a_word_that_is_not_in_the_dictionary_has_none(minilm: core.Model) -> None:
    assert meanings("xylophone", minilm.trace_many) == ()


def test_of_two_meanings_about_as_near_the_more_frequent_one_is_guessed() -> None:
    rare, frequent, other = one((1, 0.1), 5), one((1, -0.1), 0), one((-1, 0), 1)
    near_both = seen(2.0, 0.1)  # a little nearer to the rare one
    assert guess([rare, frequent, other], [near_both, seen(-2.0, 0.0)])[:2] == (2, 1)
    apart = [one((0, 1), 5), one((1, 0), 0), one((-1, -1), 1)]
    assert guess(apart, [seen(0.0, 3.0)])[1] == 0  # far nearer to the rare one


def test_words_of_the_sentence_that_are_near_to_a_meaning_speak_for_it() -> None:
    two, middle = at((1, 0), (0, 1)), (1.0, 1.0)
    assert likely(two, [seen(*middle)])[0] == pytest.approx([0.5, 0.5])
    for near in (0, 1):
        around = [(0.5, 0.5), (float(near == 0), float(near == 1)), (-1.0, -1.0)]
        share = likely(two, [seen(*middle, around=around)])[0]
        assert share.argmax() == near
        assert share.max() > 0.9


def test_what_stands_around_a_word_is_neither_the_word_nor_special(minilm: core.Model) -> None:
    trace = minilm.trace("The grassy riverbank.")
    found = reading(trace, trace.find("riverbank"))
    assert trace.hidden is not None
    pieces = trace.find("riverbank")
    assert found.vector == pytest.approx(trace.hidden[-1][pieces].mean(axis=0), abs=1e-6)
    others = [i for i, token in enumerate(trace.tokens) if token in ("the", "grassy", ".")]
    assert found.around == pytest.approx(trace.hidden[-1][others])
