"""How words change for those beside them: articles, agreement, elision; and "an" in English."""

from __future__ import annotations

from .french import VOWELS, Adjective


def french_article(english: str, gender: str, plural: bool, denied: bool, before: str) -> str:
    """What "the", "a", "my" or "this" is in French.

    Args:
        english: one of these four.
        gender: of the noun, m or f.
        plural: whether it is several; "a" is then none.
        denied: whether this is what there is not: "a" is then "de".
        before: the French word that follows, adjective or noun.
    """
    masculine, vowel = gender == "m", before[0] in VOWELS
    if english == "a":
        return elided("de", before) if denied else ("un" if masculine else "une")
    if plural:
        return {"the": "les", "my": "mes", "this": "ces"}[english]
    if english == "the":
        return elided("le" if masculine else "la", before)
    if english == "my":
        return "mon" if masculine or vowel else "ma"
    return ("cet" if vowel else "ce") if masculine else "cette"


def elided(word: str, before: str) -> str:
    """Without its final e or a, if a vowel follows: "je" before "ai" is "j'"."""
    return f"{word[:-1]}'" if word[-1] in "ea" and before[0] in VOWELS else word


def agreed(adjective: Adjective, gender: str, plural: bool) -> str:
    """The form of an adjective that goes with a noun."""
    one, many = (
        (adjective.masculine, adjective.masculine_plural)
        if gender == "m"
        else (adjective.feminine, adjective.feminine_plural)
    )
    return many if plural else one


def english_article(before: str) -> str:
    """The one of "a" and "an" that goes before a word."""
    return "an" if before[0] in "aeiou" else "a"
