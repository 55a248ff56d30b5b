"""What a small encoder–decoder’s next word owes to what was read, and what it is without a word."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import NotSupported, SettingError
from core.tasks import Trained
from core.transformer import Transformer

TEXTS = {"reverse": "d c b a e", "translation": "the black cat does not sing"}


@pytest.fixture(params=TEXTS)
def model(request: pytest.FixtureRequest) -> tuple[Trained, str]:
    return request.getfixturevalue(request.param), TEXTS[request.param]


def forced(own: Trained) -> dict[int, str]:
    """Three words, which a model that has hardly learned anything would not write."""
    return dict(enumerate(own.target.words[5:8]))


@pytest.mark.parametrize("step", [0, 3])
def test_the_sum_is_the_difference_of_two_logits(model: tuple[Trained, str], step: int) -> None:
    own, text = model
    decoding = own.decode(text, forced(own), max_tokens=4)
    logits, written = decoding.expectations[step].logits, decoding.ids[:step]
    for first, second in ((5, 8), (8, None)):
        found = own.pair_logit_contributions(text, written, first, second)
        expected = logits[first] - (0 if second is None else logits[second])
        assert found.whole == pytest.approx(expected, abs=1e-5)
        assert found.error <= 1e-5
        assert found.source == decoding.trace.encoder.tokens
        assert found.target == decoding.trace.decoder.tokens[: step + 1]
        assert np.abs(found.by_source_token).min() > 0


def test_without_a_word_is_as_if_it_were_padding(model: tuple[Trained, str]) -> None:
    """Then no word reads it either, and what it reads itself is read by none."""
    own, text = model
    decoding, net = own.decode(text, forced(own), max_tokens=4), own.net
    assert isinstance(net, Transformer)
    source = torch.tensor([own._read(text).ids])
    start = torch.tensor([own._pair(text, decoding.ids[:2])[1].target.ids])
    for word in range(source.shape[1]):
        mask = torch.ones_like(source, dtype=torch.bool)
        mask[0, word] = False
        with torch.no_grad():
            expected = net(source, start, mask).logits_BLV[0, -1].numpy()
        found = own.without_word(text, decoding.ids[:2], word)
        np.testing.assert_allclose(found.logits, expected, atol=1e-5)
        assert np.abs(found.logits - decoding.expectations[2].logits).max() > 1e-4


def test_what_is_refused(model: tuple[Trained, str], induction: Trained) -> None:
    own, text = model
    for written, ids in (((), (3, 3)), ((), (3, 10**6)), ((10**6,), (3, 4))):
        with pytest.raises(SettingError):
            own.pair_logit_contributions(text, written, *ids)
    with pytest.raises(SettingError, match="no word"):
        own.without_word(text, (), 99)
    with pytest.raises(NotSupported, match="one word"):
        own.without_word(text.split()[0], (), 0)
    with pytest.raises(NotSupported, match="not an encoder–decoder"):
        induction.without_word("a b a", (), 0)
