"""The data for `forward.js`: one step, all results or the tiny model's tables, a bounded state."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from core.figures import Picture, forward
from core.figures.forward import MOST_COLUMNS
from core.walkthroughs.steps.record import LOWEST
from tests.browser.pictures.forward import forward_pictures as made


def sent(picture: Picture) -> tuple[dict[str, Any], np.ndarray]:
    data = picture.to_bytes()
    (size,) = struct.unpack_from("<I", data)
    return json.loads(data[4 : 4 + size]), np.frombuffer(data[4 + size :], "<f4")


def test_one_step_in_full_and_the_tables_of_the_tiny_model() -> None:
    steps, tiny = made.tiny()
    header, payload = sent(made.picture(at=6))
    matrices = [*steps[6].operands, steps[6].result]
    expected = [one.values.ravel() for one in matrices] + [one.ravel() for one in tiny.tables.values()]
    np.testing.assert_array_equal(payload, np.concatenate(expected))
    assert header["title"] == steps[6].title
    assert [one["title"] for one in header["tiny"]["steps"]] == header["titles"]
    assert [tuple(shape) for _, *shape in header["tiny"]["tables"]] == [
        one.shape for one in tiny.tables.values()
    ]
    assert len(header["blocks"]) == len(steps)


def test_of_any_other_model_the_results_of_all_steps_cut_where_they_are_wide() -> None:
    steps = made.wide()
    header, payload = sent(forward(steps, 1, sentence="s", name="n"))
    own = sum(one.values.size for one in (*steps[1].operands, steps[1].result))
    cut = [one.result.values[:, :MOST_COLUMNS] for one in steps]
    np.testing.assert_array_equal(payload[own:], np.concatenate([one.ravel() for one in cut]))
    assert header["tiny"] is None
    assert [one["columns"] for one in header["blocks"]] == [one.result.values.shape[1] for one in steps]
    assert max(len(one["result"]["columns"]) for one in header["blocks"]) == MOST_COLUMNS


def test_hidden_cells_of_a_block_do_not_count_for_its_colours() -> None:
    steps, _ = made.tiny(causal=True)
    header, _ = sent(made.picture(at=0, causal=True))
    masked = next(i for i, one in enumerate(steps) if one.name == "mask")
    assert steps[masked].result.values.min() == np.float32(LOWEST)
    assert header["blocks"][masked]["result"]["bound"] < 100
    assert len(header["blocks"][masked]["result"]["hidden"]) == 6


@pytest.mark.parametrize("level", [None, "token", 3, ""])
def test_a_level_from_a_link_that_there_is_not_is_the_first(level: object) -> None:
    assert made.picture(state={"level": level, "row": -1, "column": "x"}).state == {
        "level": "layer",
        "step": 0,
        "row": 0,
        "column": 0,
    }


def test_there_is_no_such_step() -> None:
    with pytest.raises(ValueError, match="no step 19"):
        made.picture(at=19)
