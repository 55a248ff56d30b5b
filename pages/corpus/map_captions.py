"""The captions of the map of all words (Markdown)."""

from __future__ import annotations

import time
from collections.abc import Sequence

from core.corpus.querying.typical import SURE, Typical
from core.corpus.querying.word_means import LEAST_OCCURRENCES, WordMeans
from core.corpus.storage.columns import Value, value_name
from core.corpus.word_map import NEIGHBOURS, WordMap
from core.localization import N_, _, decimal, ngettext
from core.sentences import listed, percent, signed
from pages.corpus.captions import and_more, count_of
from ui import text
from ui.corpora.lines import CachedWord
from ui.corpora.selection import column_name
from ui.corpora.word_maps import Job

HEADING = N_("All words of this corpus, by how they are used")
NAMED = 40  # words of a lasso that are named
FEW_WORDS = 4_096  # of fewer, UMAP compares all with all
WORD_SECONDS = 0.004  # of UMAP, measured on MASC's 8,309 words
_TABLED = 4  # words in the sentence for those who do not see the picture


def value_of(value: Value) -> str:
    """A value of a column as a legend names it."""
    return _("no value") if value is None else value_name(value)


def sentence(words: Sequence[str], names: Sequence[str]) -> str:
    """The picture, for those who do not see it."""
    said = _(
        "A map of {count} words: each is a point, placed by the mean vector of its occurrences. The "
        "most frequent ones are {words}."
    )
    if len(names) == 2:
        said = _(
            "A map of {count} words, on a map for {one} and one for {two}: each is a point, placed by "
            "the mean vector of its occurrences. The most frequent ones are {words}."
        )
    first, second = (*names, "", "")[:2]
    few = ", ".join(words[:_TABLED])
    return said.format(count=count_of(len(words)), one=first, two=second, words=few)


def about(
    maps: Sequence[WordMap], means: Sequence[WordMeans], typical: Typical | None, *, same: bool
) -> str:
    """What the map is made of, and what it does not keep."""
    parts = [
        _(
            "{counts} words that occur {least} times or more, each at the mean of the vectors of its "
            "occurrences: a word with two senses stands between them."
        ).format(counts=listed([f"**{count_of(len(of))}**" for of in means]), least=LEAST_OCCURRENCES)
    ]
    if maps[0].how == "pca":
        parts.append(
            _(
                "The plane holds the two directions in which these vectors, at length 1, differ most "
                "(principal components): {shares} of their variance. Words that lie together here may "
                "lie far apart in the other directions."
            ).format(shares=listed([percent(of.held or 0, 0) for of in maps]))
        )
    else:
        parts.append(
            _(
                "UMAP (McInnes, Healy and Melville 2018) keeps neighbours together. Distances between "
                "islands, their sizes and their directions mean nothing."
            )
        )
    parts.append(
        _(
            "Of the {count} nearest words by the full vectors, on average {kept} are among the {count} "
            "nearest here: for neighbours, believe the list below and not the map."
        ).format(
            count=NEIGHBOURS, kept=listed([f"**{signed(NEIGHBOURS * of.kept, 1)}**" for of in maps])
        )
    )
    if len(means) == 2 and same:
        parts.append(_("Both maps lie in one plane, so that a word can be found at two places."))
    elif len(means) == 2:
        parts.append(
            _(
                "Each corpus has a plane of its own; the second, at the size of the first, is turned "
                "and mirrored to bring its words as near as possible to where they lie in the first "
                "(orthogonal Procrustes)."
            )
        )
    if typical is not None:
        parts.append(
            _(
                "A word has the colour of the value of *{column}* of which it is most typical, by "
                "log-likelihood above {sure} (chance: once in 1,000 times); grey ones are typical of "
                "none."
            ).format(column=text.plain(column_name(typical.column)), sure=decimal(f"{SURE}"))
        )
        if typical.left_out > 0:
            parts.append(
                ngettext(
                    "{count} other value has no colour.",
                    "The {count} other values have no colour.",
                    typical.left_out,
                ).format(count=count_of(typical.left_out))
            )
    parts.append(_("Click a word to see its lines; drag to move, Ctrl and the wheel to magnify."))
    return " ".join(parts)


def progress(job: Job, *, below: bool) -> tuple[float, str]:
    """How far a map is, 0 to 1, and in words.

    Args:
        job: the map.
        below: whether that of principal components is shown until then.
    """
    if not (job.total or job.projecting):
        return 0.0, _("The map waits for its turn …")
    if not job.projecting:
        return (
            0.6 * job.done / job.total,
            _("Averaging the vectors of {done} of {all} words in the texts …").format(
                done=count_of(job.done), all=count_of(job.total)
            ),
        )
    spent = time.monotonic() - job.projecting
    usual = umap_seconds(job.placed)
    said = [
        _(
            "Placing {count} words by UMAP, for {seconds} s so far; on a free processor it takes "
            "{usual}."
        ).format(count=count_of(job.placed), seconds=f"{spent:.0f}", usual=text.about(usual))
    ]
    if spent > 1.5 * usual:
        said.append(_("This computer has other work, and gives it the last turn."))
    if below:
        said.append(_("Until then, the map below is of principal components."))
    return 0.6 + 0.4 * (1 - 0.5 ** (spent / usual)), " ".join(said)


def umap_seconds(words: int) -> float:
    """How long UMAP takes for so many words, in seconds of one processor.

    Half a minute is its compilation; from 4,096 words on, it compiles a search for neighbours as well.
    """
    return 20.0 if words < FEW_WORDS else 40.0 + WORD_SECONDS * words


def lassoed(words: Sequence[str], count: int, occurrences: int) -> str:
    """The words inside the lasso."""
    if not count:
        return _("No word lies inside the lasso.")
    named = ", ".join(f"*{text.plain(word)}*" for word in words[:NAMED])
    return ngettext(
        "**{count} word in the lasso**, {occurrences} occurrences: {words}.",
        "**{count} words in the lasso**, {occurrences} occurrences: {words}.",
        count,
    ).format(
        count=count_of(count),
        occurrences=count_of(occurrences),
        words=named + and_more(count - NAMED),
    )


def not_on_map(word: CachedWord) -> str:
    """Why the chosen word has no point."""
    return _(
        "“{word}” has no point on this map: it is a phrase or a query, or occurs fewer than {least} "
        "times in these texts. Click a word to choose it."
    ).format(word=text.plain(word.lines.word), least=LEAST_OCCURRENCES)


def nearest(word: str, name: str) -> str:
    """The heading of a list of neighbours."""
    where = f" · {text.plain(name)}" if name else ""
    return _("**Nearest to “{word}”**").format(word=text.plain(word)) + where


def first_lines(word: CachedWord) -> str:
    """The heading of its first lines."""
    return _("**Its lines** ({count} in all, at the top of this page)").format(
        count=count_of(len(word.lines))
    )


def exact(lists: Sequence[Sequence[str]]) -> str:
    """How the neighbours were found, and how many two lists share."""
    said = _(
        "By the cosine of the mean vectors, compared with every other word: no index, no projection."
    )
    if len(lists) == 2:
        shared = _("The two lists share **{count}** of {all} words.").format(
            count=len({*lists[0]} & {*lists[1]}), all=NEIGHBOURS
        )
        said = f"{said} {shared}"
    return said


def moved(count: int, sure: float) -> str:
    """What the list of words that are used differently shows."""
    return _(
        "Of {count} words with 20 occurrences or more in either part: the Euclidean distance of their "
        "two mean vectors, without what means of so few occurrences differ by chance. *Times chance* "
        "is their squared distance, divided by that; words with {sure} or more are listed. A word may "
        "move since its sense does, or only its neighbours: read its lines."
    ).format(count=count_of(count), sure=f"{sure:.0f}")


def nothing_moved(count: int) -> str:
    """That no word has moved."""
    return _(
        "None of {count} words with 20 occurrences or more in either part lies farther apart than "
        "twice what chance gives."
    ).format(count=count_of(count))
