"""Lists of prepared values."""

from __future__ import annotations

from tests.ui.state.small_pages import found, visit
from tests.visits import run


def test_presets_set_their_fields_and_reset_the_others() -> None:
    app = visit(n="9", t="dog")
    (box,) = app.selectbox
    assert box.value is None
    box.set_value("large")
    run(app)
    assert found(app) == ["one", 40, 30, "cat"]
    assert app.selectbox[0].value == "large"
