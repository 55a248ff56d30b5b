"""What a training changed: two models of one architecture on one text, and a switch between them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.errors import NotSupported
from core.figures import Picture, bare, bars, heads_heatmap, why_parts, why_words
from core.localization import _, decimal, gettext
from core.measures import model_difference
from core.memory import cached
from core.pretrained import models
from core.records.logit_parts import LogitParts
from core.records.model_difference import ModelDifference
from core.records.prediction import Expectation, probabilities
from core.sentences import listed, percent, signed
from pages.heads.displayed import Panel
from pages.heads.state import HeadsState
from ui import figure, files, layout, same_in_python, text
from ui.models import model_cache
from ui.models.attempt import attempt
from ui.models.long_texts import turn
from ui.models.session_models import this_session
from ui.state import select

WORDS = 10  # of the vocabulary, with a bar
NAMED = 3  # heads in the sentence
LITTLE = 0.0005  # what three decimals do not show


def origin(first: str, second: str) -> tuple[str, str] | None:
    """The trained model and the one before, where the models or the session say which is which."""
    made_from = {one.name: one.made_from for one in models()} | this_session().before
    of_first, of_second = made_from.get(first, ""), made_from.get(second, "")
    if of_first in (second, of_second) and of_first:
        return first, second
    return (second, first) if of_second == first else None


def show(s: HeadsState, panels: Sequence[Panel]) -> None:
    """Draw the section; nothing where no head of one model corresponds to a head of the other."""
    one, other = (panel.text_query for panel in panels)
    if one.model == other.model or one.second is not None:
        return
    known = origin(one.model, other.model)
    after, before = known or (one.model, other.model)
    try:
        found = changed(after, before, one.text)
    except NotSupported as why_not:
        if known:
            st.info(text.of_error(why_not))
        return
    names = model_cache.title(after), model_cache.title(before)
    st.subheader(_("What the training changed"), anchor=False)
    st.markdown(heads_said(found, names))
    figure.show(
        moved_heads(found),
        "moved heads",
        on_cell=lambda cell: _open(s, cell.row, cell.column),
        saved_as=[files.csv(partial(_heads_table, found), "moved-heads")],
        scale=layout.scale(),
    )
    st.caption(
        _(
            "The share of a row’s attention that went elsewhere (the total variation distance), "
            "averaged over the rows of this text. Click a head to open it in both models."
        )
        + (
            ""
            if known
            else _(" This says something only if one of the two was trained from the other.")
        )
    )
    if found.expected is None:
        st.caption(_("Neither model predicts a word here: there are no logits to compare."))
        _in_python(found, one.text)
        return
    options = {"difference": _("Difference"), "after": names[0], "before": names[1]}
    side = select(s.trained, options, _("Show"), style="segments")
    figure.show(
        expected(found.expected, side, names),
        "changed words",
        saved_as=[files.csv(partial(_words_table, found.expected), "changed-next-words")],
        scale=layout.scale(),
    )
    if found.parts is None or found.added is None:
        _in_python(found, one.text)
        return
    parts = {"difference": found.added, "after": found.parts[0], "before": found.parts[1]}[side]
    words = attempt(_words, after, one.text)
    if words is None:
        return
    unit = unit_of(parts) if side == "difference" else ""
    st.markdown(parts_said(found, names))
    figure.show(
        why_words(parts, words, unit=unit),
        "changed why words",
        saved_as=[files.csv(partial(parts.to_frame, "source"), "changed-words")],
        scale=layout.scale(),
    )
    figure.show(
        why_parts(parts, unit=unit),
        "changed why parts",
        saved_as=[files.csv(partial(parts.to_frame, "part"), "changed-parts")],
        scale=layout.scale(),
    )
    st.caption(
        _(
            "Each model’s number is the sum of its own bars, exactly, and so is the difference: what "
            "each word, head and network brings after the training, less what it brought before."
        )
    )
    _in_python(found, one.text)


def python(found: ModelDifference, typed: str) -> str:
    """Python code for the numbers of the section."""
    after, before = found.models
    lines = [
        same_in_python.imports(after),
        "from core.measures import model_difference",
        f"after, before = core.load({after!r}), core.load({before!r})",
        f"found = model_difference(after, before, {typed!r})",
        "moved = found.heads  # (layers, heads): the share of its attention that each head moved",
        "vectors = found.vectors  # (layers + 1, tokens): how far each vector moved, by its length",
    ]
    if found.expected is not None:
        lines.append("logits = [one.logits for one in found.expected]  # after, before")
    if found.added is not None:
        lines += [
            'words = found.added.to_frame("source")  # what each word adds to the change of the logit',
            'parts = found.added.to_frame("part")  # and each head and network',
        ]
    return "\n".join(lines)


def _in_python(found: ModelDifference, typed: str) -> None:
    with st.popover(gettext(same_in_python.TITLE), key="training python"):
        st.code(python(found, typed), language="python")


def changed(after: str, before: str, typed: str) -> ModelDifference:
    """Both models on a text, cached. Raises the errors of `core.measures.model_difference`."""
    model_cache.model(after)
    model_cache.model(before)
    return _changed(after, before, typed)


@cached()
def _changed(after: str, before: str, typed: str) -> ModelDifference:
    with turn(typed):
        return model_difference(model_cache.model(after), model_cache.model(before), typed)


def moved_heads(found: ModelDifference) -> Picture:
    """How much attention each head moved; the darkest colour is 1, all of it."""
    return heads_heatmap(
        found.heads,
        title=_("share of attention moved"),
        sentence=_("How much of its attention each head moved."),
        name="moved-heads",
    )


def heads_said(found: ModelDifference, names: tuple[str, str]) -> str:
    """Which heads moved most, and how far the vectors did (Markdown)."""
    there = np.nan_to_num(found.heads, nan=-1.0)
    order = np.argsort(-there, axis=None)[:NAMED]
    most = [np.unravel_index(int(i), there.shape) for i in order if there.flat[i] >= LITTLE]
    one, other = (f"**{text.plain(name)}**" for name in names)
    if not most and float(found.vectors.max()) < LITTLE:
        return _("On this text, {one} and {other} compute the same.").format(one=one, other=other)
    named = [f"{layer + 1}.{head + 1} ({decimal(f'{there[layer, head]:.3f}')})" for layer, head in most]
    moved = _("No head moved its attention.")
    if named:
        moved = _("Heads that moved most: {heads}.").format(heads=listed(named))
    last = found.vectors.mean(1)
    return _(
        "From {other} to {one}: {moved} A token’s vector is, on average, {first} of its length away "
        "after layer 1, and {last} after layer {layer}."
    ).format(
        other=other,
        one=one,
        moved=moved,
        first=percent(float(last[1])),
        last=percent(float(last[-1])),
        layer=len(last) - 1,
    )


def expected(pair: tuple[Expectation, Expectation], side: str, names: tuple[str, str]) -> Picture:
    """The likeliest words of one model, or those whose probability changed most."""
    after, before = (probabilities(one.logits, 1.0) for one in pair)
    named = {i: spelled for one in pair for i, spelled in zip(one.ids, one.texts, strict=True)}
    ids = np.array(sorted(named))
    chosen = {"after": after, "before": before}
    if side in chosen:
        top = ids[np.argsort(-chosen[side][ids], kind="stable")][:WORDS]
        of, other = (after, before) if side == "after" else (before, after)
        return bars(
            of[top],
            [bare(named[i]) for i in top],
            other=other[top],
            names=names if side == "after" else names[::-1],
            unit=_("probability"),
            sentence=_("The {count} likeliest words of {model}.").format(
                count=len(top), model=names[side == "before"]
            ),
            name="changed-words",
        )
    change = after - before
    top = ids[np.argsort(-np.abs(change[ids]), kind="stable")][:WORDS]
    top = top[np.argsort(-change[top], kind="stable")]
    return bars(
        change[top],
        [bare(named[i]) for i in top],
        kind="signed",
        unit=_("probability in {one} − probability in {other}").format(one=names[0], other=names[1]),
        sentence=_("The {count} words whose probability changed most.").format(count=len(top)),
        name="changed-words",
    )


def unit_of(added: LogitParts) -> str:
    """What the bars of a difference measure."""
    word = bare(added.token)
    if added.other is None:
        return _("change of logit of “{word}”").format(word=word)
    return _("change of (logit of “{word}” − logit of “{other}”)").format(
        word=word, other=bare(added.other)
    )


def parts_said(found: ModelDifference, names: tuple[str, str]) -> str:
    """How far one word stands above the other in each model (Markdown)."""
    assert found.parts is not None
    after, before = found.parts
    one, other = bare(after.token), after.other
    said = (
        _("The logit of *{word}*: {first} in {before}, {then} in {after}, a change of **{change}**.")
        if other is None
        else _(
            "The logit of *{word}* less that of *{other}*: {first} in {before}, {then} in {after}, a "
            "change of **{change}**."
        )
    )
    return said.format(
        word=text.plain(one),
        other=text.plain(bare(other or "")),
        first=signed(before.whole),
        before=text.plain(names[1]),
        then=signed(after.whole),
        after=text.plain(names[0]),
        change=signed(after.whole - before.whole, plus=True),
    )


def _words(model: str, typed: str) -> list[str]:
    return [bare(piece) for piece in model_cache.model(model).score(typed).pieces]


def _heads_table(found: ModelDifference) -> pd.DataFrame:
    layer, head = (grid.ravel() for grid in np.indices(found.heads.shape))
    return pd.DataFrame({"layer": layer + 1, "head": head + 1, "moved": found.heads.ravel()})


def _words_table(pair: tuple[Expectation, Expectation]) -> pd.DataFrame:
    """The likeliest words of both, with their probabilities, most changed first."""
    after, before = (probabilities(one.logits, 1.0) for one in pair)
    named = {i: spelled for one in pair for i, spelled in zip(one.ids, one.texts, strict=True)}
    ids = sorted(named, key=lambda i: -abs(after[i] - before[i]))
    return pd.DataFrame(
        {
            "word": [named[i] for i in ids],
            "after": after[ids],
            "before": before[ids],
            "change": after[ids] - before[ids],
        }
    )


def _open(s: HeadsState, layer: int, head: int) -> None:
    """A click on a head opens it in both panels, whose difference stands below them."""
    for side in (0, 1):
        s.open_head(side, layer, head)
