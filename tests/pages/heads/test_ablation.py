"""One click ablates a head, and another one restores it, in the section on whether a head matters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.measures.contributions.by_word import coordinate_of
from core.measures.contributions.expectation_shifts import shift
from pages.heads.atlas import ablation
from tests.pages.compare.test_contributions import own_axis
from tests.pages.compare.test_page import read
from tests.pages.heads.test_importance import TEXT, visit
from tests.pages.heads.test_ranking import visit as visit_ranked
from tests.pages.reading import drawn
from tests.sentences import bold, numbers, saying
from tests.visits import run, said


def pressed(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click()
    return run(app)


def paths(app: AppTest) -> np.ndarray | None:
    found = read([one for one in drawn(app) if one[0]["file"] == "polysee-changed-here"])
    # the picture of “What if” below has the same name, and comes later
    first = [one for one in drawn(app) if one[0]["file"] == "polysee-changed-here"][:-1]
    assert found
    return read(first)["changed-here"][1] if first else None


@pytest.mark.check
def test_one_click_ablates_the_open_head_and_undoes_it(minilm: core.Model) -> None:
    app = visit()
    assert paths(app) is None
    assert app.button(key="heads ablate").label == "Ablate layer 6, head 11"
    pressed(app, "heads ablate")
    assert app.query_params["ab"] in ("6.11", ["6.11"])
    axis, trace = own_axis(), minilm.trace(TEXT)
    bank = trace.find("bank").tolist()
    before = coordinate_of(trace, bank, axis)
    after = coordinate_of(minilm.intervene(TEXT, core.Ablate(5, 10)).after, bank, axis)
    found = paths(app)
    assert found is not None
    np.testing.assert_allclose(found[:, -1], [before, after], atol=1e-5)
    every = [[core.Ablate(layer, head)] for layer in range(6) for head in range(12)]
    sizes = [abs(coordinate_of(one, bank, axis) - before) for one in minilm.changed(TEXT, every)]
    told = said(app)
    first = saying(told, "is ablated", "instead of")
    assert bold(first)[:2] == ["Layer 6, head 11", "bank"]
    printed = [round(after, 2), round(before, 2), round(round(after, 2) - round(before, 2), 2)]
    assert numbers(first)[-3:] == pytest.approx(printed)
    beside = numbers(saying(told, "each ablated alone", "72"))
    farther = sum(size > sizes[5 * 12 + 10] for size in sizes)
    assert beside == pytest.approx([72, round(float(np.median(sizes)), 2), farther])
    assert "has no output layer that predicts words" in told
    pressed(app, "heads undo")
    assert "ab" not in app.query_params
    assert paths(app) is None


@pytest.mark.check
def test_another_head_can_be_opened_meanwhile() -> None:
    app = visit(ab="6.11", h="3")
    assert app.button(key="heads ablate").label == "Ablate layer 6, head 3"
    assert "layer 6, head 11" in app.button(key="heads undo").label
    pressed(app, "heads ablate")
    assert app.query_params["ab"] in ("6.3", ["6.3"])


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [((6, 11), (5, 10)), ((7, 1), None), ((6, 13), None), ((0, 1), None), ((6,), None), ((), None)],
)
def test_a_head_that_the_model_lacks_is_not_ablated(
    numbers: tuple[int, ...], expected: tuple[int, int] | None
) -> None:
    state: Any = SimpleNamespace(ablated=SimpleNamespace(get=lambda: numbers))
    assert ablation.of(state, (6, 12)) == expected


@pytest.mark.check
def test_the_ranking_leads_to_the_ablation() -> None:
    app = visit_ranked(t=TEXT, q="12", k="11")
    best = app.button(key="heads ablate ranked").label.rpartition("Ablate ")[2]
    pressed(app, "heads ablate ranked")
    assert bold(saying(said(app), "is ablated", "instead of"))[:2] == [best.capitalize(), "bank"]
    assert app.query_params["yo"] in ("1", ["1"])
    assert app.query_params["r"] in ("head", ["head"])


@pytest.mark.check
def test_the_prediction_changes_too(made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made("bert")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    model = core.load(str(folder))
    app = visit(m=folder.name, l="2", h="3", mk="9", ab="2.3")
    (one,) = [one for one in drawn(app) if one[0]["file"] == "polysee-ablated-expected-1"]
    (there,) = model.intervene(TEXT, core.Ablate(1, 2), masked=[8]).expected or ()
    found = shift(there, 8)
    changed, as_it_is = np.frombuffer(one[1], "<f4").reshape(2, -1)
    np.testing.assert_allclose(changed, found.after, atol=1e-5)
    np.testing.assert_allclose(as_it_is, found.before, atol=1e-5)
