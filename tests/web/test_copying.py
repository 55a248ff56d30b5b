"""Two layers that learn to copy letters in a browser’s engine are those that torch trains."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.tasks import TASKS, Recipe
from core.tasks.languages import induction
from core.tasks.trained import models
from core.tasks.training.batches import collate
from core.tasks.training.learner import Learner
from core.tasks.training.loop import Training
from core.tasks.training.loss import cross_entropy
from core.tasks.training.snapshot import Snapshot
from tools import node

pytestmark = [pytest.mark.check, pytest.mark.few(1)]
_LEARN = Path(__file__).parents[1] / "figures" / "web" / "copying" / "learn.js"
_TASK = TASKS["induction"]
# Two heads, three layers, and a fall of the rate within the steps.
_SMALL = replace(
    _TASK.recipe,
    steps=4,
    warm_up=2,
    n_decoder_layers=3,
    n_heads=2,
    d_model=24,
    batch=5,
    seed=7,
    decay="cosine",
)


def _batches(count: int) -> list[list[list[int]]]:
    """Words of batches."""
    rng = np.random.default_rng(5)
    words = (one.reads[: (len(one.reads) + 1) // 2] for one in _TASK.examples(rng))
    return [[[*word] for word in islice(words, _SMALL.batch)] for _ in range(count)]


def _tensors(state: dict[str, torch.Tensor]) -> dict[str, Any]:
    return {
        name: {"shape": [*one.shape], "numbers": one.flatten().tolist()} for name, one in state.items()
    }


def _numbers(tensors: dict[str, Any]) -> dict[str, np.ndarray]:
    return {
        name: np.array(one["numbers"], np.float32).reshape(one["shape"])
        for name, one in tensors.items()
    }


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What torch and the browser’s engine make of one recipe."""
    assert node.install() == 0
    folder = tmp_path_factory.mktemp("copying")
    learner = Learner(_SMALL)
    first = {name: one.detach().clone() for name, one in learner.model.state_dict().items()}
    other = {  # larger ones: each part then has a gradient of its own size
        name: one + 0.2 * torch.randn(one.shape, generator=torch.Generator().manual_seed(3))
        for name, one in first.items()
    }
    batches = _batches(_SMALL.steps)
    as_batches = [collate([induction.INDUCTION.example(word) for word in one]) for one in batches]
    learner.model.load_state_dict(other)
    loss = cross_entropy(models.answer(learner.model, as_batches[0]), as_batches[0])
    loss.backward()
    gradient = {
        name: one.grad.numpy().copy()
        for name, one in learner.model.named_parameters()
        if one.grad is not None
    }
    learner.model.load_state_dict(first)
    words = [word for one in _batches(20) for word in one] + [[*induction.SIGNS.ids("polysemant")]]
    words += [[word[0], *word] for word in words]
    query = {
        **{"recipe": _SMALL.to_dict(), "tensors": _tensors(other), "batches": batches},
        "words": words,
    }
    asked, answered = folder / "asked.json", folder / "answered.json"
    asked.write_text(json.dumps(query), "utf-8")
    subprocess.run([node.NODE / "node", _LEARN, asked, answered], check=True)
    losses = [learner.learn(batch, _SMALL.rate(step)) for step, batch in enumerate(as_batches, start=1)]
    wanted = {
        **{"first": first, "loss": float(loss.detach()), "gradient": gradient, "losses": losses},
        **{"after": learner.model.state_dict(), "words": words, "model": learner.model},
    }
    return {"wanted": wanted, **json.loads(answered.read_text("utf-8"))}


def test_the_first_numbers_and_the_letters_held_out_are_the_servers(found: dict[str, Any]) -> None:
    for name, one in _numbers(found["first"]).items():
        np.testing.assert_allclose(one, found["wanted"]["first"][name], atol=2e-6)
    assert found["heldOut"] == [induction.is_held_out(word) for word in found["wanted"]["words"]]
    assert 0 < sum(found["heldOut"]) < len(found["heldOut"])
    held = collate(_TASK.held_out(128)).reads_BL
    assert found["held"] == np.pad(held, ((0, 0), (0, 31 - held.shape[1]))).ravel().tolist()
    letters = found["letters"]
    assert not any(map(induction.is_held_out, letters))
    assert {len(word) for word in letters} == set(range(induction.SHORTEST, induction.LONGEST + 1))
    assert all(len({*word}) == len(word) for word in letters)
    assert {sign for word in letters for sign in word} == {*induction.SIGNS.ids(induction.SIGNS.known)}


def test_the_loss_and_its_gradient_are_torchs(found: dict[str, Any]) -> None:
    wanted = found["wanted"]
    assert found["loss"] == pytest.approx(wanted["loss"], rel=1e-6)
    gradients = _numbers(found["gradient"])
    assert gradients.keys() == wanted["gradient"].keys()
    for name, one in wanted["gradient"].items():
        # a bias of keys moves every score of a row alike: its gradient is 0, and rounding
        assert np.linalg.norm(gradients[name] - one) < 1e-5 * np.linalg.norm(one) + 1e-7, name


def test_the_steps_are_torchs(found: dict[str, Any]) -> None:
    wanted = found["wanted"]
    np.testing.assert_allclose(found["losses"], wanted["losses"], rtol=1e-5)
    for name, after in _numbers(found["after"]).items():
        if name.endswith("key.bias"):  # a gradient that is rounding alone, of which Adam takes the sign
            continue
        before = wanted["first"][name].numpy()
        moved = wanted["after"][name].numpy() - before
        np.testing.assert_allclose(after - before, moved, atol=0.01 * np.abs(moved).max(), err_msg=name)


def _looked(recipe: Recipe) -> Snapshot:
    return Training(recipe).advance(0)


def test_what_is_measured_is_the_servers(found: dict[str, Any]) -> None:
    own, wanted = found["looks"][0], _looked(_SMALL)
    assert own["step"] == 0
    assert own["tokens"] == [*"polysemantpolyseman"]
    assert own["loss"] == pytest.approx(wanted.loss, rel=1e-5)
    assert own["random"] == pytest.approx(wanted.random_loss, rel=1e-5)
    assert own["accuracy"] == pytest.approx(wanted.accuracy)
    assert own["pattern"] == pytest.approx(wanted.pattern)
    assert wanted.decoder is not None
    np.testing.assert_allclose(
        own["attention"], wanted.decoder.weights.reshape(_SMALL.n_decoder_layers, -1), atol=1e-5
    )
