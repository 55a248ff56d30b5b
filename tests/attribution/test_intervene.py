"""Cut, ablate, mask, replace: a cut weight is exactly 0, and unchanged parts stay equal to the bit."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import core

TEXT = "She sat fishing on the river bank."


def same(a: core.Trace, b: core.Trace) -> bool:
    pairs = [(getattr(a, name), getattr(b, name)) for name in ("hidden", "query", "key", "value")]
    pairs.append((a.attention.weights, b.attention.weights))  # type: ignore[union-attr]
    return all(np.array_equal(one, other) for one, other in pairs)


def test_nothing_changed_changes_nothing(minilm: core.Model) -> None:
    found = minilm.intervene(TEXT)
    assert same(found.before, found.after)
    assert same(found.before, minilm.trace(TEXT))
    # Layers below the first cut stay equal to the bit.
    found = minilm.intervene(TEXT, core.Cut("bank", "river", layer=4))
    assert found.before.hidden is not None
    assert found.after.hidden is not None
    assert np.array_equal(found.before.hidden[:4], found.after.hidden[:4])
    assert not np.array_equal(found.before.hidden[4], found.after.hidden[4])


@pytest.mark.parametrize("where", [(None, None), (3, None), (None, 7), (2, 5)])
def test_a_cut_edge_has_weight_0(minilm: core.Model, where: tuple[int | None, int | None]) -> None:
    layer, head = where
    found = minilm.intervene(TEXT, core.Cut("bank", "river", layer, head))
    (row,), (column,) = found.before.find("bank"), found.before.find("river")
    before, after = (t.attention.weights for t in (found.before, found.after))  # type: ignore[union-attr]
    np.testing.assert_allclose(after.sum(-1), 1, atol=1e-6)
    cut = np.zeros(after.shape[:2], dtype=bool)
    cut[slice(None) if layer is None else layer, slice(None) if head is None else head] = True
    assert (after[cut][:, row, column] == 0).all()
    assert (after[~cut][:, row, column] > 0).all()
    assert (before[:, :, row, column] > 0).all()
    # In the first layer with a cut, the other weights are divided by their sum.
    first = int(np.flatnonzero(cut.any(1))[0])
    h = int(np.flatnonzero(cut[first])[0])
    kept = before[first, h, row].copy()
    kept[column] = 0
    np.testing.assert_allclose(after[first, h, row], kept / kept.sum(), atol=1e-6)


def test_a_token_that_sees_only_one_other_mixes_only_that(minilm: core.Model) -> None:
    cuts = [core.Cut(2, j, layer=0) for j in range(len(minilm.trace(TEXT).tokens)) if j != 5]
    found = minilm.intervene(TEXT, *cuts)
    assert found.after.attention is not None
    assert (found.after.attention.weights[0, :, 2, 5] == 1).all()
    with pytest.raises(core.NotSupported, match="must attend to something"):
        minilm.intervene(TEXT, *cuts, core.Cut(2, 5))


def test_an_ablated_head_adds_nothing(minilm: core.Model) -> None:
    """By hand: the layer's attention without the head's columns of W_O."""
    found = minilm.intervene(TEXT, core.Ablate(1, 4))
    layer = minilm._runner.encoder.layers[1]  # type: ignore[attr-defined]
    before = found.before
    assert before.hidden is not None
    assert before.value is not None
    assert before.attention is not None
    assert found.after.hidden is not None
    mixed = before.attention.weights[1] @ before.value[1]
    mixed[4] = 0
    joined = mixed.transpose(1, 0, 2).reshape(len(before.tokens), -1)
    weight, bias = (t.numpy() for t in (layer.attention.output.weight, layer.attention.output.bias))
    summed = torch.from_numpy(before.hidden[0] + joined @ weight.T + bias)
    middle = layer.attention_norm(summed)
    output = layer.output_norm(middle + layer.feed_forward(middle))
    np.testing.assert_allclose(found.after.hidden[1], output.numpy(), atol=1e-5)
    assert np.array_equal(found.after.hidden[0], before.hidden[0])


def test_replacing_is_typing(minilm: core.Model) -> None:
    found = minilm.intervene(TEXT, core.Replace("river", "money"), core.Replace("She", "He"))
    assert same(found.after, minilm.trace("He sat fishing on the money bank."))
    assert found.before.texts == (TEXT,)
    # The words of other changes are found in the new text.
    cut = minilm.intervene(TEXT, core.Cut("bank", "money"), core.Replace("river", "money"))
    (row,), (column,) = cut.after.find("bank"), cut.after.find("money")
    assert (cut.after.attention.weights[:, :, row, column] == 0).all()  # type: ignore[union-attr]


def test_a_masked_word_keeps_its_place(minilm: core.Model) -> None:
    found = minilm.intervene(TEXT, core.Mask("river"))
    (place,) = found.before.find("river")
    assert found.after.tokens[place] == "[MASK]"
    assert found.after.find("river").tolist() == [place]
    assert same(found.after, minilm.trace(TEXT, masked=[int(place)]))


def test_the_other_engine_reads_but_cannot_be_cut(minilm_hf: core.Model) -> None:
    assert minilm_hf.intervene(TEXT, core.Mask("river")).after.tokens[6] == "[MASK]"
    for change in (core.Cut("bank", "river"), core.Ablate(0, 0)):
        with pytest.raises(core.NotSupported, match="our own transformer"):
            minilm_hf.intervene(TEXT, change)


@pytest.mark.parametrize(
    "change",
    [core.Cut("bank", 40), core.Cut(1, 2, 6), core.Cut(1, 2, 0, 12), core.Ablate(-1, 0)],
    ids=str,
)
def test_what_is_not_there_is_said(minilm: core.Model, change: core.Cut | core.Ablate) -> None:
    with pytest.raises(core.SettingError, match="There is no"):
        minilm.intervene(TEXT, change)


@pytest.mark.parametrize(
    "change", [core.Mask("lake"), core.Replace("lake", "sea"), core.Cut("bank", "sea")]
)
def test_a_word_that_is_not_there_is_named(minilm: core.Model, change: core.Mask) -> None:
    with pytest.raises(core.WordNotFound, match="river"):
        minilm.intervene(TEXT, change)


@pytest.mark.check
def test_many_changes_at_once_are_one_after_the_other(minilm: core.Model) -> None:
    """Cuts, ablated heads and masks run together; replaced words change the length, and run alone."""
    each: list[list[core.Cut | core.Ablate | core.Mask | core.Replace]] = [
        [core.Cut("bank", "river")],
        [core.Ablate(1, 4), core.Cut(2, 5, 3, 0)],
        [core.Mask("river")],
        [],
        [core.Ablate(5, 0)],
        [core.Replace("river", "embankment")],
    ]
    for some in (each, each[:-1]):
        found = list(minilm.changed(TEXT, some))
        assert len(found) == len(some)
        for changes, after in zip(some, found, strict=True):
            alone = minilm.intervene(TEXT, *changes).after
            assert after.tokens == alone.tokens
            np.testing.assert_allclose(after.hidden, alone.hidden, atol=1e-5)  # type: ignore[arg-type]
