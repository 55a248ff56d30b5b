"""Saving and loading: equal to the bit, and nothing in a file is trusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors
import safetensors.numpy
import torch

from core.errors import ModelBroken
from core.tasks import TASKS, Recipe, TaskName, Trained, dump, load, train
from core.tasks.trained.files import MOST_BYTES
from tests.tasks.conftest import brief

NAMES = pytest.mark.parametrize("name", ["reverse", "translation", "induction", "bank"])


@pytest.fixture
def model(name: str, request: pytest.FixtureRequest) -> Trained:
    found: Trained = request.getfixturevalue(name)
    return found


@NAMES
def test_what_is_saved_comes_back(model: Trained, name: str) -> None:
    again = load(dump(model))
    assert again.recipe == model.recipe
    assert (again.source, again.target) == (model.source, model.target)
    assert (again.steps, again.changes) == (model.steps, model.changes)
    assert list(again.weights) == sorted(model.weights)
    for key, array in model.weights.items():
        assert np.array_equal(again.weights[key], array)
        assert again.weights[key].dtype == np.float32
        assert not again.weights[key].flags.writeable
    assert dump(again) == dump(model)


@NAMES
def test_half_is_half(model: Trained, name: str) -> None:
    data = dump(model, half=True)
    again = load(data)
    for key, array in model.weights.items():
        assert np.array_equal(again.weights[key], array.astype(np.float16).astype(np.float32))
    assert dump(again, half=True) == data
    numbers = sum(array.size for array in model.weights.values())
    assert len(dump(model)) - len(data) == pytest.approx(2 * numbers, abs=2000)


def test_steps_and_changes_are_kept() -> None:
    training = train(brief("copy"))
    training.advance(2)
    training.learning_rate = 0.5
    again = load(dump(training.trained()))
    assert (again.steps, again.changes) == (2, ((2, 0.5),))


def test_safetensors_opens_it(translation: Trained, tmp_path: Path) -> None:
    (tmp_path / "a.safetensors").write_bytes(dump(translation))
    tensors = safetensors.numpy.load_file(tmp_path / "a.safetensors")
    assert tensors.keys() == translation.weights.keys()
    assert all(np.array_equal(tensors[key], translation.weights[key]) for key in tensors)
    with safetensors.safe_open(tmp_path / "a.safetensors", framework="numpy") as opened:
        about = json.loads(opened.metadata()["polysee"])
    assert Recipe.from_dict(about["recipe"]) == translation.recipe


def test_looking_at_shapes_draws_nothing(reverse: Trained) -> None:
    data = dump(reverse)
    torch.manual_seed(3)
    before = torch.get_rng_state()
    load(data)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("name", TASKS)
def test_the_largest_model_of_each_task_can_be_loaded(name: TaskName) -> None:
    both = TASKS[name].kind == "pair"
    recipe = TASKS[name].recipe.to_dict() | {
        "n_encoder_layers": 4 if both or TASKS[name].kind == "masked" else 0,
        "n_decoder_layers": 4 if both or TASKS[name].kind == "next" else 0,
        "d_model": 128,
        "d_ff": 512,
        "positions": "learned",
    }
    data = dump(train(Recipe.from_dict(recipe)).trained())
    assert len(data) < MOST_BYTES
    assert load(data).recipe.d_model == 128


def opened(data: bytes) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    """The header, Polysee's own metadata in it, and the numbers."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    return header, json.loads(header["__metadata__"]["polysee"]), data[8 + length :]


def closed(header: dict[str, Any], about: Any, numbers: bytes) -> bytes:
    header["__metadata__"]["polysee"] = json.dumps(about)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + numbers


def refused(data: bytes, message: str) -> None:
    with pytest.raises(ModelBroken, match=message) as error:
        load(data)
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


def other_tensors() -> bytes:
    return safetensors.numpy.save({"a": np.zeros(3, np.float32)})


def of_another_program() -> bytes:
    return safetensors.numpy.save({"a": np.zeros(3, np.float32)}, {"polysee": "[1]"})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 7,
        b"\0" * 8,
        b"hello, I am a text and nothing else",
        b"PK\x03\x04" + b"\0" * 100,
        b"\x80\x04\x95" + b"." * 100,  # a pickle
        b"\xff" * 1000,
        (2).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"[]",
        (4).to_bytes(8, "little") + b"\xff\xfe\xfd\xfc",
        (900_000).to_bytes(8, "little") + b"[" * 900_000,
        (5001).to_bytes(8, "little") + b"1" * 5001,
        other_tensors(),
        of_another_program(),
    ],
    ids=lambda data: repr(data[:12]),
)
def test_foreign_files(data: bytes) -> None:
    refused(data, "not a model that was trained in Polysee")


def test_sizes(reverse: Trained) -> None:
    data = dump(reverse)
    refused(data + b"\0" * MOST_BYTES, "at most 16")
    refused(data + b"\0", "too long")
    for length in (len(data) - 1, len(data) // 2, 2000):
        refused(data[:length], "cut short")
    # A header that begins in the middle of another file.
    refused((999_999).to_bytes(8, "little") + data[8:1000], "cut short")


Change = Callable[[dict[str, Any], dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda header, about: about.update(format=2), "Another version"),
        (lambda header, about: about.update(format=None), "Another version"),
        (lambda header, about: about.update(recipe=None), "is not a recipe of Polysee"),
        (lambda header, about: about["recipe"].update(steps=10**9), "steps in a recipe"),
        (lambda header, about: about["recipe"].update(d_model=10**9), "d_model in a recipe"),
        (lambda header, about: about["recipe"].update(task="mine"), "task in a recipe"),
        (lambda header, about: about["recipe"].update(more=1), "does not know “more”"),
        (lambda header, about: about["recipe"].update(d_model=32), "fit its recipe"),
        (lambda header, about: about["recipe"].update(n_encoder_layers=2), "fit its recipe"),
        (lambda header, about: about["recipe"].update(norm_first=False), "fit its recipe"),
        (lambda header, about: about.update(target=None), "list of words"),
        (lambda header, about: about.update(target=["a"] * 10**4), "list of words"),
        (lambda header, about: about["target"].pop(), "fit its recipe"),
        (lambda header, about: about["target"].__setitem__(5, 7), "not a word"),
        (lambda header, about: about["target"].__setitem__(5, ""), "not a word"),
        (lambda header, about: about["target"].__setitem__(5, "\n"), "not a word"),
        (lambda header, about: about["target"].__setitem__(5, "x" * 99), "not a word"),
        (lambda header, about: about["target"].__setitem__(5, "a"), "twice"),
        (lambda header, about: about["target"].__setitem__(1, "?"), "special tokens"),
        (lambda header, about: about.update(source={"a": 1}), "list of words"),
        (lambda header, about: about.update(steps=7), "how many of its recipe's steps"),
        (lambda header, about: about.update(steps=True), "how many of its recipe's steps"),
        (lambda header, about: about.update(changes=None), "learning rate was changed"),
        (lambda header, about: about.update(changes=[[1]]), "learning rate was changed"),
        (lambda header, about: about.update(changes=[[1, float("nan")]]), "rate was changed"),
        (lambda header, about: about.update(changes=[[1, "a"]]), "learning rate was changed"),
        (lambda header, about: header.pop("output.bias"), "fit its recipe"),
        (lambda header, about: header.update(mine=header["output.bias"]), "fit its recipe"),
        (lambda header, about: header["output.bias"].update(dtype="I32"), "fit its recipe"),
        (lambda header, about: header["output.bias"].update(dtype="F16"), "fit its recipe"),
        (lambda header, about: header["output.bias"].update(shape=[1, 29]), "fit its recipe"),
        (lambda header, about: header["output.bias"].update(shape=[10**12]), "fit its recipe"),
        (
            lambda header, about: header["output.bias"].update(data_offsets=[0, 116]),
            "fit its recipe",
        ),
        (lambda header, about: header.update({"output.bias": "x"}), "fit its recipe"),
    ],
)
def test_changed_files(reverse: Trained, change: Change, message: str) -> None:
    header, about, numbers = opened(dump(reverse))
    load(closed(header, about, numbers))
    change(header, about)
    refused(closed(header, about, numbers), message)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_are_finite(reverse: Trained, bad: float) -> None:
    header, about, numbers = opened(dump(reverse))
    every = np.frombuffer(numbers, "<f4").copy()
    every[1234] = bad
    refused(closed(header, about, every.tobytes()), "not finite")


def test_damaged_headers_never_do_worse_than_a_sentence(translation: Trained) -> None:
    data = dump(translation, half=True)
    length = int.from_bytes(data[:8], "little")
    rng, messages = np.random.default_rng(0), list[str]()
    for _ in range(300):
        damaged = bytearray(data)
        for place in rng.integers(0, 8 + length, int(rng.integers(1, 4))):
            damaged[place] = int(rng.integers(256))
        try:
            load(bytes(damaged))
        except ModelBroken as error:
            messages.append(str(error))
    assert len(messages) > 200
    assert max(map(len, messages)) < 400
