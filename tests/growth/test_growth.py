"""No text takes a function of ours time in proportion to its square.

`make test` tries one shape with some functions, `make check` a few with each, `make fuzz` all, longer
ones, and texts that repeat anything.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth.measure import grows_with_its_square
from tests.growth.registry import READERS
from tests.growth.shapes import SHAPES, Shape, repeated

# One for each kind of fault that was found.
FEW = ("one run of letters", "Chinese", "flags", "spaces", "open brackets", "joiners in a word")
N = 500  # characters of the shorter text
SIGNS = "a é河क\u094d\u0301\u200b\u200d🇩👩@#[](){}*`$:;,.!?'’\"“”\\/|<>&+-=_0 \t\n\r\u2028\ud800\x01"


@pytest.mark.few(24)
@pytest.mark.parametrize("name", READERS)
def test_a_text_of_four_times_the_length_takes_four_times_as_long(name: str) -> None:
    """With one kind of fault, each function with another; what reads in long parts, in `check`."""
    if not READERS[name].window:
        _check(
            name,
            {shape: SHAPES[shape] for shape in FEW[sorted(READERS).index(name) % len(FEW) :: len(FEW)]},
            N,
        )


@pytest.mark.few(35)
@pytest.mark.check
@pytest.mark.parametrize("name", READERS)
def test_so_it_is_with_other_shapes(name: str) -> None:
    """With two or three of them: each function with others."""
    shapes = [*SHAPES.items()][sorted(READERS).index(name) % 48 :: 48]
    _check(name, dict(shapes), N)


@pytest.mark.fuzz
@pytest.mark.timeout(1_200)  # a minute where nothing else runs
@pytest.mark.parametrize("n", [N, 12_000])
@pytest.mark.parametrize("name", READERS)
def test_so_it_is_with_every_shape(name: str, n: int) -> None:
    _check(name, SHAPES, n)


@pytest.mark.fuzz
@pytest.mark.timeout(1_200)
@given(
    st.sampled_from(sorted(READERS)),
    st.text(SIGNS, min_size=1, max_size=6),
    st.text(SIGNS, max_size=3),
    st.text(SIGNS, max_size=3),
)
def test_so_it_is_with_anything_repeated(name: str, unit: str, before: str, after: str) -> None:
    shape = repeated(unit, before, after)
    reader = READERS[name]
    assert not grows_with_its_square(reader.read, shape, max(3_000, reader.window))


def _check(name: str, shapes: Mapping[str, Shape], n: int) -> None:
    reader = READERS[name]
    slow = {
        shape: found
        for shape, text in shapes.items()
        if (found := grows_with_its_square(reader.read, text, max(n, reader.window)))
    }
    assert not slow
