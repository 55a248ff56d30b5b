"""The arrows between steps: by hand for the tiny model, and for inputs from outside."""

from __future__ import annotations

import pytest

from core.walkthroughs import tiny_numbers
from core.walkthroughs.steps.flow import flow
from core.walkthroughs.steps.queries import decoder_pass, tiny_pass


@pytest.mark.parametrize("causal", [False, True])
def test_every_step_of_the_tiny_model_reads_what_its_formula_says(causal: bool) -> None:
    steps = tiny_pass(tiny_numbers.read_words("the more"), tiny_numbers.NUMBERS, 1, causal)
    names = [one.name for one in steps]
    reads = {
        name: [names[i] for i in sources] for name, sources in zip(names, flow(steps), strict=True)
    }
    assert reads == {
        "pieces": [],
        "learned": ["pieces"],
        "position": ["learned"],
        "query": ["position"],
        "key": ["position"],
        "value": ["position"],
        "scores": ["query", "key"],
        "scale": ["scores"],
        **({"mask": ["scale"]} if causal else {}),
        "weights": ["mask" if causal else "scale"],
        "mix": ["weights", "value"],
        "join": ["mix"],
        "output": ["join"],
        "residual": ["position", "output"],
        "norm": ["residual"],
        "inner": ["norm"],
        "activation": ["inner"],
        "outer": ["activation"],
        "residual2": ["norm", "outer"],
        "norm2": ["residual2"],
    }


def test_the_output_of_the_encoder_comes_from_no_step_of_a_decoder() -> None:
    words = [1, 2, 3], ["on", "the", "bank"], ["", "", ""]
    steps, _ = decoder_pass(words, 30_522, ([4, 5], ["am", "Ufer"]), 0, 0, 0)
    names = [one.name for one in steps]
    sources = flow(steps)
    reads = {name: [names[i] for i in sources[k]] for k, name in enumerate(names)}
    assert reads["cross-key"] == reads["cross-value"] == []
    assert reads["cross-query"] == ["norm"]
    assert reads["cross-scores"] == ["cross-query", "cross-key"]
    assert reads["cross-mix"] == ["cross-weights", "cross-value"]
    assert reads["cross-residual"] == ["norm", "cross-output"]
    assert reads["residual2"] == ["cross-norm", "outer"]
    assert all(i < k for k, some in enumerate(sources) for i in some)
