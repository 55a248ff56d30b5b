"""Sentences that reveal nothing about a word's sense: no two of them can show two meanings.

The verdict "two meanings" on two of them is wrong. They were written before any model had read them.
Each fits all of our labelled words, in both senses.
"""

from __future__ import annotations

UNCUED = (
    "I saw the {word}.",
    "The {word} was old.",
    "It was a {word}.",
    "This is the {word} that I meant.",
    "She told me about a {word}.",
    "He remembered the {word}.",
    "We talked about the {word} yesterday.",
    "Is that really a {word}?",
    "Nobody had noticed the {word}.",
    "They asked about the {word} again.",
)


def uncued(word: str) -> tuple[str, ...]:
    """The sentences about a word, one for each of `UNCUED`."""
    return tuple(sentence.format(word=word) for sentence in UNCUED)
