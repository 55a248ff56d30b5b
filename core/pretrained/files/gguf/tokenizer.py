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
        signs_apart: whether runs of punctuation are cut out before, and three digits behind.
        digits_apart: whether it is cut between any two digits before.
        composed: whether letters and their accents are joined first (Unicode's NFC).
        whole_first: whether a piece that is a token stays whole, whatever the merges would make of it.
    """

    words: str = ""
    signs_apart: bool = False
    digits_apart: bool = False
    composed: bool = False
    whole_first: bool = False


# By the names that llama.cpp has for them (`tokenizer.ggml.pre`).
_LLAMA3 = _Cut(_WORDS % "{1,3}", whole_first=True)
_GPT_NEOX = _Cut(composed=True)
_CUTS = {
    "gpt-2": _Cut(),
    "gpt2": _Cut(),
    "phi-2": _Cut(),
    # GPT-NeoX’s vocabulary, which Pythia, MPT and the first OLMo share.
    "gpt-neox": _GPT_NEOX,
    "mpt": _GPT_NEOX,
    "olmo": _GPT_NEOX,
    "falcon": _Cut(signs_apart=True),
    "bloom": _Cut(r" ?[^(\s|[.,!?…。，、।۔،])]+"),
    "smollm": _Cut(digits_apart=True),
    "qwen2": _Cut(_WORDS % "", composed=True),
    "deepseek-r1-qwen": _Cut(_WORDS % ""),
    "llama-bpe": _LLAMA3,
    "llama3": _LLAMA3,
    "llama-v3": _LLAMA3,
}
# Files from before 2024 do not say it; of these families, every model has the same.
_CUT_OF = {"falcon": "falcon", "bloom": "bloom", "gptneox": "gpt-neox"}
_CONTROL, _OF_USER = 3, 4
_SPACE = "▁"
_MOST_LETTERS = 2_000  # of a token; the longest of Gemma has 31 spaces


def of(fields: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The `tokenizers.Tokenizer`, and the content of its tokenizer_config.json.

    Raises:
        Unknown: it is neither pairs of bytes nor pieces with scores, cuts texts in a way that is not
            known here, or its lists contradict one another.
    """
    from tokenizers import AddedToken

    kind = fields.get("tokenizer.ggml.model")
    pieces = _texts(fields, "tokenizer.ggml.tokens")
    if kind == "llama" and str(fields.get("general.architecture")).startswith("gemma"):
        # Spaces alone stand as spaces in these files, and as their sign in the model's own.
        pieces = [_SPACE * len(one) if one and not one.strip(" ") else one for one in pieces]
    ids = {piece: i for i, piece in enumerate(pieces)}
    if len(ids) != len(pieces):
        raise Unknown("has two tokens of one text")
    whole = _of_sentence_piece(fields, ids) if kind == "llama" else _of_bytes(fields, ids)
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
    # llama.cpp begins a text with this token, if the file does not say otherwise, with one kind alone.
    if fields.get("tokenizer.ggml.add_bos_token", kind == "llama") and "bos_token" in settings:
        whole.post_processor = _begins_with(settings["bos_token"], ids)
    return whole, settings


def _of_bytes(fields: Mapping[str, Any], ids: Mapping[str, int]) -> Any:
    """GPT-2's kind: pairs of bytes."""
    from tokenizers import Tokenizer, decoders, models, normalizers

    kind = fields.get("tokenizer.ggml.model")
    unsaid = _CUT_OF.get(str(fields.get("general.architecture")), "gpt-2")
    named = fields.get("tokenizer.ggml.pre", unsaid)
    cut = _CUTS.get(named) if isinstance(named, str) else None
    if kind != "gpt2" or cut is None:
        raise Unknown(
            f"has a tokenizer that Polysee does not rebuild ({str(kind)[:40]}, {str(named)[:40]})"
        )
    halves = [merge.partition(" ") for merge in _texts(fields, "tokenizer.ggml.merges")]
    merges = [(first, second) for first, _, second in halves]
    if not all({first, second, first + second} <= ids.keys() for first, second in merges):
        raise Unknown("merges pieces that are not in its own list of tokens")
    whole = Tokenizer(
        models.BPE(vocab=dict(ids), merges=merges, fuse_unk=False, ignore_merges=cut.whole_first)
    )
    if cut.composed:
        whole.normalizer = normalizers.NFC()
    whole.pre_tokenizer = _cutter(cut)
    whole.decoder = decoders.ByteLevel()
    return whole


def _of_sentence_piece(fields: Mapping[str, Any], ids: Mapping[str, int]) -> Any:
    """Llama 2's kind (Kudo and Richardson 2018): characters, spaces as a sign, unknown ones as bytes.

    Two neighbours are joined where the result is a token, that of the highest score first. As merges:
    each way to divide a token, in the order of the scores.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers

    scores = fields.get("tokenizer.ggml.scores")
    if not isinstance(scores, list) or len(scores) != len(ids):
        raise Unknown("lists other numbers of tokens and of their scores")
    if str(fields.get("general.architecture")).startswith("gemma"):
        scores = [-float(i) for i in range(len(ids))]  # its scores do not follow its merges; its ids do
    if not all(isinstance(one, float) for one in scores):
        raise Unknown("has scores of tokens that are no numbers")
    if max(map(len, ids)) > _MOST_LETTERS:
        raise Unknown(f"has a token of more than {_MOST_LETTERS:,} letters")
    order = sorted(zip(ids, scores, strict=True), key=lambda one: -one[1])
    merges = [
        (piece[:at], piece[at:])
        for piece, _ in order
        for at in range(1, len(piece))
        if piece[:at] in ids and piece[at:] in ids
    ]
    unknown = fields.get("tokenizer.ggml.unknown_token_id")
    name = next((piece for piece, i in ids.items() if i == unknown), None)
    whole = Tokenizer(
        models.BPE(vocab=dict(ids), merges=merges, unk_token=name, fuse_unk=True, byte_fallback=True)
    )
    spaced = fields.get("tokenizer.ggml.add_space_prefix", True)
    first = [normalizers.Prepend(_SPACE)] if spaced else []
    whole.normalizer = normalizers.Sequence([*first, normalizers.Replace(" ", _SPACE)])
    last = [decoders.Strip(" ", 1, 0)] if spaced else []
    whole.decoder = decoders.Sequence(
        [decoders.Replace(_SPACE, " "), decoders.ByteFallback(), decoders.Fuse(), *last]
    )
    return whole


def _cutter(cut: _Cut) -> Any:
    from tokenizers import Regex, pre_tokenizers

    first: list[Any] = []
    if cut.signs_apart:
        return pre_tokenizers.Sequence(
            [
                pre_tokenizers.Punctuation("contiguous"),
                pre_tokenizers.ByteLevel(add_prefix_space=False),
                pre_tokenizers.Digits(individual_digits=False),
                pre_tokenizers.Split(Regex("[0-9]{3}"), "isolated"),
            ]
        )
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
