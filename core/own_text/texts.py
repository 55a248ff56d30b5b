"""Ten ready texts to learn from, of our own sentences; safe for schools, and each of another style."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

FOLDER = Path(__file__).with_name("texts")


class Ready(NamedTuple):
    """A ready text: its title, and itself."""

    title: str
    text: str


@cache
def ready() -> Mapping[str, Ready]:
    """The ready texts by name. The first line of a file is its title."""
    made = {}
    for file in sorted(FOLDER.glob("*.txt")):
        title, _, text = file.read_text("utf-8").partition("\n")
        made[file.stem] = Ready(title.strip(), text.strip() + "\n")
    return MappingProxyType(made)
