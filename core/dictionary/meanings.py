"""The meanings of a word, out of the table."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from ..errors import NotSupported
from ..localization import N_

TABLE = Path(__file__).parent / "meanings.tsv.gz"
NOTICE = N_("Meanings: WordNet 3.1 © Princeton University")
MOST = 12  # meanings of a word
LONGEST = 40  # letters of a word that a dictionary has

# Forms of two words, of which the dictionary of lemmas knows the verb.
NOUNS = MappingProxyType({"leaves": "leaf", "lives": "life", "shelves": "shelf"})

Named = tuple[str, ...]  # the words that name a meaning


def meanings_of(word: str) -> tuple[Named, ...]:
    """What names each meaning of an English word, the most frequent first; empty without two of them.

    A form has the meanings of its own and those of its lemma: "ran" those of "run", "saw" the tool and
    what "see" means.

    Args:
        word: the word, in any form and case.
    """
    return tuple(names for _, names in _meanings_of(word))


def parts_of(word: str) -> tuple[frozenset[str], ...]:
    """The parts of speech in which a word has each of its meanings, in the order of `meanings_of`.

    They are "n" for a noun, "v" for a verb and "a" for an adjective; adverbs are not in the table.

    Args:
        word: the word, in any form and case.
    """
    return tuple(frozenset(parts) for parts, _ in _meanings_of(word))


def _meanings_of(word: str) -> tuple[tuple[str, Named], ...]:
    every, forms = _table(), forms_of(word)
    found = tuple({n: (parts, n) for one in forms for parts, n in every.get(one, ())}.values())[:MOST]
    return found if len(found) > 1 else ()


def forms_of(word: str) -> tuple[str, ...]:
    """The forms under which the table may have a word: its own, a noun's, and its lemma."""
    folded = word.casefold()
    if not (folded.isascii() and folded.isalpha()) or len(folded) > LONGEST:
        return ()
    return tuple(dict.fromkeys((folded, NOUNS.get(folded, folded), lemma(folded))))


def every_meaning() -> Mapping[str, tuple[Named, ...]]:
    """What names the meanings of every word in the table, by the word as it is listed."""
    return {word: tuple(names for _, names in meanings) for word, meanings in _table().items()}


def lemma(word: str, language: str = "en") -> str:
    """What a dictionary lists a word under, in lower case: "call" for "Calling" and "called".

    A word that it does not list, or longer than words are, is its own. The dictionary, simplemma's,
    does not know how a word is used in its sentence: "saw" has one lemma everywhere.

    Args:
        word: the word, in any form and case.
        language: the code of one of its 54 languages.

    Raises:
        NotSupported: it has no such language.
    """
    folded = word.casefold()
    english = folded.isascii() and folded.isalpha()
    if len(folded) > LONGEST or (language == "en" and not english):
        return folded
    import simplemma  # reads the dictionary of a language once, a quarter of a second

    try:
        found: str = simplemma.lemmatize(folded, lang=language)
    except ValueError:
        raise NotSupported(
            "There is no dictionary of lemmas for the language “{language}”. Search for "
            "forms, such as bank*.",
            language=language[:20],
        ) from None
    return found.casefold()


@cache
def _table() -> Mapping[str, tuple[tuple[str, Named], ...]]:
    lines = gzip.decompress(TABLE.read_bytes()).decode().splitlines()
    rows = (line.split("\t") for line in lines)
    return MappingProxyType({word: tuple(map(_read, meanings)) for word, *meanings in rows})


def _read(meaning: str) -> tuple[str, Named]:
    parts, *names = meaning.split(" ")
    return parts, tuple(names)
