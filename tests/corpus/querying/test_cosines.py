from __future__ import annotations

import importlib
import sys
import warnings

import numpy as np
import pyarrow as pa
import pytest

from core.corpus.querying.cosines import Cosines, halves, largest, widened


@pytest.mark.parametrize("torch", [True, False])
def test_every_finite_number_is_widened_as_numpy_does(
    torch: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    importlib.import_module("torch")
    if not torch:
        monkeypatch.delitem(sys.modules, "torch")
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    finite = every[np.isfinite(every)].reshape(-1, 31)
    finite.flags.writeable = False  # as Arrow's are
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wide = widened(finite)
    assert np.array_equal(wide.view(np.uint32), finite.astype(np.float32).view(np.uint32))


def test_a_column_in_pieces_is_one_matrix() -> None:
    numbers = np.arange(30, dtype=np.float16).reshape(-1, 3)
    column = pa.chunked_array(
        [
            pa.FixedSizeListArray.from_arrays(pa.array(part.ravel()), 3)
            for part in (numbers[:4], numbers[4:])
        ]
    )
    assert np.array_equal(halves(column, 3), numbers)
    # A slice of a column, as a batch of LanceDB may be one, begins where it begins.
    assert np.array_equal(halves(column.chunk(1).slice(2, 3), 3), numbers[6:9])


@pytest.mark.parametrize("rows", [1, 1_023, 1_024, 1_025, 3_000])
def test_cosines_are_those_of_float64(rows: int) -> None:
    rng = np.random.default_rng(rows)
    of = rng.standard_normal((rows, 37)).astype(np.float16)
    of[rows // 2] = 0
    query = rng.standard_normal(37).astype(np.float32) * 1e3
    exact = of.astype(np.float64) @ query
    lengths = np.linalg.norm(of.astype(np.float64), axis=1) * np.linalg.norm(query)
    expected = np.divide(exact, lengths, out=np.zeros(rows), where=lengths > 0)
    cosines = Cosines(query)
    for _ in range(2):  # the second time, its buffer is full of other numbers
        np.testing.assert_allclose(cosines(of[::-1].copy()), expected[::-1], atol=1e-6)
        np.testing.assert_allclose(cosines(of), expected, atol=1e-6)


def test_the_largest_are_in_order_and_ties_by_place() -> None:
    of = np.array([1, 3, 2, 3, 3, 0], np.float32)
    assert largest(of, 2).tolist() == [1, 3]
    assert largest(of, 4).tolist() == [1, 3, 4, 2]
    assert largest(of, 9).tolist() == [1, 3, 4, 2, 0, 5]
    assert largest(np.empty(0, np.float32), 3).tolist() == []
