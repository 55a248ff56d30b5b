"""The layer of each call of attention."""

from __future__ import annotations

import numpy as np
import pytest

import core
from tests.pretrained.engines.small_huggingface import TEXT, loaded

pytestmark = pytest.mark.check


def test_layers_without_attention_are_missing_and_have_vectors() -> None:
    model = loaded("jamba")
    trace = model.trace(TEXT)
    assert trace.attention is not None
    assert trace.hidden is not None
    there = [kind == "attention" for kind in model._runner.model.config.layers_block_type]  # type: ignore[attr-defined]
    assert sorted(set(there)) == [False, True]
    missing = trace.attention.missing
    assert missing.all(axis=(1, 2)).tolist() == [not one for one in there]
    assert not missing[there].any()
    assert len(trace.hidden) == len(there)
    for array in (trace.query, trace.key, trace.value):
        assert array is not None
        assert np.isnan(array).all(axis=(1, 2, 3)).tolist() == [not one for one in there]
    layer = there.index(False)
    with pytest.raises(core.NotSupported, match=f"no head 0 in layer {layer}"):
        trace.scores(layer, 0)


def test_several_blocks_of_attention_in_a_layer_stand_side_by_side() -> None:
    model = loaded("longcat_flash")
    trace = model.trace(TEXT)
    assert model.shape.n_layers == 4
    assert trace.grid == (4, 8)
    assert trace.hidden is not None
    assert len(trace.hidden) == 4
