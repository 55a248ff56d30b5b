"""The few things that a model cannot be asked, and that its configuration or its type must say.

Everything else about a model of `transformers` is found out by running it: see
`core.pretrained.engines.anatomy`.
"""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor, nn

from ...errors import ModelBroken

Kind = Literal["encoder", "decoder", "encoder-decoder"]

# T5 has no table of positions and so no end; it was trained on 512 tokens (Raffel et al. 2020, 3.1.2).
# Others whose configuration names no end are read as far as most were trained.
NO_END = dict.fromkeys(("t5", "mt5", "umt5", "longt5", "switch_transformers"), 512)
NO_END_ELSEWHERE = 2048
# By what names configurations call it.
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
    """How many tokens a text may have, special ones included.

    Args:
        config: the configuration of the model that reads the tokens.
        rows: how many positions its table has (`Anatomy.rows`). RoBERTa's begins behind the padding,
            so that it has fewer than the configuration says.
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
    return min(ends)


def text_config(config: Any) -> Any:
    """The part of a configuration that is about text: of a model of pictures and texts, a part."""
    return config.get_text_config(decoder=True)


def token_types(config: Any) -> int:
    """How many token types there are; 0 where tokens have none."""
    return int(getattr(config, "type_vocab_size", 0) or 0)


def reads_pairs(config: Any, rows: int | None) -> bool:
    """Whether an encoder learned to tell two texts apart.

    DistilBERT does by its separator alone, and so do RoBERTa and MPNet, whose one token type says
    nothing: they are known by their positions, which begin behind the padding. A BERT with a single
    token type never learned to.
    """
    behind_padding = rows is not None and rows < int(getattr(config, "max_position_embeddings", 0) or 0)
    return getattr(config, "type_vocab_size", None) != 1 or behind_padding


def start_id(model: Any, name: str) -> int:
    """The token that a decoder begins with.

    T5 begins with its padding where nothing else is said. mBART begins with the sign of the language,
    which stands at the end of the target: then the answer is −1.
    """
    c = model.config
    starts = [
        getattr(c, "decoder_start_token_id", None),
        getattr(getattr(model, "generation_config", None), "decoder_start_token_id", None),
        getattr(getattr(c, "decoder", None), "bos_token_id", None),
        c.pad_token_id if c.model_type in NO_END else None,
    ]
    start = next((token for token in starts if token is not None), None)
    if start is None and c.model_type in ("mbart", "plbart"):
        return LAST_OF_TARGET
    known = len(model.get_input_embeddings().weight)
    if not isinstance(start, int) or not 0 <= start < known:
        raise ModelBroken(
            f"The config.json of “{name}” does not say which token its decoder begins with "
            f"(decoder_start_token_id is {str(start)[:40]}). Add it."
        )
    return start


# In place of a start token: the decoder begins with the last token of the target.
LAST_OF_TARGET = -1


def settle(model: Any) -> None:
    """Let a model be what it is for every text that is read, where it would change while it runs.

    BigBird turns itself from sparse to full attention at its first short text, for good, and then no
    longer gives its weights. It attends in full up to `max_tokens`, and is read no further.
    """
    for part in list(model.modules()):
        if getattr(part, "attention_type", None) == "block_sparse" and hasattr(part, "config"):
            part.set_attention_type("original_full")


def as_weights(given: Tensor, kind: str) -> Tensor:
    """(B, H, L, M): what a type of model gives as its attention, as weights of all pairs of tokens."""
    if kind in GIVE_SCORES:
        sums = given.sum(dim=-1)
        given = given if bool(((sums - 1).abs() < 1e-3).all()) else given.softmax(dim=-1)
    return whole_rows(given)


# They put vectors of their own before every text, and give the attention of the text's tokens alone.
PROMPTED = ("cpmant",)
# They give what softmax is taken of, mask included: all of their tables, or some of them.
GIVE_SCORES = ("squeezebert", "prophetnet")


def whole_rows(weights: Tensor) -> Tensor:
    """(B, H, L, L): attention weights that are given as a band, (B, H, L, 2·w + 1), in full.

    Longformer and LED give of each token the weights of the w tokens before it, its own, and those of
    the w behind it; what would lie outside of the text is 0 there.
    """
    if weights.ndim != 4 or weights.shape[2] == weights.shape[3] or weights.shape[3] % 2 == 0:
        return weights
    length, reach = weights.shape[2], weights.shape[3] // 2
    padded = nn.functional.pad(weights, (0, length))  # one column more a row moves it by one
    rows = padded.flatten(2)[..., : length * (weights.shape[3] + length - 1)]
    moved = rows.reshape(*rows.shape[:2], length, -1)
    outside = torch.cat([moved[..., :reach], moved[..., reach + length :]], dim=-1)
    return weights if bool(outside.any()) else moved[..., reach : reach + length]
