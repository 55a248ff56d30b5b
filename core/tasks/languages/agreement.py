"""How words depend on their neighbours: articles, agreement, elision; and "an" in English."""

from __future__ import annotations

from .french import VOWELS, Adjective


def french_article(english: str, gender: str, plural: bool, denied: bool, before: str) -> str:
    """The French form of "the", "a", "my" or "this".

    Args:
        english: one of these four.
        gender: the gender of the noun, m or f.
        plural: whether the noun is plural; "a" then has no equivalent.
        denied: whether the phrase is negated: "a" is then "de".
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
    """A word without its final e or a, if a vowel follows: "je" before "ai" is "j'"."""
    return f"{word[:-1]}'" if word[-1] in "ea" and before[0] in VOWELS else word


def agreed(adjective: Adjective, gender: str, plural: bool) -> str:
    """The form of an adjective that agrees with a noun."""
    one, many = (
        (adjective.masculine, adjective.masculine_plural)
        if gender == "m"
        else (adjective.feminine, adjective.feminine_plural)
    )
    return many if plural else one


def english_article(before: str) -> str:
    """The form of "a" or "an" before a word."""
    return "an" if before[0] in "aeiou" else "a"
