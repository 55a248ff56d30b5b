from __future__ import annotations

import numpy as np
import pytest

from core.errors import NotSupported
from core.measures import across, plane
from core.records.sense_axis import End, Frames, SenseAxis


def word(*vectors: tuple[float, ...]) -> np.ndarray:
    return np.array(vectors, np.float32)


def axis_of(low: list[np.ndarray], high: list[np.ndarray]) -> SenseAxis:
    """Between the means of two groups of words."""
    a, b = np.mean(low, axis=0), np.mean(high, axis=0)
    frames = Frames(End(("a",), (), ()), End(("b",), (), ()), (), ())
    return SenseAxis("bank", "by hand", frames, (a + b) / 2, (b - a) / 2)


# Two layers in three dimensions. At the last, the axis runs along x from 1 to 5; the words differ most
# along z once x is taken out.
LOW = [word((0, 0, 0), (1, 0, 0)), word((0, 0, 0), (1, 1, 6))]
HIGH = [word((2, 0, 0), (5, 0, 0)), word((2, 0, 0), (5, 1, 6))]
AXIS = axis_of(LOW, HIGH)


def test_across_is_the_main_direction_once_the_axis_is_taken_out() -> None:
    up = across([AXIS], [*LOW, *HIGH])
    expected = np.array([0, 1, 6]) / np.sqrt(37)
    np.testing.assert_allclose(up.direction, expected, atol=1e-6)
    assert up.direction @ AXIS.halves[-1] == pytest.approx(0, abs=1e-6)
    assert up.share == pytest.approx(1)


def test_sign_is_fixed_by_the_order_of_the_words() -> None:
    one, other = (
        across([AXIS], words).direction for words in ([*LOW, *HIGH], [*HIGH[::-1], *LOW[::-1]])
    )
    np.testing.assert_allclose(one, -other, atol=1e-6)


def test_plane_by_hand() -> None:
    up = across([AXIS], [*LOW, *HIGH])
    places = plane(AXIS, up, word((1, 0, 0), (4, 0.5, 3)))
    # The middles are (1, 0, 0) and (3, .5, 3), the half axes (1, 0, 0) and (2, 0, 0).
    np.testing.assert_allclose(places, np.array([[0.0, 0.0], [0.5, 0.0]]), atol=1e-6)
    raised = plane(AXIS, up, word((1, 0, 0), (3, 1, 6)))
    np.testing.assert_allclose(raised[1], np.array([0.0, np.sqrt(9.25) / 2]), atol=1e-6)


def test_across_several_axes_is_at_right_angles_to_each() -> None:
    other = axis_of([word((0, 0, 0), (0, 0, 0))], [word((0, 2, 0), (0, 6, 0))])  # along y
    twice = axis_of([word((0, 0, 0), (0, 0, 0))], [word((0, 2, 0), (0, 8, 0))])
    up = across([AXIS, other, twice], [*LOW, *HIGH])
    np.testing.assert_allclose(up.direction, (0, 0, 1), atol=1e-6)
    assert up.share == pytest.approx(1)
    # In the units of its own axis: the second one's last half is 3 long, its middle at y = 3.
    places = plane(other, up, word((0, 1, 0), (4, 6, 1.5)))
    np.testing.assert_allclose(places, np.array([[0.0, 0.0], [1.0, 0.5]]), atol=1e-6)
    with pytest.raises(NotSupported, match="nothing to show"):
        across([AXIS, other], [word((0, 0, 0), (0, 0, 0)), word((0, 0, 0), (1, 2, 0))])


def test_words_on_the_axis_alone_leave_nothing_to_show() -> None:
    low, high = [word((1, 0))], [word((5, 0))]
    with pytest.raises(NotSupported, match="nothing to show"):
        across([axis_of(low, high)], [*low, *high])
