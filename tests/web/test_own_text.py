"""A model of one's own text, trained by a browser's engine, is the one that the server trains."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import torch

from core import own_text
from core.figures import Picture
from core.own_text import TextRecipe, bits_per_letter, copied, ready, units
from core.own_text import recipe as recipes
from core.own_text.learning import Pause, TextTraining
from core.own_text.run import TextRun
from pages.training.own_text import captions, pictures
from tools import node

_SCRIPTS = Path(__file__).parents[1] / "figures" / "web" / "owntext"
_TRAIN, _TWINS = _SCRIPTS / "train.js", _SCRIPTS / "twins.js"
_TEXT = ready()["garden"].text
_STEPS = 3
# Sizes that no two of share, an odd number of windows, and heads whose width is no power of two.
_LETTERS = TextRecipe(layers=2, heads=3, width=30, window=19, batch=5, rate=0.01, steps=11, seed=7)
_PAIRS = TextRecipe("pairs", 37, layers=1, heads=1, width=22, window=16, batch=3, steps=_STEPS)


def trained(recipe: TextRecipe, folder: Path) -> tuple[TextTraining, dict[str, Any], dict[str, Any]]:
    """A training by torch, what it found, and what the browser's engine found, each after 3 steps."""
    text = _TEXT if recipe.kind == "letters" else " ".join(_TEXT.split())  # which has no lines
    own = TextTraining(text, recipe)
    first = {name: one.detach().clone() for name, one in own.model.state_dict().items()}
    other = {
        # Larger ones: each sub-layer then has a gradient of its own size.
        name: one + 0.2 * torch.randn(one.shape, generator=torch.Generator().manual_seed(3))
        for name, one in first.items()
    }
    windows = own._windows(own._parts[0].ids, 3, torch.Generator().manual_seed(2))
    own.model.load_state_dict(other)
    loss = own._loss(windows)
    loss.backward()
    gradient = {
        name: one.grad.numpy().copy()
        for name, one in own.model.named_parameters()
        if one.grad is not None
    }
    own.model.load_state_dict(first)
    query = {
        "text": text,
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


@pytest.mark.few(1)
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


_ODD = (
    "Don't we'll 7 77 x7y ½ Ⅷ  two  spaces\n\n\t"
    "naïve café 東京 🎣👍🏽 a\u0085b \ufeff c\u00a0d <|end|> x" * 12,
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" * 30,
    "abcabcab cab bca" * 40 + "東京東京" * 90,
)


def _drawn(made: Picture) -> dict[str, Any]:
    sent = made.to_bytes()
    size = int.from_bytes(sent[:4], "little")
    values = np.frombuffer(sent[4 + size :], "<f4").tolist()
    numbers = [None if np.isnan(one) else one for one in values]
    return {"header": json.loads(sent[4 : 4 + size]), "values": numbers}


def _run() -> TextRun:
    """A run with pauses that get worse at the end."""
    run = TextRun(_TEXT, "", TextRecipe(steps=40), "", lambda: True)
    none = np.zeros((1, 1, 1, 1), np.float32)
    rows = (
        (0, 8.5, 8.25, "🎣\ufffd x"),
        (4, 3.0, 2.5, "In teh gard naïve ’n"),
        (8, 2.0, 1.5, "The moon and the wall. The"),
        (12, 1.0, 2.125, _TEXT[:70]),
        (16, 0.5, 2.75, "…" + _TEXT[200:240] + "qqq"),
    )
    run.snapshots = tuple(
        Pause(step, 1.0, bits, held, said, none, (), none[0, 0]) for step, bits, held, said in rows
    )
    run.gram = 2.125
    return run


def test_what_a_tab_makes_of_a_text_is_what_the_server_makes(tmp_path: Path) -> None:
    """Tokens, random numbers, sentences, pictures and files."""
    texts = [(one.text, pairs) for one in ready().values() for pairs in (0, 200)]
    texts += [(one, 60) for one in _ODD]
    twice = _run()
    twice.text = _TEXT * 2
    run, codes = _run(), [recipes.code(TextRecipe(rate=one)) for one in (4e-3, 5e-5, 1e-5, 0.05)]
    written = [
        (_TEXT[100:160] + " xyz abc\nzz", _TEXT),
        ("nothing of it", _TEXT),
        (_TEXT[:80] + "…" + _TEXT[300:340], _TEXT),
        ("P\ufffd\x01\x17 a\tb\n\x85é\rן\x7f" + _TEXT[100:160], _TEXT),
    ]
    unfits = ["x", "x" * 399, "x" * 400, "🎣" * 400, "x" * 300_001]
    ends = [
        (_TEXT[:29], _TEXT),
        (_TEXT[5:35] + _TEXT[20:90] + "~", _TEXT),
        ("", _TEXT),
        *[recipes.parted(one)[::-1] for one in (_TEXT, _TEXT * 2, ready()["station"].text)],
    ]
    own = own_text.learn(_TEXT, TextRecipe("pairs", 30, layers=1, heads=1, width=16, steps=1))
    file = own_text.dump(own)
    nan = file[:-4] + np.float32("nan").tobytes()
    files = [file, nan, file[:-4], b"", file.replace(b'"F32"', b'"F16"')]
    query = {
        "texts": [(recipes.parted(text)[0], pairs) for text, pairs in texts],
        "codes": codes,
        "unfits": unfits,
        "seed": 77,
        "written": written,
        "pauses": [one._asdict() | {"attention": [], "vectors": []} for one in run.snapshots],
        "planned": run.planned,
        "gram": run.gram,
        "text": run.text,
        "ends": ends,
        "files": [base64.b64encode(one).decode() for one in files],
    }
    asked, answered = tmp_path / "asked.json", tmp_path / "answered.json"
    asked.write_text(json.dumps(query), "utf-8")
    subprocess.run([node.NODE / "node", _TWINS, asked, answered], check=True)
    found = json.loads(answered.read_text("utf-8"))

    for (text, pairs), one in zip(cast(Any, query["texts"]), found["texts"], strict=True):
        recipe = TextRecipe("pairs" if pairs else "letters", pairs or 256)
        tokenizer = units.learned(text, recipe)
        model = json.loads(tokenizer.to_str())["model"]
        tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
        assert one["tokens"] == tokens[257:]
        assert one["merges"] == [list(pair) for pair in model["merges"]]
        assert one["ids"] == tokenizer.encode(text).ids
        assert one["back"] == tokenizer.decode(one["ids"])
        assert one["gram"] == pytest.approx(bits_per_letter(*recipes.parted(text)), rel=1e-9)
    assert found["codes"] == codes
    assert found["unfits"] == [recipes.unfit(one) for one in unfits]

    chance = torch.Generator().manual_seed(77)
    uniform = torch.empty(700).uniform_(-0.3, 0.3, generator=chance)
    normal = torch.empty(37).normal_(std=0.2, generator=chance)
    np.testing.assert_allclose(found["drawn"]["uniform"], uniform, atol=1e-7)
    np.testing.assert_allclose(found["drawn"]["normal"], normal, atol=1e-6)
    assert found["drawn"]["below"] == torch.randint(1001, (9,), generator=chance).tolist()

    for (said, text), one in zip(written, found["written"], strict=True):
        copies = copied(said, text)
        assert one["copies"] == [list(copy) for copy in copies]
        both = captions.share(said, copies, text), captions.longest(copies, text)
        assert one["said"] == [sentence for sentence in both if sentence]
        wanted = pictures.writing(said, copies, text, "own-text-writes", prompt="He said")
        assert one["picture"] == _drawn(wanted)
    assert found["headlines"] == [captions.headline(run, one) for one in run.snapshots]
    assert found["numbers"] == [captions.numbers(run, one) for one in run.snapshots]
    assert found["orders"] == [captions.order(run, one) for one in run.snapshots]
    assert found["ends"] == [own_text.repeated(*one) for one in ends]
    assert found["memory"] == captions.numbers(twice, twice.snapshots[-1])
    assert "measures memory" in found["memory"]
    for i, tried in enumerate(found["next"]):
        so_far = cast(TextRun, SimpleNamespace(snapshots=run.snapshots[: i + 1], text=run.text))
        assert captions.try_next(so_far).startswith(tried)
    assert "\n".join(f"- {one}" for one in found["paused"]) == captions.pauses(run)
    assert found["curves"] == _drawn(pictures.curves(run, 1))
    refused = "This file is no model of a text of one’s own: "
    assert found["files"] == [
        1,
        f"{refused}a number in it is not finite.",
        f"{refused}its numbers do not fit its recipe.",
        f"{refused}it was not saved here.",
        f"{refused}its numbers do not fit its recipe.",
    ]
    again = own_text.load(base64.b64decode(found["again"]))
    assert (again.recipe, again.steps, again.tokenizer) == (
        own.recipe,
        1,
        own_text.load(file).tokenizer,
    )
    for name, weights in own.weights.items():
        np.testing.assert_array_equal(again.weights[name], weights)
