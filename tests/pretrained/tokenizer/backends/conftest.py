"""A tokenizer of each kind, made once, and its reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.pretrained.tokenizer.reader import TextReader
from tests.pretrained.tokenizer.against_transformers import MANY, Made
from tests.pretrained.tokenizer_kinds import FAST, SLOW


@pytest.fixture(scope="module")
def made_kind(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A tokenizer by the name of its kind, made once."""
    held: dict[str, Any] = {}

    def get(kind: str) -> Any:
        if kind not in held:
            folder = tmp_path_factory.mktemp("tokenizer")
            held[kind] = FAST[kind]() if kind in FAST else SLOW[kind](folder)
        return held[kind]

    return get


@pytest.fixture(scope="module")
def reader(made_kind: Made) -> Callable[..., TextReader]:
    def read_by(kind: str, most: int = 4096) -> TextReader:
        return TextReader(made_kind(kind), most, MANY, kind)

    return read_by
