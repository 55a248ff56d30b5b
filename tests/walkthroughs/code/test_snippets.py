"""The code beside the numbers: each snippet runs on its own, and computes the numbers on the screen."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.records.frozen import Array
from core.walkthroughs import code, paper, tiny, tiny_numbers
from core.walkthroughs.steps import queries
from core.walkthroughs.steps.descriptions import PLAIN as PLAIN_WORDS
from core.walkthroughs.steps.descriptions import STEPS
from core.walkthroughs.steps.record import Step
from core.walkthroughs.steps.unweighted import plain_steps
from tests.tiers import some

ROOT = Path(__file__).resolve().parents[3]
core_load = core.load  # before a test replaces it
TEXT = "the cat ate the mouse"
HEAD, LAYER, BLOCK, TOKEN = 1, 3, 2, 2
WORDS = tiny_numbers.read_words("the more the merrier")
EDITS = {("W_Q", 0, 1): 2.5, ("b_2", 0, 3): -1.25}
APART = ("pieces", "learned", "root", "position", "embedded", "mask")  # not in every layer
LAYER_STEPS = [name for name in STEPS if name not in APART]
PLAIN = [*PLAIN_WORDS]
WRITERS = {"PyTorch": code.in_pytorch, "NumPy": code.in_numpy}


@pytest.fixture(autouse=True)
def loaded_once(minilm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the cells use the model of the tests; in one test below, they load it themselves."""
    monkeypatch.setattr(core, "load", {"minilm": minilm}.__getitem__)


def given_by(snippet: str) -> Array:
    """The value of the last line of a cell, in a separate namespace."""
    there: dict[str, Any] = {"__name__": "a notebook"}
    *before, last = ast.parse(snippet).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(before, []), "a cell", "exec"), there)
    return np.asarray(eval(compile(ast.Expression(last.value), "a cell", "eval"), there))


def same(snippet: str, steps: Sequence[Step], name: str, within: float = 1e-6) -> None:
    """Equal to 1e-6 of the largest number: float32 has seven digits."""
    expected = next(step for step in steps if step.name == name).result.values
    found = given_by(snippet)
    found = found[:, None] if found.ndim == 1 else found
    assert found.shape == expected.shape
    if name == "mask":
        shown = np.abs(expected) < 1e30
        np.testing.assert_array_equal(np.abs(found) < 1e30, shown)
        assert not shown.all()
        found, expected = found[shown], expected[shown]
    np.testing.assert_allclose(found, expected, rtol=0, atol=within * max(1, np.abs(expected).max()))


@pytest.fixture(scope="module")
def of_minilm(minilm: Any) -> dict[int, tuple[Step, ...]]:
    read, trace = minilm.read(TEXT), minilm.trace(TEXT)
    pieces = read.ids, trace.tokens, read.types, [""] * len(read)
    return {
        layer: queries.pass_of(minilm.scratch_encoder, pieces, x, layer, HEAD, BLOCK)
        for layer, x in ((0, trace.embedded), (LAYER, trace.hidden[LAYER - 1]))
    }


@pytest.mark.few(8)
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", ["pieces", "learned", "position", "embedded", *LAYER_STEPS])
def test_every_step_of_minilm(writer: str, name: str, of_minilm: dict[int, tuple[Step, ...]]) -> None:
    for layer, steps in of_minilm.items():
        snippet = WRITERS[writer](code.trained("minilm", TEXT, layer, HEAD), steps, name)
        same(snippet, steps, name)


@pytest.fixture(scope="module", params=[0, 2])
def of_paper(minilm: Any, request: Any) -> tuple[int, tuple[Step, ...]]:
    ids, tokens = minilm.read(TEXT).ids, minilm.trace(TEXT).tokens
    pieces = ids, tokens, [""] * len(ids)
    steps, _ = queries.paper_pass(pieces, minilm.n_vocabulary, request.param, HEAD, BLOCK)
    return request.param, steps


@pytest.mark.few(20)
@pytest.mark.check
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", ["pieces", "learned", "root", "position", *LAYER_STEPS])
def test_every_step_of_the_papers_size(
    writer: str, name: str, of_paper: tuple[int, tuple[Step, ...]]
) -> None:
    layer, steps = of_paper
    same(WRITERS[writer](code.paper_size("minilm", TEXT, layer, HEAD), steps, name), steps, name)


@pytest.mark.few(20)
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


@pytest.mark.fuzz
@pytest.mark.check
@pytest.mark.parametrize("writer", some(WRITERS, 1))
def test_a_cell_needs_nothing_but_itself(writer: str, of_minilm: dict[int, tuple[Step, ...]]) -> None:
    """In a separate process, in which nothing is loaded yet."""
    snippet = WRITERS[writer](code.trained("minilm", TEXT, LAYER, HEAD), of_minilm[LAYER], "weights")
    *before, last = snippet.splitlines()
    cell = "\n".join([*before, f"print(float(({last.partition('#')[0].strip()}).sum()))"])
    done = subprocess.run([sys.executable, "-c", cell], cwd=ROOT, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    assert float(done.stdout) == pytest.approx(7, abs=1e-5)  # rows sum to 1


def test_another_model_lies_in_a_folder(of_minilm: dict[int, tuple[Step, ...]]) -> None:
    origin = code.trained("own", TEXT, note="with POLYSEE_MODELS set: it lies in that folder")
    cell = code.in_pytorch(origin, of_minilm[0], "query")
    assert "import core  # with POLYSEE_MODELS set: it lies in that folder\n" in cell


@pytest.mark.fuzz
@pytest.mark.check
def test_distilbert_has_no_segments(make_folder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It also has none of MiniLM's sizes."""
    model = core_load(str(make_folder("distilbert")))
    monkeypatch.setattr(core, "load", lambda name: model)
    read, trace = model.read(TEXT), model.trace(TEXT)
    assert model.scratch_encoder is not None
    assert trace.hidden is not None
    pieces = read.ids, trace.tokens, read.types, [""] * len(read)
    steps = queries.pass_of(model.scratch_encoder, pieces, trace.hidden[0], 1, 2, 0)
    for name in ("learned", "position", "embedded", *LAYER_STEPS):
        for write in WRITERS.values():
            same(write(code.trained("own", TEXT, 1, 2), steps, name), steps, name)


@pytest.mark.parametrize("text", ['it\'s "so"', "a\\", "x\n1/0", "{head} {0}", "#", "\u2028", '"""'])
def test_a_text_stays_text(text: str, of_minilm: dict[int, tuple[Step, ...]], minilm: Any) -> None:
    """Typed text never becomes code."""
    cell = code.in_pytorch(code.trained("minilm", text, 0, HEAD), of_minilm[0], "pieces")
    assert given_by(cell).tolist() == [*minilm.read(text).ids]
