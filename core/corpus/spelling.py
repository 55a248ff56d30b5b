"""Which spellings are one word in a corpus: those that its model reads alike, without the model.

A corpus keeps the normalisation of its model's tokenizer in its manifest. Where the rules cannot be
kept, since they are written in Python or use expressions, only case and what nobody sees are ignored.
"""

from __future__ import annotations

import json
from functools import lru_cache

from ..pretrained.text_model import TextModel
from ..pretrained.tokenizer.normalisation import restored, rules_of
from ..records.spelling import Spelling


def normalizer_of(model: TextModel) -> str:
    """What a corpus keeps of a model's tokenizer: JSON, or "" for nothing."""
    rules = rules_of(model.spelling)
    return "" if rules is None else json.dumps(rules, sort_keys=True)


@lru_cache(8)
def spelling_of(cased: bool, normalizer: str) -> Spelling:
    """Which spellings are one word.

    Args:
        cased: whether the model of the corpus distinguishes upper and lower case.
        normalizer: as `normalizer_of` returns it.

    Raises:
        ValueError: it is not what `normalizer_of` returns.
    """
    return restored(cased, json.loads(normalizer) if normalizer else None)
