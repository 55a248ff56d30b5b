"""What a page declares of itself, at the head of its `page.md`, and that nothing else does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ui import navigation
from ui.navigation import HOME, front_matter

ROOT = Path(__file__).resolve().parents[2]


def menu() -> dict[str, tuple[str, ...]]:
    """The folders of the pages by group, as app.py orders them."""
    (found,) = (
        node.value
        for node in ast.walk(ast.parse((ROOT / "app.py").read_text("utf-8")))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "menu"
    )
    groups: dict[str, tuple[str, ...]] = ast.literal_eval(found)
    return groups


def test_every_page_is_in_the_menu_once_and_has_its_words() -> None:
    files = {file.parent.name for file in (ROOT / "pages").glob("*/page.py")}
    listed = [name for names in menu().values() for name in names]
    assert sorted(listed) == sorted(files) == [*navigation.pages()]
    assert files == {file.parent.name for file in (ROOT / "pages").glob("*/page.md")}
    assert listed[0] == HOME


def test_titles_and_addresses_are_those_of_one_page_each() -> None:
    pages = navigation.pages().values()
    assert all(page.title for page in pages)
    for what in ("title", "address", "path", "script"):
        assert len({getattr(page, what) for page in pages}) == len(pages), what
    steps = navigation.pages()["step_by_step"]
    assert (steps.title, steps.address, steps.path) == ("Step by step", "step-by-step", "step-by-step")
    assert (ROOT / steps.script).is_file()
    home = navigation.pages()[HOME]
    assert (home.address, home.path) == ("compare", "")
    for page in pages:
        assert navigation.folder(page.address) == navigation.folder(page.path) == page.folder


@pytest.mark.parametrize(
    ("text", "front", "rest"),
    [
        ("---\na: b: c\n# no\nd:  e\n  f\n---\n# A\n", {"a": "b: c", "d": "e\nf"}, "# A\n"),
        ("# A\n\n---\na: b\n---\n", {}, "# A\n\n---\na: b\n---\n"),
        ("---\na: b\n", {}, "---\na: b\n"),
        ("", {}, ""),
    ],
)
def test_front_matter(text: str, front: dict[str, str], rest: str) -> None:
    assert front_matter(text) == (front, rest)


@pytest.mark.parametrize(
    "head", ["", "---\nmenu: A\n---\n", "---\nmenu: A\nicon: <path/>\nadress: a\n---\n"]
)
def test_what_is_missing_or_misspelt_is_said(head: str, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(f"{head}# A\n", "utf-8")
    with pytest.raises(ValueError, match=r"page\.md must begin with `menu` and `icon`"):
        navigation.declared(tmp_path / "page.py")
