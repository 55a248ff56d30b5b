"""The Embeddings page: three pictures of how near vectors are, with captions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from core import settings
from core.comparison import language
from core.figures import Picture, distance_heatmap, signed_heatmap, style
from core.localization import N_, _, gettext, ngettext
from core.measures.similarity import Similarity
from core.records.trace import Trace
from pages.embeddings import python, similarities, token_vectors
from pages.embeddings.similarities import Compared
from pages.embeddings.state import LEARNED, EmbeddingsState
from ui import figure, files, layout, left_out, page, same_in_python
from ui.comparison import Cached
from ui.layout import choose_named, row
from ui.models.attempt import attempt, attempt_trace
from ui.state import Whole, select, toggle
from ui.text import plain

# Field of `Similarity` -> its name, its formula, the end of its colour scale if that is not the largest
# number.
MEASURES: dict[str, tuple[str, str, float | None]] = {
    "dot": (N_("dot product"), "$x \\cdot y$", None),
    "cosine": (N_("cosine similarity"), "$x \\cdot y\\,/\\,|x||y|$", 1.0),
    "distance": (N_("distance"), "$|x - y|$", None),
}
PIECES = "##"  # the prefix of a word piece that continues a word
NAME = 72  # letters of a sentence; a picture shows as many as it has room for
FIRST = 3  # the number of nearest ones to name
MOST_DIGITS = 6  # digits of a sum under the pointer
WORD, SENTENCE = 150, 260  # pixels, the width of a list
Pair = tuple[Whole, Whole]


class Kind(NamedTuple):
    """What vectors are compared.

    Attributes:
        name: in the names of files.
        one: one of them, in a sentence.
        label: of the list of them.
        wide: the width of that list, in pixels.
        sentence: what a picture of them shows.
    """

    name: str
    one: str
    label: str
    wide: int
    sentence: str


TOKENS = Kind(
    "token",
    N_("token"),
    N_("Token"),
    WORD,
    N_("{measure} of each of {count} tokens with every other."),
)
SENTENCES = Kind(
    "sentence",
    N_("sentence"),
    N_("Sentence"),
    SENTENCE,
    N_("{measure} of each of {count} sentences with every other."),
)


def words(s: EmbeddingsState, model: str) -> None:
    """Compare the tokens of one text at one depth."""
    typed = s.text.get()
    trace = attempt_trace(model, typed, _("The text"))
    if trace is None:
        return
    if note := language.warning(Cached(model), [typed]):
        st.caption(note)
    layers = 0 if trace.hidden is None else len(trace.hidden)
    depths = [LEARNED, *map(str, range(layers + 1))]
    if s.depth.get() not in depths:
        s.depth.set(depths[-1])  # a link may come from a larger model
    with row():
        depth = select(s.depth, _called(depths), _("After layer"), style="slider", width=380)
        special = toggle(s.special, left_out.label(trace.first_is_sink))
        compared = attempt(similarities.words, model, typed, depth, special)
    if compared is None:
        return
    pair = _show(compared, (s.row, s.column), TOKENS)
    st.caption(_of_depth(depth, trace) + _of_pieces(compared.names))
    page.to_vector(typed, compared.positions[pair[0]], layers if depth == LEARNED else int(depth))
    with st.container(key="numbers vocabulary"):
        token_vectors.vocabulary(model, typed, depth, compared, pair[0])
    token_vectors.strips_of(trace, compared, depth)
    row_and_column = compared.positions[pair[0]], compared.positions[pair[1]]
    same_in_python.show(s.python, partial(python.words, model, typed, depth, row_and_column), model)


def sentences(s: EmbeddingsState, model: str) -> None:
    """Compare whole sentences, one per line."""
    lines = tuple(line.strip() for line in s.lines.get().splitlines())
    lines = tuple(line for line in lines if line)
    if not lines:
        st.info(_("There is no sentence yet. Type one per line."))
        return
    lengths = []
    for number, line in enumerate(lines[: similarities.MOST_SENTENCES], 1):
        trace = attempt_trace(model, line, _("Sentence {number}").format(number=number))
        if trace is None:
            return
        lengths.append(len(trace.tokens))
        read = trace
    compared = attempt(similarities.sentences, model, lines)
    if compared is None:
        return
    chosen = s.sentence_row, s.sentence_column
    pair = _show(compared, chosen, SENTENCES)
    st.caption(
        f"{_mean_of(read, compared.width)} "
        + (
            _(
                "This model was trained to continue texts, not to compare them: it separates sentences "
                "less well than MiniLM."
            )
            if read.causal
            else _(
                "MiniLM was trained to compare sentences; models that were not (BERT, GPT-2) separate "
                "them less well."
            )
        )
        + _of_model(model, lengths)
    )
    same_in_python.show(s.python, partial(python.sentences, model, lines, pair), model)


def _mean_of(trace: Trace, width: int) -> str:
    """What the vector of a sentence is, and which tokens it has besides its words."""
    if trace.first_is_sink:
        said = _(
            "The vector of a sentence is the mean of the last layer’s vectors over all its tokens, "
            "without the first one, on which the heads of this model rest: {width} numbers."
        )
    else:
        said = _(
            "The vector of a sentence is the mean of the last layer’s vectors over all its tokens, "
            "special tokens included: {width} numbers."
        )
    return said.format(width=width)


def _called(depths: Sequence[str]) -> dict[str, str]:
    """The names of the depths on their slider."""
    return {one: _("learned") if one == LEARNED else one for one in depths}


def _choose_pair(compared: Compared, chosen: Pair, what: Kind) -> tuple[int, int]:
    """Choose two of the vectors, by their index in the pictures."""
    called = dict(zip(compared.positions, numbered(compared.names), strict=True))
    first, second = (one.get() for one in chosen)
    # Special tokens may be hidden now, or the text may be shorter than that of the link.
    row_position = _near(compared.positions, first)
    others = [
        position for position in compared.positions if position != row_position or first == second
    ]
    pair = []
    for one, name, position in zip(
        chosen,
        (gettext(what.label), _("and")),
        (row_position, _near(others or compared.positions, second)),
        strict=True,
    ):
        one.set(position)
        pair.append(compared.positions.index(choose_named(one, name, called, what.wide)))
    return pair[0], pair[1]


def numbered(names: Sequence[str]) -> list[str]:
    """Each name as a list shows it; equal ones are counted: "bank (1)", "bank (2)"."""
    short = [_short(name) for name in names]
    return [
        f"{name} ({short[: i + 1].count(name)})" if short.count(name) > 1 else name
        for i, name in enumerate(short)
    ]


def _near(positions: Sequence[int], wanted: int) -> int:
    return min(positions, key=lambda position: abs(position - wanted))


def _show(compared: Compared, chosen: Pair, what: Kind) -> tuple[int, int]:
    """Draw the three pictures and, below them, the chosen pair with its numbers.

    Args:
        compared: the vectors.
        chosen: the fields of the two that are compared.
        what: what they are the vectors of.
    """
    pictures, choices = st.container(), st.container()
    with choices, row():
        pair = _choose_pair(compared, chosen, what)
    take = partial(_take, chosen, compared.positions)
    with pictures:
        columns = st.columns(3, gap="medium")
    for column, (field, (title, formula, bound)) in zip(columns, MEASURES.items(), strict=True):
        picture = _square(compared, field, title, bound, pair, what)
        with column:
            st.markdown(f"**{_capital(gettext(title))}** {formula}")
            numbers = files.csv(partial(_table, compared, field), f"{field}-{what.name}s")
            figure.show(picture, field, on_cell=take, saved_as=[numbers], scale=layout.scale())
            with st.container(key=f"numbers {field}"):
                st.markdown(_nearest(compared, field, pair[0]))
    names = numbered(compared.names)
    called = names[pair[0]], names[pair[1]]
    with choices, st.container(key="numbers pair"):
        exact = written(compared.similarity, pair, called, digits=MOST_DIGITS)
        more = _("With more decimals: {numbers}").format(numbers=exact)
        st.markdown(written(compared.similarity, pair, called), help=more)
    return pair


def _square(
    compared: Compared, field: str, title: str, bound: float | None, pair: tuple[int, int], what: Kind
) -> Picture:
    """Every vector with every other; the chosen pair's row and column are framed."""
    values = getattr(compared.similarity, field)
    called = [_short(name) for name in compared.names]
    name = gettext(title)
    sentence = gettext(what.sentence).format(measure=_capital(name), count=len(called))
    look: dict[str, Any] = {
        "sentence": sentence,
        "name": title.replace(" ", "-"),
        "marked": [pair[0]],
        "against": [pair[1]],
        "colour": style.SENTENCE_A,
        "of": (gettext(what.one), _("with")),
    }
    if field == "distance":
        return distance_heatmap(called, values, **look)
    return signed_heatmap(called, called, values, title=name, bound=bound, between=_(" and "), **look)


def _take(chosen: Pair, positions: tuple[int, ...], cell: figure.Cell) -> None:
    """Store what a visitor chose in a picture; it comes from a browser."""
    for one, i in zip(chosen, (cell.row, cell.column), strict=True):
        if 0 <= i < len(positions):
            one.set(positions[i])


def _nearest(compared: Compared, field: str, of: int) -> str:
    """The nearest others by one measure, with their numbers (Markdown)."""
    order = compared.similarity.nearest(field, of)[:FIRST]
    if not order:
        return _("There is nothing to compare with.")
    row_of = getattr(compared.similarity, field)[of]
    near = [f"**{_named(compared, i)}** {style.signed(float(row_of[i]))}" for i in order]
    return _("Nearest to **{word}**: {others}.").format(
        word=_named(compared, of), others=", ".join(near)
    )


def written(
    similarity: Similarity, pair: tuple[int, int], called: tuple[str, str], *, digits: int = 2
) -> str:
    """The three numbers of a pair, each computed from the others (Markdown)."""
    i, j = pair
    numbers = [float(getattr(similarity, field)[i, j]) for field in MEASURES]
    numbers += [float(similarity.lengths[k]) for k in pair]
    dot, cosine, distance, x, y = (style.signed(number, digits) for number in numbers)
    first, second = map(plain, called)
    return _(
        "**{first}** (length $|x|$ = {x}) and **{second}** ($|y|$ = {y}): dot product {dot}; "
        "cosine {cosine} ≈ {dot} / ({x} × {y}); distance {distance} ≈ √({x}² + {y}² − 2 × {dot})."
    ).format(first=first, second=second, x=x, y=y, dot=dot, cosine=cosine, distance=distance)


def _table(compared: Compared, field: str) -> pd.DataFrame:
    return pd.DataFrame(getattr(compared.similarity, field), [*compared.names], [*compared.names])


def _named(compared: Compared, i: int) -> str:
    """A name, with its number if another has the same name (Markdown)."""
    return plain(numbered(compared.names)[i])


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _short(name: str) -> str:
    return style.short(style.token_name(name), NAME)


def _of_depth(depth: str, trace: Trace) -> str:
    """What the vectors at this depth are."""
    if depth == LEARNED:
        return _(
            "Learned vectors, {width} numbers each: a row of the model’s table, the same wherever the "
            "token stands."
        ).format(width=trace.learned.shape[1])
    width = trace.embedded.shape[1]
    if depth == "0":
        said = (
            _(
                "The input to layer 1, {width} numbers each: the learned row as it is. In this model, "
                "positions enter inside the layers."
            )
            if np.array_equal(trace.embedded, trace.learned)
            else _("The input to layer 1, {width} numbers each: the learned row plus the position.")
        )
        return said.format(width=width)
    said = (
        _(
            "The output of layer {layer}, {width} numbers each: each token has attended to itself and "
            "those before it."
        )
        if trace.causal
        else _(
            "The output of layer {layer}, {width} numbers each: each token has attended to the others."
        )
    )
    return said.format(layer=depth, width=width)


def _of_pieces(names: Sequence[str]) -> str:
    if not any(name.startswith(PIECES) and len(name) > len(PIECES) for name in names):
        return ""
    return _(
        " A token is a word, or a piece of a word that is not in the vocabulary: · marks a piece that "
        "continues a word."
    )


def _of_model(model: str, lengths: Sequence[int]) -> str:
    """How `sentence-transformers` differs, and which languages the model knows."""
    entry, note = settings.CATALOGUE.get(model), ""
    most = None if entry is None else entry.sentence_tokens
    long = [number for number, length in enumerate(lengths, 1) if most is not None and length > most]
    if long:
        which = _("Sentence {number}").format(number=long[0])
        note = ngettext(
            " {which} is longer than the {most} tokens at which *sentence-transformers* truncates a "
            "text for this model. This page reads all that the model accepts, and its numbers "
            "therefore differ from those of that library.",
            " {count} sentences are longer than the {most} tokens at which *sentence-transformers* "
            "truncates a text for this model. This page reads all that the model accepts, and its "
            "numbers therefore differ from those of that library.",
            len(long),
        ).format(which=which, count=len(long), most=most)
    return f"{note} {language.known(model)}".rstrip()
