"""The code beside the numbers: each snippet runs by itself and gives the numbers on the screen."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

from core.records.frozen import Array
from core.walkthroughs import code, paper, tiny, tiny_numbers
from core.walkthroughs.steps import queries
from core.walkthroughs.steps.record import Step
from core.walkthroughs.steps.unweighted import plain_steps

TEXT = "the cat ate the mouse"
HEAD, LAYER, BLOCK, TOKEN = 1, 3, 2, 2
WORDS = tiny_numbers.read_words("the more the merrier")
EDITS = {("W_Q", 0, 1): 2.5, ("b_2", 0, 3): -1.25}
LAYER_STEPS = (
    "query key value scores scale weights mix join output residual norm inner activation outer "
    "residual2 norm2"
).split()
PLAIN = ["plain-scores", "plain-scale", "plain-weights", "plain-mix"]
WRITERS = {"PyTorch": code.in_pytorch, "NumPy": code.in_numpy}


def given_by(snippet: str) -> Array:
    """What the last line of a cell gives, in a namespace of its own."""
    there: dict[str, Any] = {"__name__": "a notebook"}
    *before, last = ast.parse(snippet).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(before, []), "a cell", "exec"), there)
    return np.asarray(eval(compile(ast.Expression(last.value), "a cell", "eval"), there))


def same(snippet: str, steps: Sequence[Step], name: str) -> None:
    """To 1e-6 of the largest number: float32 keeps seven digits of it."""
    expected = next(step for step in steps if step.name == name).result.values
    found = given_by(snippet)
    found = found[:, None] if found.ndim == 1 else found
    assert found.shape == expected.shape
    if name == "mask":
        shown = np.abs(expected) < 1e30
        np.testing.assert_array_equal(np.abs(found) < 1e30, shown)
        assert not shown.all()
        found, expected = found[shown], expected[shown]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * max(1, np.abs(expected).max()))


@pytest.fixture(scope="module")
def of_minilm(minilm: Any) -> dict[int, tuple[Step, ...]]:
    read, trace = minilm.read(TEXT), minilm.trace(TEXT)
    pieces = read.ids, trace.tokens, read.types, [""] * len(read)
    return {
        layer: queries.pass_of(minilm.scratch_encoder, pieces, x, layer, HEAD, BLOCK)
        for layer, x in ((0, trace.embedded), (LAYER, trace.hidden[LAYER - 1]))
    }


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", ["pieces", "learned", "position", "embedded", *LAYER_STEPS])
def test_every_step_of_minilm(writer: str, name: str, of_minilm: dict[int, tuple[Step, ...]]) -> None:
    for layer, steps in of_minilm.items():
        snippet = WRITERS[writer](code.trained("minilm", TEXT, layer, HEAD), steps, name)
        same(snippet, steps, name)


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", ["pieces", "learned", "root", "position", *LAYER_STEPS])
@pytest.mark.parametrize("layer", [0, 2])
def test_every_step_of_the_papers_size(layer: int, writer: str, name: str, minilm: Any) -> None:
    ids, tokens = minilm.read(TEXT).ids, minilm.trace(TEXT).tokens
    steps, _ = queries.paper_pass(
        (ids, tokens, [""] * len(ids)), minilm.n_vocabulary, layer, HEAD, BLOCK
    )
    same(WRITERS[writer](code.paper_size("minilm", TEXT, layer, HEAD), steps, name), steps, name)


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("edits", [{}, EDITS], ids=["as it came", "changed"])
@pytest.mark.parametrize("name", ["pieces", "learned", "position", *LAYER_STEPS, "mask"])
def test_every_step_of_the_tiny_model(
    writer: str, causal: bool, edits: tiny_numbers.Edits, name: str
) -> None:
    if name == "mask" and not causal:
        return
    steps = queries.tiny_pass(WORDS, tiny_numbers.changed(edits), HEAD, causal)
    snippet = WRITERS[writer](code.tiny_model(WORDS, edits, HEAD, causal=causal), steps, name)
    same(snippet, steps, name)
    if writer == "NumPy" and name != "pieces":
        imported = [line for line in snippet.splitlines() if "import" in line.split("#")[0]]
        assert set(imported) <= {"import numpy as np", "import math"}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("which", ["embedded", "learned"])
@pytest.mark.parametrize("name", PLAIN)
def test_attention_without_weights(writer: str, which: str, name: str, minilm: Any) -> None:
    trace, numbers = minilm.trace(TEXT), tiny_numbers.changed(EDITS)
    own = tiny.embedded(WORDS, numbers, positions=which == "embedded").numpy()
    wide = getattr(paper, which)(minilm.read(TEXT).ids).numpy()
    for origin, vectors, tokens in (
        (code.trained("minilm", TEXT), getattr(trace, which), trace.tokens),
        (code.paper_size("minilm", TEXT), wide, trace.tokens),
        (code.tiny_model(WORDS, EDITS), own, tiny_numbers.names_of(WORDS)),
    ):
        steps = plain_steps(vectors, tokens, TOKEN)
        same(WRITERS[writer](origin, steps, name, which=which, token=TOKEN), steps, name)
