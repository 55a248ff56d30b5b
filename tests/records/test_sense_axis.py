"""The axis between two senses of a word: by hand, on the real model, and on models of other kinds."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

import core
from core.examples import ANCHORS, PRESETS, Preset, labelled, words
from core.examples.first_texts import OPENING
from core.records.sense_axis import (
    ANCHOR_FIRST,
    FRAMES,
    Context,
    End,
    Frames,
    SenseAxis,
    beside,
    framed,
    sense_axis,
)
from core.records.spelling import UNCASED
from core.records.trace import Trace
from tests.pretrained.small_models import save

# Two layers of three numbers. m is (1, 2, 3) and (0, 0, 0), h is (2, 0, 0) and (0, 3, 4).
NOTHING = Frames(End(("a",), (), ()), End(("b",), (), ()), (), ())
AXIS = SenseAxis(
    "bank",
    "by hand",
    NOTHING,
    np.array([[1, 2, 3], [0, 0, 0]]),
    np.array([[2, 0, 0], [0, 3, 4]]),
)


def by_hand(hidden: np.ndarray | None) -> Trace:
    return Trace(
        tokens=("the", "em", "##bank"),
        word_ids=(0, 1, 1),
        segments=(0,) * 3,
        offsets=((0, 3), (4, 6), (6, 10)),
        special=(False,) * 3,
        left_out=None,
        learned=np.zeros((3, 3)),
        embedded=np.zeros((3, 3)),
        hidden=hidden,
        final=None,
        attention=None,
        query=None,
        key=None,
        value=None,
        model="by hand",
        texts=("the embank",),
        left_out_by_text=(None,),
    )


def test_position_by_hand() -> None:
    hidden = np.zeros((2, 3, 3), np.float32)
    hidden[0, 1], hidden[0, 2] = (3, 50, 60), (7, -50, 0)  # their mean is (5, 0, 30)
    hidden[1, 1:] = (9, 3, 4)
    found = AXIS.coordinates(by_hand(hidden), [1, 2])
    assert found.tolist() == [2.0, 1.0]  # (5 − 1)·2 / 4; (9 + 16) / 25
    assert found.dtype == np.float32
    assert not found.flags.writeable
    assert AXIS.coordinates(by_hand(hidden), [1])[0] == 1
    assert AXIS.distance.tolist() == [4, 10]
    assert AXIS.n_layers == 2


def test_coordinates_of_stored_vectors() -> None:
    assert AXIS.coordinate([5, 0, 30], 0) == 2
    many = AXIS.coordinate([[[9, 3, 4], [9, -6, -8]]], 1)
    np.testing.assert_allclose(many, [[1, -2]], atol=1e-6)
    np.testing.assert_allclose(AXIS.coordinate([9, 3, 4], -1), 1, atol=1e-6)
    with pytest.raises(ValueError, match="d_model = 3"):
        AXIS.coordinate([[1, 2]], 0)
    with pytest.raises(IndexError):
        AXIS.coordinate([1, 2, 3], 2)


def test_direction_and_offset_make_the_position() -> None:
    assert AXIS.direction(0).tolist() == [0.5, 0, 0]
    assert AXIS.offset(0) == -0.5
    np.testing.assert_allclose(AXIS.direction(1), np.array([0, 3, 4]) / 25)
    assert AXIS.offset(1) == 0


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(core.NotSupported, match="has no hidden states"):
        AXIS.coordinates(by_hand(None), [1])
    with pytest.raises(ValueError, match="at least one token"):
        AXIS.coordinates(by_hand(np.zeros((2, 3, 3))), [])
    with pytest.raises(ValueError, match="do not fit"):
        AXIS.coordinates(by_hand(np.zeros((3, 3, 3))), [1])
    with pytest.raises(ValueError, match="do not fit"):
        dataclasses.replace(AXIS, halves=np.ones((3, 3)))


# The effect of the frames.


def test_the_word_stands_at_the_slot_of_its_frame() -> None:
    for anchor in ("bank", "river bank", "kind", "a"):
        for context, frame in zip(framed("bank", anchor), FRAMES, strict=True):
            assert context.text == frame.format(word="bank", anchor=anchor)
            assert context.text[context.start : context.end] == "bank"
            before = frame.split("{word}")[0].replace("{anchor}", anchor)
            assert context.start == len(before)


def test_braces_are_text() -> None:
    for context in framed("{anchor}", "{word}"):
        assert context.text[context.start : context.end] == "{anchor}"
        assert "{word}" in context.text


def taken(model: core.Model, text: str, word: str, number: int = 0) -> np.ndarray:
    """(layers, d_model): the word's vector in a text."""
    trace = model.trace(text, keep="hidden")
    assert trace.hidden is not None
    return trace.hidden[:, trace.find(word, number)].mean(axis=1)


def plain_axis(
    model: core.Model, word: str, low: Sequence[str], high: Sequence[str]
) -> list[np.ndarray]:
    """The two ends computed independently: each text alone, the word found by counting."""
    ends = []
    for end in (low, high):
        items = []
        for item in end:
            vectors = []
            if word in item.split():
                vectors.append(taken(model, item, word))
            else:
                for frame in FRAMES:
                    text = frame.format(word=word, anchor=item)
                    before = frame.split("{word}")[0].format(anchor=item)
                    vectors.append(taken(model, text, word, before.split().count(word)))
            items.append(np.mean(vectors, axis=0))
        ends.append(np.mean(items, axis=0))
    return ends


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (["money"], ["river"]),
        (["money", "cash"], ["river bank", "shore", "They sat on the bank and fished"]),
        (["He robbed a bank"], ["river"]),
    ],
)
def test_the_ends_are_the_words_own_vectors(
    minilm: core.Model, low: list[str], high: list[str]
) -> None:
    axis = minilm.sense_axis("bank", low, high)
    a, b = plain_axis(minilm, "bank", low, high)
    assert axis.frames.high.items == tuple(sorted(high, key=lambda item: "bank" in item))
    np.testing.assert_allclose(axis.midpoints - axis.halves, a, atol=2e-5)
    np.testing.assert_allclose(axis.midpoints + axis.halves, b, atol=2e-5)
    np.testing.assert_allclose(axis.distance, np.linalg.norm(b - a, axis=1), rtol=1e-5)
    assert axis.frames.dropped == ()
    assert axis.frames.unknown == ()


def test_a_frame_may_hold_the_word_again(minilm: core.Model) -> None:
    """A frame may contain the word twice: its vector is taken at the frame's own slot."""
    axis = minilm.sense_axis("kind", ["sort"], ["gentle"])  # "kind" stands in the first frame as well
    low, high = plain_axis(minilm, "kind", ["sort"], ["gentle"])
    np.testing.assert_allclose(axis.midpoints, (low + high) / 2, atol=2e-5)


def test_how_near_the_words_of_an_end_are_to_the_word(minilm: core.Model) -> None:
    frames = minilm.sense_axis("bank", ["money", "river"], ["A bank.", "purple"]).frames
    money, river = frames.low.near
    (purple,) = frames.high.near  # a sentence has no word beside the word
    cosines = []
    for frame in FRAMES:
        trace = minilm.trace(frame.format(word="bank", anchor="river"), keep="hidden")
        assert trace.hidden is not None
        (a,), (b,) = (trace.hidden[-1][trace.find(word)] for word in ("bank", "river"))
        cosines.append(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    assert river == pytest.approx(np.mean(cosines), abs=1e-5)
    assert min(money, river) > purple + 0.3
    assert frames.low.nearness == pytest.approx((money + river) / 2)
    assert minilm.sense_axis("bank", ["A bank."], ["The bank."]).frames.low.nearness is None
    kept = beside("bank", ["river", "purple"], minilm.trace_many)
    assert [kept[word].near for word in ("river", "purple")] == pytest.approx([river, purple])
    # An anchor word without a token counts as unrelated to the word.
    nothing = minilm.sense_axis("bank", ["\u0301"], ["river"]).frames.low
    assert nothing.near == (-1,)


def test_the_ends_stand_at_one(minilm: core.Model) -> None:
    axis = minilm.sense_axis("bank", ["He robbed a bank"], ["We sat on the grassy bank"])
    for text, place in (("He robbed a bank", -1), ("We sat on the grassy bank", 1)):
        trace = minilm.trace(text)
        np.testing.assert_allclose(axis.coordinates(trace, trace.find("bank")), place, atol=1e-4)


@pytest.mark.few(1)
@pytest.mark.parametrize("engine", ["scratch", "huggingface"])
def test_both_engines_agree(engine: str, minilm: core.Model, minilm_hf: core.Model) -> None:
    model = minilm if engine == "scratch" else minilm_hf
    axis = model.sense_axis("bank", ["money"], ["river"])
    trace = model.trace(OPENING.text_a)
    expected = minilm.sense_axis("bank", ["money"], ["river"])
    known = expected.coordinates(minilm.trace(OPENING.text_a), trace.find("bank"))
    np.testing.assert_allclose(axis.coordinates(trace, trace.find("bank")), known, atol=1e-4)


@pytest.mark.check
def test_contributions_make_the_position_in_every_layer(minilm: core.Model) -> None:
    for preset in PRESETS[:6]:
        assert preset.low is not None
        assert preset.high is not None
        axis = minilm.sense_axis(preset.word, preset.low.words[:1], preset.high.words[:1])
        for text in (preset.text_a, preset.text_b):
            trace = minilm.trace(text)
            positions = axis.coordinates(trace, trace.find(preset.word))
            for layer in range(axis.n_layers):
                found = minilm.contributions(text, preset.word, axis.direction(layer), layer=layer)
                assert found.error < 2e-5
                total = found.by_token.sum(dtype=np.float64) + found.bias + axis.offset(layer)
                assert total == pytest.approx(positions[layer], abs=1e-4)
                whole = found.whole + axis.offset(layer)
                assert whole == pytest.approx(positions[layer], abs=1e-4)


def test_a_cut_is_measured_along_the_axis_of_each_layer(minilm: core.Model) -> None:
    axis = minilm.sense_axis("bank", ["money"], ["river"])
    found = minilm.intervene(OPENING.text_a, core.Cut("bank", "river"), core.Cut("bank", "fishing"))
    before, after = (axis.coordinates(t, t.find("bank")) for t in (found.before, found.after))
    assert (after < before).all()  # in every layer the river has pulled it
    other = minilm.intervene(OPENING.text_a, core.Replace("river", "savings"))
    after = axis.coordinates(other.after, other.after.find("bank"))
    assert after[-1] < before[-1] - 0.3


# The separation of senses.


def positions(model: core.Model, preset: Preset, each: int) -> tuple[np.ndarray, np.ndarray]:
    assert preset.low is not None
    assert preset.high is not None
    axis = model.sense_axis(preset.word, preset.low.words[:each], preset.high.words[:each])
    a, b = model.trace_many([preset.text_a, preset.text_b])
    return axis.coordinates(a, a.find(preset.word)), axis.coordinates(b, b.find(preset.word))


@pytest.mark.few(8)
@pytest.mark.check
@pytest.mark.parametrize("preset", [p for p in PRESETS if p.low], ids=lambda p: p.label)
def test_every_preset_ends_as_it_says(minilm: core.Model, preset: Preset) -> None:
    for each in (1, 6):
        a, b = positions(minilm, preset, each)
        one_side = preset.same_sense or preset.label == "bank: the words in another order"
        assert (a[-1] * b[-1] > 0) == one_side, (each, a, b)
        assert min(abs(a[-1]), abs(b[-1])) > 0.2
    if not preset.same_sense:  # and with one word an end, it holds in every layer
        a, b = positions(minilm, preset, 1)
        assert ((a * b < 0) == (not one_side)).all()


@pytest.fixture(scope="module")
def sides(minilm: core.Model) -> dict[int, np.ndarray]:
    """Words at each end -> (words, layers), the share of a word's labelled sentences on their side."""
    found: dict[int, list[np.ndarray]] = {1: [], 6: []}
    for word in words():
        traces = minilm.trace_many([s.text for s in labelled(word)])
        high = np.array([s.sense == ANCHORS[word].high.name for s in labelled(word)])
        for each, right in found.items():
            axis = minilm.sense_axis(word, *(g.words[:each] for g in ANCHORS[word]))
            at = np.array([axis.coordinates(t, t.find(word)) for t in traces])
            right.append(((at > 0) == high[:, None]).mean(axis=0))
    return {each: np.array(right) for each, right in found.items()}


@pytest.mark.check
def test_labelled_sentences_are_on_their_own_side(sides: dict[int, np.ndarray]) -> None:
    one, six = (sides[each].mean(axis=0) for each in (1, 6))
    assert one[-1] >= 0.915  # measured .922
    assert six[-1] >= 0.93  # measured .938
    assert min(one.min(), six.min()) >= 0.81  # the first layer
    assert sides[1][:, -1].min() >= 0.68
    assert sides[6][:, -1].min() >= 0.8


@pytest.mark.check
def test_any_anchor_word_will_do(minilm: core.Model) -> None:
    """Not only the first one: all six anchors of three words, one by one."""
    right = []
    for word in ("bank", "mouse", "seal"):
        traces = minilm.trace_many([s.text for s in labelled(word)])
        high = np.array([s.sense == ANCHORS[word].high.name for s in labelled(word)])
        low_words, high_words = (g.words for g in ANCHORS[word])
        for low, up in zip(low_words, high_words, strict=True):
            axis = minilm.sense_axis(word, [low], [up])
            at = np.array([axis.coordinates(t, t.find(word))[-1] for t in traces])
            right.append(((at > 0) == high).mean())
    assert np.mean(right) >= 0.85


# Errors and their messages.


def test_ends_that_are_one_are_told(minilm: core.Model) -> None:
    with pytest.raises(core.NotSupported, match="cannot tell the two ends apart"):
        minilm.sense_axis("bank", ["river"], ["river"])
    with pytest.raises(core.NotSupported, match="cannot tell the two ends apart"):
        minilm.sense_axis("bank", ["the bank"], ["the bank"])


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("word", "low", "high", "error", "match"),
    [
        ("bank", [], ["river"], core.NotSupported, "at least one word or sentence"),
        ("bank", ["money"], [" ", ""], core.NotSupported, "at least one word or sentence"),
        ("bank", ["money"], ["bank"], core.NotSupported, "at least one word or sentence"),
        ("bank", ["money"], "river", core.NotSupported, "a list of words"),
        ("", ["money"], ["river"], core.NotSupported, "needs a word"),
        ("bank", ["money"], ["a walk by the river"], core.WordNotFound, "does not contain “bank”"),
        ("bank", ["money"], [f"w{i}" for i in range(41)], core.NotSupported, "at most 40"),
        ("bank", ["money"], [f"a {i} bank" for i in range(101)], core.NotSupported, "100 sentences"),
        ("bank", ["money"], ["🎣"], core.NotSupported, "does not know “🎣”"),
        ("🎣", ["money"], ["river"], core.NotSupported, "does not know “🎣”"),
        ("bank", ["money"], ["so " * 600 + "bank"], core.WordNotFound, "too long"),
    ],
)
def test_errors_are_sentences(
    minilm: core.Model, word: str, low: list[str], high: list[str], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        minilm.sense_axis(word, low, high)


def test_the_word_itself_is_no_anchor(minilm: core.Model) -> None:
    axis = minilm.sense_axis("Bank", ["money", "bank"], ["river", "river"])
    assert axis.frames.low.words == ("money",)
    assert axis.frames.high.items == ("river",)
    (dropped,) = axis.frames.dropped
    assert dropped.what == "bank"
    assert "word itself" in dropped.why


def test_a_piece_that_the_model_does_not_know_is_named(minilm: core.Model) -> None:
    axis = minilm.sense_axis("bank", ["money", "Die Bank 🎣"], ["river"])
    assert axis.frames.low.sentences == ("Die Bank 🎣",)
    assert axis.frames.unknown == ("Die Bank 🎣",)
    assert np.isfinite(axis.midpoints).all()


def test_a_sentence_may_hold_another_form_of_the_word(minilm: core.Model) -> None:
    axis = minilm.sense_axis("bank", ["The banks closed"], ["river"])
    (context,) = axis.frames.low.contexts
    assert context == Context("The banks closed", 4, 9)


def test_another_language_is_read_in_the_same_frames(minilm: core.Model) -> None:
    axis = minilm.sense_axis("Schloss", ["Tür"], ["König"])
    trace = minilm.trace("Das Schloss an der Tür klemmt.")
    assert np.isfinite(axis.coordinates(trace, trace.find("Schloss"))).all()


# Models of other kinds.


@pytest.mark.parametrize("kind", ["gpt2", "llama", "qwen3"])
def test_models_that_read_from_left_to_right_read_the_anchor_first(
    kind: str, tmp_path: Path, fill_randomly: Callable[..., None]
) -> None:
    model = core.load(str(save(tmp_path / kind, kind, fill_randomly)))
    axis = model.sense_axis("bank", ["the"], ["river"])
    both = [*axis.frames.low.contexts, *axis.frames.high.contexts]
    assert [c.frame for c in both] == [*ANCHOR_FIRST, *ANCHOR_FIRST]
    assert all(f.index("{anchor}") < f.index("{word}") for f in ANCHOR_FIRST)
    assert both[0].text == "It is a kind of the, the bank."
    assert all(c.text[c.start : c.end] == "bank" for c in both)
    assert axis.frames.dropped == ()
    assert axis.alone is None  # a first token is nowhere that a word of a sentence could come from
    assert (axis.distance > 1e-3).all()
    assert [len(end.near) for end in (axis.frames.low, axis.frames.high)] == [1, 1]
    trace = model.trace("On the river bank")
    assert np.isfinite(axis.coordinates(trace, trace.find("bank"))).all()
    mixed = model.sense_axis("bank", ["On the bank"], ["river", "Near a bank", "shore"])
    assert [c.frame for c in mixed.frames.low.contexts] == [None]
    assert [c.frame for c in mixed.frames.high.contexts] == [*ANCHOR_FIRST, None, *ANCHOR_FIRST]
    found = beside(
        "bank", ["river"], lambda texts: list(model.trace_many(texts, keep="hidden")), causal=True
    )
    np.testing.assert_allclose(
        found["river"].vectors,
        (model.sense_axis("bank", ["the"], ["river"]).midpoints + axis.halves),
        atol=1e-4,
    )


def test_an_encoder_decoder_has_none(tmp_path: Path, fill_randomly: Callable[..., None]) -> None:
    model = core.load(str(save(tmp_path / "t5", "t5", fill_randomly)))
    with pytest.raises(core.NotSupported, match="encoder–decoder"):
        model.sense_axis("bank", ["money"], ["river"])


def test_a_model_trained_here_takes_sentences(one_thread: None) -> None:
    from core.tasks.languages.senses import labelled as of_grammar
    from tests.tasks.conftest import brief, trained

    model = trained(brief("bank"))
    ends: dict[str, list[str]] = {}
    for one in of_grammar("bank", 4):
        ends.setdefault(one.topic, []).append(" ".join(one.words))
    low, high = ends.values()
    axis = model.sense_axis("bank", low, high)
    assert axis.frames.low.sentences == tuple(low)
    trace = model.trace(low[0])
    assert isinstance(trace, Trace)
    positions = axis.coordinates(trace, trace.find("bank"))
    assert positions.shape == (axis.n_layers,)
    for layer in range(axis.n_layers):
        found = model.contributions(low[0], "bank", axis.direction(layer), layer=layer)
        assert found.whole + axis.offset(layer) == pytest.approx(positions[layer], abs=1e-4)
    with pytest.raises(core.NotSupported, match="does not know the words of the frames"):
        model.sense_axis("bank", low, ["river"])
    reverse = trained(brief("reverse"))
    with pytest.raises(core.NotSupported, match="reads two texts"):
        reverse.sense_axis("a", ["a b"], ["b a"])


def test_ends_without_a_direction_are_refused_in_any_layer() -> None:
    """Of 40 texts, all of which are the same to a model that ignores the word's context."""

    def trace_many(texts: Sequence[str]) -> list[Trace]:
        return [
            dataclasses.replace(
                by_hand(np.ones((2, 3, 3), np.float32)),
                texts=(text,),
                offsets=((0, 1), (1, 2), (2, len(text))),
            )
            for text in texts
        ]

    with pytest.raises(core.NotSupported, match="cannot tell the two ends apart"):
        sense_axis("bank", ["a b"], ["c d"], trace_many, spelling=UNCASED, model="blind")


def test_the_record_is_frozen() -> None:
    with pytest.raises(ValueError, match="read-only"):
        AXIS.halves[0, 0] = 5
    assert AXIS.nbytes == 2 * 2 * 3 * 4
