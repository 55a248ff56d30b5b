"""Traces by a formula, which `traces.js` computes as well: small, and of any text."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from tokenizers.normalizers import BertNormalizer

from core.records.attention import Attention
from core.records.spelling import Spelling
from core.records.trace import Trace
from core.records.words import split

LAYERS, HEADS, SIZE, WIDE = 6, 12, 4, 2
MOST = 40  # tokens
PIECE = 5  # letters
UNKNOWN = {"❤", "ธนาคาร", "zzz"}
LEFT_TO_RIGHT = "⇢"  # with this sign first, a text is read by a model that sees no later tokens
SHARE = 3  # neighbouring heads of that model that share a key
UNCASED = Spelling(cased=False, normal=BertNormalizer(lowercase=True).normalize_str)


def tokens_of(text: str) -> tuple[list[tuple[str, int, int]], tuple[int, int] | None]:
    """The tokens of a text with their characters, and the characters that did not fit."""
    found: list[tuple[str, int, int]] = [("[CLS]", 0, 0)]
    for word in split(text):
        if len(found) >= MOST:
            return [*found, ("[SEP]", 0, 0)], (word.start, len(text))
        if word.text in UNKNOWN:
            found.append(("[UNK]", word.start, word.end))
            continue
        for start in range(0, len(word.text), PIECE):
            piece = word.text[start : start + PIECE]
            at = word.start + start
            found.append((f"{'##' * bool(start)}{piece.lower()}", at, at + len(piece)))
    return [*found, ("[SEP]", 0, 0)], None


def _left_to_right(text: str) -> list[tuple[str, int, int]]:
    """The tokens as a byte-level vocabulary names them, with the space before a word."""
    found: list[tuple[str, int, int]] = []
    for at, sign in enumerate(text):
        if sign in " \n\t" or not found or text[at - 1] in "\n\t" or at - found[-1][1] > PIECE:
            name = {" ": "Ġ", "\n": "Ċ", "\t": "ĉ"}.get(sign, sign)
            found.append((name, at, at + 1))
        else:
            name, start, _ = found[-1]
            found[-1] = (name + sign, start, at + 1)
    return found


def _hash(name: str) -> int:
    return zlib.crc32(name.encode())


def traced(text: str) -> Trace:
    """The trace of a text by a model that does not exist."""
    causal = text.startswith(LEFT_TO_RIGHT)
    found, left_out = (_left_to_right(text), None) if causal else tokens_of(text)
    names = [name for name, _, _ in found]
    n, codes = len(names), np.array([_hash(name) for name in names], np.int64)
    layer, dim = np.arange(LAYERS + 1)[:, None, None], np.arange(SIZE)
    own = codes[:, None] * (7 * layer + 3 * dim + 1) % 2003  # (layers + 1, n, size)
    hidden = ((3 * own + own.sum(axis=1, keepdims=True) % 2003) / 2003 - 2).astype(np.float32)
    learned = (codes[:, None] * (5 * dim + 2) % 1009 / 500 - 1).astype(np.float32)
    at = np.arange(LAYERS * HEADS).reshape(LAYERS, HEADS, 1, 1)
    wide, place = np.arange(2 * WIDE), np.arange(n)[:, None]
    of_key = at // SHARE * SHARE if causal else at
    query, key = (
        ((codes[:, None] * (11 * of + dims + 1) + 97 * place) % 1009 / 500 - 1).astype(np.float32)
        for of, dims in ((at, wide[:WIDE]), (of_key, wide[WIDE:]))
    )
    scores = np.einsum("lhqd,lhkd->lhqk", query, key, dtype=np.float64) / np.sqrt(WIDE)
    if causal:
        scores[..., np.triu(np.ones((n, n), bool), 1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)
    return Trace(
        tokens=tuple(names),
        word_ids=tuple(_word_ids(text, found)) if causal else (None,) * n,
        segments=(0,) * n,
        offsets=tuple((start, end) for _, start, end in found),
        special=tuple(name in ("[CLS]", "[SEP]") for name in names),
        left_out=left_out,
        learned=learned,
        embedded=hidden[0],
        hidden=hidden[1:],
        final=None,
        attention=Attention(tuple(names), tuple(names), weights),
        query=query,
        key=key,
        value=None,
        model="minilm",
        texts=(text,),
        left_out_by_text=(left_out,),
        cased=False,
        spelling=UNCASED,
        causal=causal,
    )


def _word_ids(text: str, found: list[tuple[str, int, int]]) -> list[int | None]:
    """The word in which each token ends."""
    words = split(text)
    return [
        next((i for i, word in enumerate(words) if word.start < end <= word.end), None)
        for _, _, end in found
    ]


def in_json(text: str) -> dict[str, Any]:
    """What `traces.js` needs to know of a text: its tokens and its words."""
    trace = traced(text)
    return {
        "tokens": trace.tokens,
        "starts": [start for start, _ in trace.offsets],
        "ends": [end for _, end in trace.offsets],
        "special": trace.special,
        "leftOut": trace.left_out,
        **({"causal": True, "wordIds": trace.word_ids} if trace.causal else {}),
        "words": [{**one._asdict(), "tokens": one.tokens.tolist()} for one in trace.occurrences()],
    }
