"""Texts that begin alike: what a decoder has read of one is not read again for the next.

While somebody types, each text begins as the one before it, up to its last word. Keys, values and
surprise of a token depend on it and on those before it alone, so those of the common beginning still
hold: prefix caching (Kwon et al. 2023, "Efficient Memory Management for Large Language Model Serving
with PagedAttention", section 4.4). The numbers are those of a text that is read as a whole, to within
rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import torch
from torch import Tensor

from ..memory import Cache, nbytes
from ..records.score import Score
from ..transformer import past_of
from .engines.scratch import Past, ScratchDecoder

MOST = 64  # texts that are kept: about as many visitors as type at the same time
SPARE = 3  # tokens that are read as quickly as one, since a pass reads all weights


class TextRead(NamedTuple):
    """What a decoder has computed of a text.

    Attributes:
        past: keys and values of each token, by layer.
        vectors_LD: (L, D), the input of the head at each token.
        score: the surprise at each token.
    """

    past: Past
    vectors_LD: Tensor
    score: Score


def _weight(read: TextRead) -> int:
    """The bytes of a text, most of them keys and values. None of their arrays is shared by texts."""
    each = (one.attention for one in read.past.layers)
    past = sum(one.key_BHMK.nbytes + one.value_BHMK.nbytes for one in each)
    return past + read.vectors_LD.nbytes + nbytes(read.score)


class Prefixes:
    """The last texts that a decoder has read, by the ids of their tokens. Threads can share it."""

    def __init__(self) -> None:
        self._texts = Cache[tuple[int, ...], TextRead](_weight, most=MOST)

    def longest(self, ids: Sequence[int]) -> tuple[TextRead, int] | None:
        """The text with the longest common beginning, and its length in tokens; None if none has any.

        The last token is never part of it: what comes behind a text is read anew.
        """
        ids = ids[:-1]
        known = max(self._texts, key=lambda one: _common(one, ids), default=())
        found, tokens = self._texts.get(known), _common(known, ids)
        return None if found is None or not tokens else (found, tokens)

    def keep(self, ids: tuple[int, ...], read: TextRead) -> None:
        """Keep a text, in place of those that it contains up to a few tokens."""
        for known in self._texts:
            if len(known) - _common(known, ids) <= SPARE:
                with suppress(KeyError):  # another thread was quicker
                    del self._texts[known]
        with suppress(ValueError):  # larger than the budget
            self._texts[ids] = read


def read_behind(
    runner: ScratchDecoder, ids: Sequence[int], known: TextRead, tokens: int
) -> tuple[Tensor, Past]:
    """Read a text behind the beginning that is known of it, in the caller's turn.

    Args:
        runner: the decoder.
        ids: the tokens of the whole text.
        known: a text with the same beginning.
        tokens: the length of that beginning.

    Returns:
        (L, D), the input of the head at each token of the text; and the past of all of it.
    """
    new_BL = torch.tensor([ids[tokens:]], device=runner.device)
    new_BLD, past = runner.read_on(new_BL, past_of(known.past, tokens))
    return torch.cat([known.vectors_LD[:tokens], new_BLD[0]]), past


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two texts have in common at their beginning."""
    shorter = min(len(one), len(other))
    return next((i for i in range(shorter) if one[i] != other[i]), shorter)
