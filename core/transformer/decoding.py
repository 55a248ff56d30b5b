"""Autoregressive decoding: each predicted token becomes input for the next.

Vaswani et al. (2017), section 3.1: "consuming the previously generated symbols as additional input when
generating the next". Keys and values of earlier tokens are cached, not computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from .model import Prediction


class Reader(Protocol):
    """A model of the next token: a causal `LanguageModel`, or a decoder with its source.

    The latter is `functools.partial(model.decode, memory_BSD=encoded.final_BLD, mask_BS=mask)`.
    """

    def __call__(self, ids_BL: Tensor, /, *, past: Any = None) -> Prediction[Any]:
        """Predict from ids, and from the result of this call for the ids before them."""
        ...


class Step(NamedTuple):
    """One decoding step of each text of a batch: the chosen token, its distribution and the attention.

    Attributes:
        ids_B: the chosen token; the end token again where the text had already ended.
        probabilities_BV: the distribution that it was chosen from; rows sum to 1.
        prediction: the forward pass behind it, over the new tokens only: the prompt, then one a step.
    """

    ids_B: Tensor
    probabilities_BV: Tensor
    prediction: Prediction[Any]

    @property
    def rows_NBHM(self) -> Tensor:
        """The self-attention of the last token: the last row of each head."""
        layers = self.prediction.stack.layers
        return torch.stack([layer.attention.weights_BHLM[:, :, -1] for layer in layers])

    @property
    def cross_rows_NBHS(self) -> Tensor:
        """The cross-attention behind `ids_B`: the last row of each head."""
        layers = self.prediction.stack.layers
        return torch.stack([layer.cross.weights_BHLM[:, :, -1] for layer in layers])


def greedy(
    read: Reader, prompt_BL: Tensor, *, max_tokens: int, end_id: int | None = None
) -> Iterator[Step]:
    """Take the most probable token each time, until all texts have ended or are `max_tokens` longer.

    The model runs as it is: call `eval()` before, or dropout affects the choice.

    Args:
        read: see `Reader`.
        prompt_BL: a start token, or a text to continue; all of one length, without padding.
        max_tokens: how many tokens at most are added.
        end_id: the token that ends a text, and is its last; None: none does.
    """

    def choose(logits_BV: Tensor) -> tuple[Tensor, Tensor]:
        return logits_BV.argmax(dim=-1), logits_BV.softmax(dim=-1)

    return _generate(read, prompt_BL, choose, max_tokens, end_id)


def sample(
    read: Reader,
    prompt_BL: Tensor,
    *,
    max_tokens: int,
    end_id: int | None = None,
    temperature: float = 1.0,
    top_k: int | None = None,
    generator: torch.Generator | None = None,
) -> Iterator[Step]:
    """Draw each token from softmax(logits / temperature), of the `top_k` most probable ones if given.

    Args:
        read: see `greedy`.
        prompt_BL: see `greedy`.
        max_tokens: see `greedy`.
        end_id: see `greedy`.
        temperature: above 0. Below 1, the probable become more probable; above 1, all more equal.
        top_k: how many tokens are drawn from at most; None: all.
        generator: the source of the random numbers; None: torch's own.

    Raises:
        ValueError: the temperature is not above 0, or `top_k` is below 1.
    """
    if not temperature > 0:
        raise ValueError(f"The temperature must be above 0, not {temperature}; 0 would be greedy.")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k must be at least 1, not {top_k}.")

    def choose(logits_BV: Tensor) -> tuple[Tensor, Tensor]:
        logits_BV = logits_BV / temperature
        if top_k is not None and top_k < logits_BV.shape[-1]:
            best = logits_BV.topk(top_k, dim=-1)
            logits_BV = torch.full_like(logits_BV, -torch.inf).scatter(-1, best.indices, best.values)
        probabilities_BV = logits_BV.softmax(dim=-1)
        return torch.multinomial(probabilities_BV, 1, generator=generator)[:, 0], probabilities_BV

    return _generate(read, prompt_BL, choose, max_tokens, end_id)


@torch.no_grad()
def _generate(
    read: Reader,
    prompt_BL: Tensor,
    choose: Callable[[Tensor], tuple[Tensor, Tensor]],
    max_tokens: int,
    end_id: int | None,
) -> Iterator[Step]:
    """Read, choose, and read what was chosen."""
    ids_BL, past = prompt_BL, None
    ended_B = torch.zeros(len(prompt_BL), dtype=torch.bool, device=prompt_BL.device)
    for _ in range(max_tokens):
        prediction = read(ids_BL, past=past)
        ids_B, probabilities_BV = choose(prediction.logits_BLV[:, -1])
        if end_id is not None:
            ids_B = ids_B.masked_fill(ended_B, end_id)
            ended_B = ended_B | (ids_B == end_id)
        yield Step(ids_B, probabilities_BV, prediction)
        if ended_B.all():
            return
        ids_BL, past = ids_B[:, None], prediction.stack
