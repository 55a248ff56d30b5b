"""The roles of all heads: the folded section of the Heads page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.examples.roles import ROLES, role_sentences
from core.measures import RoleScores, shipped_roles
from pages.heads.atlas import roles
from tests.pages.heads.test_page import visit
from tests.pages.reading import drawn
from tests.sentences import numbers
from tests.visits import run, said


def known() -> RoleScores:
    found = shipped_roles("minilm")
    assert found is not None
    return found


KNOWN = known()


def shown(app: AppTest, name: str) -> tuple[dict[str, Any], np.ndarray]:
    (found,) = [one for one in drawn(app) if one[0]["file"] == f"polysee-{name}"]
    return found[0], np.frombuffer(found[1], "<f4")


def test_nothing_is_shown_before_it_is_opened() -> None:
    assert not [one for one in drawn(visit()) if "roles" in one[0]["file"]]


def test_every_head_is_coloured_by_the_chosen_role() -> None:
    app = visit(ro="1", rr="determiner-noun")
    role = ROLES.index("determiner-noun")
    header, values = shown(app, "roles-of-heads")
    np.testing.assert_allclose(values.reshape(6, 12), KNOWN.scores[..., role], atol=1e-6)
    assert header["rows"][0] == "Layer 1"
    head = roles.best(KNOWN, role)
    mean, upper = KNOWN.all_heads(role)
    told = numbers(roles.caption(KNOWN, role))
    expected = [head[0] + 1, head[1] + 1, KNOWN.scores[*head, role], KNOWN.counts[role]]
    expected += [KNOWN.uniform[role], KNOWN.fixed[role], mean, 95, upper]
    assert told == pytest.approx(expected, abs=5e-3)
    assert roles.caption(KNOWN, role) in said(app)
    for (layer, number), _ in KNOWN.named().items():
        assert f"layer {layer + 1}, head {number + 1} (" in said(app)


def test_the_open_head_has_its_roles_beside_chance_and_its_examples(minilm: core.Model) -> None:
    app = visit(ro="1", l="2", h="4")
    header, values = shown(app, "roles-of-head")
    scores, uniform = values.reshape(2, -1)
    np.testing.assert_allclose(scores, KNOWN.scores[1, 3], atol=1e-6)
    np.testing.assert_allclose(uniform, KNOWN.uniform, atol=1e-6)
    assert header["labels"] == [*roles.NAMES.values()]
    role = ROLES.index("pronoun-antecedent")
    examples = KNOWN.examples[1, 3, role]
    assert len(examples) == 3
    app.button(key="heads role example 1").click()
    run(app)
    link = {
        key: value if isinstance(value, str) else value[0] for key, value in app.query_params.items()
    }
    text = role_sentences()[examples[1].sentence].text
    assert link["t"] == text
    assert (link["l"], link["h"], link["r"], link["ro"]) == ("2", "4", "head", "1")
    assert minilm.trace(text).tokens[int(link["q"]) - 1] in ("he", "she")
    assert shown(app, "roles-of-head")[0]["labels"] == header["labels"]


def test_without_an_open_head_it_is_the_best_of_the_role() -> None:
    header, _ = shown(visit(ro="1", rr="previous"), "roles-of-head")
    assert "layer 1, head 3" in header["sentence"]


def test_the_table_has_chance_below_the_heads() -> None:
    table = roles.table(KNOWN)
    assert table.shape == (72 + 5, len(ROLES))
    np.testing.assert_allclose(table.loc["uniform attention"].to_numpy()[0], KNOWN.uniform, atol=1e-6)
    assert table.loc[(2, 4), roles.NAMES["pronoun-antecedent"]] == pytest.approx(KNOWN.scores[1, 3, 4])


@pytest.mark.fuzz
@pytest.mark.check
def test_another_model_is_scored_on_request(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.models import head_roles

    folder = made("bert")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    monkeypatch.setattr(head_roles, "_measured", {})
    app = visit(m=folder.name, ro="1")
    assert not [one for one in drawn(app) if "roles" in one[0]["file"]]
    app.button(key="heads score roles").click()
    run(app)
    scored = head_roles.of(folder.name)
    assert scored is not None
    _, values = shown(app, "roles-of-heads")
    np.testing.assert_allclose(values, scored.scores[..., 4].ravel(), atol=1e-6)


@pytest.mark.fuzz
@pytest.mark.check
def test_a_decoder_says_what_it_cannot_see_and_a_pair_model_why_it_has_none(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.models import head_roles

    folder = made("gpt2")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    monkeypatch.setattr(head_roles, "_measured", {})
    app = visit(m=folder.name, ro="1", rr="determiner-noun")
    app.button(key="heads score roles").click()
    run(app)
    assert "No head can have this role" in said(app)
    t5 = made("t5")
    monkeypatch.setenv("POLYSEE_MODELS", str(t5.parent))
    assert "encoder–decoder reads two" in said(visit(m=t5.name, t2="x", ro="1"))
