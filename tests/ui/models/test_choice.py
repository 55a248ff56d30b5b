"""A missing model: the message, and the link, which is kept until another model is chosen."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import core
from tests.pretrained.fakes import write_bert
from tests.sentences import bold
from tests.tiers import some
from tests.visits import visit
from ui.models import model_cache, session_models
from ui.state import MODEL
from ui.text import plain

PAGES = ("compare", "heads", "step_by_step", "senses", "embeddings", "positions")
WHERE = {"positions": {"p": "learned"}}  # where it shows a model
TRIED: list[str] = []


@pytest.fixture
def without_bert(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server on which only MiniLM can be loaded."""
    TRIED.clear()

    def load(name: str, **_: Any) -> core.Model:
        TRIED.append(name)
        if name == "minilm":
            return core.load("minilm")
        raise core.ModelNotFound(f"“{name}-base” is not on this machine.")

    monkeypatch.setattr(model_cache, "load", load)


def link(app: AppTest, key: str = "m") -> str | None:
    found = app.query_params.get(key)
    return found[0] if isinstance(found, list) else found


def listed(app: AppTest) -> Any:
    return app.selectbox(key=MODEL.control)


@pytest.mark.check
@pytest.mark.usefixtures("without_bert")
@pytest.mark.parametrize("page", some(PAGES, 3))
def test_a_model_that_is_not_here_stays_in_the_link_and_it_is_said(page: str) -> None:
    app = visit(page, m="bert", **WHERE.get(page, {}))
    for _ in range(2):  # nor does another run forget it
        assert link(app) == "bert"
        assert listed(app).value == "minilm"
        assert ["not on this machine" in one.value for one in app.error] == [True]
        (info,) = [one.value for one in app.info if "BERT" in one.value]
        assert bold(info) == ["MiniLM"]
        app.run()
        assert not app.exception
    assert TRIED.count("bert") == 1  # and no run waits for it again
    app.button(key="stay model").click()
    app.run()
    assert link(app) is None
    assert not [*app.error, *[one for one in app.info if "BERT" in one.value]]


@pytest.mark.usefixtures("without_bert")
def test_another_choice_ends_it_and_the_same_one_tries_again() -> None:
    app = visit("step_by_step", m="bert")
    listed(app).set_value("bert")
    app.run()
    assert link(app) == "bert"
    assert TRIED.count("bert") == 2
    listed(app).set_value("distilbert")
    app.run()
    assert link(app) == "distilbert"
    (info,) = [one.value for one in app.info]
    assert "DistilBERT" in info
    assert not [one for one in app.error if "“bert-base”" in one.value]


@pytest.mark.check
@pytest.mark.usefixtures("without_bert")
def test_a_second_model_that_is_not_here_stays_too() -> None:
    app = visit("heads", m2="bert")
    assert link(app, "m2") == "bert"
    assert app.selectbox(key="heads other control").value == ""
    (info,) = [one.value for one in app.info]
    assert "BERT" in info
    app.button(key="stay heads other").click()
    app.run()
    assert link(app, "m2") is None
    assert not [*app.error, *app.info]


def test_what_nobody_offers_stays_in_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_HUB", "off")
    name = "nobody/*knows*"
    app = visit("step_by_step", m=name, st="mask", c="1")
    assert link(app) == name
    assert ["not offered here" in one.value for one in app.warning] == [True]
    assert "\\*knows\\*" in app.info[0].value
    assert link(app, "st") == "mask"
    long = visit("step_by_step", m="x" * 3_000)
    assert all(len(one.value) < 400 for one in [*long.warning, *long.info])


@pytest.mark.check
def test_a_page_of_another_kind_refuses_a_model_once_and_says_the_way_on(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit("next_word", m="minilm", t="the bank", p="why")
    assert not app.warning
    refusals = [one.value for one in [*app.info, *app.error] if "MiniLM" in one.value]
    assert len(refusals) == 1
    assert "not trained to go on with a text" in refusals[0]
    assert [one.label for one in app.button if one.label.startswith("Stay with")]
    assert link(app) == "minilm"


@pytest.mark.check
def test_a_folder_is_read_with_a_note_or_refused_without_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Visitors learn what is unusual about a model, and nothing of where it lies."""
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    write_bert(tmp_path / "run" / "checkpoint-500")
    write_bert(tmp_path / "cut").joinpath("model.safetensors").write_bytes(b"x")
    write_bert(tmp_path / "bare").joinpath("config.json").unlink()
    app = visit("positions", p="learned", m="run")
    assert any(plain("checkpoint-500") in one.value for one in app.caption)
    for name in ("cut", "bare"):
        (error,) = visit("positions", p="learned", m=name).error
        assert name in error.value
        assert str(tmp_path) not in error.value


@pytest.mark.check
def test_a_model_of_another_session_stays_with_the_way_to_have_it_again() -> None:
    name = "yours-12345678-1~bank"
    app = visit("heads", m=name)
    assert link(app) == name
    assert session_models.GONE in app.warning[0].value
    assert bold(app.info[0].value) == ["MiniLM"]
    assert name not in app.info[0].value
    translator = visit("encoder_decoder", tm=name)
    assert link(translator, "tm") == name
    assert len(translator.error) == len(translator.info) == 1
    translator.button[0].click()
    translator.run()
    assert link(translator, "tm") is None
    assert not [*translator.error, *translator.info]


@pytest.mark.check
def test_a_page_that_reads_one_text_offers_no_model_that_reads_two(
    made: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A list of its own: beside what other tests make, it might be one of "3 more".
    folder = Path(shutil.copytree(made("t5"), tmp_path / "translator"))
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    for page in ("step_by_step", "compare", "senses", "embeddings"):
        app = visit(page, m="minilm")
        assert not [one for one in listed(app).options if folder.name in one]
        (said,) = [one.value for one in app.sidebar.caption if "Not in this list" in one.value]
        assert folder.name in said.replace("\\", "")
        assert "encoder–decoder" in said
    app = visit("heads")
    assert [one for one in listed(app).options if folder.name in one]
    assert not [one for one in app.sidebar.caption if "Not in this list" in one.value]


def test_a_model_for_another_page_comes_back_there(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is carried to a page that cannot show it, and is active again on one that can."""
    folder = made("t5")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))

    def page() -> None:
        import streamlit as st

        from ui.models import choice
        from ui.models.choice import choose_model
        from ui.models.model_cache import model, reader
        from ui.state import MODEL

        shown = [choose_model(reader if st.session_state.get("reads one text") else model)]
        st.json([MODEL.get(), *shown, choice.shown()])

    app = AppTest.from_function(page, default_timeout=60)
    app.session_state[MODEL.key] = folder.name
    for one_text, shown in ((True, "minilm"), (False, folder.name), (True, "minilm")):
        app.session_state["reads one text"] = one_text
        app.run()
        assert not app.exception
        assert json.loads(app.json[0].value) == [folder.name, shown, shown]


def test_a_model_that_memory_is_too_short_for_is_not_listed_and_the_page_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.pretrained.load_model.free_memory", lambda: 100_000_000)
    monkeypatch.setattr("core.pretrained.files.gguf.Unpacked.mapped", False)
    app = visit("heads", m="smollm2")
    assert not any("SmolLM2" in option for option in listed(app).options)
    assert ["635 MB of memory" in one.value for one in app.warning] == [True]
    assert any("Not in this list" in one.value and "SmolLM2" in one.value for one in app.caption)
    assert listed(app).value == "minilm"
