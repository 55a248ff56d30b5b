"""What a text of four times the length costs: about four times, whatever it consists of."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from functools import partial

import pytest

from core.errors import NotSupported
from core.reading import File, collect, typed

pytestmark = pytest.mark.check

UNITS = (
    *(
        "word ",
        "a",
        "a. ",
        "1\n",
        ",x",
        '"',
        '"a",',
        "a|b\n",
        "a_",
        "<",
        "[a",
        "x\r",
        "\t",
        "é",
        "a@",
        "{",
    ),
    *(
        "河",
        "\n",
        "1\n00:00:01,000 --> 00:00:02,000\n[a",
        "<div>",
        "<!--",
        "**",
        "> ",
        "- ",
        "&amp;",
        "#",
    ),
)


def cost(make: Callable[[], object]) -> float:
    begin = time.process_time()
    with contextlib.suppress(NotSupported):
        make()
    return time.process_time() - begin


@pytest.mark.fuzz
@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.html", "a.srt", "a.json", "pasted"])
def test_time_grows_with_the_length_alone(name: str) -> None:
    def read(text: str) -> None:
        if name == "pasted":
            typed(text)
        else:
            collect(File(name, content=text.encode()))

    for unit in UNITS:
        count = 16_000 // len(unit)
        small = cost(partial(read, unit * count))
        large = cost(partial(read, unit * (4 * count)))
        assert large < 8 * small + 0.3, (unit, small, large)
