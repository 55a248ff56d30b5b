from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from core.corpus.storage import store
from core.corpus.storage.store import OFFSET, Generation, stretches, taken

SCHEMA = pa.schema([("word", pa.string()), ("year", pa.int64()), ("number", pa.int64())])
Table = Callable[..., object]


@pytest.fixture
def table(tmp_path: Path) -> object:
    """Three sorted runs, which LanceDB keeps in files of their own; numbers say where a row stands."""
    generation, number = Generation(tmp_path, "000001"), 0
    for counts in ({"a": 30, "b": 500, "c": 7}, {"b": 260}, {"a": 3, "b": 90}):
        words = [word for word, count in counts.items() for _ in range(count)]
        numbers = np.arange(number, number + len(words))
        rows = pa.table([pa.array(words), pa.array(numbers % 2), pa.array(numbers)], SCHEMA)
        generation.append("words", SCHEMA, iter(rows.to_batches()))
        number += len(words)
    generation.index_column("words", "word")
    return generation.table("words")


@pytest.mark.few(6)
@pytest.mark.parametrize("few", [1, 100, 10**6])
@pytest.mark.parametrize("where", ["word = 'b'", "word = 'b' AND year = 1", "word = 'c'", "word = 'd'"])
def test_stretches_have_all_rows_and_their_places(
    table: object, where: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_STRETCH", 64)
    monkeypatch.setattr(store, "_FEW", few)
    found = [
        pair
        for batch in stretches(table, where, "number")
        for pair in zip(batch["number"].to_pylist(), batch[OFFSET].to_pylist(), strict=True)
    ]
    expected = table.search().where(where).to_arrow()["number"].to_pylist()  # type: ignore[attr-defined]
    assert sorted(found) == [(number, number) for number in sorted(expected)]


def test_a_word_is_read_a_stretch_at_a_time(table: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_STRETCH", 64)
    monkeypatch.setattr(store, "_FEW", 10)
    assert max(batch.num_rows for batch in stretches(table, "word = 'b'", "number")) <= 64


def test_taken_rows_are_in_the_order_that_was_asked_for(table: object) -> None:
    wanted = np.array([800, 3, 537, 536, 0], np.uint64)
    assert taken(table, wanted, ["number"]).to_pylist() == [{"number": int(one)} for one in wanted]
