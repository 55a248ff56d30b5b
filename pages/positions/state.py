"""The fields of the Positions page, in the session and in the link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.examples import first_texts
from core.localization import N_
from core.walkthroughs import word_and_position
from ui import formats
from ui.state import MODEL, Choice, Field, Location, PageState, Switch, Whole, thread
from ui.state.thread import Strand

VIEWS = {
    "sinusoidal": N_("Sinusoidal"),
    "learned": N_("Learned"),
    "rotary": N_("Rotary"),
    "sum": N_("Word + position"),
    "padding": N_("Padding"),
    "reach": N_("How far"),
}
# For the text's own numbers: what may be changed, and where padding is shown.
TABLES = {"E": N_("words, E"), "P": N_("positions, P"), "PAD": N_("the row of [PAD]")}
NUMBERS = {"text": N_("a 5 × 3 table from “LLMs from Scratch”"), "model": N_("a trained model")}
# At a right angle in each pair: their product is 0 at distance 0, and has a sign on either side of it.
QUERY, KEY = "1, 0, 1, 0, 1, 0, 1, 0", "0, 1, 0, 1, 0, 1, 0, 1"
# The length of the longest window in the picture.
LONGEST = {"1024": "1,024", "8192": "8,192", "131072": "131,072", "1000000": "1,000,000"}
_MOST = 9_999_999  # positions and dimensions of a model's own table


def numbers(typed: str) -> tuple[float, ...]:
    """Parse a query or a key: an even number of values, 2 to 16, within ±100.

    Raises:
        ValueError: if it is not such a list.
    """
    number = formats.Real(-100, 100)
    parsed = tuple(number(part.strip().replace("−", "-")) for part in typed.split(","))
    if len(parsed) % 2 or len(parsed) > 16:
        raise ValueError(typed)
    return parsed


def _typed_numbers(typed: str) -> str:
    """Text that `numbers` can parse, as it was typed; anything else is refused."""
    numbers(typed)
    return typed


class PositionsState(PageState):
    """The view, the size of the table, the chosen cell, the rotated vectors, and the sum."""

    model = MODEL
    view = Choice("p", "positions view", "sinusoidal", VIEWS)
    length = Whole("pl", "positions length", 20, 1, 512, default_in_link=50)
    width = Whole("pd", "positions width", 16, 1, 1024, default_in_link=128)
    base = Whole("pb", "positions base", 10_000, 2, 1_000_000)
    position = Whole("pp", "positions place", 10, 0, _MOST)
    dimension = Whole("pi", "positions dimension", 2, 0, _MOST, default_in_link=20)
    step = Whole("pk", "positions step", 5, 1, 512)
    query = Field("rq", "rotary query", QUERY, parse=_typed_numbers)
    key = Field("rk", "rotary key", KEY, parse=_typed_numbers)
    m = Whole("rm", "rotary m", 3, 0, 511)
    n = Whole("rn", "rotary n", 7, 0, 511)
    text = Field("t", "reach text", first_texts.TWO_BANKS, parse=str)
    word = Whole("w", "reach word", 0, 0, 199)
    window = Whole("cr", "reach window", 4, 1, 512)
    layer_width = Whole("cd", "reach width", 512, 1, 16_384)
    kernel = Whole("ck", "reach kernel", 3, 2, 99)
    longest = Choice("cw", "reach longest", "8192", LONGEST)
    edits = Field("ed", "positions edits", "", parse=word_and_position.TABLES.readable)
    matrix = Choice("mx", "positions matrix", "E", TABLES)
    round_first = Switch("pr", "positions round first")
    whose = Choice("pn", "positions numbers", "text", NUMBERS)
    masked = Switch("pm", "positions padding mask", True)
    padded = Whole("pt", "positions padded to", 7, 6, word_and_position.LONGEST)
    padding_step = Choice("ps", "positions padding step", "mask", word_and_position.STEPS)
    row = Whole("sr", "positions sum row", 3, 0, word_and_position.LONGEST - 1)
    column = Whole("sc", "positions sum column", 1, 0, word_and_position.LONGEST - 1)
    shorter = Field("ta", "positions shorter text", first_texts.SHORTER, parse=str)
    longer = Field("tb", "positions longer text", first_texts.LONGER, parse=str)
    layer = Whole("l", "positions layer", 1, 1, 999)
    head = Whole("h", "positions head", 1, 1, 999)
    python = Switch("py", "positions python")

    @classmethod
    def thread(cls) -> Mapping[str, Strand]:
        """The shared text, whose tokens can be far apart, and the head for padding."""
        return {
            "sentence": thread.sentence(cls.text),
            "layer": thread.counted(cls.layer),
            "head": thread.counted(cls.head),
        }

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """Where positions come in."""
        return (Location("position"),)
