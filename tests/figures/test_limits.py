"""What each kind of picture has to choose from, by its own header."""

from __future__ import annotations

from typing import Any

import pytest

from core.figures import limits, schema
from core.notebook.picture_view import checked
from tests.browser.pictures.every_module import MADE

COUNTED = [
    (module, name)
    for module in sorted(set(MADE) & set(schema.STATES))
    for name, field in schema.state(module).items()
    if schema.whole(field)["type" if "type" in field else "enum"] in ("integer", "array")
]


@pytest.mark.parametrize(("module", "name"), COUNTED)
def test_a_number_is_taken_up_to_the_last_and_no_further(module: str, name: str) -> None:
    picture = MADE[module]()
    count = limits.count(picture, name)
    if schema.state(module)[name].get("minItems"):  # two angles, the same in each picture
        assert count is None
        return
    assert count is not None
    listed = schema.state(module)[name]["type"] == "array"

    def as_value(number: Any) -> Any:
        return [number] if listed else number

    if count:
        assert checked(picture, name, as_value(count - 1)) == as_value(count - 1)
    for wrong in (count, 99_000, "x", True, 1.5):
        with pytest.raises(ValueError, match=f"^{name} = ") as said:
            checked(picture, name, as_value(wrong))
        if count:
            assert f"0 to {count - 1}" in str(said.value)
        assert "998" not in str(said.value)


def test_each_kind_of_choice_is_described() -> None:
    for module in sorted(set(MADE) & set(schema.STATES)):
        picture = MADE[module]()
        for name, field in schema.state(module).items():
            with pytest.raises(ValueError, match=f"^{name} = ") as said:
                checked(picture, name, object())
            assert (", or None" in str(said.value)) == bool(field.get("nullable")) or (
                "only None" in str(said.value)
            )
