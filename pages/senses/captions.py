"""The captions of the Senses page (Markdown)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core import sentences
from core.figures import style
from core.measures.senses.clusters import Agreed
from core.measures.senses.occurrences import MOST_LABELS, Occurrences
from core.measures.senses.shares import at_least
from core.reading import Merged, Sentence
from core.records.finding import occurrence_spans
from core.records.spelling import Spelling
from core.sentences import listed
from ui.models.word_vectors import LabelAccuracy
from ui.text import clipped, plain

LEFT_TO_RIGHT = (
    "This model reads from left to right: at the word, it has read only what stands before it. Where "
    "the clue comes later, no vector can tell the sense. A word that begins a sentence is often "
    "another token, with another learned vector. The heads rest on it, and it may lie far from all "
    "others."
)
_NAMED = 8  # labels named in a sentence
_ROWS = 20  # rows of a table
_SEVERAL, _QUOTED = 2, 80  # sentences with several labels that are quoted, and their letters
_NOTHING = 1e-6  # a difference by rounding
_SURE, _PERHAPS = 0.025, 0.1  # how often guessing does as well: rarely, and not often
_MOST_NEEDED = 1_000  # occurrences that may be asked for


class Unread(NamedTuple):
    """How many sentences have no vector of the word, and why.

    Attributes:
        without: they do not contain the word.
        cut: the word stands in them only after the point where the model stops reading.
        dropped: the model reads all of them, but its tokenizer drops the word.
        later: how many more occurrences come after that point, in sentences that have earlier ones too.
    """

    without: int = 0
    cut: int = 0
    dropped: int = 0
    later: int = 0


def unread(
    occurrences: Occurrences,
    texts: Sequence[str],
    word: str,
    spelling: Spelling,
    is_cut: Callable[[str], bool],
) -> Unread:
    """Why some occurrences of a word have no vector.

    Args:
        occurrences: those that have.
        texts: the sentences.
        word: the word.
        spelling: which spellings are one word.
        is_cut: whether the model leaves out the end of a sentence; asked where a vector is missing.
    """
    have = Counter(occurrences.texts)
    without = cut = dropped = later = 0
    for i, text in enumerate(texts):
        stands = len(occurrence_spans(text, word, spelling=spelling))
        if have[i] >= stands > 0:
            continue
        if not stands:
            without += 1
            continue
        early = is_cut(text)
        if have[i]:
            later += (stands - have[i]) * early
        else:
            cut, dropped = cut + early, dropped + (not early)
    return Unread(without, cut, dropped, later)


def counted(occurrences: Occurrences, read: int, unread: Unread, reads: str) -> str:
    """The number of sentences that contain the word; "" if it occurs once in each.

    Args:
        occurrences: the occurrences.
        read: how many sentences there are.
        unread: the others, and why they have no point.
        reads: what the model reads of a sentence: "the first 512 pieces, where MiniLM stops reading"
            (Markdown).
    """
    count, have = len(occurrences.texts), len(set(occurrences.texts))
    sentences = []
    if n := unread.without:
        verb, left = ("does", "is left out") if n == 1 else ("do", "are left out")
        sentences.append(f"{n:,} of {read:,} sentences {verb} not contain the word and {left}.")
    if n := unread.cut:
        it = "this sentence was cut there, and is" if n == 1 else "they were cut there, and are"
        sentences.append(
            f"In {n:,} of {read:,} sentences the word comes only after {reads}: {it} left out."
        )
    if n := unread.dropped:
        sentences.append(
            f"In {n:,} of {read:,} sentences the tokenizer drops the word: it has no piece, and no "
            "vector."
        )
    if n := unread.later:
        which = "1 more occurrence comes" if n == 1 else f"{n:,} more occurrences come"
        sentences.append(f"{which} after {reads}, and {'is' if n == 1 else 'are'} left out.")
    if count > have:
        them = f"{have:,} sentence{'s' * (have != 1)}"
        sentences.append(f"The word occurs {count:,} times in {them}; each occurrence is a point.")
    return " ".join(sentences)


def merged(of: Merged) -> str:
    """How many sentences were there several times, and which have several labels; "" if none."""
    every, copies = sum(of.times), of.copies
    sentences = []
    if copies:
        repeat = "repeats another one" if copies == 1 else "repeat others"
        same = " with the same label" if any(one.label for one in of.sentences) else ""
        left = f"**{every - copies:,}** different sentences remain"
        if every - copies == 1:
            left = "**One** sentence remains"
        once = "is not counted again" if copies == 1 else "are not counted again"
        sentences.append(
            f"**{copies:,}** of {every:,} sentences {repeat}{same}, and {once}: copies would confirm "
            f"one another. {left}."
        )
    for text, labels in list(of.several.items())[:_SEVERAL]:
        under = listed([f"*{plain(label)}*" for label in labels[:_NAMED]])
        sentences.append(
            f"“{plain(clipped(text, _QUOTED))}” stands under {under}: the vector is the same, and "
            "cannot be near each centroid."
        )
    if (more := len(of.several) - _SEVERAL) > 0:
        texts = "text has" if more == 1 else "texts have"
        sentences.append(f"{more:,} more {texts} several labels.")
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
    """Whether the vectors tell the labels apart, after which layers best, and how often a guess would.

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
    right = [float(one) for one in accuracy.right]
    learned, last = (f"**{percent(right[i])}**" for i in (0, -1))
    commonest = (
        f"; always answering *{plain(accuracy.labels[0])}*, the most common label, gives "
        f"{percent(accuracy.commonest)}"
        if accuracy.commonest > accuracy.chance + 0.02
        else ""
    )
    alone = f"{accuracy.alone:,} occurrence{'s are' if accuracy.alone > 1 else ' is'} left out"
    left = f" {alone}: without a label, or the only one with their label." if accuracy.alone else ""
    count, best = accuracy.n_occurrences, named_layers(accuracy)
    first = best[0] if best else len(right) - 1
    interval = (
        f"with a 95 % interval from {percent(float(accuracy.low[first]))} to "
        f"{percent(float(accuracy.high[first]))}"
    )
    where = after_layers(best) if best else "After the last layer"
    if (
        best
        and best[0] > 1
        and right[1] >= float(accuracy.low[first]) > max(accuracy.chance, accuracy.commonest)
    ):
        interval += f" (already {percent(right[1])} after layer 1)"
    of_last = "" if len(right) - 1 in best or not best else f"after the last layer for {last}, and "
    picked = (
        " The best layers were picked by these same sentences, which flatters them a little."
        if of_last
        else ""
    )
    return (
        f"**{plain(word)}**: {which}? {_apart(accuracy)} **{where}**, the nearest centroid (the mean "
        f"vector of a label) has the right label for **{percent(right[first])}** of {count:,} "
        f"occurrences, {interval}; {of_last}with {same} for {learned}. Guessing gives "
        f"{percent(accuracy.chance)}{commonest}.{picked}{_below(accuracy)}{left}"
    )


def _below(accuracy: LabelAccuracy) -> str:
    """Why the last layer scores below a guess, where it does: leaving one out makes it so."""
    if float(accuracy.right[-1]) >= accuracy.chance - _NOTHING:
        return ""
    return (
        " A score below the guess does not mean that the vectors say the opposite. Each occurrence is "
        "left out of the centroid of its own label, and that moves this centroid away from it. Where "
        "the centroids nearly coincide, this alone tips the answer to the wrong label."
    )


def named_layers(accuracy: LabelAccuracy) -> tuple[int, ...]:
    """The best layers, from 1, if chance would hardly make any layer as good; none otherwise.

    Of six layers, the best one is the luckiest too: the test counts for each of them (Bonferroni).
    """
    best = best_layers([float(one) for one in accuracy.right])
    if not best:
        return ()
    count, guess = accuracy.n_occurrences, max(accuracy.chance, accuracy.commonest)
    p = at_least(float(accuracy.right[best[0]]) * count, count, guess)
    return best if (len(accuracy.right) - 1) * p <= _SURE else ()


def best_layers(right: Sequence[float]) -> tuple[int, ...]:
    """The layers, from 1, after which most labels are right; none if the learned vector does as well.

    Args:
        right: (depths,), the accuracy with the learned vector, then after each layer.
    """
    most = max(right)
    if right[0] >= most - _NOTHING:
        return ()
    return tuple(i for i, one in enumerate(right) if one >= most - _NOTHING)


def after_layers(layers: Sequence[int]) -> str:
    """Some layers in words, neighbours together: "After layers 1, 3 to 5"."""
    runs: list[list[int]] = []
    for layer in layers:
        if runs and layer == runs[-1][-1] + 1:
            runs[-1].append(layer)
        else:
            runs.append([layer])
    parts = [
        f"{run[0]} to {run[-1]}" if len(run) > 2 else listed([str(one) for one in run]) for run in runs
    ]
    return f"After layer{'s' * (len(layers) > 1)} {listed(parts)}"


def _apart(accuracy: LabelAccuracy) -> str:
    """Whether the last layer tells the labels apart: against the better guess, by test and interval.

    The interval alone is not enough: for 4 of 4 it begins above 50 %, and guessing gives 4 of 4 in one
    of 16 cases.
    """
    guess, right = max(accuracy.chance, accuracy.commonest), float(accuracy.right[-1])
    count = accuracy.n_occurrences
    if not _shows(count, guess):
        enough = next((n for n in range(count + 1, _MOST_NEEDED) if _shows(n, guess)), None)
        luck = percent(at_least(count, count, guess))
        more = "" if enough is None else f" From {enough:,} on, all of them right would say something."
        return (
            f"**Too few to tell**: of {count:,} labelled occurrences, guessing gets all {count:,} "
            f"right in {luck} of cases.{more}"
        )
    if right <= guess + _NOTHING:
        return "**The vectors do not tell them apart** better than a guess."
    p = at_least(right * count, count, guess)
    few = f"with {count:,} occurrences, chance may do the same"
    if p <= _SURE and float(accuracy.low[-1]) > guess:
        return "**The vectors tell them apart**, more often than chance explains."
    if p <= _PERHAPS:
        return f"**Perhaps the vectors tell them apart**: {few}."
    return f"**Whether the vectors tell them apart cannot be told**: {few}."


def _shows(count: int, guess: float) -> bool:
    """Whether so many occurrences, all with the right label, would be more than guessing explains."""
    return at_least(count, count, guess) <= _SURE


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
        f"{name.capitalize()}: {many} directions hold {percent(share)} of the variance. "
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


def percent(share: float) -> str:
    """A share of a few sentences, which has no decimals to speak of."""
    return sentences.percent(share, 0)


def labelled(sentence: Sentence, number: int) -> str:
    """A whole sentence, with its number and its label."""
    label = f" (*{plain(sentence.label)}*)" if sentence.label else ""
    return f"{number}\\. {plain(sentence.text)}{label}"
