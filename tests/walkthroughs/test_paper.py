"""The paper's size, step by step: its shapes, and the same numbers as a run of our transformer."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.walkthroughs import paper
from core.walkthroughs.steps import queries
from core.walkthroughs.steps.record import Step

IDS, TOKENS, NOTES = (101, 1996, 4937, 102), ("[CLS]", "the", "cat", "[SEP]"), ("", "", "", "")
VOCABULARY = 30_522


def steps(layer: int = 0) -> dict[str, Step]:
    found, _ = queries.paper_pass((IDS, TOKENS, NOTES), VOCABULARY, layer, 7, 0)
    return {step.name: step for step in found}


def test_the_shapes_are_those_of_table_3() -> None:
    found = steps(5)
    assert len(paper.layers()) == 6
    wide = {name: step.part or step.result.values.shape for name, step in found.items()}
    assert wide["query"] == (4, 64)
    assert wide["join"] == (4, 512)
    assert wide["inner"] == (0, 2048)
    assert wide["norm2"] == (4, 512)
    assert found["learned"].operands[1].whole == (VOCABULARY, 512)


@pytest.mark.parametrize("layer", [0, 3])
def test_every_step_follows_from_its_operands(layer: int) -> None:
    for step in steps(layer).values():
        if step.kind not in ("pieces", "compare"):
            np.testing.assert_allclose(
                step.result.values, step.again(), atol=2e-5, err_msg=f"{step.name} of {layer}"
            )


@pytest.mark.parametrize("layer", [0, 5])
def test_the_last_step_is_what_the_stack_returns(layer: int) -> None:
    found, returned = queries.paper_pass((IDS, TOKENS, NOTES), VOCABULARY, layer, 0, 0)
    model = paper._model()
    embeddings = paper.learned(IDS)[None], paper.embedded(IDS)[None]
    with torch.inference_mode():
        whole = model.stack(embeddings).layers[layer].output_BLD[0].numpy()
    np.testing.assert_allclose(found[-1].result.values, whole, atol=1e-5)
    np.testing.assert_array_equal(returned, whole)


@pytest.mark.parametrize("layer", [0, 5])
def test_with_a_mask_no_token_depends_on_later_ones(layer: int) -> None:
    found, returned = queries.paper_pass((IDS, TOKENS, NOTES), VOCABULARY, layer, 2, 0, causal=True)
    np.testing.assert_allclose(found[-1].result.values, returned, atol=1e-5)
    other = (*IDS[:3], 2003)
    _, changed = queries.paper_pass((other, TOKENS, NOTES), VOCABULARY, layer, 2, 0, causal=True)
    np.testing.assert_allclose(changed[:3], returned[:3], atol=1e-5)
    assert np.abs(changed[3] - returned[3]).max() > 0.1
    _, free = queries.paper_pass((other, TOKENS, NOTES), VOCABULARY, layer, 2, 0)
    _, before = queries.paper_pass((IDS, TOKENS, NOTES), VOCABULARY, layer, 2, 0)
    assert np.abs(free[:3] - before[:3]).max() > 1e-3


def test_the_first_row_by_hand() -> None:
    found = steps()
    row = found["learned"].result.values[0]
    np.testing.assert_allclose(found["root"].result.values[0], row * 22.627417, rtol=1e-6)
    # At position 0, all sines are 0 and all cosines 1.
    moved = found["position"].result.values[0] - found["root"].result.values[0]
    np.testing.assert_allclose(moved, np.tile([0, 1], 256), atol=1e-6)
    assert np.std(row) == pytest.approx(512**-0.5, rel=0.15)


def test_an_id_has_the_same_row_wherever_it_stands() -> None:
    assert torch.equal(paper.learned([7, 9])[1], paper.learned([9])[0])
    assert not torch.equal(paper.learned([7]), paper.learned([9]))


def test_without_positions_the_order_leaves_no_trace() -> None:
    found = queries.paper_in_two_orders(IDS, (101, 4937, 1996, 102), TOKENS, 5)
    assert found.without.max() < 1e-5
    assert found.with_positions.max() > 0.1
