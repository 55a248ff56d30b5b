"""The captions of the Senses page (Markdown)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from core.figures import style
from core.measures.senses.clusters import Agreed
from core.measures.senses.occurrences import MOST_LABELS, Occurrences
from core.reading import Sentence
from ui.models.word_vectors import LabelAccuracy
from ui.text import plain

_NAMED = 8  # labels named in a sentence
_ROWS = 20  # rows of a table


def counted(occurrences: Occurrences, read: int) -> str:
    """The number of sentences that contain the word; "" if it occurs once in each."""
    count, have = len(occurrences.texts), len(set(occurrences.texts))
    sentences = []
    if have < read:
        one = read - have == 1
        verb, left = ("does", "is left out") if one else ("do", "are left out")
        sentences.append(
            f"{read - have:,} of {read:,} sentences {verb} not contain the word and {left}."
        )
    if count > have:
        them = f"{have:,} sentence{'s' * (have != 1)}"
        sentences.append(f"The word occurs {count:,} times in {them}; each occurrence is a point.")
    return " ".join(sentences)


def matched(words: Mapping[str, int], word: str) -> str:
    """The different words that were found, with their numbers; "" if it is the word alone."""
    if [*words] == [word]:
        return ""
    first = sorted(words, key=lambda one: -words[one])[:_NAMED]
    named = ", ".join(f"*{plain(one)}* ({words[one]:,})" for one in first)
    more = f" and {len(words) - _NAMED:,} more" if len(words) > _NAMED else ""
    if len(words) == 1:
        return f"“{plain(word)}” is found in one word: {named}."
    return (
        f"“{plain(word)}” is found in {len(words):,} different words: {named}{more}. Each vector is "
        "that of a whole word, the mean of its pieces."
    )


def claim(word: str, accuracy: LabelAccuracy, n_learned: int = 1) -> str:
    """The nearest-centroid accuracy, and the accuracy of guessing.

    Args:
        word: the word.
        accuracy: the accuracy at each depth.
        n_learned: how many different learned vectors the occurrences have; several for "bank*".
    """
    same = (
        "the learned vector, the same in every sentence,"
        if n_learned == 1
        else f"the learned vectors, one for each of {n_learned:,} words in every sentence,"
    )
    named = [f"*{plain(label)}*" for label in accuracy.labels[:_NAMED]]
    more = len(accuracy.labels) - len(named)
    which = f"{', '.join(named)} or {more} more" if more else " or ".join(named)
    learned, last = (f"**{100 * float(accuracy.right[i]):.0f} %**" for i in (0, -1))
    commonest = (
        f"; always answering *{plain(accuracy.labels[0])}*, the most common label, gives "
        f"{100 * accuracy.commonest:.0f} %"
        if accuracy.commonest > accuracy.chance + 0.02
        else ""
    )
    alone = f"{accuracy.alone:,} occurrence{'s are' if accuracy.alone > 1 else ' is'} left out"
    left = f" {alone}: without a label, or the only one with their label." if accuracy.alone else ""
    return (
        f"**{plain(word)}**: {which}? A label’s centroid is the mean of its vectors. With "
        f"{same} the nearest centroid has the "
        f"right label for {learned} of {accuracy.n_occurrences:,} occurrences; with the "
        f"vector after the last layer, for {last}. Guessing gives "
        f"{100 * accuracy.chance:.0f} %{commonest}.{left}"
    )


def no_accuracy(labels: Sequence[str]) -> str:
    """Why there is no nearest-centroid accuracy although there are labels; "" without labels."""
    counts = Counter(label for label in labels if label)
    if len(counts) > MOST_LABELS and sum(count > 1 for count in counts.values()) > MOST_LABELS:
        return f"{len(counts):,} labels are too many to compute an accuracy: {MOST_LABELS} at most."
    if counts:
        return "The nearest-centroid accuracy needs at least two labels, with two sentences each."
    return ""


def seen(how: str, name: str, share: float, components: int = 2) -> str:
    """What the map shows, and what it does not.

    Args:
        how: the method of the map: "pca", "umap" or "tsne".
        name: the name of the depth shown.
        share: the share of the variance that the principal components hold; 0 without variance.
        components: the number of directions shown, 2 or 3.
    """
    if share and how != "pca":
        method = "UMAP" if how == "umap" else "t-SNE"
        return (
            f"{name.capitalize()}: {method} keeps neighbours together, and nothing else. It "
            "can invent distances between groups, their sizes and gaps. Each layer has its "
            "own map, rotated to match the one before."
        )
    if not share:
        return f"{name.capitalize()}: all occurrences share one vector and lie at one point."
    many = ("two", "three")[components - 2]
    return (
        f"{name.capitalize()}: {many} directions hold {100 * share:.0f} % of the variance. "
        "Each layer has its own directions, rotated to match those before."
    )


def agreement(agreed: Agreed, k: int) -> str:
    """A table of labels by cluster, and the adjusted Rand index in words."""
    if not agreed.labels:
        return ""
    head = f"| label | {' | '.join(f'cluster {i + 1}' for i in range(k))} |"
    rows = [
        f"| {plain(label)} | {' | '.join(f'{n:,}' for n in row)} |"
        for label, row in list(zip(agreed.labels, agreed.counts, strict=True))[:_ROWS]
    ]
    more = len(agreed.labels) - len(rows)
    left = (
        f" The table shows the {len(rows)} most common of {len(agreed.labels):,} labels."
        if more
        else ""
    )
    table = "\n".join([head, "|---" * (k + 1) + "|", *rows])
    return (
        f"{table}\n\nThe clusters’ agreement with the labels is **{style.signed(agreed.index)}** "
        "(adjusted Rand index): 1 means identical groups, 0 means no better than "
        f"chance.{left}"
    )


def labelled(sentence: Sentence, number: int) -> str:
    """A whole sentence, with its number and its label."""
    label = f" (*{plain(sentence.label)}*)" if sentence.label else ""
    return f"{number}\\. {plain(sentence.text)}{label}"
