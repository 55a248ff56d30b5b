"""What a page says about what it shows, in sentences with their numbers (Markdown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.figures import style
from core.measures import Agreement, HeadMap, PlaceRange, SenseRange, WordPath
from core.trace import Array
from ui.text import plain

HARDLY = 0.05  # on the sense axis: less than this is told as no distance
DIFFERENCE = (
    "Green: A looks there more. Purple: B does. A token that stands several times is paired in order, "
    "the first with the first; the compared word with itself. A row need not add up to 0: what goes to "
    "tokens of one sentence alone is not seen here."
)

OFFER = (
    "Cosine alone cannot tell senses apart. Name a few words for each of two senses, under *Name two "
    "senses*, and the page draws the axis between them."
)


class Known(NamedTuple):
    """What the labelled sentences of a word show: pairs of one sense, by cosine and on the axis."""

    cosines: SenseRange
    places: PlaceRange


def claim(
    words: tuple[str, str], a: Array, b: Array, *, low: str, high: str, same: float | None = None
) -> str:
    """What the two paths on the sense axis say, with their numbers (Markdown).

    Args:
        words: the word in A and the word in B, mostly the same.
        a: its place in sentence A at every depth, from `SenseAxis.place`.
        b: the same in sentence B.
        low: the name of the group at −1.
        high: the name of the group at +1.
        same: how far apart two sentences of one sense stand at most; None where that is not known.
    """
    first, second, low, high = (plain(t) for t in (*words, low, high))
    one = first == second
    if one and abs(a[0] - b[0]) < 5e-4:
        start = f"In both sentences **{first}** starts at **{style.signed(a[0])}**, "
        start += f"{_side(float(a[0]), low, high)}."
    else:
        start = (
            f"**{first}** starts at **{style.signed(a[0])}** in A and **{second}** at "
            f"**{style.signed(b[0])}** in B."
        )
    layers = "1 layer" if len(a) == 3 else f"{len(a) - 2} layers"
    end = (
        f"After {layers} {'it stands' if one else 'they stand'} at "
        f":blue[**{style.signed(a[-1])}**] in A and at :orange[**{style.signed(b[-1])}**] in B"
    )
    gap = apart(a, b)
    if gap < HARDLY:
        return f"{start} {end}: hardly apart."
    if same is not None and gap <= round(same, 2):
        return f"{start} {end}: {style.signed(gap)} apart, **no more than within one sense**."
    said = f"{start} {end}: {style.signed(gap)} apart"
    if one:
        return f"{said}.{_pulled(first, a, b, low, high)}"
    return f"{said}, with {'A' if a[-1] > b[-1] else 'B'} nearer to *{high}*."


def claim_of_one(word: str, name: str, place: Array, *, low: str, high: str) -> str:
    """What the path of a word in one sentence says (Markdown)."""
    word, low, high = (plain(t) for t in (word, low, high))
    layers = "1 layer" if len(place) == 3 else f"{len(place) - 2} layers"
    return (
        f"In {name}, **{word}** starts at **{style.signed(place[0])}**, "
        f"{_side(float(place[0]), low, high)}, and stands at **{style.signed(place[-1])}** after "
        f"{layers}."
    )


def apart(a: Array, b: Array) -> float:
    """How far apart two paths end, as it is printed: the difference of the two printed numbers."""
    return round(abs(round(float(a[-1]), 2) - round(float(b[-1]), 2)), 2)


def _pulled(word: str, a: Array, b: Array, low: str, high: str) -> str:
    """Which sentence pulled the word where: the one that took it further from where it started."""
    moves = {"A": float(a[-1] - a[0]), "B": float(b[-1] - b[0])}
    name = max(moves, key=lambda one: abs(moves[one]))
    if abs(moves[name]) < HARDLY:
        return ""
    to, away = (high, low) if moves[name] > 0 else (low, high)
    return f" Sentence {name} has pulled **{word}** away from *{away}*, towards *{to}*."


def _side(place: float, low: str, high: str) -> str:
    if abs(place) < 0.05:
        return f"halfway between *{low}* and *{high}*"
    return f"on the side of *{low if place < 0 else high}*"


def start_without_axis(words: tuple[str, str]) -> str:
    """What to say of a word for which no two senses are named (Markdown)."""
    first, second = map(plain, words)
    if first != second:
        return f"**{first}** and **{second}** start from two learned vectors."
    return f"In both sentences **{first}** starts from one learned vector."


def read_cosine(words: tuple[str, str], cosines: Array, gap: float | None, known: Known | None) -> str:
    """The cosine at the last layer, and the gap on the axis, beside what one sense shows (Markdown).

    Args:
        words: the word in A and the word in B.
        cosines: of their two vectors at every depth.
        gap: how far apart their places on the sense axis are at the last layer; None without an axis.
        known: the ranges of the word's labelled sentences, if there are any.
    """
    word = plain(words[0])
    start, cosine = round(float(cosines[0]), 2), round(float(cosines[-1]), 2)  # as they are printed
    if words[0] != words[1]:
        return (
            f"The cosine similarity of **{word}** in A and **{plain(words[1])}** in B goes from "
            f"{style.signed(start)} to **{style.signed(cosine)}**. That alone tells little: it changes "
            "with depth whatever the words mean."
        )
    said = f"The cosine similarity of its two vectors falls from 1.00 to **{style.signed(cosine)}**."
    if cosine == 1:
        said = "Its two vectors point the same way: their cosine similarity is **1.00**."
    if known is None or gap is None:
        return said + " That alone tells little: it falls with depth whatever the words mean."
    same, gaps = known.cosines.same, known.places.gaps
    low, high, most = (round(float(edge[-1]), 2) for edge in (same.low, same.high, gaps.high))
    verdict = "**within that** and so proves nothing"
    if cosine < low:
        verdict = "**below that**"
    elif cosine > high:
        verdict = "**above that**: nearer than most pairs of one sense"
    return (
        f"{said} Nine in ten of {same.count} pairs of our sentences in which **{word}** keeps its "
        f"sense show {style.signed(low)} to {style.signed(high)}: {style.signed(cosine)} is {verdict}. "
        f"On the axis such pairs stand up to {style.signed(most)} apart: {style.signed(gap)} is "
        f"**{'more' if gap > most else 'no more'} than that**."
    )


def who_looks(view: HeadMap, rows: Sequence[int], word: str | None) -> str:
    """The strongest looks of a word in one head, in a sentence (Markdown)."""
    if not rows or word is None:
        return "Rows look, columns are looked at."
    weights = view.weights[list(rows)].mean(axis=0)
    top = np.argsort(-weights, kind="stable")[:3]
    names = [plain(style.token_name(view.keys[i])) for i in top]
    seen = ", ".join(
        f"*{name}* {style.signed(float(weights[i]))}" for name, i in zip(names, top, strict=True)
    )
    one = len(rows) == 1
    who = "Row" if one else f"On average the {len(rows)} rows of"
    said = f"{who} **{plain(word)}** {'looks' if one else 'look'} most at {seen}."
    if view.renormalised:
        spent = style.signed(float(view.dropped[list(rows)].mean()))
        said += (
            f" Hidden: the {spent} of {'its' if one else 'their'} weight on [CLS] and [SEP]; the rest "
            "is scaled to add up to 1."
        )
    return said


def first_numbers(vectors: Mapping[str, Array], count: int = 5) -> str:
    """The first numbers of each vector, two decimals, a line each, the names set in one column."""
    width = max(map(len, vectors))
    rows = {name: ", ".join(f"{x:.2f}" for x in vector[:count]) for name, vector in vectors.items()}
    return "\n".join(f"{name:<{width}} [{row}]" for name, row in rows.items())


def about_vectors(words: Mapping[str, str], paths: Mapping[str, WordPath]) -> str:
    """What the printed vectors are (Markdown).

    Args:
        words: the word of each sentence, by the sentence's name.
        paths: its path there.
    """
    first = next(iter(paths.values()))
    one = len({*words.values()}) == 1
    row = "the word's row in the model's table, the same in every sentence"
    if not one:
        row = "a word's row in the model's table"
    names = " and ".join(f"*in {name}*" for name in paths)
    said = (
        f"The first of {first.vectors[-1].size} numbers. *Learned* is {row}; {names} "
        f"{'is' if len(paths) == 1 else 'are'} what layer {first.n_layers} makes of it there: its "
        "contextual vector."
    )
    pieces = {words[name]: path.pieces for name, path in paths.items() if path.pieces > 1}
    for word, count in pieces.items():
        said += f" The model cuts “{plain(word)}” into {count} pieces; its numbers are their mean."
    return said


def agreed(found: Sequence[Agreement], bound: float) -> str:
    """Whether our transformer and Hugging Face's agree, with the number that says so (Markdown)."""
    worst = max(f.worst for f in found)
    numbers = sum(f.numbers for f in found)
    if worst == 0:
        return (
            "Our own transformer and Hugging Face's ran these texts with the same published weights. "
            f"All **{numbers:,}** numbers, at every layer, are equal **to the last bit**: the largest "
            "difference is **0**."
        )
    verdict = "agree" if worst <= bound else "**do not agree**"
    return (
        "Our own transformer and Hugging Face's ran these texts with the same published weights, and "
        f"they {verdict}: over {numbers:,} numbers, at every layer, the largest difference is "
        f"**{worst:.1e}** (they should stay below {bound:.0e})."
    )
