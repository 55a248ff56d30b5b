"""The tables of the page, for CSV and Parquet."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from core.corpus import Near, documents
from core.corpus.querying.collocate_difference import CollocateDifference
from core.corpus.querying.concordance import Groups
from core.corpus.storage.columns import Value
from core.figures.concordance import order
from core.localization import N_, _, gettext
from core.measures.senses.drift import Drift
from core.measures.senses.shares import Share
from core.records.frozen import Array
from ui import files
from ui.corpora import surprise
from ui.corpora.lines import CachedWord
from ui.corpora.selection import column_name

BITS = N_("surprise in bits")


def bits_column(bits: Array) -> list[float | None]:
    """(lines,): the surprise of each, as a column by which lines are sorted."""
    return [round(float(one), 1) if np.isfinite(one) else None for one in bits]


def shown_name(name: str) -> str:
    """A column by which lines are sorted, as the screen names it."""
    return gettext(name) if name == BITS else column_name(name)


def sorting_columns(word: CachedWord) -> dict[str, list[Value]]:
    """The columns by which lines are sorted: file, columns of the texts, and surprise if measured."""
    names = ("source", *word.corpus.manifest.columns)
    columns = {name: word.lines.column(name) for name in names}
    if (bits := surprise.kept(word)) is not None:
        columns[BITS] = [*bits_column(bits)]
    return columns


def concordance_table(
    word: CachedWord, groups: Groups, chosen: dict[str, object], marks: Sequence[str] = ()
) -> pd.DataFrame:
    """The lines in the order of the picture, with all that is known of each."""
    lines = word.lines
    columns = sorting_columns(word)
    parts = lines.parts()
    line = chosen["chosen"]
    similarity = word.similarities(line) if isinstance(line, int) else None
    rows = order(
        chosen,
        group_of=groups.of,
        distance=groups.distance,
        contexts=[(before, after) for before, _, after in parts],
        columns=[*columns.values()],
        similarity=similarity,
    )
    table = pd.DataFrame(
        {
            "left": [parts[i][0] for i in rows],
            "word": [parts[i][1] for i in rows],
            "right": [parts[i][2] for i in rows],
            "group": [groups.labels[groups.of[i]] for i in rows],
            "distance": groups.distance[rows],
            **({"mark": [marks[i] for i in rows]} if any(marks) else {}),
            **({} if groups.coordinate is None else {"coordinate": groups.coordinate[rows]}),
            **({} if similarity is None else {f"similarity to line {line + 1}": similarity[rows]}),  # type: ignore[operator]
            **{name: [values[i] for i in rows] for name, values in columns.items()},
        }
    )
    table.index = pd.Index(np.asarray(rows) + 1, name="line")
    return table


def near_table(near: Sequence[Near]) -> pd.DataFrame:
    """The nearest occurrences of other words, the nearest first."""
    return pd.DataFrame(
        {
            "similarity": [one.cosine for one in near],
            "left": [one.occurrence.left for one in near],
            "word": [one.occurrence.text[one.occurrence.start : one.occurrence.end] for one in near],
            "right": [one.occurrence.right for one in near],
            "source": [one.occurrence.source for one in near],
        },
        index=pd.Index(range(1, len(near) + 1), name="rank"),
    )


def shares_table(shares: Sequence[Share], column: str, names: Sequence[str]) -> pd.DataFrame:
    """A row for each value and group: its count, share and interval."""
    return pd.DataFrame(
        {
            column: [one.value for one in shares],
            "group": [names[int(str(one.sense))] for one in shares],
            "count": [one.count for one in shares],
            "of": [one.total for one in shares],
            "share": [one.share for one in shares],
            "low": [one.low for one in shares],
            "high": [one.high for one in shares],
        }
    )


def map_table(
    word: CachedWord,
    groups: Groups,
    which: Sequence[int],
    coordinates: np.ndarray,
    layers: Sequence[str],
) -> pd.DataFrame:
    """The coordinates of each point at each layer."""
    names = [f"{layer} {axis}" for layer in layers for axis in "xy"]
    table = pd.DataFrame(coordinates.reshape(len(coordinates), -1), columns=names)
    parts = word.lines.parts(np.asarray(which))
    table.insert(0, "group", [groups.labels[groups.of[i]] for i in which])
    table.insert(1, "sentence", ["".join(three) for three in parts])
    table.index = pd.Index(np.asarray(which) + 1, name="line")
    return table


def both(make: Callable[[], pd.DataFrame], name: str) -> list[files.File]:
    """A table as CSV and as Parquet."""

    def parquet() -> bytes:
        sink = io.BytesIO()
        make().reset_index().to_parquet(sink, index=False)
        return sink.getvalue()

    about = _("its lines or numbers, typed and compact")
    return [files.csv(make, name), files.File("Parquet", f"polysee-{name}.parquet", parquet, about)]


def difference_table(found: CollocateDifference) -> pd.DataFrame:
    """A row for each collocate of either word, its columns named by the two words."""
    first, second = found.compared
    own = {"_1": first, "_2": second if second != first else f"{second} (2)"}
    names = {
        f"{what}{end}": f"{said}: {word}"
        for end, word in own.items()
        for what, said in (("together", "times"), ("log_dice", "logDice"))
    }
    return found.to_frame().rename(
        columns={**names, "difference": "difference of logDice", "log_likelihood": "log-likelihood"}
    )


def drift_table(found: Sequence[Drift], column: str) -> pd.DataFrame:
    """A row for each step after the first."""
    return pd.DataFrame(
        {
            column: [one.value for one in found],
            "count": [one.count for one in found],
            "distance": [one.distance for one in found],
            "low": [one.low for one in found],
            "high": [one.high for one in found],
            "chance": [one.chance for one in found],
        }
    )


def document(word: CachedWord, make: Callable[[], pd.DataFrame]) -> files.File:
    """The lines as a document of a word processor, the word of each in the middle."""
    title = _("“{word}” in {corpus}").format(word=word.lines.word, corpus=word.corpus.folder.name)
    name = "polysee-concordance.docx"
    return files.File("Word", name, lambda: documents.lines(make(), title), _("its lines, to print"))
