"""What attention without weights attends to, and why, from the numbers on the screen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures import style
from core.walkthroughs.steps.own_share import OwnShare
from ui.text import plain

NAMED = 4  # other words to name
MOST = 0.5  # from this share on, a word keeps most of its weight
EVEN = 1.5  # relative to the uniform weight; below it, no word has much more than another


def said(found: OwnShare, tokens: Sequence[str]) -> str:
    """What the word keeps, and which words follow (Markdown).

    Args:
        found: the result for the word.
        tokens: the names of all words.
    """
    if len(tokens) < 2:
        return "A single token attends only to itself. Type a longer text."
    return f"{_kept(found, tokens)} {_next(found, tokens)}"


def _kept(found: OwnShare, tokens: Sequence[str]) -> str:
    name, first = _name(tokens, found.token), found.others[0]
    own, best = found.own, float(found.weights[first])
    even = f"{_share(1 / len(tokens))} if it were spread evenly"
    if np.isclose(found.products[first], found.squared_length, rtol=1e-9, atol=0):
        return (
            f"*{name}* keeps **{_share(own)}** of its weight ({even}), and as much goes to "
            f"*{_name(tokens, first)}* at position {first + 1}."
        )
    if found.products[first] > found.squared_length:
        return (
            f"*{name}* keeps **{_share(own)}** of its weight and gives more to "
            f"*{_name(tokens, first)}* (**{_share(best)}**; {even}), whose vector is longer."
        )
    if own < EVEN / len(tokens):
        return (
            f"The weight is spread almost evenly: *{name}* has **{_share(own)}** of it, a little more "
            f"than any other ({even})."
        )
    if own > MOST:
        return f"*{name}* keeps **{_share(own)}** of its weight for itself ({even})."
    return f"*{name}* attends most to itself, with **{_share(own)}** of its weight ({even})."


def _next(found: OwnShare, tokens: Sequence[str]) -> str:
    named = [
        f"*{_name(tokens, i)}* {_share(float(found.weights[i]))} "
        f"(cosine {style.signed(float(found.cosines[i]))})"
        for i in found.others[:NAMED]
    ]
    return (
        f"Of the other tokens, these receive most: {', '.join(named)}. Only the similarity of the "
        "vectors counts: nothing here has learned which word matters to which."
    )


def why(found: OwnShare) -> str:
    """A vector's product with itself, compared with others (Markdown); "" if there are no others."""
    if len(found.others) < 1:
        return ""
    others = found.products[list(found.others)]
    length, spread = r"\lVert x\rVert^2", r"\lVert x\rVert^2/\sqrt d"
    longer = float(others.max()) > found.squared_length  # a product grows with the other's length, too
    first = (
        "No other direction is nearer to a vector than its own, but a product grows with the length of "
        "the other vector, too, and here a longer one wins: "
        if longer
        else "A vector is most similar to itself: "
    )
    return (
        f"**Why?** {first}$x\\cdot x={length}=$ "
        f"**{_number(found.squared_length)}**. With a random vector of the same length, the product is "
        f"0 on average, with a standard deviation of ${spread}=$ **{_number(found.spread)}**: with "
        f"$d={found.width}$ dimensions, that is {_percent(found.width)} of ${length}$, and the share "
        f"falls as $d$ grows. Here, the products with the others are {_number(float(others.mean()))} "
        f"on average and {_number(float(others.max()))} at most. After division by $\\sqrt d$ and the "
        f"softmax, the word itself gets {_times(found.times(found.others[0]))} the weight of the "
        f"{'winner' if longer else 'runner-up'}."
    )


def _name(tokens: Sequence[str], i: int) -> str:
    return plain(style.token_name(tokens[i]))


def _share(value: float) -> str:
    """A weight: 0.98, 0.071, 0.0073."""
    if value < 0.00005:
        return "<0.0001"
    digits = 2 if value >= 0.1 else 3 if value >= 0.01 else 4
    return f"{value:.{digits}f}"


def _number(value: float) -> str:
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 4
    return style.signed(value, digits)


def _percent(width: int) -> str:
    return f"{100 / width**0.5:.0f} %"


def _times(value: float) -> str:
    if value >= 1e6:
        return f"{style.scientific(value, 0)} times"
    return f"{value:,.0f} times" if value >= 10 else f"{value:.2f} times"
