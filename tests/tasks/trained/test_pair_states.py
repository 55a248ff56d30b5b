"""The states of a small encoder–decoder: beside torch's own hooks on its layers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from core.errors import NotSupported, SettingError
from core.records.prediction import probabilities
from core.tasks import Trained
from core.transformer import Transformer
from tests.tasks.trained.test_pair_attribution import forced

TEXTS = {
    "reverse": ("d c b a e", "d c e a e"),
    "translation": ("the black cat does not sing", "the young cat does not sleep"),
}


@pytest.fixture(params=TEXTS)
def model(request: pytest.FixtureRequest) -> tuple[Trained, str, str]:
    return request.getfixturevalue(request.param), *TEXTS[request.param]


def logits(own: Trained, text: str, written: Any, put: Any = None) -> Tensor:
    """(L, V), perhaps with the output of one layer, or the input of the first, changed."""
    net, pair = own._pair(text, written)
    handles = []
    if put is not None:
        half, depth, change = put
        layers = getattr(net, half).layers
        if depth:
            handles.append(
                layers[depth - 1].register_forward_hook(
                    lambda _, __, out: out._replace(output_BLD=change(out.output_BLD))
                )
            )
        else:
            handles.append(
                layers[0].register_forward_pre_hook(lambda _, args: (change(args[0]), *args[1:]))
            )
    with torch.no_grad():
        found: Tensor = net(pair.source.ids_BL, pair.target.ids_BL).logits_BLV[0]
    for one in handles:
        one.remove()
    return found


@pytest.mark.parametrize("half", ["encoder", "decoder"])
def test_each_state_of_another_source(model: tuple[Trained, str, str], half: Any) -> None:
    own, a, b = model
    written = own.decode(a, forced(own), max_tokens=4).ids[:3]
    one, other = 5, 8
    found = own.patch_pair(a, b, written, block=half, answers=(one, other))
    depths, tokens = found.differences.shape
    assert tokens == len(found.tokens[0])
    ends = [logits(own, text, written)[-1] for text in (a, b)]
    for number, end in zip((found.a, found.b), ends, strict=True):
        assert number == pytest.approx(float(end[one] - end[other]), abs=1e-5)
    for depth in range(depths):
        kept: list[Tensor] = []

        def keep(x: Tensor, kept: list[Tensor] = kept) -> Tensor:
            kept.append(x.clone())
            return x

        logits(own, a, written, (half, depth, keep))
        for i in range(tokens):

            def change(x: Tensor, i: int = i, kept: list[Tensor] = kept) -> Tensor:
                x = x.clone()
                x[:, i] = kept[0][:, i]
                return x

            end = logits(own, b, written, (half, depth, change))[-1]
            expected = float(end[one] - end[other])
            assert found.differences[depth, i] == pytest.approx(expected, abs=1e-5)
        run = own.patched_pair(a, b, written, depth, i, block=half)
        np.testing.assert_allclose(run.logits, end, atol=1e-5)


def test_heads_across_together_are_the_last_layer(model: tuple[Trained, str, str]) -> None:
    """With one layer and one head, what is exchanged is all that the decoder takes from a source."""
    own, a, b = model
    net = own.net
    assert isinstance(net, Transformer)
    found = own.patch_pair(a, b, (), block="cross", answers=(5, 8), at=None)
    assert found.differences.shape == (len(net.decoder.layers), net.config.cross_heads)
    if found.differences.shape == (1, 1):
        assert found.recovered[0, 0] == pytest.approx(1, abs=1e-4)
    assert np.abs(found.differences - found.b).max() > 1e-4


def test_the_lens_ends_with_the_prediction(model: tuple[Trained, str, str]) -> None:
    own, text, _ = model
    decoding = own.decode(text, forced(own), max_tokens=4)
    grid = own.pair_lens(text, decoding.ids[:3], word=5)
    assert grid.tokens == decoding.trace.decoder.tokens
    assert grid.word_probabilities is not None
    for step, expected in enumerate(decoding.expectations):
        shares = probabilities(expected.logits, 1.0)
        np.testing.assert_allclose(grid.probabilities[-1, step], np.sort(shares)[::-1][:5], atol=1e-5)
        assert grid.word_probabilities[-1, step] == pytest.approx(shares[5], abs=1e-5)
    for depth in range(grid.n_layers):
        kept: list[Tensor] = []
        logits(
            own, text, decoding.ids[:3], ("decoder", depth, lambda x, kept=kept: kept.append(x) or x)
        )
        last = ("decoder", grid.n_layers, lambda _, kept=kept: kept[0])
        shares = torch.softmax(logits(own, text, decoding.ids[:3], last), -1).numpy()
        np.testing.assert_allclose(grid.word_probabilities[depth], shares[:, 5], atol=1e-5)


def test_what_is_refused(model: tuple[Trained, str, str]) -> None:
    own, a, b = model
    with pytest.raises(NotSupported, match="same words"):
        own.patch_pair(a, a, ())
    with pytest.raises(NotSupported, match="equally long"):
        own.patch_pair(a, f"{b} {b.split()[0]}", (), answers=(5, 8))
    with pytest.raises(NotSupported, match="Both answers"):
        own.patch_pair(a, b, (), answers=(5, 5))
    with pytest.raises(SettingError, match="block"):
        own.patch_pair(a, b, (), block="both")  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="no word"):
        own.pair_lens(a, (), word=10**6)
