"""A transformer so small that its numbers fit the screen: one layer, made with `core.transformer`.

Vaswani et al. (2017), sections 3.1 to 3.4, with ReLU and post-LN; queries, keys and values without a
bias, as in the paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from ..localization import _
from ..records.frozen import Array
from ..transformer import Embeddings, EncoderLayer, TransformerConfig
from ..transformer.layers import ACTIVATIONS
from .steps.layer import layer_steps, one_hot, picked
from .steps.make import matrix, step
from .steps.record import Step
from .tiny_numbers import D_FF, D_MODEL, EPS, LONGEST, N_HEADS, WORDS, names_of

Numbers = Mapping[str, Array]


def layer(numbers: Numbers) -> EncoderLayer:
    """The layer with these numbers."""
    made = EncoderLayer(D_MODEL, N_HEADS, D_FF, ACTIVATIONS["relu"], EPS).eval().requires_grad_(False)
    none = torch.zeros(D_MODEL)

    def table(name: str) -> Tensor:
        """A matrix as in `nn.Linear`: (out, in)."""
        return torch.tensor(numbers[name]).T.contiguous()

    def row(name: str) -> Tensor:
        return torch.tensor(numbers[name][0])

    weights = {
        **{f"attention.{part}.weight": table(f"W_{part[0].upper()}") for part in _PARTS},
        **{f"attention.{part}.bias": none for part in _PARTS},
        "attention_norm.weight": row("g_1"),
        "attention_norm.bias": row("s_1"),
        "feed_forward.inner.weight": table("W_1"),
        "feed_forward.inner.bias": row("b_1"),
        "feed_forward.outer.weight": table("W_2"),
        "feed_forward.outer.bias": row("b_2"),
        "output_norm.weight": row("g_2"),
        "output_norm.bias": row("s_2"),
    }
    made.load_state_dict(weights, strict=True)
    return made


_PARTS = ("query", "key", "value", "output")


def embeddings(numbers: Numbers) -> Embeddings:
    """The tables with these numbers: no factor √d_model, and learned positions."""
    config = TransformerConfig(
        len(WORDS),
        1,
        0,
        N_HEADS,
        D_MODEL,
        D_FF,
        positions="learned",
        n_positions=LONGEST,
        scale_embeddings=False,
    )
    made = Embeddings(config, len(WORDS)).eval().requires_grad_(False)
    weights = {"tokens.weight": numbers["E"], "positions.table.weight": numbers["P"]}
    made.load_state_dict({name: torch.tensor(table) for name, table in weights.items()}, strict=True)
    return made


def embedded(ids: Sequence[int], numbers: Numbers, *, positions: bool = True) -> Tensor:
    """(L, D): table rows, with or without the positions."""
    x_LD = torch.tensor(numbers["E"])[list(ids)]
    return x_LD + torch.tensor(numbers["P"])[: len(ids)] if positions else x_LD


def tiny_steps(
    ids: Sequence[int], numbers: Numbers, *, head: int = 0, causal: bool = False
) -> tuple[Step, ...]:
    """Every step from words to the output of the layer.

    Args:
        ids: at most four, indices in `WORDS`.
        numbers: see `core.walkthroughs.tiny_numbers.changed`.
        head: 0 or 1.
        causal: whether to hide later tokens, as in a decoder.
    """
    tokens = names_of(ids)
    learned = matrix("learned", embedded(ids, numbers, positions=False), tokens)
    notes = [_("the whole word “{word}”").format(word=WORDS[i]) for i in ids]
    every = [f"{i} {word}" for i, word in enumerate(WORDS)]
    hot = one_hot(ids, range(len(WORDS)), tokens, every)
    position = matrix("P", numbers["P"][: len(ids)], tokens)
    x_LD = embedded(ids, numbers)
    return (
        picked(ids, tokens, learned, notes),
        step("learned", "product", [hot, matrix("E", numbers["E"], every)], learned),
        step("position", "sum", [learned, position], matrix("x", x_LD, tokens)),
        *layer_steps(layer(numbers), x_LD, tokens, head=head, causal=causal),
    )
