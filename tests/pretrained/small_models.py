"""Small random models of many shapes with their own tokenizers; the same in plain `transformers`.

Odd sizes throughout, so that swapped axes cannot pass: prime counts of layers and heads, widths that
are not multiples of each other.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

import core

BOUND = 1e-5
TEXT = "On the river bank, the bank's riverbank"
PIECES = ["the", "a", "on", "river", "bank", "b", "an", "k", "s", "ank"]
LETTERS = [chr(i) for i in range(ord("a"), ord("z") + 1)] + list("▁.,'OB")

MERGES = ["b a", "ba n", "ban k", "Ġ bank", "t h", "th e", "Ġ the", "e r", "r i", "ri v", "riv er"]
MARKED = [merge.replace("Ġ", "▁") for merge in MERGES]


def unigram(*specials: str) -> list[tuple[str, float]]:
    """A SentencePiece vocabulary: pieces with the mark of a word start, and letters."""
    pieces = [f"▁{piece}" for piece in PIECES] + PIECES
    return [(p, -float(i)) for i, p in enumerate(dict.fromkeys([*specials, *pieces, *LETTERS]))]


def byte_level(*specials: str) -> dict[str, Any]:
    """GPT-2's kind: pairs of bytes, a space in front of a word belongs to it (Ġ)."""
    from tokenizers.pre_tokenizers import ByteLevel

    pairs = [(a, b) for a, b in (merge.split() for merge in MERGES)]
    tokens = [*specials, *sorted(ByteLevel.alphabet()), *(a + b for a, b in pairs)]
    return {"vocab": {t: i for i, t in enumerate(dict.fromkeys(tokens))}, "merges": pairs}


def marked(*specials: str) -> dict[str, Any]:
    """Llama's kind: pairs of characters, spaces as ▁, unknown characters as bytes."""
    pairs = [(a, b) for a, b in (merge.split() for merge in MARKED)]
    raw = [f"<0x{i:02X}>" for i in range(256)]
    tokens = [*specials, *raw, *LETTERS, *(a + b for a, b in pairs)]
    return {"vocab": {t: i for i, t in enumerate(dict.fromkeys(tokens))}, "merges": pairs}


def sentence_piece(**tokens: str) -> Any:
    """A fast tokenizer without its own class: text, then </s>; Marian's folder then contains one."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.Unigram(unigram("</s>", "<unk>", "<pad>"), unk_id=1))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A $B </s>", special_tokens=[("</s>", 0)]
    )
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **tokens)


def tokenizer(kind: str) -> Any:
    """A tokenizer of the kind that this type of model uses."""
    import transformers as t

    if kind == "gpt2":
        return t.GPT2Tokenizer(**byte_level("<|endoftext|>"))
    if kind == "opt":
        special = {"bos_token": "</s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "</s>"}
        return t.GPT2Tokenizer(**byte_level("<s>", "<pad>", "</s>"), **special, add_bos_token=True)
    if kind == "llama":
        return t.LlamaTokenizer(**marked("<unk>", "<s>", "</s>"))
    if kind in ("qwen2", "qwen3"):
        return t.Qwen2Tokenizer(**byte_level("<|endoftext|>"))
    if kind == "t5":
        return t.T5Tokenizer(vocab=unigram("<pad>", "</s>", "<unk>"), extra_ids=0)
    if kind == "bart":
        return t.RobertaTokenizer(**byte_level("<s>", "<pad>", "</s>", "<unk>", "<mask>"))
    if kind == "marian":
        return sentence_piece(eos_token="</s>", unk_token="<unk>", pad_token="<pad>")
    assert kind == "mpnet"
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "[UNK]", *PIECES, *(f"##{p}" for p in PIECES)]
    letters = [c for c in LETTERS if c != "▁"]
    tokens = dict.fromkeys([*pieces, *letters, *(f"##{c}" for c in letters), "<mask>"])
    return t.MPNetTokenizer(vocab={token: i for i, token in enumerate(tokens)})


_LLAMA = {
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "hidden_size": 42,
    "intermediate_size": 17,
    "max_position_embeddings": 64,
}
_BART = {
    "encoder_layers": 3,
    "decoder_layers": 2,
    "encoder_attention_heads": 3,
    "decoder_attention_heads": 7,
    "d_model": 42,
    "encoder_ffn_dim": 17,
    "decoder_ffn_dim": 19,
    "max_position_embeddings": 64,
}
_OPT = {
    "num_hidden_layers": 3,
    "num_attention_heads": 3,
    "hidden_size": 21,
    "ffn_dim": 17,
    "max_position_embeddings": 64,
}
# name -> (model type, the class's family, its configuration). The name is the type, and what differs.
SHAPES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "gpt2": (
        "gpt2",
        "GPT2",
        {"n_layer": 3, "n_head": 3, "n_embd": 21, "n_inner": 17, "n_positions": 64},
    ),
    "gpt2, scaled by layer": (
        "gpt2",
        "GPT2",
        {"n_layer": 5, "n_head": 3, "n_embd": 21, "n_positions": 64}
        | {"scale_attn_by_inverse_layer_idx": True, "reorder_and_upcast_attn": True},
    ),
    "gpt2, not scaled": (
        "gpt2",
        "GPT2",
        {"n_layer": 2, "n_head": 3, "n_embd": 15, "n_positions": 64, "scale_attn_weights": False},
    ),
    "opt": ("opt", "OPT", _OPT),
    "opt, projected": ("opt", "OPT", _OPT | {"word_embed_proj_dim": 11}),
    "opt, projected, norm behind": (
        "opt",
        "OPT",
        _OPT | {"word_embed_proj_dim": 11, "do_layer_norm_before": False},
    ),
    "llama": ("llama", "Llama", _LLAMA | {"hidden_size": 36}),
    "llama, llama3 rope": (
        "llama",
        "Llama",
        _LLAMA
        | {"hidden_size": 36, "attention_bias": True, "mlp_bias": True, "num_key_value_heads": 6}
        | {
            "rope_parameters": {
                "rope_type": "llama3",
                "rope_theta": 10000.0,
                "factor": 8.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 16,
            }
        },
    ),
    "qwen2": ("qwen2", "Qwen2", _LLAMA | {"hidden_size": 36}),
    "qwen3": ("qwen3", "Qwen3", _LLAMA | {"head_dim": 10}),
    "t5": (
        "t5",
        "T5",
        {"num_layers": 3, "num_decoder_layers": 2, "num_heads": 5, "d_model": 21, "d_kv": 7}
        | {"d_ff": 17, "n_positions": 64, "relative_attention_num_buckets": 6}
        | {"relative_attention_max_distance": 11, "decoder_start_token_id": 0},
    ),
    "t5, gated": (
        "t5",
        "T5",
        {"num_layers": 2, "num_heads": 3, "d_model": 20, "d_kv": 7, "d_ff": 17, "n_positions": 64}
        | {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False},
    ),
    "umt5": (
        "t5",
        "UMT5",
        {"num_layers": 2, "num_decoder_layers": 3, "num_heads": 3, "d_model": 20, "d_kv": 7}
        | {"d_ff": 17, "n_positions": 64, "decoder_start_token_id": 0, "pad_token_id": 0},
    ),
    "bart": ("bart", "Bart", _BART),
    "bart, scaled embedding": ("bart", "Bart", _BART | {"scale_embedding": True}),
    "marian": (
        "marian",
        "Marian",
        _BART
        | {"decoder_start_token_id": 2, "pad_token_id": 2, "eos_token_id": 0}
        | {"scale_embedding": True, "activation_function": "swish"},
    ),
    "mpnet": (
        "mpnet",
        "MPNet",
        {"num_hidden_layers": 3, "num_attention_heads": 3, "hidden_size": 21}
        | {"intermediate_size": 17, "max_position_embeddings": 66}
        # More rows than `transformers` reads, which ours does not know: its weights alone are recorded.
        | {"relative_attention_num_buckets": 33},
    ),
}
DECODERS = [name for name in SHAPES if SHAPES[name][0] in ("gpt2", "opt", "llama", "qwen2", "qwen3")]
# umT5 is compared in `test_own_pairs`.
PAIRED = [one for one in SHAPES if SHAPES[one][0] in ("t5", "bart", "marian") and one != "umt5"]


def save(
    folder: Path,
    shape: str,
    fill: Callable[..., None],
    head: str = "Model",
    dtype: str = "float32",
    **config: Any,
) -> Path:
    """Save a random model of this shape in a folder, if requested with a head for another task."""
    import transformers

    kind, family, settings = SHAPES[shape]
    words = tokenizer(kind)
    words.save_pretrained(folder)
    special = {
        f"{name}_token_id": getattr(words, f"{name}_token_id", None) for name in ("bos", "eos", "pad")
    }
    made = getattr(transformers, f"{family}Config")(
        **({"vocab_size": len(words)} | special | settings | config)
    )
    model = getattr(transformers, f"{family}{head}")(made)
    fill(model)
    model.to(getattr(torch, dtype)).save_pretrained(folder)
    return folder


class Eager(NamedTuple):
    """Plain `transformers`."""

    model: Any
    tokenizer: Any


def eager(folder: Path) -> Eager:
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
    return Eager(model.eval(), AutoTokenizer.from_pretrained(folder))


def on_the_weights_of(model: core.Model, plain: Eager) -> Eager:
    """Plain `transformers` with the very tensors that our engine uses, not with equal ones.

    On some processors, the address of a matrix decides the order in which its products are summed, and
        therefore their last bits: two computations can agree to the bit only on the same tensors.
    """
    own = copy.deepcopy(plain.model)
    own.load_state_dict(model._runner.model.state_dict(), assign=True)  # type: ignore[attr-defined]
    return Eager(own, plain.tokenizer)


def close(mine: np.ndarray | None, theirs: Any, bound: float = BOUND) -> None:
    assert mine is not None
    theirs = np.asarray(theirs)
    assert mine.shape == theirs.shape
    np.testing.assert_allclose(mine, theirs, rtol=0, atol=bound)


def softmax_gives_the_weights(scores: core.Scores, weights: np.ndarray) -> float:
    """The largest difference between one head's weights and the softmax of its scores."""
    assert scores.values.shape == scores.masked.shape == weights.shape
    assert np.isfinite(scores.values).all()
    seen = np.where(scores.masked, -np.inf, scores.values.astype(np.float64))
    made = np.exp(seen - seen.max(-1, keepdims=True))
    made /= made.sum(-1, keepdims=True)
    assert (weights[scores.masked] == 0).all()
    return float(np.abs(made - weights).max())
