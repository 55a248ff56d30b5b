"""Bars of words and numbers, and a page that shows them."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.figures import Picture, bars

NEXT = (" bank", " money", " river", "s", "שלום", " account", " pneumonoultramicroscopic")
CHANCES = (0.4321, 0.2, 0.125, 0.0625, 0.03, 0.0123456, 0.0006789)
BEFORE = (0.1, 0.3, 0.125, 0.5, 0.0, 0.02, 0.25)
NOTES = ("first", "", "with <i>signs</i>", "הערה", "", "", "last")
WORDS = ("river", "##s", "money", "[SEP]", "with")
CONTRIBUTIONS = (1.5, -0.75, 0.0, -3.0, 0.00125)
EARLIER = (-0.5, -1.5, 0.5, 1.0, 2.0)
ODD = ("<b>bold</b>", "😀👩‍👩‍👧", "שלום", "مرحبا", "</script>", "a\x01b", " ", "日本語 ", "\n")


def chances(seed: int = 1, **more: Any) -> Picture:
    """Words that may come next; another seed gives other numbers."""
    numbers = np.array(CHANCES) / seed
    words: dict[str, Any] = {"unit": "probability", "sentence": "Seven words.", "name": "next"}
    return bars(numbers, NEXT, **words, **more)


def contributions(**more: Any) -> Picture:
    """The contribution of each word."""
    words: dict[str, Any] = {
        "unit": "contribution along the axis",
        "sentence": "Five words.",
        "name": "contribution",
    }
    return bars(CONTRIBUTIONS, WORDS, kind="signed", **words, **more)


def made(kind: str, seed: int) -> Picture:
    """A picture by its name."""
    if kind == "both":
        return chances(seed, other=BEFORE, notes=NOTES, chosen=1, names=("with the cut", "before"))
    if kind == "contributions":
        return contributions()
    if kind == "moved":
        return contributions(other=EARLIER, chosen=3, most=6)
    if kind == "fixed":
        return chances(seed, most=1)
    if kind == "odd":
        numbers = np.arange(1, len(ODD) + 1) / 10
        title = "a long <i>unit</i> with many words in it, more than one line on a telephone holds"
        return bars(numbers, ODD, unit=title, sentence="Odd & <i>signs</i>.", name="odd")
    if kind == "many":
        numbers = 0.9 ** np.arange(50) / 10
        names = [f" word{i}" for i in range(50)]
        return bars(numbers, names, unit="probability", sentence="Many.", name="many", chosen=40)
    if kind == "one":
        return bars(
            [0.25], ["bank"], unit="probability", sentence="One.", name="one", notes=["so " * 30]
        )
    return chances(seed)


def show() -> None:
    """Show the bars that the query names."""
    import streamlit as st

    from ui import figure

    asked, kept = st.query_params, st.session_state
    seed = int(st.selectbox("Seed", [1, 2, 3]))
    picture = made(asked.get("kind", "chances"), seed)
    if "listens" in asked:
        figure.show(picture, "bars", on_bar=lambda index: kept.update(bar=index))
    else:
        figure.show(picture, "bars")
    kept.runs = kept.get("runs", 0) + 1
    st.button("Again")
    st.write(f"run {kept.runs}, bar {kept.get('bar')}")
