"""What the browser's side takes from Python is what Python says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tools import constants

_TYPICAL = "typical.json"


@pytest.mark.parametrize(
    "file", [one for one in constants.FILES if one.name != _TYPICAL], ids=lambda one: one.name
)
def test_what_is_written_is_what_python_says(file: Path) -> None:
    assert file.read_text("utf-8") == constants.written(file), "python -m tools.constants"


@pytest.mark.fuzz  # a minute; the weights come with a package that is pinned
def test_typical_scores_are_those_of_the_models() -> None:
    """Means of weights: another processor may round the last of their four digits otherwise."""
    file = next(one for one in constants.FILES if one.name == _TYPICAL)
    written, said = json.loads(file.read_text("utf-8")), json.loads(constants.written(file))
    assert [*written] == [*said]
    for model in said:
        found, wanted = (np.array(one[model], dtype=float) for one in (written, said))
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1.01e-4, equal_nan=True)
