"""The tables of the page, for CSV and Parquet."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from core.corpus import Near
from core.corpus.querying.concordance import Groups
from core.figures.concordance import order
from core.measures.senses.shares import Share
from ui import files
from ui.corpora.lines import CachedWord


def concordance_table(word: CachedWord, groups: Groups, chosen: dict[str, object]) -> pd.DataFrame:
    """The lines in the order of the picture, with all that is known of each."""
    lines = word.lines
    names = ("source", *word.corpus.manifest.columns)
    columns = {name: lines.column(name) for name in names}
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
            "group": [groups.names[groups.of[i]] for i in rows],
            "distance": groups.distance[rows],
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
    table.insert(0, "group", [groups.names[groups.of[i]] for i in which])
    table.insert(1, "sentence", ["".join(three) for three in parts])
    table.index = pd.Index(np.asarray(which) + 1, name="line")
    return table


def both(make: Callable[[], pd.DataFrame], name: str) -> list[files.File]:
    """A table as CSV and as Parquet."""

    def parquet() -> bytes:
        sink = io.BytesIO()
        make().reset_index().to_parquet(sink, index=False)
        return sink.getvalue()

    about = "its lines or numbers, typed and compact"
    return [files.csv(make, name), files.File("Parquet", f"polysee-{name}.parquet", parquet, about)]
