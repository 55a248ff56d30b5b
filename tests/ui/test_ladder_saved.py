from __future__ import annotations

import csv
import io

import numpy as np
import pytest

import core
from core.figures.web import Picture
from core.measures import patterns
from ui import ladder, ladder_saved
from ui.sites import sites

TEXT = "On the river bank ' \" \\ {x}"


@pytest.fixture(scope="module")
def trace(minilm: core.Model) -> core.Trace:
    return minilm.trace(TEXT)


@pytest.mark.parametrize("layer", [None, 4])
def test_npz_is_what_numpy_loads(trace: core.Trace, layer: int | None) -> None:
    (site,) = sites(trace).values()
    found = np.load(io.BytesIO(ladder_saved.npz(site, layer)))
    assert trace.attention is not None
    expected = trace.attention.weights if layer is None else trace.attention.weights[layer : layer + 1]
    np.testing.assert_array_equal(found["weights"], expected)
    assert tuple(found["keys"]) == trace.tokens
    assert found["query"].shape == (len(expected), 12, len(trace.tokens), 32)


def test_csv_has_the_weights_of_one_head_rows_looking(trace: core.Trace) -> None:
    (site,) = sites(trace).values()
    rows = list(csv.reader(io.StringIO(ladder_saved.csv(site, 2, 5))))
    assert tuple(rows[0][1:]) == trace.tokens
    assert tuple(row[0] for row in rows[1:]) == trace.tokens
    assert trace.attention is not None
    numbers = np.array([row[1:] for row in rows[1:]], float)
    np.testing.assert_allclose(numbers, trace.attention.weights[2, 5], rtol=1e-6)


@pytest.mark.parametrize("layer", [None, 2])
def test_the_lines_of_python_run_and_draw(
    trace: core.Trace, layer: int | None, capsys: pytest.CaptureFixture
) -> None:
    lines = ladder_saved.python("minilm", TEXT, layer, 5)
    assert len(lines.splitlines()) == 6
    *before, last = lines.splitlines()
    there: dict = {}
    exec("\n".join(before), there)
    drawn = eval(last, there)
    assert isinstance(drawn, Picture)
    assert drawn._repr_html_().startswith("<div data-polysee=")
    np.testing.assert_array_equal(there["trace"].attention.weights, trace.attention.weights)  # type: ignore[union-attr]


def test_the_offline_page_holds_text_as_text(trace: core.Trace) -> None:
    (site,) = sites(trace).values()
    page = ladder_saved.offline(
        ladder.one_layer(site, 0, state={}), ("<script>x</script>", ""), "http://here/?a=1&b=2"
    )
    assert '<p dir="auto">&lt;script&gt;x&lt;/script&gt;</p>' in page
    assert 'href="http://here/?a=1&amp;b=2"' in page
    assert page.count('<div data-polysee="layer"') == 1


def test_best_and_nearest_are_sorted_and_leave_out_what_is_no_score(trace: core.Trace) -> None:
    scores = patterns(trace)
    found = ladder.best(scores, "previous")
    assert found[0][:2] == (0, 2)
    assert [score for *_, score in found] == sorted((s for *_, s in found), reverse=True)
    assert ladder.best(scores, "same") == []  # no token stands twice in this text
    near = ladder.nearest(trace, 0, 2)
    assert (0, 2) not in [(layer, head) for layer, head, _ in near]
    assert len(near) == ladder.MOST_ALIKE
