"""The few facts that a run does not reveal, and that only a model's configuration or type can tell.

Everything else about a `transformers` model is found out by running it: see
`core.pretrained.engines.anatomy`.
"""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor, nn

from ...errors import ModelBroken
from ..files import configs

Kind = Literal["encoder", "decoder", "encoder-decoder"]

# T5 has no table of positions and therefore no limit; it was trained on 512 tokens (Raffel et al. 2020,
# 3.1.2). Other models whose configuration names no limit are read up to the length on which most were
# trained.
NO_END = dict.fromkeys(("t5", "mt5", "umt5", "longt5", "switch_transformers"), 512)
NO_END_ELSEWHERE = 2048
# The names of the limit in configurations.
_LENGTHS = (
    "max_position_embeddings",
    "n_positions",
    "max_seq_len",
    "max_sequence_length",
    "seq_length",
    "n_ctx",
    "max_encoder_position_embeddings",
    "max_source_positions",
    "max_target_positions",
)


def max_tokens(config: Any, rows: int | None) -> int:
    """The largest number of tokens that a text may have, special ones included.

    Args:
        config: the configuration of the model that reads the tokens.
        rows: the number of positions in its table (`Anatomy.rows`). RoBERTa's starts after its padding
            index, and therefore has fewer than the configuration says.
    """
    text = text_config(config)
    lengths = [getattr(text, name, None) for name in _LENGTHS]
    ends = [n for n in (*lengths[:1], rows) if type(n) is int and n > 0]
    if not ends:
        ends = [n for n in lengths if type(n) is int and n > 0][:1]
    if not ends:
        ends = [NO_END.get(text.model_type, NO_END_ELSEWHERE)]
    if getattr(text, "attention_type", None) == "block_sparse":  # see `settle`
        ends.append((5 + 2 * text.num_random_blocks) * text.block_size)
    if short := configs.short_reach(text):
        ends.append(short)
    return min(ends)


def text_config(config: Any) -> Any:
    """The text part of a configuration; models of images and text have several parts."""
    return config.get_text_config(decoder=True)


def token_types(config: Any) -> int:
    """The number of token types; 0 if the model has none."""
    return int(getattr(config, "type_vocab_size", 0) or 0)


def reads_pairs(config: Any, rows: int | None) -> bool:
    """Whether an encoder learned to distinguish two texts.

    DistilBERT does so only by its separator, as do RoBERTa and MPNet, whose single token type says
    nothing: they are recognised by their positions, which start after the padding index. A BERT with a
    single token type never learned to.
    """
    behind_padding = rows is not None and rows < int(getattr(config, "max_position_embeddings", 0) or 0)
    return getattr(config, "type_vocab_size", None) != 1 or behind_padding


def start_id(c: Any, known: int, name: str, generation: Any = None) -> int:
    """The token with which a decoder begins.

    T5 begins with its padding token if nothing else is specified. mBART begins with the language token,
    which is at the end of the target: the result is then −1.

    Args:
        c: the configuration of the model.
        known: the number of tokens that it knows.
        name: the name of the model in messages.
        generation: its settings for generation, if it has some.
    """
    starts = [
        getattr(c, "decoder_start_token_id", None),
        getattr(generation, "decoder_start_token_id", None),
        getattr(getattr(c, "decoder", None), "bos_token_id", None),
        c.pad_token_id if c.model_type in NO_END else None,
    ]
    start = next((token for token in starts if token is not None), None)
    if start is None and c.model_type in ("mbart", "plbart"):
        return LAST_OF_TARGET
    if not isinstance(start, int) or not 0 <= start < known:
        raise ModelBroken(
            "The config.json of “{name}” does not say which token its decoder begins with "
            "(decoder_start_token_id is {start}). Add it.",
            name=name,
            start=str(start)[:40],
        )
    return start


# There is no start token: the decoder begins with the last token of the target.
LAST_OF_TARGET = -1


def settle(model: Any) -> None:
    """Prevent a model from changing while it runs, so that it treats every text alike.

    BigBird switches permanently from sparse to full attention at its first short text, and then no
    longer returns its weights. Here it attends in full up to `max_tokens`, and reads no further.
    """
    for part in list(model.modules()):
        if getattr(part, "attention_type", None) == "block_sparse" and hasattr(part, "config"):
            part.set_attention_type("original_full")


def as_weights(given: Tensor, kind: str) -> Tensor:
    """(B, H, L, M): what a type of model returns as its attention, as weights of all token pairs."""
    if kind in GIVE_SCORES:
        sums = given.sum(dim=-1)
        given = given if bool(((sums - 1).abs() < 1e-3).all()) else given.softmax(dim=-1)
    return whole_rows(given)


# These prepend vectors of their own to each text, and return the attention of only the text's tokens.
PROMPTED = ("cpmant",)
# These return the input of the softmax, mask included, for all or some of their tables.
GIVE_SCORES = ("squeezebert", "prophetnet")


def whole_rows(weights: Tensor) -> Tensor:
    """(B, H, L, L): attention weights that are returned as a band, (B, H, L, 2·w + 1), in full.

    For each token, Longformer and LED return the weights of the w tokens before it, its own, and those
    of the w tokens after it; entries outside the text are 0.
    """
    if weights.ndim != 4 or weights.shape[2] == weights.shape[3] or weights.shape[3] % 2 == 0:
        return weights
    length, reach = weights.shape[2], weights.shape[3] // 2
    padded = nn.functional.pad(weights, (0, length))  # one more column shifts each row by one
    rows = padded.flatten(2)[..., : length * (weights.shape[3] + length - 1)]
    moved = rows.reshape(*rows.shape[:2], length, -1)
    outside = torch.cat([moved[..., :reach], moved[..., reach + length :]], dim=-1)
    return weights if bool(outside.any()) else moved[..., reach : reach + length]
