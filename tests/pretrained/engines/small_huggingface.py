"""Small models of every kind, run by `transformers` itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import core
from tools.every_model import small, walk

TEXT = "the river and the old bank and the money"


def loaded(kind: str, **settings: Any) -> core.Model:
    own = small.model(kind, small.config(kind, **settings))
    return core.load(own, walk.tokenizer(), engine="huggingface")


def saved(model: Any, folder: Path) -> Path:
    model.save_pretrained(folder)
    walk.tokenizer().save_pretrained(folder)
    return folder
