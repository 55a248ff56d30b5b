"""Records as tables: named columns, one row per observation, the numbers of the record."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import core
from core.records.attention import Attention
from core.records.contributions import Contributions

QUERIES, KEYS = tuple("qrst"), tuple("abcde")
WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(5), (2, 3, 4)).astype("f4")


def test_attention_has_a_row_for_each_weight() -> None:
    attention = Attention(QUERIES, KEYS, WEIGHTS)
    table = attention.to_frame()
    assert [*table] == ["layer", "head", "query", "query_token", "key", "key_token", "weight"]
    assert len(table) == WEIGHTS.size
    row = table[(table.layer == 1) & (table["head"] == 2) & (table["query"] == 3) & (table.key == 4)]
    assert row[["query_token", "key_token"]].to_numpy().tolist() == [["t", "e"]]
    assert row.weight.item() == WEIGHTS[1, 2, 3, 4]
    np.testing.assert_allclose(table.groupby(["layer", "head", "query"]).weight.sum(), 1, atol=1e-6)


def test_attention_of_one_head_counts_from_the_end_as_well() -> None:
    attention = Attention(QUERIES, KEYS, WEIGHTS)
    table = attention.to_frame(layer=-1, head=0)
    assert set(table.layer) == {1}
    assert set(table["head"]) == {0}
    np.testing.assert_array_equal(table.weight, WEIGHTS[1, 0].ravel())
    with pytest.raises(IndexError):
        attention.to_frame(layer=2)


def test_a_sink_is_a_column() -> None:
    sink = np.full((2, 3, 4), 0.25, np.float32)
    table = Attention(QUERIES, KEYS, WEIGHTS * 0.75, sink).to_frame()
    rows = table.groupby(["layer", "head", "query"])
    np.testing.assert_allclose(rows.weight.sum() + rows.sink.first(), 1, atol=1e-6)


def test_contributions_add_up_at_every_depth() -> None:
    rng = np.random.default_rng(1)
    parts, biases = rng.normal(size=(4, 5)), np.zeros(4)
    biases[:] = 0.5 - parts.sum(axis=1)
    heads = rng.normal(size=(3, 2, 5))
    record = Contributions(tuple("abcde"), (1, 3), 2, np.ones(7), 0.5, parts, biases, heads, heads / 2)
    table = record.to_frame()
    assert [*table] == ["depth", "position", "token", "in_word", "contribution"]
    np.testing.assert_allclose(table.groupby("depth").contribution.sum(), 0.5, atol=1e-5)
    assert table[table.position.isna()].token.tolist() == ["(bias)"] * 4
    assert set(table[table.in_word].position) == {1, 3}
    by_head = record.to_frame("head")
    assert [*by_head] == ["layer", "head", "position", "token", "in_word", "contribution", "direct"]
    one = by_head[(by_head.layer == 2) & (by_head["head"] == 1) & (by_head.position == 4)]
    assert one.contribution.item() == pytest.approx(heads[2, 1, 4])
    assert one.direct.item() == pytest.approx(heads[2, 1, 4] / 2)
    with pytest.raises(ValueError, match="'layer'"):
        record.to_frame("layer")  # type: ignore[arg-type]
    apart = replace(record, sink=True)  # a decoder's first token is none of the words
    for frame in (apart.to_frame(), apart.to_frame("head")):
        assert set(frame[frame.sink].position) == {0}
        assert frame.drop(columns="sink").shape[1] == frame.shape[1] - 1


def test_a_trace_has_a_row_for_each_token(minilm: core.Model) -> None:
    trace = minilm.trace("On the river bank")
    table = trace.to_frame()
    assert table.token.tolist() == [*trace.tokens]
    assert table["word"].tolist() == [pd.NA, 0, 1, 2, 3, pd.NA]
    assert table.special.tolist() == [True, *[False] * 4, True]
    assert [trace.texts[0][s:e] for s, e in zip(table.start, table.end, strict=True)][-2] == "bank"
    for which, vectors in {
        "learned": trace.learned,
        "embedded": trace.embedded,
        "contextual": trace.contextual,
    }.items():
        wide = trace.to_frame(which)  # type: ignore[arg-type]
        np.testing.assert_array_equal(wide.loc[:, "d0":].to_numpy(), vectors)
    assert trace.hidden is not None
    np.testing.assert_array_equal(trace.to_frame(2).loc[:, "d0":].to_numpy(), trace.hidden[2])
    with pytest.raises(core.NotSupported, match="'final'"):
        trace.to_frame("final")  # type: ignore[arg-type]


def test_without_pandas_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(core.NotSupported, match="pip install pandas"):
        Attention(QUERIES, KEYS, WEIGHTS).to_frame()
