"""Two sources: how much of the difference one state of the first brings back behind the second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import pandas as pd
import streamlit as st

from core.errors import TooLarge
from core.figures import bars, patched_words, patching
from core.figures.patching import token_names
from core.localization import N_, _, decimal, each, gettext
from core.measures import strongest_heads
from core.memory import cached
from core.records.patching import Half, Patching
from core.records.prediction import Expectation, probabilities
from core.sentences import listed, percent
from pages.encoder_decoder import translator, vocabulary
from pages.encoder_decoder.published import Published
from pages.encoder_decoder.state import EXCHANGED, TranslationState
from pages.encoder_decoder.steps import SHOWN
from pages.encoder_decoder.translator import TranslationQuery
from pages.encoder_decoder.vocabulary import Sides
from ui import figure, files, layout, state, text
from ui.models import long_texts
from ui.models.attempt import attempt
from ui.models.work_queue import waiting_room
from ui.state import toggle

if TYPE_CHECKING:
    from core.tasks import Decoding, Trained

TITLE = N_("Where does the difference to another sentence sit?")
MOST_OFFERED = 3
NOTICED = 0.5  # from this share on, a state is said to hold the difference
# Layers run for one token each, of the width of T5-small: 10,000 take about a second of one core.
QUICK, MOST = 8_000, 150_000
_WIDTH = 512


_ALIKE = {
    "word": N_("Behind both sentences the model would write the same words. Change another word."),
    "letter": N_("Behind both sentences the model would write the same letters. Change another word."),
    "token": N_("Behind both sentences the model would write the same tokens. Change another word."),
}
_ALIKE_HERE = {
    "word": N_(
        "At this step, the model would write the same word behind both sentences, and no difference "
        "can come back. Go to a step at which they differ:"
    ),
    "letter": N_(
        "At this step, the model would write the same letter behind both sentences, and no difference "
        "can come back. Go to a step at which they differ:"
    ),
    "token": N_(
        "At this step, the model would write the same token behind both sentences, and no difference "
        "can come back. Go to a step at which they differ:"
    ),
}


class Query(NamedTuple):
    """What is patched: a translation at a step, the other source, and whose states are exchanged.

    Attributes:
        first: the translation on the page; its source is A.
        step: from 0; what was written before it is the target of both runs.
        other: source B.
        block: see `core.records.patching`.
        answers: the ids of the written word, and of what B would write in its place.
    """

    first: TranslationQuery
    step: int
    other: str
    block: Half
    answers: tuple[int, int]


def show(
    s: TranslationState, query: TranslationQuery, decoding: Decoding, step: int, called: Sides
) -> Query | None:
    """Draw the folded section; nothing is computed before it is opened.

    Returns what is shown, if anything is.

    Args:
        s: the state of the page.
        query: the query.
        decoding: its result.
        step: from 0.
        called: the names of the two texts.
    """
    if not toggle(s.patch, gettext(TITLE)):
        return None
    left, right = st.columns([3, 2], gap="medium", vertical_alignment="bottom")
    with left:
        other = state.text(
            s.other,
            _("The other sentence"),
            default=proposed(query),
            placeholder=_("as many words, one of them another"),
            changed=partial(s.cell.set, ()),
        )
    with right:
        uncell = partial(s.cell.set, ())
        offered = each(EXCHANGED)
        block = state.select(s.exchanged, offered, _("Exchanged"), style="list", changed=uncell)
    if not other.strip():
        st.caption(_("Type a sentence that differs in a word."))
        return None
    beside = attempt(behind, query, other)
    if beside is None:
        return None
    a, b = decoding.ids[step], beside[step].ids[0] if step < len(beside) else None
    if b is None or a == b:
        _elsewhere(s, decoding, beside, called)
        return None
    asked = Query(query, step, other, cast(Half, block), (a, b))
    with st.spinner(_("The model runs again for each cell …")):
        found = attempt(patched, asked)
    if found is None:
        return None
    st.markdown(_point(found))
    pictures, words = st.columns([3, 2], gap="medium")
    with words:
        st.caption(said(found, called))
        if found.by == "position":
            st.caption(_("Click a cell to see what the model would write in that run."))
    with pictures:
        cell = _draw(s, asked, found)
    if found.by == "position" and cell is not None:
        _run(asked, found, cell, beside[step])
    return asked


def _draw(s: TranslationState, asked: Query, found: Patching) -> tuple[int, int] | None:
    """The words and the matrix; the depth and the position of the chosen run, None for none."""
    if found.block == "encoder":  # elsewhere both runs have read the same
        figure.show(patched_words(found), "translate patched words", scale=layout.scale())
    cell = _cell(s, found)
    figure.show(
        patching(found, chosen=None if cell is None else (cell[1], cell[0])),
        "translate patching",
        on_cell=partial(_take, s, found.by == "head"),
        saved_as=[files.csv(partial(_table, asked), f"patching-{asked.block}")],
        scale=layout.scale(),
    )
    return cell


def proposed(query: TranslationQuery) -> str:
    """The same sentence with its last word another of its kind; "" for a visitor's own model."""
    known = translator.model(query.name)
    if isinstance(known, Published):
        return ""
    return vocabulary.varied(known, query.text)


def behind(query: TranslationQuery, other: str) -> tuple[Expectation, ...]:
    """What the decoder expects behind another source, at each step of this translation.

    Raises:
        PolyseeError: see `translator.decoding`.
    """
    translator.model(query.name)
    return _behind(query, other)


@cached()
def _behind(query: TranslationQuery, other: str) -> tuple[Expectation, ...]:
    model, decoding = translator.model(query.name), translator.decoding(query)
    if isinstance(model, Published):
        forced = dict(enumerate(decoding.ids))
        with long_texts.turn(query.text, other):
            return model.behind(other, forced, len(decoding.ids))
    words = dict(enumerate(decoding.tokens))
    return model.decode(other, words, max_tokens=len(decoding.ids)).expectations


def _elsewhere(
    s: TranslationState, decoding: Decoding, beside: tuple[Expectation, ...], called: Sides
) -> None:
    """Say that both sources are answered alike here, and offer the steps at which they are not."""
    others = [
        i for i, (one, own) in enumerate(zip(beside, decoding.ids, strict=False)) if one.ids[0] != own
    ]
    if not others:
        st.info(gettext(_ALIKE[called.unit]))
        return
    st.info(gettext(_ALIKE_HERE[called.unit]))
    with st.container(horizontal=True, gap="small"):
        for i in others[:MOST_OFFERED]:
            own, other = (text.plain(one) for one in (decoding.tokens[i], beside[i].tokens[0]))
            st.button(
                _("{step}: {word}, not {other}").format(step=i + 1, word=own, other=other),
                key=f"translate differs {i}",
                on_click=s.step.set,
                args=(i + 1,),
            )


def said(found: Patching, called: Sides) -> str:
    """What the picture is (Markdown)."""
    one, other = (f"*{text.plain(name.strip() or name)}*" for name in found.answers)
    ends = _(
        "Behind the sentence above (A) the logit of {word} is {a} that of {other}, behind the other "
        "sentence (B) {b} it; the first is 100 %, the second 0 %. Both runs have read the same "
        "{target} so far."
    ).format(word=one, other=other, a=_apart(found.a), b=_apart(found.b), target=called.target)
    what = {
        "encoder": _(
            "Each cell puts one state of A’s encoder, at one token and after one layer or at the "
            "input, into its run of B; all above it runs again, and the decoder behind it."
        ),
        "decoder": _(
            "Each cell puts one state of A’s decoder into its run of B, where the encoder has read B. "
            "At the input nothing comes back: both have read the same."
        ),
        "cross": _(
            "Each cell puts what one head of the cross-attention takes from A, at the last token read, "
            "into the run of B."
        ),
    }[found.block]
    return f"{ends} {what}"


def _apart(logits: float) -> str:
    said = _("{number} above") if logits >= 0 else _("{number} below")
    return said.format(number=decimal(f"{abs(logits):.2f}"))


def _point(found: Patching) -> str:
    if found.block == "cross":
        (layer, head) = strongest_heads(found, 1)[0]
        much = percent(float(found.recovered[layer, head]))
        one, other = (text.plain(name.strip() or name) for name in found.answers)
        return _(
            "**Head {head} of layer {layer} alone brings back {share} of what makes it *{one}* and not "
            "*{other}*.**"
        ).format(head=head + 1, layer=layer + 1, share=much, one=one, other=other)
    names = [text.plain(one) for one in token_names(found)]
    parts: list[tuple[int, int, int]] = []
    upto = -1
    for depth, row in enumerate(found.recovered):
        best = int(np.argmax(row))
        if row[best] < NOTICED:
            continue
        if parts and parts[-1][0] == best and upto == depth - 1:
            parts[-1] = (best, parts[-1][1], depth)
        else:
            parts.append((best, depth, depth))
        upto = depth
    if not parts:
        return _("**No single state brings half of the difference back.**")
    held = [
        _("*{word}* {depths}").format(word=names[at], depths=_depths(first, last))
        for at, first, last in parts[:MOST_OFFERED]
    ]
    one, other = (text.plain(name.strip() or name) for name in found.answers)
    return _("**Most of what makes it *{one}* and not *{other}* is in {where}.**").format(
        one=one, other=other, where=listed(held)
    )


def _depths(first: int, last: int) -> str:
    if first == last:
        return _("after layer {layer}").format(layer=first) if first else _("at the input")
    if first == 0:
        return _("from the input to layer {layer}").format(layer=last)
    return _("from layer {first} to {last}").format(first=first, last=last)


def _cell(s: TranslationState, found: Patching) -> tuple[int, int] | None:
    """The depth and the position of the chosen run; None for none."""
    cell, (depths, tokens) = s.cell.get(), found.differences.shape
    if found.by == "head" or len(cell) != 2 or cell[0] >= depths or cell[1] >= tokens:
        return None
    return cell[0], cell[1]


def _take(s: TranslationState, by_head: bool, cell: figure.Cell) -> None:
    if not by_head:
        s.cell.set((cell.column, cell.row))


def _run(asked: Query, found: Patching, cell: tuple[int, int], before: Expectation) -> None:
    """What the model would write in the chosen run, beside what it writes behind B."""
    after = attempt(expected, asked, *cell)
    if after is None:
        return
    depth, position = cell
    now, other = after.top(SHOWN), before.top(SHOWN)
    ids = list(dict.fromkeys([*now.ids[: SHOWN - 2], *other.ids[:2]]))
    named = dict(zip(before.ids, before.tokens, strict=True))
    named |= dict(zip(after.ids, after.tokens, strict=True))
    shares = [probabilities(one.logits, 1.0)[ids] for one in (after, before)]
    name = text.plain(token_names(found)[position])
    where = _("**B with A’s state at *{word}*, {depths}**")
    st.markdown(where.format(word=name, depths=_depths(depth, depth)))
    figure.show(
        bars(
            shares[0],
            [named[one] for one in ids],
            other=shares[1],
            names=(_("B, patched"), _("B as it is")),
            unit=_("probability"),
            most=1.0,
            sentence=_("The next word behind B with one state of A, beside the next word behind B."),
            name="patched-word",
        ),
        "translate patched run",
        scale=layout.scale(),
    )


def _table(asked: Query) -> pd.DataFrame:
    return patched(asked).to_frame()


def patched(asked: Query) -> Patching:
    """The patched runs.

    Raises:
        PolyseeError: see `core.pretrained.pair_states`; TooLarge if it would take long.
    """
    translator.model(asked.first.name)
    return _patched(asked)


@cached()
def _patched(asked: Query) -> Patching:
    model, written = _model_and_written(asked)
    a, b = asked.first.text, asked.other
    if not isinstance(model, Published):
        return model.patch_pair(a, b, written, block=asked.block, answers=asked.answers)
    with _turn(_work(model, asked, len(written))):
        return model.patch(a, b, written, asked.block, asked.answers)


def expected(asked: Query, depth: int, position: int) -> Expectation:
    """What the model expects in one patched run. Raises the errors of `patched`."""
    translator.model(asked.first.name)
    return _expected(asked, depth, position)


@cached()
def _expected(asked: Query, depth: int, position: int) -> Expectation:
    model, written = _model_and_written(asked)
    a, b = asked.first.text, asked.other
    if isinstance(model, Published):
        return model.patched(a, b, written, asked.block, depth, position)
    return model.patched_pair(a, b, written, depth, position, block=asked.block)


def _model_and_written(asked: Query) -> tuple[Trained | Published, tuple[int, ...]]:
    decoding = translator.decoding(asked.first)
    return translator.model(asked.first.name), decoding.ids[: asked.step]


def _work(model: Published, asked: Query, written: int) -> int:
    """How much there is to run, see `QUICK`. Raises TooLarge if it is more than `MOST`."""
    encoder, decoder = model.loaded.shape, model.loaded.decoder_shape
    n = max(len(model.loaded.read(one)) for one in (asked.first.text, asked.other))
    m = written + 1
    wide = (encoder.d_model / _WIDTH) ** 2
    behind = decoder.n_layers * m
    rows = {
        "encoder": n * (encoder.n_layers + 1) * (encoder.n_layers * n / 2 + behind),
        "decoder": m * (decoder.n_layers + 1) * behind / 2,
        "cross": decoder.n_layers * decoder.n_heads * behind / 2,
    }
    if (total := round(wide * rows[asked.block])) > MOST:
        raise TooLarge(
            _(
                "To run the model again for each of {count} tokens of the source would take too long. "
                "Shorten both sentences."
            ).format(count=n)
        )
    return total


@contextmanager
def _turn(total: int) -> Iterator[None]:
    if total <= QUICK:
        yield
        return
    with waiting_room(long_texts.queue(), _("Patching")):
        yield
