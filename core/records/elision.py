"""Words that lose their last vowel before another one: "l'eau" is "l'" and "eau".

French, Italian, Catalan and their neighbours write the two together, with an apostrophe. The words that
do so are few, and listed here. Whatever else has an apostrophe is one word: "don't", "o'clock",
"rock'n'roll", "O'Brien"; and so are "aujourd'hui", "prud'homme" and "presqu'île", whose first part is
not a word by itself.
"""

from __future__ import annotations

import unicodedata

APOSTROPHES = "'’"
_FRENCH = "l d j m t s n c ç qu lorsqu puisqu jusqu quelqu quoiqu"
# Articles, prepositions with an article, pronouns and demonstratives; then others that often elide.
_ITALIAN = """
    l un gl d v dell all dall nell sull coll pell degl agl dagl negl sugl quest quell cotest bell sant
    nessun ciascun alcun qualcun ogn
    buon grand pover tutt mezz cent vent trent quant tant quand
    com dov cos anch neanch senz nient dev fors
    """
# With an apostrophe after them; in lower case.
ELIDED = frozenset((*_FRENCH.split(), *_ITALIAN.split()))
# What they elide before: a vowel, a silent h, or a number that begins with a vowel ("l'11 marzo").
STARTS = frozenset("aeiouyhæœø18")
# In Breton, c'h is one letter: "c'hoar" is one word.
NEVER = frozenset(("ch",))
# English: "d'you", "d'oh".
ENGLISH = frozenset(("you", "ya", "ye", "oh"))


_LONGEST = max(map(len, ELIDED))
_AFTER = max(map(len, ENGLISH))
MOST = _LONGEST + _AFTER + 2  # characters that are looked at: a visitor may type a long word


def elided(word: str, at: int = 0) -> int:
    """How many characters of a word are an elided word before another one; 0 if there is none.

    Args:
        word: letters with apostrophes between them.
        at: where to begin.
    """
    here = word[at : at + MOST]
    first = min((found for sign in APOSTROPHES if (found := here.find(sign)) > 0), default=0)
    before, after = here[:first].casefold(), here[first + 1 :]
    if not first or before not in ELIDED or not after:
        return 0
    if after.casefold() in ENGLISH and at + first + 1 + len(after) == len(word):
        return 0
    letter = unicodedata.normalize("NFD", after[0])[0].casefold()
    if letter not in STARTS or before + letter in NEVER:
        return 0
    return first + 1


def is_elided(word: str) -> bool:
    """Whether a word, as it is split from a text, has lost its last vowel: "l'", "qu'", "dell'"."""
    return word[-1:] in {*APOSTROPHES} and word[:-1].casefold() in ELIDED
