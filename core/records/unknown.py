"""What a model's vocabulary does not have, and reads as its token for the unknown.

All such words share the learned vector of that token: their vectors say nothing about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .trace import Trace

UNKNOWN = ("[UNK]", "<unk>")  # as the tokenizers of our families name it


def all_unknown(tokens: Sequence[str], at: Iterable[int]) -> bool:
    """Whether all of some tokens, by their indices among `tokens`, are the one for the unknown."""
    return all(tokens[i] in UNKNOWN for i in at)


def unknown_word(trace: Trace, word: str = "") -> str | None:
    """A word of the text that the model does not know at all, as it is written; None if there is none.

    Args:
        trace: the text.
        word: only where `Trace.find` finds this; "" for every word.
    """
    for one in trace.occurrences(of=word or None):
        if one.tokens.size and all_unknown(trace.tokens, one.tokens):
            return one.word
    return None
