"""The captions of the curves over depth: their numbers, and the case."""

from __future__ import annotations

import numpy as np
import pytest

from core.walkthroughs.depth import Depth
from pages.step_by_step.depth import captions, pictures
from pages.step_by_step.depth.results import Curves
from tests import sentences

NAN = float("nan")


def made(
    similarity: list[float], gradient: list[float] | None = None, finite: int | None = None
) -> Depth:
    count = len(similarity)
    return Depth(
        np.array(similarity),
        np.linspace(0.75, 0.25, count),
        np.array(gradient or np.ones(count)),
        count - 1 if finite is None else finite,
    )


CALM, COLLAPSING = [0.1, 0.2, 0.3, 0.4], [0.1, 0.7, 0.992, 0.999]


def test_parts_are_listed_in_one_order() -> None:
    assert captions.without([]) == ""
    assert captions.without(["norm"]) == "layer norm"
    assert captions.without({"scale", "residual"}) == "residual connections and ÷ √d"
    every = captions.without(captions.NAMES)
    assert every == "residual connections, layer norm, positions, ÷ √d and all heads but one"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1.00"),
        (0.0123456, "0.0123"),
        (0.001, "0.00100"),
        (999.9, "1.00·10³"),
        (123.4, "123"),
        (1.2345e-7, "1.23·10⁻⁷"),
        (4.5e12, "4.50·10¹²"),
    ],
)
def test_three_digits_count(value: float, text: str) -> None:
    assert captions.number(value) == text


def test_a_collapse_is_dated() -> None:
    said = captions.similarity(Curves(made(COLLAPSING), made(CALM)), {"norm"})
    assert sentences.bold(said) == ["0.100", "0.999", "0.400"]
    dated = sentences.saying(said, "one vector")
    assert sentences.numbers(dated) == [2, 0.99]
    assert sentences.numbers(sentences.saying(said, "length")) == [0.25, 0.25]
    assert "complete stack" not in said
    from_the_start = made([0.995] * 4)
    assert "start" in captions.similarity(Curves(from_the_start, made(CALM)), {"positions"})


def test_where_nothing_collapses_it_is_said_so() -> None:
    said = captions.similarity(Curves(made(CALM), made([0.1, 0.1, 0.2, 0.3])), {"norm"})
    assert "do not collapse" in said
    both = captions.similarity(Curves(made(COLLAPSING), made(COLLAPSING)), {"norm"})
    assert sentences.numbers(sentences.saying(both, "too, at layer")) == [2]
    only_complete = captions.similarity(Curves(made(CALM), made(COLLAPSING)), {"norm"})
    assert sentences.saying(only_complete, "complete stack collapses", "stay apart")


def test_a_curve_that_ends_says_where_and_why() -> None:
    overflow = made([0.1, 0.2, NAN, NAN], [NAN] * 4, finite=1)
    said = captions.similarity(Curves(overflow, made(CALM)), {"norm"})
    assert sentences.bold(said) == ["0.100", "0.200", "0.400"]
    assert sentences.numbers(sentences.saying(said, "too large")) == [1]
    assert "no gradient" in captions.gradient(Curves(overflow, made(CALM)), {"norm"})
    zeros = made([0.1, 0.2, NAN, NAN])
    assert "is 0" in captions.similarity(Curves(zeros, made(CALM)), {"norm"})


@pytest.mark.parametrize(
    ("first", "case"), [(0.0099, "vanishes"), (0.01, "neither"), (100, "neither"), (101, "explodes")]
)
def test_the_size_of_the_first_gradient(first: float, case: str) -> None:
    changed = made(CALM, [first * 2, first, 0.9, 1])
    complete = made(CALM, [0.5, 0.7, 0.8, 1])
    said = captions.gradient(Curves(changed, complete), {"residual"})
    assert sentences.bold(said) == [captions.number(first), "0.700"]
    assert case in said
    assert captions._size(changed.gradient, 1) in captions.gradient(Curves(changed, changed), {})


def test_a_gradient_that_is_neither_says_between_which_numbers_it_lies_and_where() -> None:
    steady = made(CALM, [7, 0.5, 0.3, 1])  # the input of layer 1 does not count
    said = captions.gradient(Curves(steady, steady), {"residual"})
    assert sentences.numbers(sentences.saying(said, "neither")) == [0.3, 2, 1, 3]
    # A curve that dips or rises on its way is not called calm.
    for dips, low, high in (
        ([1, 0.5, 0.004, 1], [0.004, 2], [1, 3]),
        ([1, 0.5, 500, 1], [0.5, 1], [500, 2]),
    ):
        said = captions.gradient(Curves(made(CALM, dips), steady), {"residual"})
        assert sentences.numbers(sentences.saying(said, "between")) == [*low, *high]
        assert "neither" not in said


def test_what_only_rounding_has_made_is_no_result() -> None:
    """The floor is 16 times the rounding of one number: 3.6·10⁻¹⁵."""
    beside = made(CALM)
    for floor, real, noise, digits in ((4e-15, 5e-15, 3e-16, 16),):
        changed = Depth(np.array(COLLAPSING), np.array([0.5, real, noise, noise / 2]), np.ones(4), 3)
        assert changed.distinct == 1
        said = captions.similarity(Curves(changed, beside), {"residual"})
        assert sentences.numbers(sentences.saying(said, "length")) == [floor, 0.25]
        assert sentences.numbers(sentences.saying(said, "rounding of numbers")) == [2, digits]
        assert captions.number(noise) not in said
        picture = pictures.tokens(Curves(changed, beside), "residual connections", "difference")
        assert picture is not None
        drawn = np.frombuffer(picture.payload, "<f4").reshape(2, -1)[1]
        assert np.isfinite(drawn).tolist() == [True, True, False, False]
        table = pictures.table(Curves(changed, beside), "residual connections")
        assert table.iloc[3]["difference from the mean, without residual connections"] == noise / 2
    equal = Depth(np.ones(4), np.zeros(4), np.ones(4), 3)
    assert equal.distinct == -1
    assert "start" in sentences.saying(
        captions.similarity(Curves(equal, beside), {"norm"}), "rounding of numbers"
    )


@pytest.mark.parametrize("missing", [set(), {"scale"}])
def test_why_a_complete_stack_collapses_is_said_where_its_norms_stand_behind_the_sums(
    missing: set[str],
) -> None:
    collapsing, calm = Curves(made(CALM), made(COLLAPSING)), Curves(made(CALM), made(CALM))
    assert "Noci" in captions.similarity(collapsing, missing, norm_last=True)
    assert "Noci" not in captions.similarity(collapsing, missing, norm_last=False)
    assert "Noci" not in captions.similarity(calm, missing, norm_last=True)
    if not missing:
        dated = sentences.saying(captions.similarity(collapsing, missing), "at least")
        assert sentences.numbers(dated) == [2, 0.99]


def test_a_measure_is_one_thing_and_its_scale_another() -> None:
    curves = Curves(made(COLLAPSING), made(CALM))
    straight = pictures.tokens(curves, "layer norm", "difference", log=False)
    assert straight is not None
    assert not straight.header["log"]
    np.testing.assert_allclose(
        np.frombuffer(straight.payload, "<f4"), np.tile(np.linspace(0.75, 0.25, 4), 2), atol=1e-6
    )


def test_the_usual_reason_for_residual_connections_is_doubted_only_where_it_does_not_show() -> None:
    steady, vanishing = made(CALM, [0.5, 0.4, 0.9, 1]), made(CALM, [1e-4, 1e-3, 0.9, 1])
    for missing, changed, doubted in (
        ({"residual"}, steady, True),
        ({"residual", "scale"}, steady, True),
        ({"residual"}, vanishing, False),
        ({"residual", "norm"}, steady, False),
        ({"norm"}, steady, False),
    ):
        said = captions.gradient(Curves(changed, steady), missing)
        assert ("often said" in said) is doubted


def test_a_gradient_that_is_gone() -> None:
    changed = made(CALM, [NAN, NAN, 1e-300, 1])
    said = captions.gradient(Curves(changed, made(CALM)), {"norm"})
    assert sentences.numbers(sentences.saying(said, "begins"))[-1] == 2
    assert "nan" not in said


def test_one_token_and_one_layer() -> None:
    one = made([NAN] * 4)
    assert "only one token" in captions.similarity(Curves(one, one), {"norm"})
    assert pictures.tokens(Curves(one, one), "layer norm") is None
    short = made([0.1, 0.2], [0.25, 1])
    assert sentences.bold(captions.gradient(Curves(short, short), {})) == ["0.250"]


@pytest.mark.parametrize(
    ("values", "powers"),
    [
        ([0.5, 1], [-1, 0]),
        ([1e-3, 1], [-3, -2, -1, 0]),
        ([1e-30, 1], [-32, -24, -16, -8, 0]),
        ([1, 4e5], [-2, 0, 2, 4, 6]),
    ],
)
def test_powers_of_ten_around_the_numbers(values: list[float], powers: list[int]) -> None:
    assert pictures.powers(np.array(values)) == powers
    assert powers[0] <= np.log10(values[0])
    assert powers[-1] >= np.log10(values[-1])


def test_pictures_and_table_hold_both_stacks() -> None:
    changed, complete = made(COLLAPSING, [1e-9, 1e-6, 1e-3, 1]), made(CALM)
    curves = Curves(changed, complete)
    for picture, of in (
        (pictures.tokens(curves, "layer norm"), [complete.similarity, changed.similarity]),
        (
            pictures.tokens(curves, "layer norm", "difference"),
            [np.log10(complete.difference), np.log10(changed.difference)],
        ),
        (
            pictures.gradient(curves, "layer norm"),
            [np.log10(complete.gradient), np.log10(changed.gradient)],
        ),
    ):
        assert picture is not None
        np.testing.assert_allclose(np.frombuffer(picture.payload, "<f4"), np.ravel(of), atol=1e-6)
        assert [one["name"] for one in picture.header["lines"]] == ["complete", "without layer norm"]
    table = pictures.table(curves, "layer norm")
    assert table.shape == (4, 6)
    np.testing.assert_array_equal(
        table["gradient relative to the last layer, without layer norm"], changed.gradient
    )
    alone = pictures.tokens(Curves(complete, complete), "")
    assert alone is not None
    assert len(alone.header["lines"]) == 1
    assert pictures.table(Curves(complete, complete), "").shape == (4, 3)
    nothing = made(CALM, [NAN] * 4)
    assert pictures.gradient(Curves(nothing, nothing), "") is None
