"""Which parts of speech an English word may have where it stands, by the words beside it.

A few rules about the words of grammar, which are few and known: a verb follows "to" and "can", a noun
"the". They know no other word, leave open what they do not settle, and are no parser. Measured on 6,000
example sentences of WordNet for words with several parts of speech: in half of them, something is
excluded, and what is excluded is wrong in 1 of 100.
"""

from __future__ import annotations

from collections.abc import Sequence

from .meanings import lemma

NOUN, VERB, ADJECTIVE = "n", "v", "a"  # WordNet's parts of speech, as the table of meanings has them
ANY = frozenset((NOUN, VERB, ADJECTIVE))
_NOUN, _VERB, _ADJECTIVE = (frozenset(one) for one in (NOUN, VERB, ADJECTIVE))
_NAMES = _NOUN | _ADJECTIVE


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ARTICLES = _listed(
    "a an the my your his its our their every each another these those no some any two three four five "
    "six seven eight nine ten hundred both"
)
_SUBJECTS = _listed("i you he she we they who")
_OBJECTS = _listed("a an the my your his its our their her him them me us it you this")
_HELPERS = _listed(
    "can could will would shall should may might must cannot let lets do does did don't doesn't didn't "
    "can't won't couldn't wouldn't shouldn't mustn't"
)
_BE = _listed("am is are was were be been being isn't aren't wasn't weren't seems seemed")
_DEGREES = _listed("very too so quite rather more most as extremely really")
_PREPOSITIONS = _listed(
    "of in on at by with from into onto over under about for through between during without against "
    "across behind near toward towards inside upon within above below after before"
)
_OTHER_GRAMMAR = _listed("and or but that than when while if not had has have")
_BEFORE_NOUNS = _ARTICLES | _PREPOSITIONS | _BE | {"to"}
_GRAMMAR = _BEFORE_NOUNS | _SUBJECTS | _OBJECTS | _HELPERS | _OTHER_GRAMMAR
_ENDS = _PREPOSITIONS | _BE | {*".,;:!?", ""}  # of a group of words around a noun


def possible_parts(words: Sequence[str], at: int) -> frozenset[str]:
    """The parts of speech that a word of a sentence may have: some of `ANY`, never none.

    Args:
        words: the words and signs of an English sentence, in order.
        at: the index of the word among them.
    """
    low = [word.casefold().replace("’", "'") for word in words[max(at - 2, 0) : at + 2]]
    low = [*[""] * max(2 - at, 0), *low, ""]
    first, last, word, after = low[:4]
    if lemma(word) == word:
        return _of_base(first, last, after)
    if word.endswith("s"):  # several of a thing, or what somebody does
        return _VERB if last in _SUBJECTS else _NOUN if last in _BEFORE_NOUNS else _NOUN | _VERB
    return _VERB if last in _SUBJECTS | _HELPERS else ANY  # "ran", "lighter", "running"


def _of_base(first: str, last: str, after: str) -> frozenset[str]:
    """What a word in its own form may be, behind two words and before another."""
    if last in _HELPERS | _SUBJECTS or (last == "to" and after != "and"):
        return _VERB
    if last in _ARTICLES:
        return _NOUN if after in _ENDS else _NAMES
    if last in _DEGREES:
        return _ADJECTIVE
    if last in _PREPOSITIONS | _BE or last == "it":
        return _NAMES
    if after in _OBJECTS and last not in _GRAMMAR:
        return _VERB  # "Water the plant."
    if first in _ARTICLES and last not in _GRAMMAR and not last.endswith("s") and after in _ENDS:
        return _NAMES  # "the warm coat."
    return ANY
