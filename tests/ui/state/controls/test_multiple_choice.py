"""Several of the options."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.ui.state.small_pages import found, taking
from tests.visits import run


def test_some_are_taken_in_the_order_of_the_page_and_what_is_not_there_is_forgotten() -> None:
    app = AppTest.from_function(taking)
    app.query_params.update(mk="3.9.2")
    assert found(run(app))[0] == [2, 3]
    assert app.query_params["mk"] == "2.3"
    (box,) = app.multiselect
    assert box.options == ["a (1)", "cat (2)", "sat (3)"]
    box.set_value([3, 1])
    assert found(run(app))[0] == [1, 3]
    run(app)
    assert not app.multiselect[0].proto.set_value  # it shows them
    app.toggle[0].set_value(True)
    assert found(run(app))[0] == []
    assert app.query_params == {"v": "2", "u": "1"}
    assert app.multiselect[0].id != box.id  # other names: another list
