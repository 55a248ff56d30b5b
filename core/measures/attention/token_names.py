"""Readable names of tokens, for tokenizers whose own names are hard to read."""

from __future__ import annotations

import re

from ...records.trace import Trace

_BLANK = ("Ġ", "▁")  # how byte-level and SentencePiece vocabularies write the space before a word
# <unk>, [UNK], <mask>, <|endoftext|>: names, not spellings. <0xC3> is one byte of a character.
_NAME = re.compile(r"<(?!0x[0-9A-F]{2}>)[^<>\s]+>|\[[^\[\]\s]+\]")


def names(trace: Trace) -> tuple[str, ...]:
    """Each token by its characters in the text: "Ġbank" is "bank", and a continuation is "##ing".

    Special tokens, and tokens of vocabularies without such marks, keep their names. So does a token
    that does not spell the text: <unk> for an unknown string, and <mask>. If the bytes of a character
    are spread over several tokens, the character appears at each of them.
    """
    if not any(token.startswith(_BLANK) for token in trace.tokens):
        return trace.tokens
    words = []
    before = None  # the word of the previous token, if that token showed any of it
    for i, token in enumerate(trace.tokens):
        start, end = trace.offsets[i]
        piece = trace.texts[trace.segments[i]][start:end].strip()
        if token in _BLANK or (start < end and not piece):
            words.append(" ")
            before = None
            continue
        if trace.special[i] or not piece or _is_name(token, piece):
            words.append(token)
            before = None
            continue
        word = trace.word_ids[i]
        words.append(f"##{piece}" if word is not None and word == before else piece)
        before = word
    return tuple(words)


def _is_name(token: str, piece: str) -> bool:
    """Whether the name of a token does not spell the piece of text that it covers."""
    return bool(_NAME.fullmatch(token)) and token.casefold() != piece.casefold()
