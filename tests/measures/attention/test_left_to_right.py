"""Attention and names of tokens in a decoder without a BOS: its first token is left out as the sink."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.figures.attention.pictures import heads_of, layer_of
from core.figures.labels import label
from core.measures import head_map, sentence_vector, striking, whole_words
from core.measures.attention.blocks import as_block, part, without_special
from core.measures.attention.token_names import blank, names
from core.records.trace import SINK
from tests.left_to_right import decoder, real

TEXT = "Withdrawing money\nfrom the bank"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> core.Model:
    return decoder(tmp_path_factory.mktemp("bare"))


def test_the_first_token_can_be_left_out(bare: core.Model) -> None:
    trace = bare.trace(TEXT)
    block = as_block(trace)
    assert block.first_is_sink
    assert block.special == ((0,), (0,))
    n = len(trace.tokens)
    view = head_map(trace, 1, 2, special=False)
    assert view.first_is_sink
    assert view.tokens.tolist() == [*range(1, n)]
    assert trace.attention is not None
    weights = trace.attention.weights[1, 2]
    np.testing.assert_allclose(view.dropped, weights[1:, 0], rtol=1e-6)
    np.testing.assert_allclose(view.weights[-1], weights[-1, 1:] / weights[-1, 1:].sum(), rtol=1e-5)
    assert head_map(trace, 1, 2, special=True).weights.shape == (n, n)
    assert without_special(block).attention.queries == block.attention.queries[1:]


def test_a_text_of_one_token_is_shown_whole(bare: core.Model) -> None:
    trace = bare.trace("a")
    assert len(trace.tokens) == 1
    assert head_map(trace, 0, 0, special=False).weights.tolist() == [[1.0]]


def test_the_first_of_several_pieces_stays_apart(bare: core.Model) -> None:
    trace = bare.trace(TEXT)
    assert trace.word_ids[0] == trace.word_ids[1]  # several pieces
    words = whole_words(as_block(trace))
    assert words.special == ((0,), (0,))
    first, rest = words.attention.queries[:2]
    assert first + rest.removeprefix("##") == "Withdrawing"
    assert words.first_is_sink
    np.testing.assert_allclose(words.attention.weights.sum(axis=-1), 1, rtol=1e-4)


def test_pictures_call_it_what_it_is(bare: core.Model, minilm: core.Model) -> None:
    for made in (heads_of(bare.trace(TEXT)), layer_of(bare.trace(TEXT), 1)):
        assert made.header["leftOut"] == SINK
    for made in (heads_of(minilm.trace(TEXT)), layer_of(minilm.trace(TEXT), 1)):
        assert "leftOut" not in made.header
    assert part(as_block(bare.trace(TEXT)), "").first_is_sink


def test_it_is_no_striking_head(bare: core.Model) -> None:
    found = striking(bare.trace(TEXT))
    assert found is not None
    assert found.key != 0


def test_a_sentence_vector_is_without_it(bare: core.Model, minilm: core.Model) -> None:
    trace = bare.trace(TEXT)
    np.testing.assert_allclose(sentence_vector(trace), trace.contextual[1:].mean(axis=0), rtol=1e-5)
    encoded = minilm.trace(TEXT)
    np.testing.assert_allclose(sentence_vector(encoded), encoded.contextual.mean(axis=0), rtol=1e-5)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", "↵"),
        ("a\n\nb", "↵"),
        ("a\tb", "⇥"),
        ("hi\n", "↵"),  # no token begins with a space
    ],
)
def test_no_mark_of_the_vocabulary_is_shown(bare: core.Model, text: str, shown: str) -> None:
    found = [label(one) for one in names(bare.trace(text))]
    assert any(shown in one for one in found)
    assert not any(mark in one for one in found for mark in "ĠĊĉ")


@pytest.mark.parametrize("text", ["café 🎣", "naïve", "zażółć gęślą", "البنك", "ĠĊ is Ġ", "Ġ"])
def test_letters_of_a_text_stay(bare: core.Model, text: str) -> None:
    assert "".join(one.removeprefix("##") for one in names(bare.trace(text))).strip()
    if "Ġ" not in text:
        assert not any("Ã" in one or "Ġ" in one for one in names(bare.trace(text)))


def test_what_is_only_space() -> None:
    assert [blank(one) for one in (" ", "\n", "\r\n", "\n\n", "\t", " \n ")] == [
        " ", "↵", "↵", "↵↵", "⇥", "↵",
    ]  # fmt: skip


@pytest.mark.check
def test_smollm2_rests_on_its_first_token() -> None:
    model = real()
    trace = model.trace("A man went fishing and sat down on the bank.")
    assert trace.first_is_sink
    assert trace.hidden is not None
    lengths = np.linalg.norm(trace.hidden[12], axis=-1)
    assert lengths[0] > 50 * lengths[1:].max()
    view = head_map(trace, None, None, special=False)
    assert 0.3 < view.dropped.mean() < 0.7
