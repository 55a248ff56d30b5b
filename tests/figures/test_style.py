from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from core.figures import style
from tests.sentences import numbers

ROOT = Path(__file__).resolve().parents[2]
# The page in Streamlit's light theme, ours and Streamlit's own in the dark.
PAPERS = ("#ffffff", "#1a1915", "#0e1117")


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio, WCAG 2.2: 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_by_hand() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


# Linear red, green and blue under colour blindness: Machado, Oliveira and Fernandes 2009, severity 1.
SEEN = {
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritan": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
    "all": np.eye(3),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, eyes: str) -> np.ndarray:
    """CIELAB of a colour under this kind of colour vision."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    x, y, z = TO_XYZ @ np.clip(np.array(SEEN[eyes]) @ linear, 0, 1) / (0.9505, 1, 1.089)
    x, y, z = (np.cbrt(c) if c > 0.008856 else 7.787 * c + 16 / 116 for c in (x, y, z))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("eyes", SEEN)
@pytest.mark.parametrize("colours", [style.HEADS_ON_LIGHT, style.HEADS_ON_DARK])
def test_heads_differ_to_all_eyes(colours: tuple[str, ...], eyes: str) -> None:
    for one, other in combinations(colours, 2):
        assert np.linalg.norm(lab(one, eyes) - lab(other, eyes)) > 25


def test_heads_stand_out() -> None:
    for colour in style.HEADS_ON_LIGHT:
        assert contrast(colour, PAPERS[0]) >= 3
    for colour in style.HEADS_ON_DARK:
        assert min(contrast(colour, paper) for paper in PAPERS[1:]) >= 3


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("colour", [style.SENTENCE_A, style.SENTENCE_B, style.LEARNED])
def test_colours_stand_out_on_light_and_on_dark(colour: str, paper: str) -> None:
    assert contrast(colour, paper) >= 3


@pytest.mark.parametrize("paper", PAPERS)
def test_the_full_weight_stands_out_on_light_and_on_dark(paper: str) -> None:
    assert contrast("#{:02x}{:02x}{:02x}".format(*style.WEIGHT_HUE), paper) >= 3


def test_the_page_uses_the_same_blue_and_orange() -> None:
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    for mode in ("light", "dark"):
        assert theme[mode]["blueColor"] == style.SENTENCE_A
        assert theme[mode]["orangeColor"] == style.SENTENCE_B


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [
        (0, 2, "0.00"),
        (-0.0, 2, "0.00"),
        (-0.004, 2, "0.00"),
        (-0.006, 2, "−0.01"),
        (-0.004, 3, "−0.004"),
        (-0.62, 2, "−0.62"),
        (0.62, 2, "0.62"),
        (0.999, 2, "1.00"),
        (-0.999, 2, "−1.00"),
        (0.999, 3, "0.999"),
        (1, 2, "1.00"),
        (-1, 2, "−1.00"),
        (10.05, 1, "10.1"),
        (10.04, 2, "10.04"),
        (-10.04, 2, "−10.04"),
        (20.5, 3, "20.500"),
        (-0.166, 2, "−0.17"),
        (0.494, 2, "0.49"),
        (-12.0, 2, "−12.00"),
    ],
)
def test_signed(value: float, digits: int, written: str) -> None:
    assert style.signed(value, digits) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.494, "+0.49"), (-0.166, "−0.17"), (0.004, "0.00"), (-0.004, "0.00"), (0.0, "0.00")],
)
def test_a_sign_above_0_where_it_is_wanted(value: float, written: str) -> None:
    assert style.signed(value, plus=True) == written


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [
        (1.94e-6, 1, "1.9·10⁻⁶"),
        (-4.07e-7, 2, "−4.07·10⁻⁷"),
        (4.2e-8, 0, "4·10⁻⁸"),
        (9.96e11, 1, "1.0·10¹²"),
        (0, 2, "0"),
    ],
)
def test_a_power_of_ten_is_written_as_one(value: float, digits: int, written: str) -> None:
    assert style.scientific(value, digits) == written
    if value:
        assert numbers(written) == [pytest.approx(value, rel=0.06)]


def test_a_number_without_a_power_of_ten_is_named() -> None:
    found = [style.scientific(value) for value in (float("inf"), -float("inf"), float("nan"))]
    assert found == ["∞", "−∞", "NaN"]


def test_layers_and_depths_count_from_one_on_a_screen() -> None:
    assert style.layer_name(0) == "Layer 1"
    assert [style.depth_name(d) for d in range(4)] == ["learned", "+ position", "Layer 1", "Layer 2"]


@pytest.mark.parametrize(
    ("token", "name"),
    [
        ("bank", "bank"),
        ("##ing", "·ing"),
        ("##", "##"),
        ("#", "#"),
        ("<b>", "<b>"),
        ("&", "&"),
        ("##&lt;", "·&lt;"),
        ("[CLS]", "[CLS]"),
    ],
)
def test_token_names(token: str, name: str) -> None:
    assert style.token_name(token) == name


@pytest.mark.parametrize(
    ("parts", "total", "rest", "printed"),
    [
        ([0.31, 0.12], 0.43, 0, [0.31, 0.12]),
        ([0.314, 0.124], 0.438, 0, [0.32, 0.12]),  # plainly rounded they make 0.43, not 0.44
        ([0.314, 0.124], 0.438, 1, [0.31, 0.13]),
        ([-0.42, 0.08, 0.07, 0.03, 0.06], -0.167, 3, [-0.42, 0.08, 0.07, 0.04, 0.06]),
        ([-0.001], -0.001, 0, [0.0]),
    ],
)
def test_the_parts_of_a_sum_add_up_as_they_are_printed(
    parts: list[float], total: float, rest: int, printed: list[float]
) -> None:
    found = style.adding_up(parts, total, rest=rest)
    assert found == pytest.approx(printed, abs=1e-9)
    said = [style.signed(part).replace("−", "-") for part in found]
    assert round(sum(map(float, said)) - float(f"{total:.2f}"), 6) == 0


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(3e-7, 0, "3·10⁻⁷"), (-1.14e-6, 1, "−1.1·10⁻⁶"), (2e12, 0, "2·10¹²"), (0.0, 1, "0")],
)
def test_very_small_numbers_are_written_as_powers_of_ten(value: float, digits: int, text: str) -> None:
    assert style.scientific(value, digits) == text


@pytest.mark.parametrize(
    ("layer", "head", "all_of"),
    [
        (None, None, {"all", "heads", "layers"}),
        (None, 2, {"3", "all", "layers"}),
        (1, None, {"2", "heads"}),
    ],
)
def test_a_mean_says_of_which_layers_and_heads_it_is(
    layer: int | None, head: int | None, all_of: set[str]
) -> None:
    words = style.head_name(layer, head).replace(",", "").split()
    assert all_of <= set(words)
    assert "mean" in words


def test_one_head_says_its_layer_and_number_and_no_mean() -> None:
    assert style.head_name(1, 2) == "Layer 2, head 3"
