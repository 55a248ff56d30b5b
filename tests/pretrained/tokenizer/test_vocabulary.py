"""The tokens of the vocabulary nearest to a vector, against NumPy on the whole table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core


@pytest.mark.fuzz
@pytest.mark.check
def test_by_every_measure_over_the_whole_table(minilm: core.Model) -> None:
    trace = minilm.trace("on the river bank")
    table = minilm._runner.table.numpy().astype(np.float64)
    for vector in (trace.learned[4], trace.contextual[4]):
        x = vector.astype(np.float64)
        dots, distances = table @ x, np.linalg.norm(table - x, axis=1)
        cosines = dots / np.linalg.norm(table, axis=1) / np.linalg.norm(x)
        for by, values, sign in (
            ("dot", dots, -1),
            ("cosine", cosines, -1),
            ("distance", distances, 1),
        ):
            found = minilm.nearest_words(vector, by=by, k=5)  # type: ignore[arg-type]
            np.testing.assert_allclose(
                [one.value for one in found], values[[one.id for one in found]], atol=1e-4
            )
            order = [int(i) for i in np.argsort(sign * values) if minilm._is_word(int(i))]
            assert [one.id for one in found] == order[:5]


def test_a_learned_vector_is_nearest_to_itself(minilm: core.Model) -> None:
    (row,) = minilm.trace("bank").find("bank")
    vector = minilm.trace("bank").learned[row]
    first, second, *_ = minilm.nearest_words(vector)
    assert (first.token, first.text.strip()) == ("bank", "bank")
    assert first.value == pytest.approx(1, abs=1e-6)
    assert second.token == "banks"
    assert minilm.nearest_words(vector, by="distance")[0].value == pytest.approx(0, abs=1e-5)


def test_signs_and_unused_rows_are_no_words(minilm: core.Model) -> None:
    for number, token in ((101, "[CLS]"), (5, "[unused4]"), (0, "[PAD]")):
        vector = minilm._runner.table[number].numpy()
        found = minilm.nearest_words(vector, k=20)
        assert token not in [one.token for one in found]
        assert not [one for one in found if one.token.startswith("[unused")]


def test_any_model_of_the_other_engine(made: Callable[..., Path]) -> None:
    for kind in ("gpt2", "t5"):
        model = core.load(str(made(kind)))
        trace = model.trace("a bank") if kind == "gpt2" else model.trace("a bank", "a").encoder
        found = model.nearest_words(trace.learned[1], k=3)
        assert found[0].value == pytest.approx(1, abs=1e-5)


def test_what_cannot_be_asked(minilm: core.Model) -> None:
    vector = minilm.trace("bank").learned[1]
    with pytest.raises(core.NotSupported, match="384 numbers"):
        minilm.nearest_words(vector[:-1])
    for wrong in ({"by": "nearness"}, {"k": 0}, {"k": 257}):
        with pytest.raises(core.SettingError):
            minilm.nearest_words(vector, **wrong)
    with pytest.raises(core.SettingError, match="finite"):
        minilm.nearest_words(vector * np.nan)
