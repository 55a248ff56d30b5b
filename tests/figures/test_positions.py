"""Position tables as pictures: the data, and their small size."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from core.figures import Picture
from core.figures.positions import positions_table, waves_table

WORDS: Any = {"sentence": "A table.", "name": "table"}
RATES = np.array([1.0, 0.1, 0.01])
TABLE = np.zeros((7, 5), np.float32)


def unpacked(picture: Picture) -> tuple[dict[str, Any], bytes]:
    sent = picture.to_bytes()
    (length,) = struct.unpack_from("<I", sent)
    return json.loads(sent[4 : 4 + length]), sent[4 + length :]


def test_waves_send_their_rates_alone() -> None:
    header, payload = unpacked(waves_table(TABLE, RATES, 1000, **WORDS, marked=(3, 4)))
    assert np.frombuffer(payload, "<f8").tolist() == RATES.tolist()
    assert header["waves"] == {"base": "1000"}
    assert (len(header["rows"]), len(header["columns"])) == (7, 5)
    assert (header["marked"]["rows"], header["marked"]["columns"]) == ([3], [4])
    assert header["scale"]["bound"] == 1


def test_the_largest_table_of_waves_is_small() -> None:
    picture = waves_table(np.zeros((512, 1024)), np.ones(512), 10_000, **WORDS)
    assert len(picture.to_bytes()) < 20_000


def test_other_numbers_are_sent_as_they_are() -> None:
    values = np.arange(-17, 18).reshape(5, 7) / 7
    made = positions_table(values, title="v", of=("row", "column"), **WORDS, marked=(9, 2), bound=1.0)
    header, payload = unpacked(made)
    np.testing.assert_array_equal(np.frombuffer(payload, "<f4"), values.astype("<f4").ravel())
    assert header["waves"] is None
    assert header["names"] == ["row", "column", "v"]
    assert header["marked"]["rows"] == []  # it is not there
    notes = " ".join(header["scale"]["notes"])
    assert "down: row, across: column" in notes
    assert "20 numbers beyond ±1" in notes


def test_sizes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="rates"):
        waves_table(TABLE, RATES[:2], 1000, **WORDS)
    with pytest.raises(ValueError, match="nothing"):
        positions_table(np.zeros((0, 3)), title="v", of=("a", "b"), bound=1.0, **WORDS)
