"""The code beside the steps of a decoder alone computes the numbers on the screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import core
from core.walkthroughs import code
from core.walkthroughs.steps import queries
from core.walkthroughs.steps.decoder_alone import MOST_NEXT, Next
from tests.walkthroughs.code.test_snippets import WRITERS, same

TEXT = "On the river bank, {head} the 'bank"
core_load = core.load


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["gpt2", "llama", "qwen2"])
def test_every_step(kind: str, made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    model: Any = core_load(str(made(kind)))
    monkeypatch.setattr(core, "load", {"own": model}.__getitem__)
    layer, head = 1, 2
    read, trace = model.read(TEXT), model.trace(TEXT)
    (expected,) = model.predict(TEXT, top_k=MOST_NEXT)
    steps = queries.pass_of_decoder(
        model.scratch_decoder,
        (read.ids, trace.tokens, [""] * len(read)),
        (trace.hidden[layer - 1], trace.hidden[-1]),
        layer,
        head,
        0,
        Next(model.scratch_head(), False, expected.ids, expected.tokens),
    )
    for step in steps:
        for writer, write in WRITERS.items():
            snippet = write(code.decoder_alone("own", TEXT, layer, head), steps, step.name)
            try:
                same(snippet, steps, step.name, 3e-6)
            except Exception as error:
                raise AssertionError(f"{step.name} in {writer}:\n{snippet}") from error
