"""The pictures of the Senses page, and their tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from core.figures import (
    MOST_GROUPS,
    Band,
    Group,
    GroupedPoints,
    Line,
    Picture,
    StepAxis,
    ValueAxis,
    cloud,
    cloud_in_space,
    groups_of,
    lines,
    style,
)
from core.localization import N_, _, decimal, gettext, ngettext
from core.measures.senses.clusters import Clusters
from core.measures.senses.occurrences import Occurrences
from core.reading import Merged, Sentence
from core.records.finding import occurrence_spans
from core.records.spelling import Spelling
from core.records.trace import Array
from core.sentences import sentence as template
from ui.models.word_vectors import LabelAccuracy

NO_LABEL = N_("without a label")
ACCURACY_HEIGHT = 400  # pixels


class Coloured(NamedTuple):
    """The colours of the points on a map.

    Attributes:
        names: the names of the groups, at most eight and one for all others.
        of: (occurrences,) or (depths, occurrences), the group of each.
        looks: the index of each group's colour and mark, from 0; () for the order of the groups.
    """

    names: tuple[str, ...]
    of: Array
    looks: tuple[int, ...] = ()


def by_label(labels: Sequence[str]) -> Coloured:
    """A colour for each of the eight commonest labels, in the order of the sentences."""
    counts = Counter(labels)
    commonest = {label for label, _ in counts.most_common(MOST_GROUPS)}
    first = [label for label in counts if label in commonest]
    number = {label: i for i, label in enumerate(first)}
    names = [label or gettext(NO_LABEL) for label in first] if first != [""] else [""]
    if left := len(counts) - len(first):
        names.append(ngettext("{count} other label", "{count} other labels", left).format(count=left))
    return Coloured(tuple(names), np.array([number.get(label, len(first)) for label in labels]))


def by_cluster(clusters: Clusters, labels: Sequence[str]) -> Coloured:
    """A colour for each cluster at every depth, if possible that of the label that it matches."""
    label = by_label(labels)
    free = list(range(max(clusters.k, MOST_GROUPS)))
    looks: dict[int, int] = {}
    if any(labels):
        # A ninth group stands for all other labels: it has no colour to share.
        pairs = Counter((int(c), int(g)) for c, g in zip(clusters.of[-1], label.of, strict=True))
        for (cluster, group), _times in pairs.most_common():
            if cluster not in looks and group in free:
                looks[cluster] = group
                free.remove(group)
    for cluster in range(clusters.k):
        if cluster not in looks:
            looks[cluster] = free.pop(0)
    names = tuple(_("cluster {number}").format(number=i + 1) for i in range(clusters.k))
    return Coloured(names, clusters.of, tuple(looks[i] for i in range(clusters.k)))


def depth_names(occurrences: Occurrences) -> list[str]:
    """The names of the depths, which do not include "+ position"."""
    return [_("learned"), *(style.layer_name(i) for i in range(len(occurrences.depths) - 1))]


def parts(
    occurrences: Occurrences, sentences: Sequence[Sentence], word: str, spelling: Spelling
) -> list[tuple[str, str, str]]:
    """For each occurrence: the text before the word, the word in that form, and the rest."""
    cut, at, before = [], 0, -1
    for text in occurrences.texts:
        at, before = at + 1 if text == before else 0, text
        whole = sentences[text].text
        start, end = occurrence_spans(whole, word, spelling=spelling)[at]
        cut.append((whole[:start], whole[start:end], whole[end:]))
    return cut


def map_picture(
    occurrences: Occurrences,
    shown: Sequence[tuple[str, str, str]],
    coordinates: Array,
    coloured: Coloured,
    how: str = "PCA",
) -> Picture:
    """A point for each occurrence, placed by PCA, UMAP or t-SNE, in two or three dimensions.

    A slider leads through the depths.

    Args:
        occurrences: the occurrences of one word.
        shown: their sentences in parts, from `parts`.
        coordinates: (occurrences, depths, 2) or (occurrences, depths, 3).
        coloured: the colours of the points.
        how: the name of the method.
    """
    names = depth_names(occurrences)
    points = GroupedPoints(coordinates, shown, _groups(coloured), coloured.of, names)
    sentence = template("senses.map", count=decimal(f"{len(shown):,}"))
    if coordinates.shape[2] == 3:
        return cloud_in_space(
            points,
            depth=len(names) - 1,
            titles=[f"{how} {i + 1}" for i in range(3)],
            sentence=sentence,
            name="senses-map",
        )
    is_pca = how == "PCA"
    first = (
        _("first component, fitted to each layer")
        if is_pca
        else _("{method}: first, fitted to each layer").format(method=how)
    )
    return cloud(
        points,
        depth=len(names) - 1,
        titles=(first, _("second")),
        words=(
            _("on the first component") if is_pca else _("on the first direction"),
            _("on the second"),
        ),
        sentence=sentence,
        name="senses-map",
    )


def _groups(coloured: Coloured) -> tuple[Group, ...]:
    if not coloured.looks:
        return groups_of(coloured.names)
    every = groups_of([""] * MOST_GROUPS)
    return tuple(
        replace(every[look], name=name)
        for name, look in zip(coloured.names, coloured.looks, strict=True)
    )


def accuracy_picture(accuracy: LabelAccuracy, names: Sequence[str]) -> Picture:
    """The nearest-centroid accuracy at every depth, and the accuracy of guessing."""
    guess = _("guess {value}").format(value=style.signed(accuracy.chance))
    guides = [(0.0, "0"), (accuracy.chance, guess), (1.0, _("all 1"))]
    if accuracy.commonest > accuracy.chance + 0.02:
        commonest = _("commonest {value}").format(value=style.signed(accuracy.commonest))
        guides.insert(2, (accuracy.commonest, commonest))
    last = float(accuracy.right[-1])
    return lines(
        [
            Line(
                _("nearest-centroid accuracy"),
                accuracy.right,
                style.LEARNED,
                label=style.signed(last),
            )
        ],
        StepAxis(names, ["◆", *(str(i + 1) for i in range(len(names) - 1))], _("after layer")),
        ValueAxis(guides, bounds=(0.0, 1.0)),
        sentence=template("senses.accuracy"),
        band=Band(accuracy.low, accuracy.high, _("95 % interval")),
        name="senses-accuracy",
        height=ACCURACY_HEIGHT,
    )


def accuracy_table(accuracy: LabelAccuracy, names: Sequence[str]) -> pd.DataFrame:
    """The nearest-centroid accuracy at every depth, with its 95 % interval."""
    columns = {
        "nearest-centroid accuracy": accuracy.right,
        "95 % from": accuracy.low,
        "95 % to": accuracy.high,
    }
    return pd.DataFrame(columns, index=pd.Index(names, name="after"))


def map_table(
    occurrences: Occurrences, merged: Merged, coordinates: Array, groups: Clusters | None
) -> pd.DataFrame:
    """The coordinates of each occurrence at every depth, and its cluster, if there are clusters.

    A row is named by the line of its sentence; of one that was read several times, by the first.
    """
    sentences, texts = merged.sentences, occurrences.texts
    names = depth_names(occurrences)
    columns = [f"{name} {axis}" for name in names for axis in "xyz"[: coordinates.shape[2]]]
    table = pd.DataFrame(coordinates.reshape(len(coordinates), -1), columns=columns)
    if groups is not None:
        for name, of in zip(names, groups.of, strict=True):
            table[f"{name} cluster"] = of + 1
    if merged.copies:
        table.insert(0, "times", [merged.times[text] for text in texts])
    table.insert(0, "sentence", [sentences[text].text for text in texts])
    table.insert(0, "label", [sentences[text].label for text in texts])
    table.index = pd.Index([merged.first[text] + 1 for text in texts], name="line")
    return table
