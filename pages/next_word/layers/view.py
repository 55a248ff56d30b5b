"""What each layer would say: the grid tokens × layers, one state, and a word through the layers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures import Line, Picture, StepAxis, ValueAxis, lens_grid, lines, style
from core.figures.labels import spelled
from core.figures.lens import cell_of, depth_name, token_names
from core.localization import _, decimal, each
from core.records.lens import LensGrid
from core.sentences import sentence
from pages.next_word import captions as of_page
from pages.next_word import ending, headline
from pages.next_word.layers import captions, fitting, python, reading
from pages.next_word.state import LENSES, NextWordState
from ui import figure, files, layout, page, permalink, same_in_python, text
from ui.models import model_cache
from ui.models.attempt import attempt
from ui.page.leads import STEPS_SHOW
from ui.state import select
from ui.state import text as text_box

BESIDE = 7  # columns up to which there is room beside the grid
SLOW = 16  # columns from which on the reading takes more than a second
LAST = 999  # the depth of a link that names none: the last one


def show(s: NextWordState, model: str) -> None:
    """Draw the view."""
    fitting.take()
    lens = attempt(reading.lens_of, model)
    if attempt(reading.model_of, model) is None:
        return
    message = headline.place()
    with st.container(horizontal=True, vertical_alignment="center", key="lens controls"):
        if lens is not None:
            select(s.lens, each(LENSES), _("Lens"), style="segments")
        follow = _("Follow a word")
        word = text_box(s.lens_word, follow, width=190, placeholder=follow, named=False, follows=False)
    below_the_box = st.container()
    fitted = lens is not None and s.lens.get() == "fitted"
    typed = attempt(ending.of, model, s.text.get(), len(s.written.get()))
    if typed is None:
        return
    shown = attempt(_shown, s, model, typed, fitted, word)
    if shown is None:
        return
    column = column_of(s, shown)
    position = shown.positions[column]
    if shown.word is None:  # the word that the model says in the end
        word = f"#{int(shown.likeliest[-1, column, 0])}"
    plain = attempt(_at, s, model, typed, False, word, position)
    mapped = attempt(_at, s, model, typed, True, word, position) if lens is not None else None
    if plain is None:
        return
    depth = min(s.lens_depth.get(), shown.n_layers)
    headline.write(message, captions.headline(plain, mapped, 0, 0), shown.text)
    with below_the_box:
        _followed(s, plain, mapped)
    if typed != s.text.get():
        st.info(ending.said(model, typed, where="a picture of every layer"))
    for one in _beyond(s, shown):
        st.caption(one)
    _part_of(shown)
    grid, result = _places(len(shown.positions))
    with grid:
        _grid(s, shown, (depth, column))
    with result:
        _cell(s, model, shown, plain, mapped, depth, column)
        figure.show(ranks(plain, mapped), "layers ranks", scale=layout.scale())
    if lens is not None:
        good = captions.how_good(lens, min(depth, shown.n_layers - 1))
        st.caption(sentence("lens.uses") + f" {good}")
    else:
        name = text.plain(model_cache.title(model))
        st.caption(
            _("No fitted lens for **{name}** comes with Polysee: you can fit one below.").format(
                name=name
            )
        )
    fitting.offer(model)
    same_in_python.show(
        s.python,
        partial(python.lines, s, model, typed, fitted=lens is not None, own=reading.is_own(model)),
        model,
    )


def _places(count: int) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Where the grid stands, and what it says of a state: beside it where a text has few tokens."""
    if count > BESIDE:
        return st.container(), st.container()
    left, right = st.columns([3, 2], gap="medium")
    return left, right


def _grid(s: NextWordState, shown: LensGrid, chosen: tuple[int, int]) -> None:
    said = sentence(
        "lens.grid",
        count=str(len(shown.positions)),
        layers=str(shown.n_layers),
        lens=shown.lens,
    )
    figure.show(
        lens_grid(shown, sentence=said, name=f"layers-{shown.lens}", chosen=chosen),
        "layers grid",
        on_bar=partial(_choose, s, shown),
        saved_as=[files.csv(shown.to_frame, f"layers-{shown.lens}")],
        scale=layout.scale(),
    )


def _followed(s: NextWordState, plain: LensGrid, mapped: LensGrid | None) -> None:
    """What becomes of the word in the box, by each lens."""
    followed = s.lens_word.get().strip()
    if not followed:
        return
    if not followed.startswith("#") and (said := captions.pieces(plain, followed)):
        st.caption(said)
    for grid in filter(None, (mapped, plain)):
        st.caption(captions.asked(grid, 0))


def _shown(s: NextWordState, model: str, typed: str, fitted: bool, word: str) -> LensGrid:
    """The whole grid by the lens that was chosen."""
    written = s.written.get()
    if reading.count(model, typed, written) > SLOW:
        with st.spinner(_("Reading every state …")):
            return reading.read(model, typed, written, fitted=fitted, word=word)
    return reading.read(model, typed, written, fitted=fitted, word=word)


def _at(s: NextWordState, model: str, typed: str, fitted: bool, word: str, position: int) -> LensGrid:
    """One token by one lens."""
    return reading.read(model, typed, s.written.get(), fitted=fitted, word=word, column=position)


def column_of(s: NextWordState, grid: LensGrid) -> int:
    """The column of the token that the link names; the last one where there is no such column."""
    at = s.lens_token.get() - 1
    return grid.positions.index(at) if at in grid.positions else len(grid.positions) - 1


def _beyond(s: NextWordState, grid: LensGrid) -> Iterator[str]:
    """What the link asks for and this grid does not have (Markdown)."""
    if s.lens_token.get() and s.lens_token.get() - 1 not in grid.positions:
        count, first = len(grid.tokens), grid.positions[0] + 1
        yield of_page.beyond(
            _("token"),
            s.lens_token.get(),
            count,
            _("tokens {first} to {last} are shown, the last chosen").format(
                first=decimal(f"{first:,}"), last=decimal(f"{count:,}")
            ),
        )
    if grid.n_layers < s.lens_depth.get() < LAST:
        yield of_page.beyond(_("layer"), s.lens_depth.get(), grid.n_layers, _("the last is chosen"))


def _choose(s: NextWordState, grid: LensGrid, index: int) -> None:
    """Take the cell that a visitor has chosen."""
    depth, column = cell_of(grid, index)
    last = column == len(grid.positions) - 1
    s.lens_token.set(0 if last else grid.positions[column] + 1)
    s.lens_depth.set(LAST if depth == grid.n_layers else depth)


def _part_of(grid: LensGrid) -> None:
    """Say what of the text is shown, if not all."""
    total, some = len(grid.tokens), len(grid.positions)
    if grid.left_out:
        st.info(text.cut(_("The text"), grid.text, grid.left_out[0]))
    if some < total:
        st.caption(sentence("lens.some", some=str(some), count=decimal(f"{total:,}")))


def _cell(
    s: NextWordState,
    model: str,
    shown: LensGrid,
    plain: LensGrid,
    mapped: LensGrid | None,
    depth: int,
    column: int,
) -> None:
    """The chosen state in words, and where it leads."""
    position = shown.positions[column]
    token = text.plain(token_names(shown)[column])
    st.markdown(captions.chosen(shown, plain, mapped, depth, column, token))
    with st.container(horizontal=True, gap="medium", key="lens leads"):
        if position < STEPS_SHOW:
            step = "residual2" if shown.predicts == "next" else "norm2"
            query: dict[str, object] = {"m": model, "t": shown.text, "q": position}
            query |= {"l": depth, "st": step} if depth else {"st": "embedded"}
            page.down(_("This state, step by step"), "step_by_step", query)
        else:
            st.caption(
                _("*Step by step* shows the first {count} tokens of a text.").format(count=STEPS_SHOW)
            )
        if shown.predicts == "next":
            at = 0 if position == len(shown.tokens) - 1 else position + 1
            # By its key in a link: the field is of the view that it opens.
            asked = st.button(
                _("Why this word?"),
                key="lens why",
                type="tertiary",
                on_click=permalink.change,
                args=({"p": "why", "at": str(at)},),
            )
            if asked:
                st.rerun()  # the whole page: another view is no part of this one


def ranks(plain: LensGrid, mapped: LensGrid | None) -> Picture:
    """The place of the word among all tokens after each layer, by both lenses; of one column each."""
    assert plain.word is not None
    word, n = spelled(plain.names[plain.word]), plain.n_layers
    unit = sentence("lens.ranks.unit", word=word)
    grids = [(_("plain lens"), plain, style.LEARNED)]
    if mapped is not None:
        grids.append((_("fitted lens"), mapped, style.SENTENCE_A))
    curves = []
    for name, grid, colour in grids:
        assert grid.word_ranks is not None
        curves.append(Line(name, np.asarray(grid.word_ranks[:, 0]) + 1.0, colour, mark="circle"))
    most = max(float(np.max(one.values)) for one in curves)
    guides = [(10.0**power, decimal(f"{10**power:,}")) for power in range(6) if 10**power <= 10 * most]
    return lines(
        curves,
        StepAxis(
            [depth_name(depth).capitalize() for depth in range(n + 1)],
            [str(depth) if depth else _("input") for depth in range(n + 1)],
            _("after layer"),
        ),
        ValueAxis(guides=guides, bounds=(1.0, 10.0), log=True, unit=unit),
        sentence=sentence("lens.ranks", word=word),
        name="layers-places",
        height=260,
    )
