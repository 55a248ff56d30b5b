"""What a model expects next, in sentences (Markdown)."""

from __future__ import annotations

from core.figures.labels import spelled
from core.records.prediction import Prediction
from core.records.score import Score
from core.sentences import listed, percent
from ui import text

SURE, LEANS = 0.5, 0.2  # from these probabilities on, one word stands for the answer
MOST_NAMED = 3


def headline(top: Prediction, *, ends: frozenset[int]) -> str:
    """What comes next, and how sure the model is.

    Args:
        top: the likeliest tokens at temperature 1, at least one.
        ends: the tokens that end a text.
    """
    first, share = top.ids[0], float(top.probabilities[0])
    if first in ends:
        return f"It is {percent(share)} sure: **the text ends here**."
    if share >= SURE:
        return f"It is {percent(share)} sure: **{_named(top, 0)}**."
    if share >= LEANS:
        return f"It leans to **{_named(top, 0)}** ({percent(share)}), {_others(top, 1)}."
    return f"It is not sure: {_others(top, 0)}, and many more."


def _others(top: Prediction, start: int) -> str:
    some = range(start, min(start + MOST_NAMED, len(top.ids)))
    named = [f"*{_named(top, i)}* {percent(float(top.probabilities[i]))}" for i in some]
    return ("before " if start else "") + listed(named)


def _named(top: Prediction, place: int) -> str:
    return text.plain(spelled(top.texts[place].strip(" ")) or spelled(top.texts[place]))


def expected(score: Score, place: int) -> str:
    """What the model expected where a token of a text stands: "river 31 %, the 12 %"."""
    names, shares = score.likeliest[place], score.probabilities[place]
    if not names:
        return "nothing stands before it: nothing was expected"
    some = list(zip(names, shares, strict=False))[:MOST_NAMED]
    said = ", ".join(f"{spelled(name)} {percent(float(share))}" for name, share in some)
    rank = int(score.ranks[place])
    here = "the likeliest" if rank == 0 else f"place {rank + 1:,}"
    return f"{here}; expected: {said}"


def surprise(score: Score, count: int) -> str:
    """How surprised the model is by the whole text; the last `count` tokens are its own."""
    if not score.scored:
        return ""
    found = [i for i, rank in enumerate(score.ranks) if rank >= 0]
    most = max(found, key=lambda i: float(score.bits[i]))
    mean = f"{score.per_token:.2f}"
    own = f" The last {count} it wrote itself." if count > 1 else ""
    return (
        f"The stronger the colour of a token, the more it surprised the model: most at "
        f"**{text.plain(spelled(score.text[slice(*score.offsets[most])]))}**, "
        f"{float(score.bits[most]):.1f} bits. The mean is {mean} bits a token.{own}"
    )
