"""Lines read from the source: exactly the named ones, and a change of the source is noticed."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator

import pytest

from core.walkthroughs.code import in_plain_numpy, in_torch
from core.walkthroughs.code.excerpt import Excerpt, lines
from core.walkthroughs.steps.descriptions import PLAIN, STEPS


def example(x: int, y: int) -> int:
    total = x + y
    if total > 3:
        total = total - sum(
            (
                1,
                x,
            )
        )
    total = total * 2
    return total


WHOLE = """if total > 3:
    total = total - sum(
        (
            1,
            x,
        )
    )"""


def test_the_lines_of_a_function() -> None:
    assert lines(Excerpt(example, "total = x")) == "total = x + y"
    assert lines(Excerpt(example, "if total")) == WHOLE
    assert lines(Excerpt(example, "total = total -")) == textwrap.dedent(WHOLE.partition("\n")[2])
    assert lines(Excerpt(example, "total = x", "if total")) == f"total = x + y\n{WHOLE}"
    assert lines(Excerpt(example)).startswith("def example(x: int, y: int) -> int:\n")
    assert Excerpt(example).location.endswith("test_excerpt, example")


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("total = y", ""),  # there is none
        ("total =", ""),  # there are three
        ("total = total * 2", "total = x"),  # from back to front
        ("total = x", "total = total -"),  # it stands inside another one
    ],
)
def test_lines_that_are_not_there_are_refused(first: str, last: str) -> None:
    with pytest.raises(ValueError, match=r"statements begin with|does not follow"):
        lines(Excerpt(example, first, last))


def excerpts() -> Iterator[tuple[str, Excerpt]]:
    """The excerpts of every step of the page."""
    for table in (in_torch.LAYER, in_torch.BERT, in_torch.PAPER, in_torch.PLAIN):
        yield from ((name, one.excerpt) for name, one in table.items() if one.excerpt is not None)
    for name, code in in_plain_numpy.CODES.items():
        yield from ((name, part) for part in code.parts if isinstance(part, Excerpt))


@pytest.mark.parametrize(("name", "excerpt"), list(excerpts()))
def test_the_lines_of_each_step_stand_in_the_source(name: str, excerpt: Excerpt) -> None:
    """Each anchor begins exactly one statement (otherwise it raises), and nothing is a copy."""
    source = textwrap.dedent(inspect.getsource(excerpt.function))
    found = lines(excerpt)
    indented = {textwrap.indent(found, " " * by) for by in range(0, 17, 4)}
    assert any(f"\n{one}\n" in f"\n{source}\n" for one in indented)
    assert found.count("\n") < 7, f"{name} has a few lines"


def test_every_step_has_its_lines() -> None:
    ours = {name for name, _ in excerpts()} | {"pieces"}
    assert ours == {*STEPS, *PLAIN}
    assert {*in_torch.LAYER, *in_torch.BERT, *in_torch.PAPER, "pieces"} == {*STEPS}
    assert {*in_plain_numpy.CODES} == {*STEPS, *PLAIN} - {"pieces"}
