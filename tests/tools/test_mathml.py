"""The formulas of our steps as MathML."""

import pytest

from core.walkthroughs.steps.descriptions import ALONE, PLAIN, STEPS
from tools.mathml import NotRead, mathml


def test_a_formula_is_read_with_its_indices_roots_and_fractions() -> None:
    assert mathml(r"S / \sqrt{d_k}") == [
        "mrow",
        ["mi", "S"],
        ["mo", "/"],
        ["msqrt", ["mrow", ["msub", ["mi", "d"], ["mi", "k"]]]],
    ]
    assert mathml(r"K'^\top") == [
        "mrow",
        ["msup", ["mrow", ["mi", "K"], ["mo", {"lspace": "0", "rspace": "0"}, "′"]], ["mo", "⊤"]],
    ]
    assert mathml(r"\frac{r - \bar r}{12}\,W_\mathrm{up}") == [
        "mrow",
        [
            "mfrac",
            ["mrow", ["mi", "r"], ["mo", "−"], ["mover", ["mi", "r"], ["mo", "¯"]]],
            ["mrow", ["mn", "12"]],
        ],
        ["mspace", {"width": ".17em"}],
        ["msub", ["mi", "W"], ["mtext", "up"]],
    ]
    assert mathml(r"\text{ where } j") == ["mrow", ["mtext", " where "], ["mi", "j"]]


def test_all_formulas_of_the_steps_are_read() -> None:
    for words in {**STEPS, **ALONE, **PLAIN}.values():
        assert mathml(words.formula)[0] == "mrow"


@pytest.mark.parametrize("formula", [r"\matrix{a}", r"\frac{a}", "a_", "{a"])
def test_what_it_does_not_know_it_refuses(formula: str) -> None:
    with pytest.raises(NotRead):
        mathml(formula)
