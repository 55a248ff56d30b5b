"""The table of glosses, made of WordNet 3.1: `python -m tools.glosses FOLDER`.

It follows `tools.dictionary`; FOLDER is WordNet's `dict`. For each word of the table of meanings, it
holds the first of the words that name a meaning, and the beginning of its definition: what a reader is
shown beside the name. `core/dictionary` reads it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from core.dictionary import GLOSSES, MOST_GLOSS, every_meaning
from core.measures.function_words import FUNCTION_WORDS
from tools.dictionary import LEFT_OUT, WordNet, named_by, usable_words, written

_ASIDE = re.compile(r"\([^()]*\)\s*")  # "(music) the …", "of (or having) …"
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
# Where a definition may end: the next part says it in other words, or says more than a reader needs.
_PARTS = re.compile(r"[;:]\s|\s--\s")
# Before these, a phrase that is too long may end, the best places first: what follows says more.
_PLACES = tuple(
    frozenset(words.split())
    for words in (
        """that which who whose whom where when whereby because so such as e.g. i.e. etc. especially
        usually including having containing consisting regarding concerning covering""",
        """in on at by with from into onto over under about for through between during without against
        across near toward towards inside upon within to and or but""",
        "of",
    )
)
_LEAST = 12  # letters of a phrase that ends early
_PARTICIPLE = re.compile(r"\w{2,}(?:ed|ing)")
# What waits for a noun or a verb to come: "carnivorous …", "restraint put …", "tree widely …".
_WAITS = re.compile(
    r"\w{3,}(?:ous|ive|able|ible|ful|less|ary|ly)|put|made|held|kept|set|cut|worn|grown|built"
)


def short(definition: str) -> str:
    """The beginning of a definition, without asides, of at most `MOST_GLOSS` letters.

    It ends where a phrase does; one without such a place, at a word, and says so by "…".

    Args:
        definition: as WordNet has it, without examples.
    """
    plain = _ARTICLE.sub("", " ".join(_ASIDE.sub("", definition).split()))
    first = _PARTS.split(plain)[0].strip(" ;:,")
    if len(first) <= MOST_GLOSS:
        return first
    # One word more than there is room for, since it may be the place.
    words = first[: MOST_GLOSS + 1].rsplit(" ", 1)[0].split()
    following = first.split()[: len(words) + 1]
    for places in (*_PLACES, None):
        for end in range(len(words), 1, -1):
            is_place = (
                _is_participle(following[end]) if places is None else _word(following[end]) in places
            )
            phrase = _ended(words[:end]) if is_place or (places and words[end - 1][-1] == ",") else ""
            waits = phrase and _WAITS.fullmatch(_word(phrase.split()[-1]))
            if _LEAST <= len(phrase) <= MOST_GLOSS and not waits:
                return phrase
    words = first[: MOST_GLOSS - 1].rsplit(" ", 1)[0].split()
    at_end = next(
        (end for end in range(len(words), 0, -1) if _word(words[end - 1]) not in FUNCTION_WORDS),
        len(words),
    )
    return " ".join(words[:at_end]).rstrip(",") + " …"


def _word(one: str) -> str:
    return one.strip(",").lower()


def _is_participle(one: str) -> bool:
    return _PARTICIPLE.fullmatch(_word(one)) is not None


def _ended(words: list[str]) -> str:
    """A phrase without the words at its end that only lead on: "parrot noted for" says "parrot"."""
    while words and (
        _word(words[-1]) in FUNCTION_WORDS
        or any(_word(words[-1]) in places for places in _PLACES)
        or (len(words) > 2 and _is_participle(words[-1]))
    ):
        words = words[:-1]
    return " ".join(words).rstrip(",")


def table(net: WordNet, known: frozenset[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Word -> the first name of each of its meanings, and its gloss; those that have one.

    Args:
        net: WordNet.
        known: the words with which the table of meanings was made.
    """
    made = {}
    of_net = net.meanings()
    for word, meanings in every_meaning().items():
        found: dict[str, str] = {}
        for part, offset in of_net.get(word, ()):
            synset = net.synset(part, offset)
            names = named_by(word, synset, known)
            if word in synset.words and names in meanings and not LEFT_OUT.search(synset.gloss):
                found.setdefault(names[0], short(synset.gloss))
        made[word] = tuple((name, gloss) for name, gloss in found.items() if gloss)
    return made


def main(arguments: list[str]) -> None:
    """Write the table, and print how many meanings have a gloss."""
    (folder,) = arguments
    net = WordNet.read(Path(folder))
    made = table(net, usable_words(net))
    lines: Mapping[str, list[list[str]]] = {
        word: [[f"{name}={gloss}"] for name, gloss in glosses] for word, glosses in made.items()
    }
    GLOSSES.write_bytes(written(lines))
    count, of = sum(map(len, made.values())), sum(map(len, every_meaning().values()))
    print(f"{GLOSSES}: {count} of {of} meanings, {GLOSSES.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
