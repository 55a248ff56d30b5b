"""The tokenizer of a GGUF file as the tokenizer.json and the settings that `transformers` reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .config import Unknown

# Before pieces are merged, a text is cut; llama.cpp names the way (`tokenizer.ggml.pre`). All are
# GPT-2's, whose pattern the tokenizers library has; SmolLM2 cuts between any two digits before.
_DIGITS_APART = {"gpt-2": False, "gpt2": False, "smollm": True}
_CONTROL, _OF_USER = 3, 4


def of(fields: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The `tokenizers.Tokenizer`, and the content of its tokenizer_config.json.

    Raises:
        Unknown: it is no byte-level BPE, cuts texts in a way that is not known here, or its lists
            contradict one another.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    kind, cut = fields.get("tokenizer.ggml.model"), fields.get("tokenizer.ggml.pre", "gpt-2")
    if kind != "gpt2" or cut not in _DIGITS_APART:
        raise Unknown(
            f"has a tokenizer that Polysee does not rebuild ({str(kind)[:40]}, {str(cut)[:40]})"
        )
    pieces = _texts(fields, "tokenizer.ggml.tokens")
    ids = {piece: i for i, piece in enumerate(pieces)}
    if len(ids) != len(pieces):
        raise Unknown("has two tokens of one text")
    halves = [merge.partition(" ") for merge in _texts(fields, "tokenizer.ggml.merges")]
    merges = [(first, second) for first, _, second in halves]
    if not all({first, second, first + second} <= ids.keys() for first, second in merges):
        raise Unknown("merges pieces that are not in its own list of tokens")
    whole = Tokenizer(models.BPE(vocab=ids, merges=merges, fuse_unk=False))
    apart = [pre_tokenizers.Digits(individual_digits=True)] if _DIGITS_APART[cut] else []
    whole.pre_tokenizer = pre_tokenizers.Sequence(
        [*apart, pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    whole.decoder = decoders.ByteLevel()
    kinds = fields.get("tokenizer.ggml.token_type") or []
    if kinds and len(kinds) != len(pieces):
        raise Unknown("lists other numbers of tokens and of their kinds")
    added = [
        AddedToken(piece, normalized=False, special=of_kind == _CONTROL)
        for piece, of_kind in zip(pieces, kinds, strict=False)
        if of_kind in (_CONTROL, _OF_USER)
    ]
    whole.add_tokens(added)
    if whole.get_vocab_size() != len(pieces):
        raise Unknown("adds tokens that are not in its own list")
    settings: dict[str, Any] = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": False,
        "model_input_names": ["input_ids", "attention_mask"],
    }
    named = {"bos_token": "bos", "eos_token": "eos", "unk_token": "unknown", "pad_token": "padding"}
    for name, key in named.items():
        token = fields.get(f"tokenizer.ggml.{key}_token_id")
        if isinstance(token, int) and 0 <= token < len(pieces):
            settings[name] = pieces[token]
    template = fields.get("tokenizer.chat_template")
    if isinstance(template, str):
        settings["chat_template"] = template
    if fields.get("tokenizer.ggml.add_bos_token") and "bos_token" in settings:
        whole.post_processor = _begins_with(settings["bos_token"], ids)
    return whole, settings


def _begins_with(token: str, ids: Mapping[str, int]) -> Any:
    from tokenizers import processors

    return processors.TemplateProcessing(
        single=f"{token} $A", pair=f"{token} $A {token} $B", special_tokens=[(token, ids[token])]
    )


def _texts(fields: Mapping[str, Any], key: str) -> list[str]:
    listed = fields.get(key)
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise Unknown(f"has no list of texts under {key}")
    return listed
