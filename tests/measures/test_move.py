from __future__ import annotations

import numpy as np
import pytest

from core.errors import NotSupported
from core.measures import WordPath, across, plane, sense_axis


def path(*vectors: tuple[float, ...]) -> WordPath:
    return WordPath(tuple(np.array(v, np.float32) for v in vectors), 1)


# Two depths in three dimensions. At the last, the axis runs along x from 1 to 5; the words differ most
# along z once x is taken out.
LOW = [path((0, 0, 0), (1, 0, 0)), path((0, 0, 0), (1, 1, 6))]
HIGH = [path((2, 0, 0), (5, 0, 0)), path((2, 0, 0), (5, 1, 6))]


def test_across_is_the_main_direction_once_the_axis_is_taken_out() -> None:
    axis = sense_axis(LOW, HIGH)
    up = across(axis, [*LOW, *HIGH])
    expected = np.array([0, 1, 6]) / np.sqrt(37)
    np.testing.assert_allclose(up.direction, expected, atol=1e-6)
    assert up.direction @ axis.half[-1] == pytest.approx(0, abs=1e-6)
    assert up.unit == pytest.approx(2)
    assert up.share == pytest.approx(1)


def test_sign_is_fixed_by_the_order_of_the_words() -> None:
    axis = sense_axis(LOW, HIGH)
    one, other = (across(axis, words).direction for words in ([*LOW, *HIGH], [*HIGH[::-1], *LOW[::-1]]))
    np.testing.assert_allclose(one, -other, atol=1e-6)


def test_plane_by_hand() -> None:
    axis = sense_axis(LOW, HIGH)
    up = across(axis, [*LOW, *HIGH])
    places = plane(axis, up, path((1, 0, 0), (4, 0.5, 3)))
    # The middles are (1, 0, 0) and (3, .5, 3), the half axes (1, 0, 0) and (2, 0, 0).
    np.testing.assert_allclose(places, np.array([[0.0, 0.0], [0.5, 0.0]]), atol=1e-6)
    raised = plane(axis, up, path((1, 0, 0), (3, 1, 6)))
    np.testing.assert_allclose(raised[1], np.array([0.0, np.sqrt(9.25) / 2]), atol=1e-6)


def test_another_width_of_the_learned_vector_has_no_height() -> None:
    low, high = [path((0, 0), (1, 0, 0))], [path((2, 0), (5, 1, 6)), path((2, 0), (5, 0, 0))]
    axis = sense_axis(low, high)
    places = plane(axis, across(axis, [*low, *high]), path((1, 0), (3, 0, 0)))
    assert places[0, 0] == pytest.approx(0)
    assert np.isnan(places[0, 1])
    assert np.isfinite(places[1]).all()


def test_words_on_the_axis_alone_leave_nothing_to_show() -> None:
    low, high = [path((0,), (1, 0))], [path((2,), (5, 0))]
    with pytest.raises(NotSupported, match="nothing to show"):
        across(sense_axis(low, high), [*low, *high])
