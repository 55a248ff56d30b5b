"""The look: every colour and margin, and how names and numbers are written.

The colours are visible on white and on near-black (contrast 3:1 and more). Pairs that carry meaning are
also distinguishable with colour blindness, like blue and orange, and never differ by colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..localization import N_, _, decimal, gettext
from ..sentences import sentence
from ..sentences import signed as signed  # every number on every screen

SENTENCE_A = "#1F83D6"  # blue
SENTENCE_B = "#DE6B12"  # orange
LEARNED = "#7C828A"  # ink-grey: the learned vector, which belongs to no sentence

# Weights: one hue that grows out of the page's background, so that zero is invisible. It differs from
# blue, orange, purple and green, which have other meanings.
WEIGHT_HUE = (222, 46, 130)
# The destination of the share of a row that goes to none of its keys, by `core.Attention.outside`.
OUTSIDE = {
    "sink": N_("the sink"),
    "source": N_("the source"),
    "target": N_("the target"),
    "prompt": N_("the model’s own prompt"),
}
OUTSIDE_OF_ALL = {
    "sink": N_("heads have learned sinks: a part of each row goes to no token"),
    "source": N_("one softmax covers both texts: the rest of each row goes to the source"),
    "target": N_("one softmax covers both texts: the rest of each row goes to the target"),
    "prompt": N_("the rest of each row goes to a learned prompt in front of the text"),
}

# Distances: another hue that grows out of the page's background, because they are not weights; 0, the
# nearest, is invisible.
DISTANCE_HUE = (60, 140, 160)

# Signed numbers: from purple (negative) through the page's background (0) to green (positive), equally
# far on both sides. Purple and green are distinguishable with colour blindness (ColorBrewer's PRGn; the
# light pair is its ends, the dark pair is brighter, to be visible on near-black).
SIGNED_ON_LIGHT = ((118, 42, 131), (27, 120, 55))
SIGNED_ON_DARK = ((207, 146, 238), (116, 208, 138))

# Heads side by side, repeating if there are more; each is also numbered. The colours were found by a
# search: as far apart as eight colours can be for all three kinds of colour blindness.
HEADS_ON_LIGHT = (
    *("#3C8CA0", "#C87800", "#7800F0", "#003C78"),
    *("#8C0000", "#C864F0", "#8C8C64", "#64283C"),
)
HEADS_ON_DARK = (
    *("#50F0C8", "#DC6400", "#F08CF0", "#508C8C"),
    *("#F0DC3C", "#DC14F0", "#B4DC78", "#A08C64"),
)

# Curves of groups: one colour each, visible on white and on near-black.
CURVES = (
    *("#1F83D6", "#DE6B12", "#8A63D2", "#2E9E6B"),
    *("#C4478C", "#9A8B1E", "#7C828A", "#B5534B"),
)

# Kinds of tokens in a conversation: template, its own sentence, system, user, assistant. As far apart
# from one another as colours can be that only tint a background.
KINDS_ON_LIGHT = ((140, 140, 140), (200, 170, 0), (200, 100, 240), (0, 130, 170), (200, 110, 0))
KINDS_ON_DARK = ((120, 120, 120), (190, 170, 60), (190, 100, 230), (40, 150, 190), (220, 120, 20))

# Labels that a visitor gives, each also with its own mark: those colours of the heads that are visible
# on light and on dark pages.
LABELS = ("#3C8CA0", "#C87800", "#C864F0", "#8C8C64")


# The depths before the first layer: their names, and those for an axis.
BEFORE_LAYERS = ((N_("learned"), "◆"), (N_("+ position"), "+pos"))
MOST_SHORT = 16  # characters of a name in a picture


def layer_name(layer: int) -> str:
    """The name of a layer on the screen: layer 0 is "Layer 1"."""
    return sentence("layer.name", number=str(layer + 1))


def head_name(layer: int | None, head: int | None) -> str:
    """The name of a head on the screen, both from 0; None for the mean of all."""
    if layer is None:
        if head is None:
            return _("mean over all heads of all layers")
        return _("mean over head {head} of all layers").format(head=head + 1)
    of = _("mean over its heads") if head is None else _("head {head}").format(head=head + 1)
    return f"{layer_name(layer)}, {of}"


def depth_name(depth: int) -> str:
    """The name of a depth of a `WordPath` on the screen."""
    return gettext(BEFORE_LAYERS[depth][0]) if depth < len(BEFORE_LAYERS) else layer_name(depth - 2)


def depth_tick(depth: int) -> str:
    """The short name of a depth, for an axis."""
    return BEFORE_LAYERS[depth][1] if depth < len(BEFORE_LAYERS) else str(depth - 1)


_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scientific(value: float, digits: int = 1) -> str:
    """A number as a mantissa times a power of ten, as every screen writes it: −1.9·10⁻⁷; 0, ∞ or NaN.

    Args:
        value: the number.
        digits: the number of decimals of the mantissa.
    """
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "∞" if value > 0 else "−∞"
    mantissa, _, power = f"{value:.{digits}e}".partition("e")
    return f"{decimal(mantissa.replace('-', '−'))}·{power_of_ten(int(power))}"


def power_of_ten(power: int) -> str:
    """10⁻⁷."""
    return f"10{str(power).translate(_SUPERSCRIPT)}"


def adding_up(parts: Sequence[float], total: float, *, rest: int, digits: int = 2) -> list[float]:
    """The parts of a sum, rounded so that the printed parts add up to the printed total.

    Args:
        parts: the summands.
        total: the sum.
        rest: the part that absorbs the rounding error; all others are rounded as by `signed`.
        digits: the number of decimals.
    """
    printed = [round(float(part), digits) for part in parts]
    others = sum(part for i, part in enumerate(printed) if i != rest)
    printed[rest] = round(round(float(total), digits) - others, digits)
    return printed


def token_name(token: str) -> str:
    """The name of a token on the screen: a piece that continues a word begins with a thin mark."""
    return f"·{token[2:]}" if token.startswith("##") and len(token) > 2 else token


def short(name: str, most: int = MOST_SHORT) -> str:
    """A name short enough to leave room for the picture."""
    return name if len(name) <= most else name[: most - 1] + "…"
