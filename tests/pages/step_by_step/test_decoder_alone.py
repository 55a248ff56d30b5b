"""Step by step with a decoder that runs in our transformer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.figures.labels import spelled
from core.walkthroughs import part_names, swapped_parts
from tests.pages.steps_reading import link, listed, picture, result, visit
from tests.visits import said
from ui import text

TEXT = "On the river bank"


@pytest.fixture
def models(tmp_path: Path, made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Any:
    for name, kind in (("grouped", "llama"), ("learned", "gpt2")):
        (tmp_path / name).symlink_to(made(kind))
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    return lambda name: core.load(str(tmp_path / name))


def test_the_steps_of_a_grouped_rotary_model(models: Any) -> None:
    model = models("grouped")
    trace = model.trace(TEXT)
    app = visit(m="grouped", t=TEXT, st="turn-query", l="2", h="5", q="2", k="1")
    header, (before, angles, after) = picture(app)
    assert [one["name"] for one in header["matrices"]] == ["Q", "m·θ", "Q′"]
    np.testing.assert_allclose(after, trace.query[1, 4], atol=1e-5)
    # a rotation changes no length
    np.testing.assert_allclose(
        np.hypot(*np.split(before, 2, 1)), np.hypot(*np.split(after, 2, 1)), atol=1e-5
    )
    assert (angles[0] == 0).all()
    assert "exactly equal" in said(app)
    header, _ = picture(visit(m="grouped", t=TEXT, st="key", l="2", h="5"))
    assert header["groups"] == {"heads": 6, "shared": 2, "head": 4}
    app = visit(m="grouped", t=TEXT, st="next", l="3", h="1")
    (expected,) = model.predict(TEXT, top_k=12)
    np.testing.assert_allclose(result(app)[-1], expected.probabilities, atol=1e-5)


def test_a_step_that_the_model_lacks_becomes_its_own(models: Any) -> None:
    for given, found in (("position", "turn-query"), ("norm", "pre-norm2"), ("activation", "gated")):
        assert link(visit(m="grouped", t=TEXT, st=given), "st") == found
    app = visit(m="learned", t=TEXT, st="gate")
    assert link(app, "st") == "inner"
    assert not app.exception


def test_only_what_applies_is_offered(models: Any) -> None:
    for name, count in (("grouped", 3), ("learned", 4)):
        app = visit(m=name, t=TEXT, p="what-if", wi="no-position")
        groups: list[Any] = [*app.get("button_group")]
        (asked,) = (one for one in groups if one.label == "What if")
        assert len(asked.options) == count
        assert not [*app.error, *app.info, *app.exception]
    app = visit(m="grouped", t=TEXT, p="plain")
    assert not [one for one in app.selectbox if one.label == "Rows x"]  # both would be the same
    assert listed(visit(m="learned", t=TEXT, p="plain"), "Rows x")


def test_what_a_model_says_with_a_part_exchanged(models: Any) -> None:
    model = models("grouped")
    ids = model.read(TEXT).ids
    told = set()
    for part in ("mask", "order", "positions", "network"):
        logits = swapped_parts.expected(
            model.scratch_decoder, model.scratch_head(), ids, part_names.named(part)
        )
        was, now = model.next_token(TEXT).ids[0], int(logits.argmax())
        here = said(visit(m="grouped", t=TEXT, p="what-if", wi="parts", wp=part))
        (name,) = model.spellings([now])
        first = f"the model now says *{text.plain(spelled(name.strip(' ') or ' '))}*, with"
        assert ("is still first" in here) is (was == now)
        assert (first in here) is (was != now)
        told.add(was == now)
    assert False in told
