"""How well clusters, or an axis, agree with the senses that a person has marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...records.trace import Array


@dataclass(frozen=True)
class AxisAgreement:
    """Whether the coordinates of an axis tell two marks apart.

    Attributes:
        low: the mark whose coordinates are smaller on average.
        high: the other one.
        counts: how many lines have each of them.
        area: the area under the ROC curve: the share of pairs, one line of each mark, in which that of
            `high` has the larger coordinate; ties count half. .5 is chance (by construction at least .5
            on average, since `high` is named by the means).
        right: the share of these lines that stand on their mark's side of 0.
    """

    low: str
    high: str
    counts: tuple[int, int]
    area: float
    right: float


@dataclass(frozen=True)
class ClusterAgreement:
    """Whether clusters are the marks of a person.

    Attributes:
        labels: the marks, the commonest first.
        counts: `counts[label][group]`, how many marked lines.
        index: the adjusted Rand index: 1 for the same groups, about 0 for unrelated ones.
        purity: the share of marked lines that have the commonest mark of their group. It never falls
            when there are more groups: compare it with `commonest`.
        commonest: the share of the commonest mark: the purity of a single group.
    """

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    index: float
    purity: float
    commonest: float


def clusters_against(
    marks: Sequence[str], of: npt.NDArray[np.int64], groups: int
) -> ClusterAgreement | None:
    """Clusters against marks; None unless two different marks stand on lines.

    With one mark alone, any single cluster would agree with it perfectly.

    Args:
        marks: (lines,), the mark of each; "" for none.
        of: (lines,), the group of each, from 0.
        groups: how many groups there are.
    """
    from sklearn.metrics import adjusted_rand_score

    pairs = [(mark, int(group)) for mark, group in zip(marks, of, strict=True) if mark]
    if len({mark for mark, _ in pairs}) < 2:
        return None
    both = Counter(pairs)
    labels = tuple(name for name, _ in Counter(mark for mark, _ in pairs).most_common())
    counts = tuple(tuple(both[name, group] for group in range(groups)) for name in labels)
    table = np.array(counts)
    return ClusterAgreement(
        labels,
        counts,
        float(adjusted_rand_score([mark for mark, _ in pairs], [group for _, group in pairs])),
        float(table.max(axis=0).sum() / table.sum()),
        float(table.sum(axis=1).max() / table.sum()),
    )


def axis_against(marks: Sequence[str], coordinate: Array) -> AxisAgreement | None:
    """The two commonest marks on an axis; None if there are not two.

    Args:
        marks: (lines,), the mark of each; "" for none.
        coordinate: (lines,), where each stands.
    """
    named = [name for name, _ in Counter(one for one in marks if one).most_common(2)]
    if len(named) < 2:
        return None
    of = np.asarray(marks, dtype=object)
    low, high = sorted(named, key=lambda name: float(coordinate[of == name].mean()))
    a, b = coordinate[of == low], coordinate[of == high]
    ordered = np.sort(a)  # a table of all pairs would take gigabytes for whole groups that are marked
    above = sum(int(np.searchsorted(ordered, b, side).sum()) for side in ("left", "right")) / 2
    right = (a < 0).sum() + (b > 0).sum()
    return AxisAgreement(
        low, high, (len(a), len(b)), float(above / (len(a) * len(b))), float(right / (len(a) + len(b)))
    )


def on_the_other_side(
    marks: Sequence[str], coordinate: Array, found: AxisAgreement
) -> npt.NDArray[np.int64]:
    """The lines of the two marks that do not stand on their mark's side of 0, the farthest first.

    Args:
        marks: (lines,), the mark of each; "" for none.
        coordinate: (lines,), where each stands.
        found: what `axis_against` says of them.
    """
    of = np.asarray(marks, dtype=object)
    beyond = np.where(of == found.low, coordinate, np.where(of == found.high, -coordinate, -np.inf))
    order = np.argsort(-beyond, kind="stable")
    return order[beyond[order] >= 0]
