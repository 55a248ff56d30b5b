"""A text that a small model writes, token by token, with all that it could have written instead."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from ...errors import SettingError
from ...records.attention import Attention
from ...records.frozen import frozen
from ...records.prediction import Expectation, PredictionKind, likeliest
from ...transformer import Reader, Step, greedy, sample
from ..languages.vocabulary import END_ID, Vocabulary
from .reading import MOST_TOKENS


@dataclass(frozen=True)
class Chance:
    """How a token is drawn: from softmax(logits / temperature), of the `top_k` likeliest if given.

    `seed` is where chance starts: the same seed, the same text.

    Raises:
        SettingError: a number is out of range.
    """

    temperature: float = 1.0
    top_k: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.temperature) and 0.01 <= self.temperature <= 100):
            raise SettingError(
                f"The temperature is {self.temperature}; it must be a number from 0.01 to 100."
            )
        if self.top_k is not None and self.top_k < 1:
            raise SettingError(f"top_k is {self.top_k}; it must be 1 or more.")
        if not 0 <= self.seed < 2**63:
            raise SettingError(f"The seed is {self.seed}; it must be a whole number, 0 or more.")


@dataclass(frozen=True, eq=False)
class Written:
    """One token that was written.

    Attributes:
        token: the word, or `[END]`.
        ends: whether it is the end sign.
        expectation: what the model expected here; `expectation.top(10)` has the likeliest words.
        attention: (layers, heads, 1, tokens read): what it attended to among what it had read.
        cross: (layers, heads, 1, source tokens): what it attended to in the source, if there is one.
            The one row of both is labelled by the token: it attended in order to write it.
    """

    token: str
    ends: bool
    expectation: Expectation
    attention: Attention
    cross: Attention | None


def write(
    read: Reader,
    prompt: tuple[int, ...],
    vocabulary: Vocabulary,
    source: tuple[str, ...] | None,
    chance: Chance | None,
    max_tokens: int,
) -> Iterator[Written]:
    """Go on behind `prompt`, up to an end sign or `max_tokens`. No chance: the likeliest each time.

    Raises:
        SettingError: `max_tokens` is out of range.
    """
    if not 1 <= max_tokens <= MOST_TOKENS:
        raise SettingError(f"max_tokens is {max_tokens}; it must be from 1 to {MOST_TOKENS}.")
    prompt_BL = torch.tensor([prompt])
    if chance is None:
        steps = greedy(read, prompt_BL, max_tokens=max_tokens, end_id=END_ID)
    else:
        steps = sample(
            read,
            prompt_BL,
            max_tokens=max_tokens,
            end_id=END_ID,
            temperature=chance.temperature,
            top_k=chance.top_k,
            generator=torch.Generator().manual_seed(chance.seed),
        )
    return _written(steps, prompt, vocabulary, source)


def _written(
    steps: Iterator[Step],
    prompt: tuple[int, ...],
    vocabulary: Vocabulary,
    source: tuple[str, ...] | None,
) -> Iterator[Written]:
    keys = [vocabulary.words[i] for i in prompt]
    for step in steps:
        chosen = int(step.ids_B[0])
        token = vocabulary.words[chosen]
        rows = step.rows_NBHM[:, 0, :, None].numpy()
        across = None if source is None else step.cross_rows_NBHS[:, 0, :, None].numpy()
        yield Written(
            token,
            chosen == END_ID,
            expectation(step.prediction.logits_BLV[0, -1], len(keys) - 1, "next", vocabulary),
            Attention((token,), tuple(keys), rows),
            None if across is None or source is None else Attention((token,), source, across),
        )
        keys.append(token)


def expectation(
    logits_V: Tensor, position: int, kind: PredictionKind, vocabulary: Vocabulary
) -> Expectation:
    """The prediction at a position, in words."""
    logits = frozen(logits_V.numpy())
    ids = likeliest(logits)
    words = tuple(vocabulary.words[i] for i in ids)
    return Expectation(position, kind, logits, ids, words, words)
