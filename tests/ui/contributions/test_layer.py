"""The sums of *Why* are of the layer of the verdict."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from core.comparison import Chosen, Ends, Question
from core.records.interventions import Ablate
from ui.comparison import Cached, shown_parts
from ui.contributions import all_interventions, computed, section
from ui.models import answers, calibrations

ENDS = Ends(("river", "money"), ("river",), ("money",))
SIDE = Chosen("We sat on the bank.", "bank", 0)


@pytest.mark.parametrize("layer", [None, 2, 4])
def test_they_add_up_to_the_position_after_that_layer(layer: int | None) -> None:
    of = computed.ContributionQuery("minilm", SIDE, ENDS, layer)
    why, along = computed.result(of), computed.path(of)
    assert why.coordinate == pytest.approx(along[of.at], abs=1e-5)
    assert why.error < 1e-4
    added = why.alone + why.contributions.sum() + why.constant
    assert added == pytest.approx(along[of.at], abs=1e-4)
    # They are the shares that the picture shows below the sentence.
    sums = Cached("minilm").added(SIDE, ENDS)
    _, own = shown_parts("minilm", SIDE)
    assert why.contributions[list(why.own)].sum() == pytest.approx(sums.parts[of.at, own], abs=1e-4)
    # A cut and a head are measured there, too, and no later head is among those that could move it.
    (moved,) = computed.moved(of, [[Ablate(1, 3)]])
    changed = computed.changed(of, (Ablate(1, 3),))
    assert moved == pytest.approx(changed.after[of.at] - along[of.at], abs=1e-5)
    far = all_interventions.ablated(of)
    assert far.shape == why.by_head.shape == ((layer or 5) + 1, 12)
    assert far[1, 3] == pytest.approx(moved, abs=1e-5)


@pytest.mark.parametrize("layer", [None, 3])
def test_the_section_asks_for_the_layer_of_the_verdict(
    layer: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrations, "of", lambda model: SimpleNamespace(layer=layer))
    of = section._query(Question("minilm", SIDE, SIDE, ENDS), "A", ENDS)
    assert of.layer == layer
    depths = answers.trace("minilm", SIDE.text).grid[0] + 1
    assert np.isfinite(computed.result(of).by_layer).all()
    assert len(computed.result(of).by_layer) == (depths if layer is None else layer + 2)
