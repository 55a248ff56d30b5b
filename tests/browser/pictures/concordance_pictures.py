"""Concordances and shares for the tests: other scripts, emoji, markup; numbers by hand."""

from __future__ import annotations

import numpy as np

from core.figures import Picture, concordance, groups_of, share_dots
from core.measures.senses.shares import shares

ODD = (
    "<b>bold</b> & <script>alert(1)</script> the bank &amp; more",
    "👩‍👩‍👧 at the bank 🎣 with 🇫🇷 flags",
    "הבנק bank ליד הנהר",
    "a\x01\ud800b bank",
)


def picture(count: int, *, similar: str | None = None, numbers: bool = False) -> Picture:
    """So many lines of “bank” in three groups; every seventh is an odd one."""
    texts = [
        ODD[i // 7 % len(ODD)] if i % 7 == 3 else f"The {i % 5} banks saw {i} at the bank of {i % 11}."
        for i in range(count)
    ]
    starts = [text.index("bank") if text in ODD else text.rindex("bank") for text in texts]
    return concordance(
        texts,
        np.arange(count),
        [(start, start + 4) for start in starts],
        groups_of(["Cluster 1", "Cluster 2", "Cluster 3"]),
        np.arange(count) % 3,
        np.arange(count)[::-1] / count,
        words=[("river", "water"), ("money",), ()],
        numbers=np.linspace(-1, 1, count) if numbers else None,
        number_name="between the senses" if numbers else "",
        columns={
            "source": ["a.txt", "b.txt"] * (count // 2),
            "year": [1990 + i % 4 for i in range(count)],
        },
        similar=similar,
        sentence=f"{count} lines.",
        name="concordance",
    )


def shares_picture() -> Picture:
    """Two years and two groups: 3 of 4 and 1 of 4, 0 of 2 and 2 of 2."""
    made = shares([0, 0, 0, 1, 1, 1], [1990] * 4 + [2005] * 2)
    return share_dots(
        made,
        groups_of(["river", "money"]),
        names=["1990", "2005"],
        axis="share of the lines of each year",
        chosen=0,
        sentence="Shares by year.",
        name="shares",
    )
