"""The stacks that our own transformer runs: for each family, a table of parts and of tensors' names.

All are `core.transformer.LanguageModel`, decoders and encoders, or `core.transformer.Transformer`, both
in one. A family says which parts stand in the
place of the paper's (`settings`), and how a checkpoint names their weights (`table`); `layout` reads
both, and nothing else in Polysee knows one family from another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .layout import HEAD, HEAD_BIAS, Family, Piece, ours, pieces
from .table import FAMILIES

if TYPE_CHECKING:
    from ....transformer import TransformerConfig

__all__ = [
    "FAMILIES",
    "HEAD",
    "HEAD_BIAS",
    "Family",
    "Piece",
    "config_of",
    "family_of",
    "ours",
    "pieces",
]


def config_of(config: Any, *, headed: bool = False) -> TransformerConfig | None:
    """Our shape for a `transformers` configuration, or None if no family has it.

    Args:
        config: any configuration.
        headed: whether a decoder gets a matrix of its own that predicts tokens, if it has one;
            otherwise its logits are those of its table of vectors.
    """
    family = family_of(config)
    if family is None or (family.causal and getattr(config, "is_causal", True) is False):
        return None
    if family.paired and (config.is_decoder or not config.is_encoder_decoder):
        return None
    from ....transformer import Parts, TransformerConfig  # torch: a folder's files are checked first

    try:
        more = family.more(config)
    except (AttributeError, TypeError, ValueError):  # a setting of a kind that no model has
        return None
    if more is None:
        return None
    biases: dict[str, Any] = {
        ours: bool(getattr(config, theirs)) if isinstance(theirs, str) else theirs
        for ours, theirs in family.biases.items()
    }
    try:
        return TransformerConfig(
            **{
                "n_vocabulary": config.vocab_size,
                "n_encoder_layers": 0 if family.causal else config.num_hidden_layers,
                "n_decoder_layers": config.num_hidden_layers if family.causal else 0,
                "n_heads": config.num_attention_heads,
                "d_model": config.hidden_size,
                "norm_first": True,
                "scale_embeddings": False,
                "tied_output": not headed or bool(config.tie_word_embeddings),
                "output_bias": False,
                **more,
                "parts": Parts(**more["parts"], **biases),
            }
        )
    except (ValueError, TypeError):  # sizes that fit no model: transformers says which
        return None


def family_of(config: Any) -> Family | None:
    """The family of a `transformers` configuration, of any settings; None if there is none."""
    found = FAMILIES.get(config.model_type)
    return found if found is None or isinstance(found, Family) else found(config)
