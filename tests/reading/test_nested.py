"""JSON, Parquet and Arrow whose rows stand deeper, or under names: all of it is read, or said."""
# ruff: noqa: E501 (texts, as they stand in files)

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import NotSupported
from core.reading import Collected, File, collect

RIVER, MONEY, SNOW = "I sat on the bank.", "The bank closed early.", "A bank of deep snow."
ROWS = [{"text": RIVER, "label": "river"}, {"text": MONEY, "label": "money"}]
BOTH = [("river", RIVER), ("money", MONEY)]
ARTICLE = {
    "title": "Banks",
    "paragraphs": [
        {
            "context": f"{one} It was long ago",
            "qas": [{"question": "When was it, then?", "answers": [{"text": "1900"}]}],
        }
        for one in (RIVER, MONEY)
    ],
}


def read(value: Any, name: str = "a.json") -> Collected:
    text = json.dumps(value) if name == "a.json" else "\n".join(map(json.dumps, value))
    return collect(File(name, content=text.encode()))


@pytest.mark.parametrize(
    ("value", "pairs"),
    [
        # As pandas writes it: split, table, index, columns.
        ({"columns": ["text", "label"], "index": [0, 1], "data": [[RIVER, "river"], [MONEY, "money"]]}, BOTH),
        ({"schema": {"fields": [{"name": "text", "type": "string"}]}, "data": ROWS}, BOTH),
        ({"0": ROWS[0], "1": ROWS[1]}, BOTH),
        ({"text": {"0": RIVER, "1": MONEY}, "label": {"0": "river", "1": "money"}}, BOTH),
        ({"text": [RIVER, MONEY], "label": ["river", "money"]}, BOTH),
        # Parts of a data set.
        ({"train": ROWS, "test": ROWS[:1]}, [*BOTH, BOTH[0]]),
        ({"data": {"train": ROWS, "test": ROWS[1:]}}, [*BOTH, BOTH[1]]),
        ({"train": {"text": [RIVER, SNOW], "label": ["river", "snow"]}, "test": {"text": [MONEY], "label": ["money"]}},
         [BOTH[0], ("snow", SNOW), BOTH[1]]),
        # Texts under their labels, of the same and of different number.
        ({"river": [RIVER], "money": [MONEY]}, BOTH),
        ({"river": [RIVER, SNOW], "money": [MONEY]}, [BOTH[0], ("river", SNOW), BOTH[1]]),
        ({"river": RIVER, "money": MONEY}, BOTH),
        ({RIVER: "river", MONEY: "money"}, BOTH),
        ({"1": RIVER, "2": MONEY}, [("", RIVER), ("", MONEY)]),
        ({"text": RIVER, "label": "river"}, BOTH[:1]),
        # As the web gives rows.
        ({"features": [{"name": "text", "type": {"dtype": "string"}}] * 5,
          "rows": [{"row_idx": i, "row": row, "truncated_cells": []} for i, row in enumerate(ROWS)]}, BOTH),
    ],
)  # fmt: skip
def test_every_list_and_key_is_read(value: Any, pairs: list[tuple[str, str]]) -> None:
    assert [tuple(one) for one in read(value).sentences] == pairs


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
@pytest.mark.parametrize(
    ("rows", "pairs", "left_out"),
    [
        ([{"data": {"text": one["text"]}, "label": one["label"]} for one in ROWS], BOTH, []),
        ([{"text": one["text"], "annotation": {"by": {"label": one["label"]}}} for one in ROWS], BOTH, []),
        ([{"user": {"id": 1, "name": "x"}, **one} for one in ROWS], BOTH, []),
        ([{"title": "river", "sentences": [RIVER, SNOW]}] * 2, [("river", RIVER), ("river", SNOW)] * 2, []),
        ([ARTICLE, ARTICLE], [("Banks", f"{one} It was long ago") for one in (RIVER, MONEY)] * 2, ["qas", "4 entries"]),
        ([{"text": f"{RIVER} {MONEY} {SNOW}", "replies": [{"text": "So it was, I think."}]}],
         [("", RIVER), ("", MONEY), ("", SNOW)], ["replies", "1 entry"]),
    ],
)  # fmt: skip
def test_texts_inside_entries(
    name: str, rows: list[Any], pairs: list[tuple[str, str]], left_out: list[str]
) -> None:
    found = collect(
        File(
            name,
            content=(
                json.dumps(rows) if name == "a.json" else "\n".join(map(json.dumps, rows))
            ).encode(),
        )
    )
    texts = [tuple(one) for one in found.sentences]
    if left_out and found.understood.running:
        texts = list(dict.fromkeys(texts))
        assert (
            "".join(text for _, text in pairs).replace(" ", "").startswith(texts[0][1].replace(" ", ""))
        )
    else:
        assert texts == pairs
    assert all(part in "".join(one.why for one in found.skipped) for part in left_out)
    assert bool(found.skipped) == bool(left_out)


def test_what_is_left_out_is_named_by_a_short_key_and_never_by_a_text() -> None:
    found = read({"docs": ROWS * 3, "notes": ["A note on all of it."], f"{SNOW} {SNOW}": [{"a": SNOW}]})
    said = " ".join(one.why for one in found.skipped)
    assert len(found.skipped) == 2
    assert "“notes”" in said
    assert "snow" not in said


def as_stream(table: pa.Table) -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    return out.getvalue()


def as_file(table: pa.Table) -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    return out.getvalue()


def as_parquet(table: pa.Table) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("write", "name"),
    [(as_stream, "a.arrow"), (as_stream, "data-00000-of-00001.arrow"), (as_file, "a.feather"), (as_parquet, "a.parquet")],
)  # fmt: skip
def test_binary_tables_whole_nested_and_cut_off(write: Callable[[pa.Table], bytes], name: str) -> None:
    rows = [{"data": {"text": one["text"], "n": 1}, "label": one["label"]} for one in ROWS * 3]
    content = write(pa.Table.from_pylist(rows))
    found = collect(File(name, content=content))
    assert [tuple(one) for one in found.sentences] == BOTH * 3
    cut = File(name, content=content[: len(content) - 400])
    if write is as_stream:
        found = collect(cut)
        assert 0 < len(found.sentences) < 6
        assert "the rest" in found.skipped[-1].why
    else:
        with pytest.raises(NotSupported, match="damaged") as told:
            collect(cut)
        assert "rest" not in str(told.value)
