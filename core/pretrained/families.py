"""The types of model that Polysee reads, and what must be known of each beyond its configuration.

Every one of them is compared with eager `transformers` in our tests, at every layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

Kind = Literal["encoder", "decoder", "encoder-decoder"]

# T5 has no table of positions and so no end; it was trained on 512 tokens (Raffel et al. 2020, 3.1.2).
T5_TOKENS = 512


class Family(NamedTuple):
    """One type of model.

    Attributes:
        kind: what it is made of.
        sizes: settings of its configuration that are widths, heights or counts of heads.
        layers: settings that count layers.
        heads: settings that count heads.
        activation: the setting that names its activation.
        eps: the setting of the ε of its norms, if it has one.
        positions: how it knows the order: a table with a row for each (its length is the setting
            `max_position_embeddings`), rotations (its length too, but nothing has its size), or a
            bias by distance.
        unused_positions: whether the table's rows are counted from behind the padding id.
        final_norm: where the norm behind the last layer is, within a stack of layers; "" for none.
        products: whether its attention goes through `transformers.AttentionInterface`, so that query
            and key can be recorded.
        own_tables: tensors that transformers computes by itself where a checkpoint leaves them out.
    """

    kind: Kind
    sizes: tuple[str, ...]
    layers: tuple[str, ...] = ("num_hidden_layers",)
    heads: tuple[str, ...] = ("num_attention_heads",)
    activation: str = "hidden_act"
    eps: str = "layer_norm_eps"
    positions: Literal["table", "rotary", "relative"] = "table"
    unused_positions: bool = False
    final_norm: str = ""
    products: bool = True
    own_tables: str = ""


_ENCODER = Family("encoder", ("hidden_size", "intermediate_size", "vocab_size", "type_vocab_size"))
_ROBERTA = _ENCODER._replace(unused_positions=True)
_LLAMA = Family(
    "decoder",
    ("hidden_size", "intermediate_size", "vocab_size", "num_key_value_heads"),
    eps="rms_norm_eps",
    positions="rotary",
    final_norm="norm",
)
_BART = Family(
    "encoder-decoder",
    ("d_model", "encoder_ffn_dim", "decoder_ffn_dim", "vocab_size"),
    layers=("encoder_layers", "decoder_layers"),
    heads=("encoder_attention_heads", "decoder_attention_heads"),
    activation="activation_function",
    eps="",
)

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "albert": _ENCODER,
        "bart": _BART,
        "bert": _ENCODER,
        "camembert": _ROBERTA,
        "distilbert": Family(
            "encoder", ("hidden_size", "hidden_dim", "vocab_size"), activation="activation", eps=""
        ),
        "electra": _ENCODER,
        "gpt2": Family(
            "decoder",
            ("hidden_size", "vocab_size"),
            activation="activation_function",
            eps="layer_norm_epsilon",
            final_norm="ln_f",
        ),
        "llama": _LLAMA,
        "marian": _BART._replace(own_tables=r"(encoder|decoder)\.embed_positions\.weight"),
        "mpnet": Family(
            "encoder",
            ("hidden_size", "intermediate_size", "vocab_size"),
            unused_positions=True,
            products=False,
        ),
        "opt": Family(
            "decoder",
            ("hidden_size", "ffn_dim", "word_embed_proj_dim", "vocab_size"),
            activation="activation_function",
            eps="",
            final_norm="decoder.final_layer_norm",
        ),
        "qwen2": _LLAMA,
        "qwen3": _LLAMA,
        "roberta": _ROBERTA,
        "t5": Family(
            "encoder-decoder",
            ("d_model", "d_kv", "d_ff", "vocab_size", "relative_attention_num_buckets"),
            layers=("num_layers", "num_decoder_layers"),
            heads=("num_heads",),
            activation="dense_act_fn",
            eps="layer_norm_epsilon",
            positions="relative",
            final_norm="final_layer_norm",
        ),
        "xlm-roberta": _ROBERTA,
    }
)


def max_tokens(config: Any) -> int:
    """How many tokens a text may have, special ones included.

    - Rows of the position table that a text can use: RoBERTa and MPNet count from behind the padding.
    - A layer that looks back no further than a window (Qwen, where it is switched on) would need a
      mask of its own; a text no longer than the window needs none.
    """
    family = FAMILIES[config.model_type]
    if family.positions == "relative":
        length = getattr(config, "n_positions", None)
        return length if isinstance(length, int) and length > 0 else T5_TOKENS
    rows = int(config.max_position_embeddings)
    if family.unused_positions:
        # transformers writes MPNet's padding id into its code.
        padding = 1 if config.model_type == "mpnet" else int(config.pad_token_id or 0)
        return rows - (padding + 1)
    if "sliding_attention" in (getattr(config, "layer_types", None) or ()):
        return min(rows, int(config.sliding_window or rows))
    return rows


def reads_pairs(config: Any) -> bool:
    """Whether an encoder learned to tell two texts apart.

    DistilBERT, RoBERTa and MPNet do by their separators alone; a BERT with a single token type never
    learned to, and a decoder reads on as if they were one.
    """
    family = FAMILIES[config.model_type]
    if family.kind != "encoder":
        return False
    return getattr(config, "type_vocab_size", None) != 1 or family.unused_positions


def is_causal(config: Any) -> bool:
    """Whether a token sees only itself and those before it, in a model of one stack of layers.

    `transformers` lets an encoder be set up as a decoder, and a decoder as an encoder.
    """
    if FAMILIES[config.model_type].kind == "encoder":
        return bool(getattr(config, "is_decoder", False))
    return bool(getattr(config, "is_causal", True))
