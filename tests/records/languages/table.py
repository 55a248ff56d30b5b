"""Words of many languages, in one table that Python, Node and Chromium are held to.

Each case is a text, its words, and what is found in it. Words of scripts without spaces come from a
dictionary: another version of ICU may split another sentence differently, and these were chosen plain.
What is found is for MiniLM, an uncased model.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tokenizers.normalizers import BertNormalizer

from core.records.spelling import Spelling

FILE = Path(__file__).with_name("cases.json")
TABLE: dict[str, Any] = json.loads(FILE.read_text("utf-8"))


@cache
def uncased() -> Spelling:
    """The spelling of MiniLM, by its tokenizer's rules."""
    return Spelling(cased=False, normal=BertNormalizer().normalize_str)
