"""The captions of the Senses page (Markdown)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core import sentences
from core.figures import style
from core.localization import N_, _, decimal, ngettext
from core.measures.senses.clusters import Agreed
from core.measures.senses.occurrences import MOST_LABELS, Occurrences
from core.measures.senses.shares import at_least
from core.reading import Merged, Sentence
from core.records.finding import occurrence_spans
from core.records.spelling import Spelling
from core.sentences import listed
from ui.models.word_vectors import LabelAccuracy
from ui.text import clipped, plain

LEFT_TO_RIGHT = N_(
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
        sentences.append(
            ngettext(
                "{count} of {all} sentences does not contain the word and is left out.",
                "{count} of {all} sentences do not contain the word and are left out.",
                n,
            ).format(count=_n(n), all=_n(read))
        )
    if n := unread.cut:
        sentences.append(
            ngettext(
                "In {count} of {all} sentences the word comes only after {reads}: this sentence was "
                "cut there, and is left out.",
                "In {count} of {all} sentences the word comes only after {reads}: they were cut there, "
                "and are left out.",
                n,
            ).format(count=_n(n), all=_n(read), reads=reads)
        )
    if n := unread.dropped:
        sentences.append(
            _(
                "In {count} of {all} sentences the tokenizer drops the word: it has no piece, and no "
                "vector."
            ).format(count=_n(n), all=_n(read))
        )
    if n := unread.later:
        sentences.append(
            ngettext(
                "{count} more occurrence comes after {reads}, and is left out.",
                "{count} more occurrences come after {reads}, and are left out.",
                n,
            ).format(count=_n(n), reads=reads)
        )
    if count > have:
        sentences.append(
            ngettext(
                "The word occurs {count} times in {sentences} sentence; each occurrence is a point.",
                "The word occurs {count} times in {sentences} sentences; each occurrence is a point.",
                have,
            ).format(count=_n(count), sentences=_n(have))
        )
    return " ".join(sentences)


def merged(of: Merged) -> str:
    """How many sentences were there several times, and which have several labels; "" if none."""
    every, copies = sum(of.times), of.copies
    sentences = []
    if copies:
        said = (
            ngettext(
                "**{count}** of {all} sentences repeats another one with the same label, and is not "
                "counted again: copies would confirm one another.",
                "**{count}** of {all} sentences repeat others with the same label, and are not counted "
                "again: copies would confirm one another.",
                copies,
            )
            if any(one.label for one in of.sentences)
            else ngettext(
                "**{count}** of {all} sentences repeats another one, and is not counted again: copies "
                "would confirm one another.",
                "**{count}** of {all} sentences repeat others, and are not counted again: copies would "
                "confirm one another.",
                copies,
            )
        ).format(count=_n(copies), all=_n(every))
        left = ngettext(
            "**One** sentence remains.", "**{count}** different sentences remain.", every - copies
        ).format(count=_n(every - copies))
        sentences.append(f"{said} {left}")
    for text, labels in list(of.several.items())[:_SEVERAL]:
        under = listed([f"*{plain(label)}*" for label in labels[:_NAMED]])
        sentences.append(
            _(
                "“{text}” stands under {labels}: the vector is the same, and cannot be near each "
                "centroid."
            ).format(text=plain(clipped(text, _QUOTED)), labels=under)
        )
    if (more := len(of.several) - _SEVERAL) > 0:
        sentences.append(
            ngettext(
                "{count} more text has several labels.", "{count} more texts have several labels.", more
            ).format(count=_n(more))
        )
    return " ".join(sentences)


def matched(words: Mapping[str, int], word: str) -> str:
    """The different words that were found, with their numbers; "" if it is the word alone."""
    if [*words] == [word]:
        return ""
    first = sorted(words, key=lambda one: -words[one])[:_NAMED]
    named = ", ".join(f"*{plain(one)}* ({_n(words[one])})" for one in first)
    more = ""
    if len(words) > _NAMED:
        more = _(" and {count} more").format(count=_n(len(words) - _NAMED))
    if len(words) == 1:
        return _("“{word}” is found in one word: {named}.").format(word=plain(word), named=named)
    return _(
        "“{word}” is found in {count} different words: {named}. Each vector is that of a whole word, "
        "the mean of its pieces."
    ).format(word=plain(word), count=_n(len(words)), named=named + more)


def claim(word: str, accuracy: LabelAccuracy, n_learned: int = 1) -> tuple[str, str]:
    """Whether the vectors tell the labels apart; after which layers best, and how often a guess would.

    Args:
        word: the word.
        accuracy: the accuracy at each depth.
        n_learned: how many different learned vectors the occurrences have; several for "bank*".
    """
    same = (
        _("the learned vector, the same in every sentence,")
        if n_learned == 1
        else _("the learned vectors, one for each of {count} words in every sentence,").format(
            count=_n(n_learned)
        )
    )
    named = [f"*{plain(label)}*" for label in accuracy.labels[:_NAMED]]
    more = len(accuracy.labels) - len(named)
    which = _(" or ").join(named)
    if more:
        which = _("{labels} or {count} more").format(labels=", ".join(named), count=more)
    right = [float(one) for one in accuracy.right]
    learned, last = (f"**{percent(right[i])}**" for i in (0, -1))
    commonest = (
        _("; always answering *{label}*, the most common label, gives {share}").format(
            label=plain(accuracy.labels[0]), share=percent(accuracy.commonest)
        )
        if accuracy.commonest > accuracy.chance + 0.02
        else ""
    )
    left = ""
    if accuracy.alone:
        left = ngettext(
            " {count} occurrence is left out: without a label, or the only one with their label.",
            " {count} occurrences are left out: without a label, or the only one with their label.",
            accuracy.alone,
        ).format(count=_n(accuracy.alone))
    count, best = accuracy.n_occurrences, named_layers(accuracy) or earlier_layers(accuracy)
    first = best[0] if best else len(right) - 1
    interval = _("with a 95 % interval from {low} to {high}").format(
        low=percent(float(accuracy.low[first])), high=percent(float(accuracy.high[first]))
    )
    where = after_layers(best) if best else _("After the last layer")
    if best and best[0] > 1 and right[1] >= float(accuracy.low[first]) and _is_sure(accuracy, 1):
        interval += _(" (already {share} after layer 1)").format(share=percent(right[1]))
    of_last = ""
    if best and len(right) - 1 not in best:
        of_last = _("after the last layer for {share}, and ").format(share=last)
    picked = (
        _(" The best layers were picked by these same sentences, which flatters them a little.")
        if of_last
        else ""
    )
    claimed = _("**{word}**: {which}? {apart}").format(
        word=plain(word), which=which, apart=_apart(accuracy)
    )
    return claimed, _(
        "**{where}**, the nearest centroid (the mean vector of a label) "
        "has the right label for **{right}** of {count} occurrences, {interval}; {of_last}with {same} "
        "for {learned}. Guessing gives {chance}{commonest}.{rest}"
    ).format(
        where=where,
        right=percent(right[first]),
        count=_n(count),
        interval=interval,
        of_last=of_last,
        same=same,
        learned=learned,
        chance=percent(accuracy.chance),
        commonest=commonest,
        rest=picked + _below(accuracy) + left,
    )


def _below(accuracy: LabelAccuracy) -> str:
    """Why the last layer scores below a guess, where it does: leaving one out makes it so."""
    if float(accuracy.right[-1]) >= accuracy.chance - _NOTHING:
        return ""
    return _(
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


def earlier_layers(accuracy: LabelAccuracy) -> tuple[int, ...]:
    """The best layers, from 1, if each by itself tells the labels apart and the last one does not."""
    best = best_layers([float(one) for one in accuracy.right])
    if not best or _is_sure(accuracy, -1) or not _is_sure(accuracy, best[0]):
        return ()
    return best


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
        _("{first} to {last}").format(first=run[0], last=run[-1])
        if len(run) > 2
        else listed([str(one) for one in run])
        for run in runs
    ]
    return ngettext("After layer {layers}", "After layers {layers}", len(layers)).format(
        layers=listed(parts)
    )


def _is_sure(accuracy: LabelAccuracy, depth: int) -> bool:
    """Whether one depth tells the labels apart: against the better guess, by test and interval.

    The interval alone is not enough: for 4 of 4 it begins above 50 %, and guessing gives 4 of 4 in one
    of 16 cases.
    """
    guess, count = max(accuracy.chance, accuracy.commonest), accuracy.n_occurrences
    p = at_least(float(accuracy.right[depth]) * count, count, guess)
    return p <= _SURE and float(accuracy.low[depth]) > guess


def _apart(accuracy: LabelAccuracy) -> str:
    """Whether the last layer tells the labels apart, or else an earlier one."""
    guess, right = max(accuracy.chance, accuracy.commonest), float(accuracy.right[-1])
    count = accuracy.n_occurrences
    if not _shows(count, guess):
        enough = next((n for n in range(count + 1, _MOST_NEEDED) if _shows(n, guess)), None)
        luck = percent(at_least(count, count, guess))
        more = ""
        if enough is not None:
            more = _(
                " From {count} on, all of them right would say something: guessing gets there in "
                "less than {limit} of cases."
            ).format(count=_n(enough), limit=percent(_SURE))
        return _(
            "**Too few to tell**: of {count} labelled occurrences, guessing gets all {count} right in "
            "{luck} of cases.{more}"
        ).format(count=_n(count), luck=luck, more=more)
    if best := earlier_layers(accuracy):
        n_layers = len(accuracy.right) - 1
        rate = n_layers * at_least(float(accuracy.right[best[0]]) * count, count, guess)
        if rate <= _SURE:
            return _(
                "**{where}, the vectors tell them apart**, more often than chance explains. After the "
                "last layer, they do not surely."
            ).format(where=after_layers(best))
        return _(
            "**{where}, perhaps the vectors tell them apart**: chance makes the best of {count} layers "
            "as good in up to {luck} of cases. After the last layer, they do not surely."
        ).format(where=after_layers(best), count=n_layers, luck=percent(rate))
    if right <= guess + _NOTHING:
        return _("**The vectors do not tell them apart** better than a guess.")
    if _is_sure(accuracy, -1):
        return _("**The vectors tell them apart**, more often than chance explains.")
    few = _("with {count} occurrences, chance may do the same").format(count=_n(count))
    if at_least(right * count, count, guess) <= _PERHAPS:
        return _("**Perhaps the vectors tell them apart**: {few}.").format(few=few)
    return _("**Whether the vectors tell them apart cannot be told**: {few}.").format(few=few)


def _shows(count: int, guess: float) -> bool:
    """Whether so many occurrences, all with the right label, would be more than guessing explains."""
    return at_least(count, count, guess) <= _SURE


def no_accuracy(labels: Sequence[str]) -> str:
    """Why there is no nearest-centroid accuracy although there are labels; "" without labels."""
    counts = Counter(label for label in labels if label)
    if len(counts) > MOST_LABELS and sum(count > 1 for count in counts.values()) > MOST_LABELS:
        return _("{count} labels are too many to compute an accuracy: {most} at most.").format(
            count=_n(len(counts)), most=MOST_LABELS
        )
    if counts:
        return _("The nearest-centroid accuracy needs at least two labels, with two sentences each.")
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
        return _(
            "{name}: {method} keeps neighbours together, and nothing else. It can invent distances "
            "between groups, their sizes and gaps. Each layer has its own map, rotated to match the "
            "one before."
        ).format(name=name.capitalize(), method=method)
    if not share:
        return _("{name}: all occurrences share one vector and lie at one point.").format(
            name=name.capitalize()
        )
    said = (
        _(
            "{name}: two directions hold {share} of the variance. Each layer has its own directions, "
            "rotated to match those before."
        ),
        _(
            "{name}: three directions hold {share} of the variance. Each layer has its own directions, "
            "rotated to match those before."
        ),
    )[components - 2]
    return said.format(name=name.capitalize(), share=percent(share))


def agreement(agreed: Agreed, name: str) -> str:
    """How well the clusters of a layer match the labels; "" without labels."""
    if not agreed.labels:
        return ""
    return _(
        "**Clusters**, {name}: their agreement with the labels is **{index}** (adjusted Rand index). 1 "
        "means identical groups, 0 means no better than chance."
    ).format(name=name, index=style.signed(agreed.index))


def labels_by_cluster(agreed: Agreed, k: int) -> str:
    """A table of labels by cluster; "" without labels."""
    if not agreed.labels:
        return ""
    label = _("label")
    clusters = [_("cluster {number}").format(number=i + 1) for i in range(k)]
    head = f"| {label} | {' | '.join(clusters)} |"
    rows = [
        f"| {plain(one)} | {' | '.join(map(_n, row))} |"
        for one, row in list(zip(agreed.labels, agreed.counts, strict=True))[:_ROWS]
    ]
    more = len(agreed.labels) - len(rows)
    left = (
        _("The table shows the {count} most common of {all} labels.").format(
            count=len(rows), all=_n(len(agreed.labels))
        )
        if more
        else ""
    )
    table = "\n".join([head, "|---" * (k + 1) + "|", *rows])
    return f"{table}\n\n{left}".strip()


def _n(count: int) -> str:
    """A whole number."""
    return decimal(f"{count:,}")


def percent(share: float) -> str:
    """A share of a few sentences, which has no decimals to speak of."""
    return sentences.percent(share, 0)


def labelled(sentence: Sentence, number: int) -> str:
    """A whole sentence, with its number and its label."""
    label = f" (*{plain(sentence.label)}*)" if sentence.label else ""
    return f"{number}\\. {plain(sentence.text)}{label}"
