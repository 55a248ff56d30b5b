"""What is chosen on the page of positions, in the session and in the link."""

from __future__ import annotations

from core.examples.first_texts import TWO_BANKS
from ui.state import MODEL, Choice, Field, PageState, Switch, Whole

VIEWS = {"sinusoidal": "Sinusoidal", "learned": "Learned", "rotary": "Rotary", "reach": "How far"}
PAIRS = "1, 0, 1, 0, 1, 0, 1, 0"
# How long the longest window in the picture is.
LONGEST = {"1024": "1,024", "8192": "8,192", "131072": "131,072", "1000000": "1,000,000"}
_MOST = 9_999_999  # positions and dimensions of a model's own table


def numbers(typed: str) -> tuple[float, ...]:
    """A query or a key as one types it: an even count of numbers, 2 to 16, none beyond ±100.

    Raises:
        ValueError: it is none.
    """
    parsed = tuple(float(part.replace("−", "-")) for part in typed.split(","))
    if len(parsed) % 2 or len(parsed) > 16 or not all(abs(x) <= 100 for x in parsed):
        raise ValueError(typed)
    return parsed


def _typed_numbers(typed: str) -> str:
    """What `numbers` can read, as it was typed; it refuses anything else."""
    numbers(typed)
    return typed


class PositionsState(PageState):
    """The view, the size of the table, where it is read, and the two vectors that are turned."""

    model = MODEL
    view = Choice("p", "positions view", "sinusoidal", VIEWS)
    length = Whole("pl", "positions length", 50, 1, 512)
    width = Whole("pd", "positions width", 128, 1, 1024)
    base = Whole("pb", "positions base", 10_000, 2, 1_000_000)
    position = Whole("pp", "positions place", 10, 0, _MOST)
    dimension = Whole("pi", "positions dimension", 20, 0, _MOST)
    step = Whole("pk", "positions step", 5, 1, 512)
    query = Field("rq", "rotary query", PAIRS, parse=_typed_numbers)
    key = Field("rk", "rotary key", PAIRS, parse=_typed_numbers)
    m = Whole("rm", "rotary m", 3, 0, 511)
    n = Whole("rn", "rotary n", 7, 0, 511)
    text = Field("t", "reach text", TWO_BANKS, parse=str)
    word = Whole("w", "reach word", 0, 0, 199)
    window = Whole("cr", "reach window", 4, 1, 512)
    layer_width = Whole("cd", "reach width", 512, 1, 16_384)
    kernel = Whole("ck", "reach kernel", 3, 2, 99)
    longest = Choice("cw", "reach longest", "8192", LONGEST)
    python = Switch("py", "positions python")
