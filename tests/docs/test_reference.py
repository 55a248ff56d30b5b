"""The reference has every public name, once, and no other."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import core

API = Path(__file__).resolve().parents[2] / "docs" / "api"
# Rooms that people use in Python, whose names the reference takes from their `__all__` itself.
WHOLE = ("corpus", "measures", "plot")


def test_every_public_name_is_in_the_reference() -> None:
    text = "\n".join(path.read_text("utf-8") for path in sorted(API.glob("*.md")))
    there = re.findall(r"^::: polysee\.([\w.]+)$", text, re.MULTILINE)
    assert len(there) == len(set(there))
    deeper = [name for name in there if "." in name]
    assert sorted(set(there) - set(deeper)) == sorted([*core.__all__, *WHOLE])
    for name in deeper:
        room, _, one = name.rpartition(".")
        assert hasattr(import_module(f"core.{room}"), one)
    for room in WHOLE:
        assert import_module(f"core.{room}").__all__


def test_the_first_page_groups_every_public_name() -> None:
    rows = re.findall(
        r"^\| \[.*\]\((\w+)\.md\) \| (.*) \|$", (API / "index.md").read_text("utf-8"), re.M
    )
    assert sorted(f"{page}.md" for page, _ in rows) == sorted(
        path.name for path in API.glob("*.md") if path.name != "index.md"
    )
    for page, names in rows:
        named = re.findall(r"`([\w.]+)`", names)
        own = (API / f"{page}.md").read_text("utf-8")
        assert all(f"::: polysee.{name.removeprefix('polysee.')}\n" in own for name in named)
