"""The tokenizer of a GGUF file as the tokenizer.json and the settings that `transformers` reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .config import Unknown

# Contractions, words with a sign before them, numbers, other signs, line breaks and spaces, as GPT-4's
# tokenizer cuts them; what differs between models is how long a number may be.
_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


class _Cut(NamedTuple):
    """How a text is cut before its pieces are merged.

    Attributes:
        words: the pattern of the pieces; "": GPT-2's, which the tokenizers library has.
        digits_apart: whether it is cut between any two digits before.
        composed: whether letters and their accents are joined first (Unicode's NFC).
        whole_first: whether a piece that is a token stays whole, whatever the merges would make of it.
    """

    words: str = ""
    digits_apart: bool = False
    composed: bool = False
    whole_first: bool = False


# By the names that llama.cpp has for them (`tokenizer.ggml.pre`).
_LLAMA3 = _Cut(_WORDS % "{1,3}", whole_first=True)
_CUTS = {
    "gpt-2": _Cut(),
    "gpt2": _Cut(),
    "smollm": _Cut(digits_apart=True),
    "qwen2": _Cut(_WORDS % "", composed=True),
    "llama-bpe": _LLAMA3,
    "llama3": _LLAMA3,
    "llama-v3": _LLAMA3,
}
_CONTROL, _OF_USER = 3, 4


def of(fields: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The `tokenizers.Tokenizer`, and the content of its tokenizer_config.json.

    Raises:
        Unknown: it is no byte-level BPE, cuts texts in a way that is not known here, or its lists
            contradict one another.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers

    kind, named_cut = fields.get("tokenizer.ggml.model"), fields.get("tokenizer.ggml.pre", "gpt-2")
    cut = _CUTS.get(named_cut) if isinstance(named_cut, str) else None
    if kind != "gpt2" or cut is None:
        raise Unknown(
            f"has a tokenizer that Polysee does not rebuild ({str(kind)[:40]}, {str(named_cut)[:40]})"
        )
    pieces = _texts(fields, "tokenizer.ggml.tokens")
    ids = {piece: i for i, piece in enumerate(pieces)}
    if len(ids) != len(pieces):
        raise Unknown("has two tokens of one text")
    halves = [merge.partition(" ") for merge in _texts(fields, "tokenizer.ggml.merges")]
    merges = [(first, second) for first, _, second in halves]
    if not all({first, second, first + second} <= ids.keys() for first, second in merges):
        raise Unknown("merges pieces that are not in its own list of tokens")
    whole = Tokenizer(
        models.BPE(vocab=ids, merges=merges, fuse_unk=False, ignore_merges=cut.whole_first)
    )
    if cut.composed:
        whole.normalizer = normalizers.NFC()
    whole.pre_tokenizer = _cutter(cut)
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


def _cutter(cut: _Cut) -> Any:
    from tokenizers import Regex, pre_tokenizers

    first: list[Any] = []
    if cut.digits_apart:
        first.append(pre_tokenizers.Digits(individual_digits=True))
    if cut.words:
        first.append(pre_tokenizers.Split(Regex(cut.words), "isolated"))
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not cut.words)
    return pre_tokenizers.Sequence([*first, level])


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
