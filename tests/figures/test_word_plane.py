from __future__ import annotations

import numpy as np

from core.figures import Plane, style, word_plane


def places(*pairs: tuple[float, float]) -> np.ndarray:
    return np.array(pairs, np.float32)


SHOWN = Plane(
    a=places((-0.6, 0.0), (-0.4, 0.1), (-0.2, 0.3)),
    b=places((-0.6, 0.0), (-0.7, -0.1), (-0.8, -0.2)),
    alone=places((-0.6, 0.0), (-0.7, 0.0), (-0.9, 0.1)),
    low={
        "money": places((-1, 0), (-1.1, 0.5), (-1.2, 0.7)),
        "<b>": places((-1, 0), (-0.9, 0), (-0.8, 0)),
    },
    high={"river": places((1, 0), (1.1, -0.5), (0.9, -0.7))},
)


def points(depth: int) -> dict[str, tuple[float, float, str]]:
    figure = word_plane(SHOWN, depth=depth)
    return {t.name: (t.x[0], t.y[0], t.marker.color) for t in figure.data}


def test_every_word_stands_where_it_is_at_this_depth() -> None:
    shown = points(2)
    np.testing.assert_allclose(shown["<b>A</b>"][:2], (-0.2, 0.3), atol=1e-6)
    np.testing.assert_allclose(shown["<b>B</b>"][:2], (-0.8, -0.2), atol=1e-6)
    np.testing.assert_allclose(shown["alone"][:2], (-0.9, 0.1), atol=1e-6)
    np.testing.assert_allclose(shown["money"][:2], (-1.2, 0.7), atol=1e-6)
    np.testing.assert_allclose(shown["river"][:2], (0.9, -0.7), atol=1e-6)
    assert shown["<b>A</b>"][2] == style.SENTENCE_A
    assert shown["<b>B</b>"][2] == style.SENTENCE_B
    assert "&lt;b&gt;" in shown


def test_the_start_stays_and_the_arrows_begin_there() -> None:
    for depth in (1, 2):
        np.testing.assert_allclose(points(depth)["learned"][:2], (-0.6, 0.0), atol=1e-6)
        arrows = word_plane(SHOWN, depth=depth).layout.annotations
        assert [a.visible for a in arrows] == [True, True]
        np.testing.assert_allclose([(a.ax, a.ay) for a in arrows], [(-0.6, 0), (-0.6, 0)], atol=1e-6)
        np.testing.assert_allclose((arrows[0].x, arrows[0].y), SHOWN.a[depth], atol=1e-6)
        np.testing.assert_allclose((arrows[1].x, arrows[1].y), SHOWN.b[depth], atol=1e-6)


def test_no_arrow_without_a_move() -> None:
    assert not any(a.visible for a in word_plane(SHOWN, depth=0).layout.annotations)


def test_the_frame_is_the_same_at_every_depth_and_holds_all() -> None:
    frames = [word_plane(SHOWN, depth=depth).layout for depth in (0, 1, 2)]
    assert len({(f.xaxis.range, f.yaxis.range) for f in frames}) == 1
    (left, right), (bottom, top) = frames[0].xaxis.range, frames[0].yaxis.range
    assert left < -1.2 < 1.1 < right
    assert bottom < -0.7 < 0.7 < top


def test_depth_without_a_height_draws_the_rest() -> None:
    a = SHOWN.a.copy()
    a[0, 1] = np.nan
    figure = word_plane(Plane(a, SHOWN.b, SHOWN.alone, SHOWN.low, SHOWN.high), depth=2)
    assert not figure.layout.annotations[0].visible
    assert np.isfinite(figure.layout.yaxis.range).all()
