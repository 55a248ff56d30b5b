"""The captions of the map of all words (Markdown)."""

from __future__ import annotations

import time
from collections.abc import Sequence

from core.corpus.querying.typical import SURE, Typical
from core.corpus.querying.word_means import LEAST_OCCURRENCES, WordMeans
from core.corpus.storage.columns import Value, value_name
from core.corpus.word_map import NEIGHBOURS, WordMap
from core.sentences import percent
from ui import text
from ui.corpora.lines import CachedWord
from ui.corpora.word_maps import Job

HEADING = "All words of this corpus, by how they are used"
NAMED = 40  # words of a lasso that are named
FEW_WORDS = 4_096  # of fewer, UMAP compares all with all
WORD_SECONDS = 0.004  # of UMAP, measured on MASC's 8,309 words
_TABLED = 4  # words in the sentence for those who do not see the picture


def value_of(value: Value) -> str:
    """A value of a column as a legend names it."""
    return "no value" if value is None else value_name(value)


def sentence(words: Sequence[str], names: Sequence[str]) -> str:
    """The picture, for those who do not see it."""
    sides = f", on a map for {names[0]} and one for {names[1]}" if len(names) == 2 else ""
    few = ", ".join(words[:_TABLED])
    return (
        f"A map of {len(words):,} words{sides}: each is a point, placed by the mean vector of its "
        f"occurrences. The most frequent ones are {few}."
    )


def about(
    maps: Sequence[WordMap], means: Sequence[WordMeans], typical: Typical | None, *, same: bool
) -> str:
    """What the map is made of, and what it does not keep."""
    one = maps[0]
    counts = " and ".join(f"**{len(of):,}**" for of in means)
    parts = [
        f"{counts} words that occur {LEAST_OCCURRENCES} times or more, each at the mean of the "
        "vectors of its "
        "occurrences: a word with two senses stands between them."
    ]
    if one.how == "pca":
        held = " and ".join(percent(of.held or 0, 0) for of in maps)
        parts.append(
            "The plane holds the two directions in which these vectors, at length 1, differ most "
            f"(principal components): {held} of their variance. Words that lie "
            "together "
            "here may lie far apart in the other directions."
        )
    else:
        parts.append(
            "UMAP (McInnes, Healy and Melville 2018) keeps neighbours together. Distances between "
            "islands, "
            "their sizes and their directions mean nothing."
        )
    shares = " and ".join(f"**{NEIGHBOURS * of.kept:.1f}**" for of in maps)
    parts.append(
        f"Of the {NEIGHBOURS} nearest words by the full vectors, on average {shares} are among the "
        f"{NEIGHBOURS} nearest here: for neighbours, believe the list below and not the map."
    )
    if len(means) == 2:
        parts.append(
            "Both maps lie in one plane, so that a word can be found at two places."
            if same
            else "Each corpus has a plane of its own; the second, at the size of the first, is turned "
            "and mirrored to bring its words as near as possible to where they lie in the first "
            "(orthogonal Procrustes)."
        )
    if typical is not None:
        rest = f" The {typical.left_out:,} other values have no colour." if typical.left_out > 0 else ""
        parts.append(
            f"A word has the colour of the value of *{text.plain(typical.column)}* of which it is "
            "most typical, "
            f"by log-likelihood above {SURE} (chance: once in 1,000 times); grey ones are typical of "
            f"none.{rest}"
        )
    parts.append("Click a word to see its lines; drag to move, Ctrl and the wheel to magnify.")
    return " ".join(parts)


def progress(job: Job, *, below: bool) -> tuple[float, str]:
    """How far a map is, 0 to 1, and in words.

    Args:
        job: the map.
        below: whether that of principal components is shown until then.
    """
    if not (job.total or job.projecting):
        return 0.0, "The map waits for its turn …"
    if not job.projecting:
        return (
            0.6 * job.done / job.total,
            f"Averaging the vectors of {job.done:,} of {job.total:,} words in the texts …",
        )
    spent = time.monotonic() - job.projecting
    usual = umap_seconds(job.placed)
    shown = " Until then, the map below is of principal components." if below else ""
    busy = " This computer has other work, and gives it the last turn." if spent > 1.5 * usual else ""
    return (
        0.6 + 0.4 * (1 - 0.5 ** (spent / usual)),
        f"Placing {job.placed:,} words by UMAP, for {spent:.0f} s so far; on a free processor it takes "
        f"{text.about(usual)}.{busy}{shown}",
    )


def umap_seconds(words: int) -> float:
    """How long UMAP takes for so many words, in seconds of one processor.

    Half a minute is its compilation; from 4,096 words on, it compiles a search for neighbours as well.
    """
    return 20.0 if words < FEW_WORDS else 40.0 + WORD_SECONDS * words


def lassoed(words: Sequence[str], count: int, occurrences: int) -> str:
    """The words inside the lasso."""
    if not count:
        return "No word lies inside the lasso."
    named = ", ".join(f"*{text.plain(word)}*" for word in words[:NAMED])
    more = f" and {count - NAMED:,} more" if count > NAMED else ""
    return (
        f"**{count:,} word{'s' * (count != 1)} in the lasso**, {occurrences:,} occurrences: "
        f"{named}{more}."
    )


def not_on_map(word: CachedWord) -> str:
    """Why the chosen word has no point."""
    return (
        f"“{text.plain(word.lines.word)}” has no point on this map: it is a phrase or a query, or "
        "occurs "
        f"fewer than {LEAST_OCCURRENCES} times in these texts. Click a word to choose it."
    )


def nearest(word: str, name: str) -> str:
    """The heading of a list of neighbours."""
    where = f" · {text.plain(name)}" if name else ""
    return f"**Nearest to “{text.plain(word)}”**{where}"


def first_lines(word: CachedWord) -> str:
    """The heading of its first lines."""
    count = len(word.lines)
    return f"**Its lines** ({count:,} in all, at the top of this page)"


def exact(lists: Sequence[Sequence[str]]) -> str:
    """How the neighbours were found, and how many two lists share."""
    said = "By the cosine of the mean vectors, compared with every other word: no index, no projection."
    if len(lists) == 2:
        shared = len({*lists[0]} & {*lists[1]})
        said += f" The two lists share **{shared}** of {NEIGHBOURS} words."
    return said


def moved(count: int, sure: float) -> str:
    """What the list of words that are used differently shows."""
    return (
        f"Of {count:,} words with 20 occurrences or more in either part: the Euclidean distance of "
        "their two mean vectors, without what means of so few occurrences differ by chance. *Times "
        "chance* is their squared distance, divided by that; words with "
        f"{sure:.0f} or more are listed. A word may move since its sense does, or only its neighbours: "
        "read its lines."
    )


def nothing_moved(count: int) -> str:
    """That no word has moved."""
    return (
        f"None of {count:,} words with 20 occurrences or more in either part lies farther apart than "
        "twice "
        "what chance gives."
    )
