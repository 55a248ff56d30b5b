"""A model of one's own text, trained by a browser's engine, is the one that the server trains."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.own_text import TextRecipe, bits_per_letter, ready
from core.own_text.learning import TextTraining
from tools import node

_TRAIN = Path(__file__).parents[1] / "figures" / "web" / "owntext" / "train.js"
_TEXT = ready()["garden"].text
_STEPS = 3
# Sizes that no two of share, an odd number of windows, and heads whose width is no power of two.
_LETTERS = TextRecipe(layers=2, heads=3, width=30, window=19, batch=5, rate=0.01, steps=11, seed=7)
_PAIRS = TextRecipe("pairs", 37, layers=1, heads=1, width=22, window=16, batch=3, steps=_STEPS)


def trained(recipe: TextRecipe, folder: Path) -> tuple[TextTraining, dict[str, Any], dict[str, Any]]:
    """A training by torch, what it found, and what the browser's engine found, each after 3 steps."""
    own = TextTraining(_TEXT, recipe)
    first = {name: one.detach().clone() for name, one in own.model.state_dict().items()}
    other = {
        # Larger ones: each sub-layer then has a gradient of its own size.
        name: one + 0.2 * torch.randn(one.shape, generator=torch.Generator().manual_seed(3))
        for name, one in first.items()
    }
    windows = own._windows(own._parts[0].ids, 3, torch.Generator().manual_seed(2))
    own.model.load_state_dict(other)
    loss = own._loss(windows)
    loss.backward()  # type: ignore[no-untyped-call]
    gradient = {
        name: one.grad.numpy().copy()
        for name, one in own.model.named_parameters()
        if one.grad is not None
    }
    own.model.load_state_dict(first)
    query = {
        "text": _TEXT,
        "recipe": vars(recipe),
        "tensors": {
            name: {"shape": list(one.shape), "numbers": one.flatten().tolist()}
            for name, one in other.items()
        },
        "windows": windows.flatten().tolist(),
        "batch": len(windows),
        "steps": _STEPS,
    }
    asked, answered = folder / "asked.json", folder / "answered.json"
    asked.write_text(json.dumps(query), "utf-8")
    subprocess.run([node.NODE / "node", _TRAIN, asked, answered], check=True)
    found = json.loads(answered.read_text("utf-8"))
    return own, {"first": first, "loss": float(loss.detach()), "gradient": gradient}, found


def numbers(tensors: dict[str, Any]) -> dict[str, np.ndarray]:
    return {
        name: np.array(one["numbers"], np.float32).reshape(one["shape"])
        for name, one in tensors.items()
    }


@pytest.mark.check
@pytest.mark.parametrize("recipe", [_LETTERS, _PAIRS], ids=["letters", "pairs"])
def test_gradients_steps_and_what_it_writes_are_those_of_torch(
    recipe: TextRecipe, tmp_path: Path
) -> None:
    assert node.install() == 0
    own, wanted, found = trained(recipe, tmp_path)
    model = json.loads(own.tokenizer.to_str())["model"]
    assert found["tokens"] == sorted(model["vocab"], key=model["vocab"].__getitem__)
    assert found["merges"] == [list(one) for one in model["merges"]]
    assert found["gram"] == pytest.approx(bits_per_letter(own.learned_text, own.held_text), rel=1e-12)
    for name, first in numbers(found["first"]).items():  # the same seed
        np.testing.assert_allclose(first, wanted["first"][name], atol=2e-6)

    assert found["loss"] == pytest.approx(wanted["loss"], rel=1e-6)
    gradients = numbers(found["gradient"])
    assert gradients.keys() == wanted["gradient"].keys()
    for name, one in wanted["gradient"].items():
        assert np.linalg.norm(gradients[name] - one) < 1e-5 * np.linalg.norm(one), name

    own.learn(_STEPS)
    pause = own.look()
    for name, after in numbers(found["after"]).items():
        moved = own.model.state_dict()[name].numpy() - wanted["first"][name].numpy()
        np.testing.assert_allclose(
            after - wanted["first"][name].numpy(), moved, atol=0.01 * np.abs(moved).max(), err_msg=name
        )
    assert found["pause"]["step"] == _STEPS
    assert found["pause"]["bits"] == pytest.approx(pause.bits, rel=1e-4)
    assert found["pause"]["held"] == pytest.approx(pause.held, rel=1e-4)
    assert found["pause"]["sample"] == pause.sample
    assert found["pause"]["tokens"] == [*pause.tokens]
    np.testing.assert_allclose(found["pause"]["attention"], pause.attention.ravel(), atol=1e-4)
    assert found["goesOn"] == own.write("In the ", 90, seed=4)
