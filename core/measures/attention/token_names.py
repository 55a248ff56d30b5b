"""Readable names of tokens, for tokenizers whose own names are hard to read."""

from __future__ import annotations

import re

from ...records.trace import Trace

_BLANK = ("Ġ", "▁")  # how byte-level and SentencePiece vocabularies write the space before a word
_BYTES = re.compile("[\u00a1-\u0143]")  # how byte-level vocabularies write bytes that are no letters
# <unk>, [UNK], <mask>, <|endoftext|>: names, not spellings. <0xC3> is one byte of a character.
_NAME = re.compile(r"<(?!0x[0-9A-F]{2}>)[^<>\s]+>|\[[^\[\]\s]+\]")


def names(trace: Trace) -> tuple[str, ...]:
    """Each token by its characters in the text: "Ġbank" is "bank", and a continuation is "##ing".

    A line end is "↵", and what is only space is a space, which labels show as "␣".

    Special tokens, and tokens of vocabularies without such marks, keep their names. So does a token
    that does not spell the text: <unk> for an unknown string, and <mask>. If the bytes of a character
    are spread over several tokens, the character appears at each of them.
    """
    pieces = [
        trace.texts[segment][start:end] if trace.texts else ""
        for segment, (start, end) in zip(trace.segments, trace.offsets, strict=True)
    ]
    if not any(map(_is_written, trace.tokens, pieces)):
        return trace.tokens
    words = []
    before = None  # the word of the previous token, if that token showed any of it
    for i, token in enumerate(trace.tokens):
        piece = pieces[i].strip()
        if token in _BLANK or (pieces[i] and not piece):
            words.append(blank(pieces[i]))
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


def blank(read: str) -> str:
    """A visible name of a token that is nothing but space: a space, line ends as "↵", tabs as "⇥"."""
    lines, tabs = read.count("\n") or read.count("\r"), read.count("\t")
    return "↵" * lines + "⇥" * tabs or " "


def _is_written(token: str, piece: str) -> bool:
    """Whether the vocabulary writes a token otherwise than the text does: "Ġbank", "Ċ", "ĠcafÃ©"."""
    if token.startswith(_BLANK):
        return True
    return (
        any(sign not in piece for sign in _BYTES.findall(token))
        and piece.casefold() != token.casefold()
    )


def _is_name(token: str, piece: str) -> bool:
    """Whether the name of a token does not spell the piece of text that it covers."""
    return bool(_NAME.fullmatch(token)) and token.casefold() != piece.casefold()
