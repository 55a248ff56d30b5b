"""Pages on which a model reads a single text, and models that read two."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.tasks import TASKS, train
from tests.visits import visit
from ui.models.session_models import SessionModel, SessionModels

ROOT = Path(__file__).resolve().parents[2]
# All pages that offer the models that read one text.
PAGES = sorted(
    file.parent.name
    for file in (ROOT / "pages").glob("*/page.py")
    # Next word lists only models that go on.
    if "model_cache.reader" in file.read_text("utf-8") and file.parent.name != "next_word"
)


def goes_on_with_minilm(app: AppTest, title: str) -> None:
    (error,) = app.error
    said = str(error.value).replace("\\", "")
    assert said.startswith(f"“{title}” is an encoder–decoder: it reads a text and its target")
    assert ["MiniLM" in info.value for info in app.info] == [True]
    assert app.selectbox(key="model control").value == "minilm"


@pytest.mark.few(2)
@pytest.mark.parametrize("page", PAGES)
def test_an_encoder_decoder_of_a_folder(
    page: str, made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(made("t5"), tmp_path / "own-t5")
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    goes_on_with_minilm(visit(page, {"session models": SessionModels()}, m="own-t5"), "own-t5")


@pytest.mark.few(2)
@pytest.mark.parametrize("page", PAGES)
def test_one_that_was_trained_here(page: str) -> None:
    task = next(name for name, task in TASKS.items() if task.kind == "pair")
    recipe = dataclasses.replace(TASKS[task].recipe, steps=2, batch=4, d_model=8, n_heads=2)
    training = train(recipe)
    training.learn(2)
    own = SessionModels(models={"yours-1": SessionModel(training.trained(), "A translator of mine")})
    goes_on_with_minilm(visit(page, {"session models": own}, m="yours-1"), "A translator of mine")
