"""The models that a visitor may load: offered names, and hub ids if the operator allows them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import core
from core.pretrained.files import hub
from ui.models import model_cache

ASKED: list[str] = []


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty cache, and a hub without models that records its requests."""
    before = model_cache._slots.copy()
    model_cache._slots.clear()
    ASKED.clear()

    def fetch(hub_id: str, **_: object) -> Path:
        ASKED.append(hub_id)
        raise core.ModelNotFound(f"The model hub knows no “{hub_id}”.")

    monkeypatch.setattr(hub, "fetch", fetch)
    yield
    model_cache._slots.clear()
    model_cache._slots.update(before)


@pytest.fixture
def model_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Callable[..., Path]) -> Path:
    """A complete model in a folder outside the operator's, beside the server's folder, and at home."""
    shutil.copytree(made("bert"), tmp_path / "work" / "mine")
    shutil.copytree(made("bert"), tmp_path / "work" / "owner" / "mine")
    offered = tmp_path / "offered"
    shutil.copytree(made("bert"), offered / "good")
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("HOME", str(tmp_path / "work"))
    monkeypatch.setenv("POLYSEE_MODELS", str(offered))
    return tmp_path / "work" / "mine"


def names(folder: Path) -> list[str]:
    """Ways to name that folder, and other names that lead out of the operator's."""
    return [
        str(folder),
        f"{folder}/",
        f"//{folder}",
        "mine",
        "./mine",
        "owner/mine",
        "~/mine",
        "~root/x",
        "../work/mine",
        f"../../{folder}",
        "good/../../work/mine",
        "good/../good",
        "",
        ".",
        "..",
        "\\\\server\\share",
        "//server/share",
        "C:\\models",
        "file:///etc",
        "good\0",
        "\0",
        "a" * 5000,
    ]


@pytest.mark.parametrize("choice", ["off", "catalogue", "any"])
def test_no_folder_but_the_operators_is_ever_read(
    choice: str, model_beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEE_HUB", choice)
    assert core.load(str(model_beside)).name  # a program is its own permission
    for name in names(model_beside):
        with pytest.raises(core.ModelNotFound):
            model_cache.wait_for(name)
    # Names like hub ids were requested from the hub, if that is allowed, and from no other host.
    assert list(ASKED) == (["mine", "owner/mine"] if choice == "any" else [])
    assert model_cache.wait_for("good").name == "good"
    assert os.getcwd() == str(model_beside.parent)


@pytest.mark.check
def test_a_link_cannot_name_a_folder(model_beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_HUB", "any")

    def page() -> None:
        import streamlit as st

        from ui import permalink
        from ui.models.choice import choose_model
        from ui.state import MODEL

        permalink.restore((MODEL,))
        st.write(f"shows {choose_model()}")

    for name in (str(model_beside), "~/mine", "../work/mine"):
        app = AppTest.from_function(page, default_timeout=60)
        app.query_params["m"] = name
        app.run()
        assert not app.exception
        assert "is not offered here" in app.error[0].value
        assert app.markdown[0].value != f"shows {name}"
    assert ASKED == []
