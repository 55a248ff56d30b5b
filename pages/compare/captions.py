"""The captions of the Compare page, with their numbers (Markdown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures import style
from core.measures import Agreement, HeadMap, WordPath
from core.measures.attention.visible import mean_of_rows
from core.records.trace import Array
from ui.text import plain

DIFFERENCE = (
    "Green: the weight is larger in A. Purple: it is larger in B. Repeated tokens are "
    "paired in order, the first with the first, and the compared word is paired with "
    "itself. A row need not add up to 0, because weights on tokens of only one sentence do "
    "not appear here."
)


def strongest_attention(view: HeadMap, rows: Sequence[int], word: str | None) -> str:
    """What a word attends to most in one head, in a sentence (Markdown)."""
    if not rows or word is None:
        return "Rows are queries, columns are keys."
    gone = view.missing
    if gone[list(rows)].all():
        return _no_row(view, rows, word)
    rows = [row for row in rows if not gone[row]]
    weights = mean_of_rows(view.weights[rows])
    top = np.argsort(-weights, kind="stable")[:3]
    names = [plain(style.token_name(view.keys[i])) for i in top]
    seen = ", ".join(
        f"*{name}* {style.signed(float(weights[i]))}" for name, i in zip(names, top, strict=True)
    )
    one = len(rows) == 1
    who = "Row" if one else f"On average, the {len(rows)} rows of"
    caption = f"{who} **{plain(word)}** {'attends' if one else 'attend'} most to {seen}."
    if view.renormalised:
        spent = style.signed(float(view.dropped[rows].mean()))
        caption += f" The {spent} of {'its' if one else 'their'} weight on special tokens is hidden; "
        caption += (
            (
                "the rest of each head’s rows is rescaled to add up to 1, and then the heads "
                "are averaged."
            )
            if view.averaged
            else "the rest is rescaled to add up to 1."
        )
    return caption


def _no_row(view: HeadMap, rows: Sequence[int], word: str) -> str:
    """Why a word attends to nothing here (Markdown)."""
    spent = view.dropped[list(rows)]
    if not view.renormalised or np.isnan(spent).all():
        return f"**{plain(word)}** attends to nothing here: this layer has no attention."
    return (
        f"**{plain(word)}** spends all of its weight on special tokens here: without them, "
        "nothing of its row is left."
    )


def first_numbers(vectors: Mapping[str, Array]) -> str:
    """The first five numbers of each vector with two decimals, one line each, names in a column."""
    width = max(map(len, vectors))
    rows = {name: ", ".join(f"{x:.2f}" for x in vector[:5]) for name, vector in vectors.items()}
    return "\n".join(f"{name:<{width}} [{row}]" for name, row in rows.items())


def about_vectors(words: Mapping[str, str], paths: Mapping[str, WordPath]) -> str:
    """A caption for the printed vectors (Markdown).

    Args:
        words: the word of each sentence, by the sentence's name.
        paths: the path of the word in each sentence.
    """
    first = next(iter(paths.values()))
    one = len({*words.values()}) == 1
    row = "the word’s row in the model’s table, the same in every sentence"
    if not one:
        row = "a word’s row in the model’s table"
    names = " and ".join(f"*in {name}*" for name in paths)
    caption = (
        f"The first of {first.vectors[-1].size} numbers. *Learned* is {row}; {names} "
        f"{'is the vector' if len(paths) == 1 else 'are the vectors'} after layer "
        f"{first.n_layers} in that sentence: "
        f"{'a contextual vector' if len(paths) == 1 else 'contextual vectors'}."
    )
    pieces = {words[name]: path.pieces for name, path in paths.items() if path.pieces > 1}
    for word, count in pieces.items():
        caption += (
            f" The model splits “{plain(word)}” into {count} pieces; the numbers are the mean "
            "over the pieces."
        )
    return caption


def agreed(agreements: Sequence[Agreement], bound: float) -> str:
    """Whether our transformer and Hugging Face's agree, with the largest difference (Markdown)."""
    worst = max(f.worst for f in agreements)
    numbers = sum(f.numbers for f in agreements)
    if worst == 0:
        return (
            "Our own transformer and Hugging Face’s ran these texts with the same "
            f"published weights. All **{numbers:,}** numbers, at every layer, are equal "
            "**to the last bit**: the largest difference is **0**."
        )
    verdict = "agree" if worst <= bound else "**do not agree**"
    return (
        "Our own transformer and Hugging Face’s ran these texts with the same published "
        f"weights, and they {verdict}: over {numbers:,} numbers, at every layer, the "
        f"largest difference is **{style.scientific(worst, 1)}** (it should stay below "
        f"{style.scientific(bound, 0)})."
    )
