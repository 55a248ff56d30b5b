"""The next word: bars that a visitor reshapes by temperature and cuts: `nextword/nextword.js`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..localization import N_, _, gettext
from ..records.prediction import Expectation
from ..sentences import percent
from . import schema, style
from .labels import spelled
from .picture import Chosen, Picture

SHOWN = 10  # tokens with a bar
NAMED = 200  # tokens whose spelling the browser gets: one of the others is rarely drawn
ENDS = N_("end of text")
_HEIGHT = 460  # pixels that are kept free until the picture has chosen its own height


def next_word(
    logits: npt.ArrayLike,
    labels: Sequence[str],
    *,
    sentence: str,
    name: str,
    number: float | None = None,
    state: Chosen | None = None,
) -> Picture:
    """The likeliest next tokens as bars, and all others as one.

    Temperature, top-k, top-p and min-p are sliders in the picture. The browser computes the softmax
    over the whole vocabulary at each step of a slider, and asks nobody (`derive/sampling.js`, the
    counterpart of `core.language.shaped`). Event: "bar" {index}.

    Args:
        logits: (V,), of all tokens, the largest first; −inf for a token that is forbidden.
        labels: the first of them as they are written in a text (" bank"), at least one and at most V;
            a space at either end is shown as "␣", a line break as "↵". Ten have a bar; the others are
            named where one of them is drawn.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        number: the number from 0 to 1 that would draw the next token; None to draw none.
        state: temperature, topK (0 for all), topP, minP.

    Raises:
        ValueError: there is no logit, they are not in descending order, or one is NaN or +inf; the
            number of labels does not fit; the number is not from 0 to 1.
    """
    numbers = np.asarray(logits, "<f4")
    if numbers.ndim != 1 or not numbers.size or not 1 <= len(labels) <= numbers.size:
        raise ValueError(f"{len(labels)} labels do not fit logits of {numbers.shape}.")
    if not np.isfinite(numbers[0]) or np.isnan(numbers).any() or (numbers[1:] > numbers[:-1]).any():
        raise ValueError("There must be logits, the largest first.")
    if number is not None and not 0 <= number < 1:
        raise ValueError(f"A token is drawn by a number from 0 to 1, not by {number}.")
    header: dict[str, Any] = {
        "labels": [spelled(text) for text in labels],
        "shown": min(SHOWN, len(labels)),
        "hue": style.WEIGHT_HUE,
        "number": None if number is None else float(number),
        "height": _HEIGHT,
        "dtype": "float32",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    header["state"] = _complete(header, state or {})
    return Picture("nextword", header, numbers.tobytes(), _complete)


def next_word_of(
    expectation: Expectation,
    *,
    ends: Collection[int] = (),
    name: str = "next-word",
    number: float | None = None,
    state: Chosen | None = None,
) -> Picture:
    """`next_word` of what a model expects, as `Model.expects` returns it.

    Args:
        expectation: the logits at one position.
        ends: the tokens that end a text, `Model.ends`: they are named so.
        name: see `next_word`.
        number: see `next_word`.
        state: see `next_word`.
    """
    ids, texts = expectation.ids[:NAMED], expectation.texts[:NAMED]
    top = expectation.top(1, 1.0)
    labels = [gettext(ENDS) if i in ends else text for i, text in zip(ids, texts, strict=True)]
    return next_word(
        np.sort(expectation.logits)[::-1],
        labels,
        sentence=_(
            "The ten likeliest next tokens, and all others. The likeliest is “{word}”, with {share}."
        ).format(word=spelled(labels[0]), share=percent(float(top.probabilities[0]))),
        name=name,
        number=number,
        state=state,
    )


def _complete(header: Mapping[str, Any], wanted: Chosen) -> dict[str, Any]:
    """The whole state."""
    return schema.complete("nextword", wanted, {})
