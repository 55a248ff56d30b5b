"""Limits for what would take minutes or too much memory: long words, growing texts, many names."""

from __future__ import annotations

import json
from typing import Any

# The longest word that is split by trying all its parts, which takes time proportional to its length
# squared or cubed. BERT's tokenizers stop at 100 letters and treat a longer word as unknown; for a
# model that sets a higher limit, this one applies.
MOST_LETTERS = 1_000
# The longest normalised text, for rules that replace one character by more than ten. Published
# tokenizers replace one by one, rarely by two or three.
MOST_GROWTH = 10
MOST_CHARACTERS = 10_000_000
# A tokenizer whose rules let a text grow by more than this factor is refused.
ANY_GROWTH = 10_000
# The largest vocabulary whose names are held in memory; published ones have up to 300,000 entries.
MOST_NAMES = 1_000_000


def growth(rules: Any) -> float:
    """By what factor a text can grow if replacement rules apply.

    `rules` is the normalizer of a tokenizer.json.
    """
    times, rest = 1.0, [rules]
    while rest:
        rule = rest.pop()
        if not isinstance(rule, dict):
            continue
        inner, pattern = rule.get("normalizers"), rule.get("pattern")
        rest += inner if isinstance(inner, list) else []
        if rule.get("type") == "Replace":
            literal = pattern.get("String") if isinstance(pattern, dict) else None
            times *= max(1, len(str(rule.get("content"))) / max(1, len(str(literal or ""))))
    return times


def growth_in(normalizer: Any) -> float:
    """The same for the normalizer of a tokenizer in memory; 1 if there is none or it is in Python."""
    try:
        return growth(json.loads(normalizer.__getstate__()))
    except Exception:  # what is written in Python cannot be inspected
        return 1
