"""The figures of a concordancer on MASC, counted again by a program that shares no code with ours.

It reads the file a line at a time, splits words by an expression of its own, and counts in
dictionaries. Log-likelihood is SciPy's; logDice, mutual information and DP are their formulas. A
sentence in which the two see other words (`agrees`) is left out of the corpus and of its own count.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.corpus import Corpus
from core.records import words

WORDS = ("bank", "light", "right", "play", "case", "run", "the", "very", "love", "court")
LEFT, RIGHT = 5, 5
# A word: letters and digits, with apostrophes inside; a final 's is a word of its own.
_WORD = re.compile(r"'s\b|\w+(?:(?!'s\b)'\w+)*", re.IGNORECASE)


class Text(NamedTuple):
    """A sentence: its genre, document and words, in lower case."""

    genre: str
    document: str
    words: list[str]


def split(sentence: str) -> list[str]:
    """Its words."""
    return [found[0] for found in _WORD.finditer(plain(sentence)) if found[0].strip("_")]


def agrees(sentence: str) -> bool:
    """Whether ours sees the same words in it: in MASC, one sentence has a word of a French kind."""
    ours = (plain(word.text) for word in words.split(sentence))
    return split(sentence) == [word for word in ours if re.search(r"[^\W_]", word)]


def plain(text: str) -> str:
    """A text in lower case, without the hyphens that only show where a line may end."""
    return text.replace("\N{SOFT HYPHEN}", "").replace("’", "'").casefold()


def compared(opened: Corpus, texts: Iterable[Text]) -> Iterator[tuple[str, float]]:
    """Each kind of figure, and by how much it differs at most over `WORDS`.

    Args:
        opened: the corpus.
        texts: the same sentences, as this program reads them.
    """
    every = list(texts)
    counts = Counter(word for text in every for word in text.words)
    total = counts.total()
    far: dict[str, float] = {}

    def differs(kind: str, ours: float, own: float) -> None:
        far[kind] = max(far.get(kind, 0.0), abs(float(ours) - own))

    for word in WORDS:
        differs("frequency", opened.count(word), counts[word])
        found = opened.collocates(word, left=LEFT, right=RIGHT)
        together = _window(every, word)
        window = together.total()
        differs("together", len(found.words), len(together))
        for i, name in enumerate(found.words):
            one = plain(name)
            a, of = together[one], counts[one]
            differs("together", found.together[i], a)
            if a:
                differs("logDice", found.log_dice[i], 14 + math.log2(2 * a / (counts[word] + of)))
                differs("MI", found.mutual_information[i], math.log2(a * total / (window * of)))
        for i in found.best()[:20]:
            one = plain(found.words[i])
            a, of = together[one], counts[one]
            table = [[a, window - a], [of - a, total - window - of + a]]
            differs("log-likelihood", abs(found.log_likelihood[i]), _likelihood_ratio(table))
        for column in ("genre", "document"):
            spread = opened.frequency(word, column).deviation
            assert spread is not None
            differs("DP", spread, _dp(every, word, column))
    yield from far.items()


def _window(texts: Iterable[Text], word: str) -> Counter[str]:
    """The words that stand near one of its occurrences, each once."""
    found = Counter[str]()
    for text in texts:
        near = {
            j
            for i, one in enumerate(text.words)
            if one == word
            for j in range(max(0, i - LEFT), min(len(text.words), i + RIGHT + 1))
            if j != i
        }
        found.update(text.words[j] for j in near)
    return found


def _likelihood_ratio(table: list[list[int]]) -> float:
    from scipy.stats import chi2_contingency  # a second

    return float(chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic)


def _dp(texts: Iterable[Text], word: str, column: str) -> float:
    """Half of Σ |share of the word's occurrences − share of all words| over the parts (Gries 2008)."""
    own, size = Counter[str](), Counter[str]()
    for text in texts:
        part = str(getattr(text, column))
        size[part] += len(text.words)
        own[part] += text.words.count(word)
    return sum(abs(own[part] / own.total() - size[part] / size.total()) for part in size) / 2
