"""The `__init__` of every package says what belongs in it, and names only what exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Third-party packages.
PACKAGES = frozenset({"transformers", "torch", "streamlit", "plotly"})


def halls() -> list[Path]:
    """Every folder of the product that contains Python files."""
    return sorted(
        {
            path.parent
            for part in ("core", "ui", "pages", "benchmarks")
            for path in (ROOT / part).rglob("*.py")
            if "node_modules" not in path.parts
        }
    )


def says(folder: Path) -> str:
    """The docstring of a folder's `__init__`; empty if there is none."""
    file = folder / "__init__.py"
    return (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "") if file.is_file() else ""


def named(text: str) -> list[str]:
    """The modules, folders and files in backquotes: lower case, joined by dots or slashes."""
    return re.findall(r"`([a-z][a-z0-9_./]*)`", text)


def is_there(name: str, folder: Path) -> bool:
    """Whether there is such a module, folder or file: in the folder, in a page's, or below the root."""
    if name in PACKAGES:
        return True
    bases = [folder, ROOT, ROOT / "core", folder / "src", *(f for f in folder.iterdir() if f.is_dir())]
    return any(_in(name.rstrip("/"), base) for base in bases)


def _in(name: str, base: Path) -> bool:
    path = base / name.replace(".", "/")
    if (base / name).exists() or path.is_dir() or path.with_suffix(".py").is_file():
        return True
    # A name that an existing module defines or exports, as `module.name`.
    module, attribute = path.parent, path.name
    files = (module.with_suffix(".py"), module / "__init__.py")
    return "." in name and any(
        re.search(rf"\b{attribute}\b", file.read_text("utf-8")) for file in files if file.is_file()
    )


def test_the_halls_are_found() -> None:
    names = {str(folder.relative_to(ROOT)) for folder in halls()}
    assert {"core", "core/measures/senses", "ui/state", "pages/heads", "benchmarks/load"} <= names


@pytest.mark.parametrize("folder", halls(), ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_folder_says_what_belongs_in_it(folder: Path) -> None:
    text = says(folder)
    assert len(text.split()) >= 5, f"{folder} says nothing"
    assert [name for name in named(text) if not is_there(name, folder)] == []


def test_a_module_that_is_gone_is_noticed() -> None:
    folder = ROOT / "core" / "tasks"
    assert named("`training` and `languages.task`, then `nothing`; see `core.load`, `Training`.") == [
        *("training", "languages.task", "nothing", "core.load")
    ]
    assert is_there("training", folder)
    assert is_there("languages.task", folder)
    assert is_there("core.load", folder)
    assert not is_there("nothing", folder)
    assert not is_there("languages.nothing", folder)
