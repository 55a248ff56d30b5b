"""What attention without weights attends to, and why, from the numbers on the screen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures import style
from core.localization import _, decimal
from core.walkthroughs.steps.own_share import OwnShare
from ui.text import plain

NAMED = 4  # other words to name
MOST = 0.5  # from this share on, a word keeps most of its weight
_LENGTH = r"\lVert x\rVert^2"
EVEN = 1.5  # relative to the uniform weight; below it, no word has much more than another


def said(found: OwnShare, tokens: Sequence[str]) -> str:
    """What the word keeps, and which words follow (Markdown).

    Args:
        found: the result for the word.
        tokens: the names of all words.
    """
    if len(tokens) < 2:
        return _("A single token attends only to itself. Type a longer text.")
    return f"{_kept(found, tokens)} {_next(found, tokens)}"


def _kept(found: OwnShare, tokens: Sequence[str]) -> str:
    name, first = _name(tokens, found.token), found.others[0]
    own, best = found.own, float(found.weights[first])
    found_in = {
        "word": name,
        "share": _share(own),
        "even": _share(1 / len(tokens)),
        "other": _name(tokens, first),
        "position": str(first + 1),
        "more": _share(best),
    }
    return _kept_so(found, len(tokens)).format(**found_in)


def _kept_so(found: OwnShare, count: int) -> str:
    """The sentence on what a word of so many keeps, to be filled in."""
    own, first = found.own, found.others[0]
    if np.isclose(found.products[first], found.squared_length, rtol=1e-9, atol=0):
        return _(
            "*{word}* keeps **{share}** of its weight ({even} if it were spread evenly), and as much "
            "goes to *{other}* at position {position}."
        )
    if found.products[first] > found.squared_length:
        return _(
            "*{word}* keeps **{share}** of its weight and gives more to *{other}* (**{more}**; {even} "
            "if it were spread evenly), whose vector is longer."
        )
    if own < EVEN / count:
        return _(
            "The weight is spread almost evenly: *{word}* has **{share}** of it, a little more than "
            "any other ({even} if it were spread evenly)."
        )
    if own > MOST:
        return _(
            "*{word}* keeps **{share}** of its weight for itself ({even} if it were spread evenly)."
        )
    return _(
        "*{word}* attends most to itself, with **{share}** of its weight ({even} if it were spread "
        "evenly)."
    )


def _next(found: OwnShare, tokens: Sequence[str]) -> str:
    named = [
        _("*{word}* {share} (cosine {cosine})").format(
            word=_name(tokens, i),
            share=_share(float(found.weights[i])),
            cosine=style.signed(float(found.cosines[i])),
        )
        for i in found.others[:NAMED]
    ]
    return _(
        "Of the other tokens, these receive most: {words}. Only the directions and the lengths of the "
        "vectors count: nothing here has learned which word matters to which."
    ).format(words=", ".join(named))


def why(found: OwnShare) -> str:
    """A vector's product with itself, compared with others (Markdown); "" if there are no others."""
    if len(found.others) < 1:
        return ""
    others = found.products[list(found.others)]
    longer = float(others.max()) > found.squared_length  # a product grows with the other's length, too
    first = (
        _(
            "**Why?** No other direction is nearer to a vector than its own, but a product grows with "
            "the length of the other vector, too, and here a longer one wins. The token’s product with "
            "itself is only {square} **{number}**."
        )
        if longer
        else _("**Why?** A vector is most similar to itself: {square} **{number}**.")
    )
    random = _(
        "With a random vector of the same length, the product is 0 on average, with a standard "
        "deviation of {deviation} **{number}**: with {width} dimensions, that is {share} of {length}, "
        "and the share falls as $d$ grows."
    )
    here = (
        _(
            "Here, the products with the others are {mean} on average and {most} at most. After "
            "division by {root} and the softmax, the word itself gets {times} times the weight of the "
            "winner."
        )
        if longer
        else _(
            "Here, the products with the others are {mean} on average and {most} at most. After "
            "division by {root} and the softmax, the word itself gets {times} times the weight of the "
            "runner-up."
        )
    )
    parts = (
        first.format(square=rf"$x\cdot x={_LENGTH}=$", number=_number(found.squared_length)),
        random.format(
            deviation=rf"${_LENGTH}/\sqrt d=$",
            number=_number(found.spread),
            width=f"$d={found.width}$",
            share=_percent(found.width),
            length=f"${_LENGTH}$",
        ),
        here.format(
            mean=_number(float(others.mean())),
            most=_number(float(others.max())),
            root=r"$\sqrt d$",
            times=_times(found.times(found.others[0])),
        ),
    )
    return " ".join(parts)


def _name(tokens: Sequence[str], i: int) -> str:
    return plain(style.token_name(tokens[i]))


def _share(value: float) -> str:
    """A weight: 0.98, 0.071, 0.0073."""
    if value < 0.00005:
        return decimal("<0.0001")
    digits = 2 if value >= 0.1 else 3 if value >= 0.01 else 4
    return decimal(f"{value:.{digits}f}")


def _number(value: float) -> str:
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 4
    return style.signed(value, digits)


def _percent(width: int) -> str:
    return f"{100 / width**0.5:.0f} %"


def _times(value: float) -> str:
    if value >= 1e6:
        return style.scientific(value, 0)
    return decimal(f"{value:,.0f}" if value >= 10 else f"{value:.2f}")
