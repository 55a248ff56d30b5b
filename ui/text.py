"""Sentences and numbers as text: what a page says about what it shows."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from core.figures import Plane, style
from core.measures import Agreement, HeadMap, PlaceRange, SenseRange, WordPath
from core.settings import AnchorGroup
from core.trace import Array, Trace

# What Streamlit's page makes of text after Markdown has had its turn, escaped or not: arrows, dashes,
# comparison signs, links, addresses and its own logo. A sign that is not seen keeps the parts apart.
_STILL_ALIVE = re.compile(
    r"(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)"
    r"|(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)|(?<=:)(?=streamlit:)",
    re.IGNORECASE,
)
_WORD_JOINER = "\u2060"


def plain(text: str) -> str:
    """Text that Markdown shows as it is, in one line: what a visitor typed stays text."""
    apart = _STILL_ALIVE.sub(_WORD_JOINER, " ".join(text.split()))
    escaped = "".join(f"\\{c}" if c in string.punctuation else c for c in apart)
    # Isolated, or a Hebrew or Arabic word would turn round the numbers beside it.
    turned = any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in apart)
    return f"\u2068{escaped}\u2069" if turned else escaped


class Known(NamedTuple):
    """What the labelled sentences of a word show: pairs of one sense, by cosine and on the axis."""

    cosines: SenseRange
    places: PlaceRange


def words_of(typed: str) -> tuple[str, ...]:
    """A list typed with commas, each word once."""
    return tuple(dict.fromkeys(word.strip() for word in typed.split(",") if word.strip()))


def group_of(typed: str) -> AnchorGroup:
    """Anchor words typed as "name: word, word" or "word, word"; then the first word is the name."""
    named = re.match(r"\s*([^,:]+):\s+(.*)", typed, re.DOTALL)  # not the colon of 10:30
    words = words_of(named[2] if named else typed)
    return AnchorGroup(named[1].strip() if named else (words[0] if words else ""), words)


def typed_group(group: AnchorGroup) -> str:
    """What `group_of` reads as this group."""
    words = ", ".join(group.words)
    return words if group.name == group.words[0] else f"{group.name}: {words}"


def claim(word: str, a: Array, b: Array, *, low: str, high: str) -> str:
    """What the two paths of a word on the sense axis say, with their numbers (Markdown).

    Args:
        word: the word.
        a: its place in sentence A at every depth, from `SenseAxis.place`.
        b: the same in sentence B.
        low: the name of the group at −1.
        high: the name of the group at +1.
    """
    word, low, high = (plain(t) for t in (word, low, high))
    layers = len(a) - 2
    if abs(a[0] - b[0]) < 5e-4:
        side = _side(float(a[0]), low, high)
        start = f"In both sentences **{word}** starts at **{style.signed(a[0])}**, {side}."
    else:
        start = f"**{word}** starts at **{style.signed(a[0])}** in A and **{style.signed(b[0])}** in B."
    apart = abs(float(a[-1]) - float(b[-1]))
    nearer = "A" if a[-1] > b[-1] else "B"
    end = (
        f"After {layers} layers it stands at :blue[**{style.signed(a[-1])}**] in A and at "
        f":orange[**{style.signed(b[-1])}**] in B"
    )
    if apart < 0.05:
        return f"{start} {end}: hardly apart."
    return f"{start} {end}: {style.signed(apart)} apart, with {nearer} nearer to *{high}*."


def _side(place: float, low: str, high: str) -> str:
    if abs(place) < 0.05:
        return f"halfway between *{low}* and *{high}*"
    return f"on the side of *{low if place < 0 else high}*"


def read_cosine(cosine: float, gap: float, known: Known | None, word: str) -> str:
    """The cosine at the last layer and the gap on the axis, beside what one sense shows (Markdown).

    Args:
        cosine: of the word's two vectors at the last layer.
        gap: how far apart its two places on the sense axis are there.
        known: the ranges of the word's labelled sentences, if there are any.
        word: the word.
    """
    cosine, gap = round(cosine, 2), round(gap, 2)  # what is compared is what is printed
    said = f"The cosine similarity of its two vectors falls from 1.00 to **{style.signed(cosine)}**."
    if cosine == 1:
        said = "Its two vectors point the same way: their cosine similarity is **1.00**."
    if known is None:
        return said + " That alone tells little: it falls with depth whatever the words mean."
    same, gaps = known.cosines.same, known.places.gaps
    low, high, most = (round(float(edge[-1]), 2) for edge in (same.low, same.high, gaps.high))
    verdict = "**within that**, so it tells no two senses apart"
    if cosine < low:
        verdict = "**below that**"
    elif cosine > high:
        verdict = "**above that**: nearer than most pairs of one sense"
    return (
        f"{said} Where **{plain(word)}** keeps its sense, nine in ten of {same.count} pairs of our "
        f"sentences show {style.signed(low)} to {style.signed(high)}: {style.signed(cosine)} is "
        f"{verdict}. On the axis such pairs stand up to {style.signed(most)} apart: "
        f"{style.signed(gap)} is **{'more' if gap > most else 'no more'} than that**."
    )


def known_words(trace: Trace) -> tuple[str, ...]:
    """The words of a text that the model has pieces for: [UNK] stands for all others alike."""
    return tuple(w for w in trace.words() if not all_unknown(trace, trace.find(w)))


def all_unknown(trace: Trace, tokens: Array) -> bool:
    """Whether the model knows nothing of what stands at these tokens."""
    return all(trace.tokens[i] in ("[UNK]", "<unk>") for i in tokens)


def first_of(counts: Sequence[int], word: str) -> str | None:
    """What to say where a word stands more than once in a sentence; None where it does not."""
    often = [f"{n} times in {name}" for name, n in zip("AB", counts, strict=False) if n > 1]
    if not often:
        return None
    return f"{plain(word)} stands {' and '.join(often)}; its first place is shown."


def path_legend(low: Sequence[str], high: Sequence[str]) -> str:
    """What the marks and the directions in the picture of the path mean (Markdown)."""
    up, down = (plain(", ".join(group[:3])) for group in (high, low))
    return (
        f"Up is towards words like *{up}*, down towards *{down}*. ◆ the learned vector, the same in "
        "A and B, +pos with its position added · :blue[●] sentence A · :orange[■] sentence B"
    )


def plane_table(shown: Plane) -> pd.DataFrame:
    """The places of the words in the plane at every depth: along the axis (x) and across it (y)."""
    words = {"A": shown.a, "B": shown.b, "alone": shown.alone, **shown.low, **shown.high}
    depths = [style.depth_name(depth) for depth in range(len(shown.a))]
    columns = pd.MultiIndex.from_product([depths, ["x", "y"]]).map(" ".join)
    return pd.DataFrame([places.ravel() for places in words.values()], [*words], columns)


def plane_legend(word: str, share: float) -> str:
    """How to read the plane of the move (Markdown)."""
    return (
        "Left to right: the place on the sense axis of this layer. Up and down: one direction across "
        f"it, fitted to the anchor words (◁ ▷) at the last layer; it holds {100 * share:.0f} % of how "
        f"they differ there. ◆ learned · ○ “{plain(word)}” by itself, in the anchors' frame."
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


def shared_words(there: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The words (no bare signs) of the first list that every other list has too."""
    first, *others = there
    return tuple(w for w in first if any(map(str.isalnum, w)) and all(w in other for other in others))


def cut(sentence: str, typed: str, end: int) -> str:
    """Where a sentence was cut because the model takes no more (Markdown)."""
    return (
        f"Sentence {sentence} is longer than the model takes. It was cut after "
        f"“… {plain(typed[:end].rstrip()[-40:])}”."
    )


def first_numbers(vectors: Mapping[str, Array], count: int = 5) -> str:
    """The first numbers of each vector, two decimals, a line each, the names set in one column."""
    width = max(map(len, vectors))
    rows = {name: ", ".join(f"{x:.2f}" for x in vector[:count]) for name, vector in vectors.items()}
    return "\n".join(f"{name:<{width}} [{row}]" for name, row in rows.items())


def about_vectors(path: WordPath) -> str:
    """What the printed vectors are."""
    said = (
        f"The first of {path.vectors[-1].size} numbers. *Learned* is the word's row in the model's "
        f"table, the same in every sentence; *in A* and *in B* is what layer {path.n_layers} makes of "
        "it there: its contextual vector."
    )
    if path.pieces > 1:
        said += f" The model cuts this word into {path.pieces} pieces; the numbers are their mean."
    return said


def vector_table(vectors: Mapping[str, Array]) -> pd.DataFrame:
    """Whole vectors as columns."""
    columns = {name: pd.Series(vector) for name, vector in vectors.items()}
    return pd.DataFrame(columns).rename_axis("dimension")


def head_table(view: HeadMap) -> pd.DataFrame:
    """The weights of a head with their labels: rows look, columns are looked at."""
    return pd.DataFrame(view.weights, pd.Index(view.queries, name="row looks at column"), view.keys)


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
