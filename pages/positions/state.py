"""What is chosen on the page of positions, in the session and in the link."""

from __future__ import annotations

from pages.positions import controls as chosen
from ui import permalink

VIEWS = {"sinusoidal": "Sinusoidal", "learned": "Learned", "rotary": "Rotary"}
PAIRS = "1, 0, 1, 0, 1, 0, 1, 0"

VIEW = permalink.Parameter("p", "positions view", "sinusoidal", permalink.one_of(*VIEWS))
LENGTH = permalink.Parameter("pl", "positions length", 50, permalink.whole(1, 512))
WIDTH = permalink.Parameter("pd", "positions width", 128, permalink.whole(1, 1024))
BASE = permalink.Parameter("pb", "positions base", 10_000, permalink.whole(2, 1_000_000))
PLACE = permalink.Parameter("pp", "positions place", 10, permalink.whole(0, 9_999_999))
DIMENSION = permalink.Parameter("pi", "positions dimension", 20, permalink.whole(0, 9_999_999))
STEP = permalink.Parameter("pk", "positions step", 5, permalink.whole(1, 512))
QUERY = permalink.Parameter("rq", "rotary query", PAIRS, chosen.typed_numbers)
KEY = permalink.Parameter("rk", "rotary key", PAIRS, chosen.typed_numbers)
M = permalink.Parameter("rm", "rotary m", 3, permalink.whole(0, 511))
N = permalink.Parameter("rn", "rotary n", 7, permalink.whole(0, 511))
TABLE = (LENGTH, WIDTH, BASE)
LESSON = (VIEW, *TABLE, PLACE, DIMENSION, STEP, QUERY, KEY, M, N)
