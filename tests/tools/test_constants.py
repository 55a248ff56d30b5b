"""What the browser's side takes from Python is what Python says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import constants


# What asks the language model takes twenty seconds.
@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=file.name, marks=[pytest.mark.check] * (file.name == "typical.json"))
        for file in constants.FILES
    ],
)
def test_what_is_written_is_what_python_says(file: Path) -> None:
    assert file.read_text("utf-8") == constants.written(file), "python -m tools.constants"
