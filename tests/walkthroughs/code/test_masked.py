"""The code beside masked attention: a trained model, the paper's size, its decoder, a recorded one."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import core
from core.walkthroughs import code
from core.walkthroughs.code import in_plain_numpy, in_torch
from core.walkthroughs.code.excerpt import Excerpt, lines
from core.walkthroughs.steps import queries
from core.walkthroughs.steps.descriptions import CROSS, STEPS
from core.walkthroughs.steps.record import Step
from core.walkthroughs.steps.recorded import recorded_steps
from tests.walkthroughs.code.test_snippets import BLOCK, HEAD, LAYER_STEPS, TEXT, WRITERS, same

SOURCE = "die Katze"
load = core.load  # before a test replaces it


@pytest.fixture(autouse=True)
def loaded_once(minilm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the cells use the model of the tests."""
    monkeypatch.setattr(core, "load", {"minilm": minilm}.__getitem__)


@cache
def of_minilm(minilm: Any, layer: int) -> tuple[Step, ...]:
    read, trace = minilm.read(TEXT), minilm.causal_trace(TEXT)
    x = trace.hidden[layer - 1] if layer else trace.embedded
    pieces = read.ids, trace.tokens, read.types, [""] * len(read)
    return queries.pass_of(minilm.scratch_encoder, pieces, x, layer, HEAD, BLOCK, causal=True)


@pytest.mark.few(5)
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", [*LAYER_STEPS, "mask"])
def test_every_masked_step_of_minilm(writer: str, name: str, minilm: Any) -> None:
    for layer in (0, 3):
        steps = of_minilm(minilm, layer)
        origin = code.trained("minilm", TEXT, layer, HEAD, causal=True)
        # Under a mask, the numbers of the first token become far larger than all others.
        same(WRITERS[writer](origin, steps, name), steps, name, within=2e-6)


@cache
def of_paper(minilm: Any, decoder: bool) -> tuple[Step, ...]:
    ids, tokens, known = minilm.read(TEXT).ids, minilm.trace(TEXT).tokens, minilm.n_vocabulary
    pieces = ids, tokens, [""] * len(ids)
    if decoder:
        source = minilm.read(SOURCE).ids, minilm.trace(SOURCE).tokens
        return queries.decoder_pass(pieces, known, source, 2, HEAD, BLOCK)[0]
    return queries.paper_pass(pieces, known, 2, HEAD, BLOCK, causal=True)[0]


@pytest.mark.few(8)
@pytest.mark.check
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", [*LAYER_STEPS, "mask"])
def test_every_masked_step_of_the_papers_size(writer: str, name: str, minilm: Any) -> None:
    steps, origin = of_paper(minilm, False), code.paper_size("minilm", TEXT, 2, HEAD, causal=True)
    same(WRITERS[writer](origin, steps, name), steps, name)


@pytest.mark.few(8)
@pytest.mark.check
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(
    "name", ["pieces", "learned", "root", "position", *LAYER_STEPS, "mask", *CROSS]
)
def test_every_step_of_the_decoder(writer: str, name: str, minilm: Any) -> None:
    steps, origin = of_paper(minilm, True), code.paper_decoder("minilm", TEXT, SOURCE, 2, HEAD)
    same(WRITERS[writer](origin, steps, name), steps, name)


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("kind", ["gpt2", "roberta"])
def test_every_step_of_recorded_attention(
    writer: str, kind: str, made: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(str(made(kind)))
    monkeypatch.setattr(core, "load", lambda name: model)
    read, trace = model.read(TEXT), model.trace(TEXT)
    steps: Sequence[Step] = recorded_steps(
        trace, read.ids, trace.tokens, [""] * len(read), model.n_vocabulary, layer=1, head=HEAD
    ).steps
    origin = code.recorded("own", TEXT, 1, HEAD, masked=kind == "gpt2")
    for step in steps:
        same(WRITERS[writer](origin, steps, step.name), steps, step.name)


def test_the_lines_stand_in_the_source() -> None:
    torch_codes = {**in_torch.CROSS, **in_torch.DECODER, **in_torch.RECORDED}
    every = [(name, one.excerpt) for name, one in torch_codes.items() if one.excerpt is not None]
    every += [
        (name, part)
        for name, one in in_plain_numpy.CROSS.items()
        for part in one.parts
        if isinstance(part, Excerpt)
    ]
    for name, excerpt in every:
        source = textwrap.dedent(inspect.getsource(excerpt.function))
        indented = {textwrap.indent(lines(excerpt), " " * by) for by in range(0, 17, 4)}
        assert any(f"\n{one}\n" in f"\n{source}\n" for one in indented), name


def test_every_step_of_a_decoder_has_its_lines() -> None:
    assert {*in_torch.CROSS} == {*in_plain_numpy.CROSS} == {*CROSS}
    assert not {*CROSS} & {*STEPS}
