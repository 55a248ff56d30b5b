from __future__ import annotations

import numpy as np
import pytest

from core.records.attention import Attention


def test_other_labels_are_put_on_the_same_weights() -> None:
    sink = np.full((2, 3, 2), 0.25)
    given = Attention(("Ġa", "Ġb"), ("x", "y", "z"), np.full((2, 3, 2, 3), 0.25), sink, "prompt")
    found = given.labelled(["a", "b"], ["x", "y", "q"])
    assert (found.queries, found.keys) == (("a", "b"), ("x", "y", "q"))
    assert found.weights is given.weights
    assert found.sink is given.sink
    assert found.outside == "prompt"
    assert given.queries == ("Ġa", "Ġb")
    assert not found.weights.flags.writeable


def test_labels_that_do_not_fit_are_refused() -> None:
    given = Attention(("a", "b"), ("x",), np.ones((2, 3, 2, 1)))
    with pytest.raises(ValueError, match="shape"):
        given.labelled(["a"], ["x"])
    with pytest.raises(ValueError, match="strings"):
        given.labelled(["a", 1], ["x"])  # type: ignore[list-item]
