"""Names that a package loads on first use: stated once, as imports."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from core import lazy

PACKAGES = ("core", "core.corpus", "core.own_text", "core.pretrained", "core.tasks")
SOURCE = '''"""A package."""
from __future__ import annotations
from typing import TYPE_CHECKING

from core import lazy

EAGER = 1
if TYPE_CHECKING:
    from pathlib import Path
    from . import below
    from .below import FIRST as first, second
else:
    __getattr__, __dir__ = lazy.exports(__name__)
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package in a folder of its own."""
    folder = tmp_path / "lazily"
    folder.mkdir()
    (folder / "__init__.py").write_text(SOURCE, "utf-8")
    (folder / "below.py").write_text("FIRST, second = 2, 3\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("lazily", "lazily.below"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    lazy.homes.cache_clear()
    return "lazily"


def test_a_name_is_imported_when_it_is_first_used(package: str) -> None:
    found = importlib.import_module(package)
    assert "lazily.below" not in sys.modules
    assert {"EAGER", "below", "first", "second"} <= {*dir(found)}
    assert (found.first, found.second) == (2, 3)
    assert found.below is sys.modules["lazily.below"]
    assert vars(found)["first"] == 2  # the next use finds it at once
    for unknown in ("FIRST", "Path", "nothing", "__wrapped__"):
        with pytest.raises(AttributeError, match=f"module 'lazily' has no attribute '{unknown}'"):
            getattr(found, unknown)


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_is_there(name: str) -> None:
    package = importlib.import_module(name)
    assert lazy.homes(name)
    for public in {*package.__all__, *lazy.homes(name)}:
        assert getattr(package, public) is not None
        assert public in dir(package)


def test_no_package_loads_names_in_a_way_of_its_own() -> None:
    root = Path(lazy.__file__).parents[1]
    files = [file for part in ("core", "ui", "pages") for file in (root / part).rglob("__init__.py")]
    ours = {file: file.read_text("utf-8") for file in files if "node_modules" not in file.parts}
    assert [file for file, text in ours.items() if "def __getattr__" in text] == []
    using = {file for file, text in ours.items() if "lazy.exports(__name__)" in text}
    assert {".".join(file.relative_to(root).parts[:-1]) for file in using} == {*PACKAGES}
