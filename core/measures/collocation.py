"""How strongly a word goes together with another, and how evenly it is spread: by counts alone.

Around the occurrences of a word, its *window* is all words that stand so many words to the left or to
the right of one of them, each counted once. A collocate is a word that stands in the window more often
than elsewhere:

|              | the collocate    | another word | all           |
|--------------|------------------|--------------|---------------|
| in the window| together         |              | window        |
| elsewhere    |                  |              |               |
| all          | frequency        |              | total         |

Sources: Evert 2008, Corpora and collocations (the table, "surface co-occurrence"); Rychlý 2008
(logDice); Church and Hanks 1990 (mutual information); Dunning 1993 (log-likelihood); Hardie 2014 (log
ratio); Gries 2008 (deviation of proportions).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..records.frozen import Array

Counts = npt.ArrayLike


def log_dice(together: Counts, word: Counts, collocate: Counts) -> Array:
    """14 + log₂ (2 together / (word + collocate)): at most 14, where the two never stand apart.

    The size of the corpus does not matter: each point is a factor of two. −∞ if they never meet.

    Args:
        together: how often the collocate stands in the window.
        word: how often the word occurs.
        collocate: how often the collocate occurs.
    """
    f = np.asarray(together, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        points: Array = 14 + np.log2(2 * f / (np.asarray(word) + np.asarray(collocate)))
    return points


def expected(window: Counts, frequency: Counts, total: Counts) -> Array:
    """How often a collocate would stand in the window by chance: window · frequency / total."""
    by_chance: Array = np.asarray(window, np.float64) * np.asarray(frequency) / np.asarray(total)
    return by_chance


def mutual_information(together: Counts, window: Counts, frequency: Counts, total: Counts) -> Array:
    """log₂ (together / expected), in bits: how many times as often as by chance. High for rare words.

    −∞ if they never meet.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        bits: Array = np.log2(np.asarray(together) / expected(window, frequency, total))
    return bits


def log_likelihood(together: Counts, window: Counts, frequency: Counts, total: Counts) -> Array:
    """2 Σ observed · ln (observed / expected) over the four cells of the table; negative if they avoid.

    How sure it is that the two go together, not how strongly: 3.84 is reached by chance once in 20
    times, 10.83 once in 1,000 (χ², one degree of freedom). It has the sign of observed − expected.
    """
    a = np.asarray(together, np.float64)
    of, by, n = (np.asarray(one, np.float64) for one in (window, frequency, total))
    observed = np.stack(np.broadcast_arrays(a, of - a, by - a, n - of - by + a))
    chance = np.stack(
        np.broadcast_arrays(of * by / n, of * (n - by) / n, (n - of) * by / n, (n - of) * (n - by) / n)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(observed > 0, observed * np.log(observed / chance), 0.0)
    found = 2 * terms.sum(axis=0)
    # What is exactly as by chance is 0 but for rounding.
    signed: Array = np.sign(observed[0] - chance[0]) * np.maximum(found, 0)
    return signed


def log_ratio(in_one: Counts, one: Counts, in_other: Counts, other: Counts) -> Array:
    """log₂ of how many times as frequent a word is in one text as in another; 1 is twice as often.

    A word that one of them lacks counts there as half an occurrence.

    Args:
        in_one: how often the word occurs in the first text.
        one: how many words the first text has.
        in_other: how often it occurs in the other.
        other: how many words the other has.
    """
    a, b = np.asarray(in_one, np.float64), np.asarray(in_other, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(a > 0, a, 0.5) / np.asarray(one)
        found: Array = np.log2(share / (np.where(b > 0, b, 0.5) / np.asarray(other)))
    return found


def deviation_of_proportions(counts: Counts, sizes: Counts) -> float:
    """Gries' DP: 0 for a word that every part has in proportion to its size, towards 1 for one alone.

    Half the sum, over the parts, of |share of the word − share of all words|.

    Args:
        counts: (parts,), how often the word occurs in each part of the corpus.
        sizes: (parts,), how many words each part has.

    Raises:
        ValueError: the word, or the corpus, has no occurrence.
    """
    v, s = np.asarray(counts, np.float64), np.asarray(sizes, np.float64)
    if not v.sum() or not s.sum():
        raise ValueError("a word that does not occur is not spread")
    return float(np.abs(v / v.sum() - s / s.sum()).sum() / 2)
