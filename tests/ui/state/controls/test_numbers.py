"""Boxes for numbers, and sliders."""

from __future__ import annotations

import pytest

from tests.ui.state.small_pages import form, found, visit
from tests.visits import run


@pytest.mark.parametrize(
    ("typed", "told"), [(1e9, "1,000,000,000"), (4.5, "4.5"), (-5.5, "−5.5"), (0, "0")]
)
def test_a_box_that_refuses_a_number_says_what_it_takes(typed: float, told: str) -> None:
    app = visit(n="12")
    app.number_input(key="size control").set_value(typed)
    run(app)
    assert app.number_input(key="size control").value == 12
    (toast,) = app.toast
    words = str(toast.value)
    assert "from 1 to 40" in words
    assert f"not {told}." in words
    assert words.endswith("stays 12.")
    run(app)
    assert not app.toast  # said once


def test_a_control_with_other_bounds_keeps_what_a_visitor_types_meanwhile() -> None:
    app = visit(n="12")
    app.number_input(key="size control").set_value(30)
    run(app)
    assert not app.slider(key="at control").proto.set_value
    assert app.slider(key="at control").value == 3


def test_a_value_beyond_its_bounds_becomes_the_last_and_is_in_the_link() -> None:
    app = visit(n="4", i="999")
    assert found(app) == ["one", 4, 3, "cat"]
    app.number_input(key="size control").set_value(2)
    run(app)
    assert found(app)[2] == 1
    assert app.query_params == {"v": "2", "n": "2", "i": "1"}
    app.number_input(key="size control").set_value(40)  # other bounds: what was set long ago stays away
    run(app)
    assert found(app)[2] == 1


def test_boxes_of_one_field_change_it_alone_and_show_again_what_it_does_not_take() -> None:
    app = form()
    assert found(app)[:2] == [2, 0.5]
    app.number_input(key="count control").set_value(7)
    run(app)
    assert found(app)[:2] == [7, 0.5]
    assert app.query_params["f"] == "7x0.5"
    for refused, said in ((99, "99 is too many"), (None, "")):  # None: an emptied box
        app.number_input(key="count control").set_value(refused)
        run(app)
        assert found(app)[0] == app.number_input(key="count control").value == 7
        assert found(app)[-1] == said
    run(app)
    assert found(app)[-1] == ""  # said once
    app.number_input(key="share control").set_value(0.25)
    run(app)
    assert app.query_params == {"v": "2", "f": "7x0.25"}
