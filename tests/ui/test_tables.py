from __future__ import annotations

import numpy as np

from core.measures import HeadDifference, HeadMap, Projection
from core.records.trace import frozen
from ui import tables


def test_tables_keep_rows_and_columns_apart() -> None:
    view = HeadMap(
        ("q", "q", "r"),
        ("a", "b", "a", "c", "d"),
        np.eye(3, 5),
        renormalised=False,
        dropped=np.zeros(3),
        tokens=np.arange(3),
    )
    table = tables.head(view)
    assert list(table.index) == ["q", "q", "r"]
    assert list(table.columns) == ["a", "b", "a", "c", "d"]
    assert table.to_csv().splitlines()[0] == "row attends to column,a,b,a,c,d"
    assert table.to_csv().splitlines()[2] == "q,0.0,1.0,0.0,0.0,0.0"
    vectors = tables.vectors({"learned": frozen([1, 2, 3]), "in A": frozen([4, 5])})
    assert vectors.shape == (3, 2)
    assert vectors.index.name == "dimension"


def test_projection_table_has_every_path_at_every_depth() -> None:
    places = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
    table = tables.projection(Projection(places, np.array([0.9, 0.1])), ("A", "B"))
    assert list(table.index) == ["A", "B"]
    assert list(table.columns) == [
        f"{depth} {c}" for depth in ("learned", "+ position", "Layer 1") for c in (1, 2)
    ]
    assert table.loc["B", "Layer 1 1"] == 10


def test_difference_table_has_the_shared_tokens_on_both_sides() -> None:
    table = tables.difference(HeadDifference(("a", "b"), ("a", "b"), np.array([[0, 0.5], [-0.25, 0]])))
    assert table.to_csv().splitlines() == ["A less B,a,b", "a,0.0,0.5", "b,-0.25,0.0"]


def test_by_depth_has_a_row_for_each_depth() -> None:
    places = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
    table = tables.by_depth(Projection(places, np.array([0.9, 0.1])), ("A", "B"))
    assert list(table.index) == ["learned", "+ position", "Layer 1"]
    assert list(table.columns) == ["A 1", "A 2", "B 1", "B 2"]
    assert table.loc["+ position", "B 2"] == 9
