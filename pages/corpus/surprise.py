"""How surprising the word is in each line, by the language model: computed when asked for, and kept."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from core.corpus.querying.concordance import Groups
from core.errors import PolyseeError
from core.figures import Line, Picture, StepAxis, ValueAxis, style
from core.figures import lines as curves
from core.localization import _, ngettext
from core.records.frozen import Array
from core.sentences import signed
from pages.corpus import captions, tables
from pages.corpus.concordance import looks
from ui import figure, page, text
from ui.corpora import surprise
from ui.corpora.lines import CachedWord
from ui.page import terms

LOOK = 2.0  # seconds between two looks
STEPS = 25  # of the curve, about: each is a whole number of bits
SHOWN = 5  # lines of each list
LEAST_BEFORE = 5  # words before it: after fewer, the model expects nothing in particular


def draw(word: CachedWord, groups: Groups) -> None:
    """The button that begins it, how far it is, and then a curve for each group."""
    if len(word.lines) > surprise.MOST:
        st.info(
            _(
                "The language model reads up to {most} lines. Show some of these {count} lines, drawn "
                "at random, by the button beside the word."
            ).format(most=captions.count_of(surprise.MOST), count=captions.count_of(len(word.lines)))
        )
        return
    found = surprise.kept(word)
    if found is None:
        _begin(word)
        return
    known = np.isfinite(found)
    first = stands_first(word)
    if not known.any():
        st.caption(captions.no_surprise(int(first.sum()), len(found)))
        return
    st.markdown(captions.surprising(found, groups))
    figure.show(
        picture_of(found, groups),
        "corpus surprise",
        saved_as=tables.both(partial(table_of, word, groups, found), "surprise"),
    )
    without = int((~known & first).sum()), int((~known & ~first).sum())
    terms.caption(captions.surprise(*without, surprise.MODEL), "corpus surprise")
    _most_surprising(word, groups, found)


def _most_surprising(word: CachedWord, groups: Groups, found: Array) -> None:
    """The most surprising lines of each group: where there are enough, after some words at least."""
    st.markdown(_("**The most surprising lines**"))
    known, long = np.isfinite(found), words_before(word) >= LEAST_BEFORE
    for number, name in enumerate(groups.labels):
        own = known & (groups.of == number)
        if (own & long).sum() >= SHOWN:
            own &= long
        order = np.argsort(-np.where(own, found, -np.inf), kind="stable")[: min(SHOWN, int(own.sum()))]
        if not len(order):
            continue
        if len(groups.names) > 1:
            st.markdown(f"*{text.plain(name)}*")
        parts = word.lines.parts(order)
        st.markdown(
            "\n".join(
                _("- **{bits} bits** · {line}").format(
                    bits=signed(float(found[i]), 1), line=captions.around(*three)
                )
                for i, three in zip(order, parts, strict=True)
            )
        )
    st.caption(
        _(
            "Of lines with {least} words or more before it, where a group has {shown} of them: after "
            "one or two words, nearly any word is a surprise."
        ).format(least=LEAST_BEFORE, shown=SHOWN)
    )


def _begin(word: CachedWord) -> None:
    done, total = surprise.done(word), len(word.lines)
    if surprise.is_running(word):
        page.part(_watch, LOOK, word, total)
        return
    st.markdown(
        _(
            "How surprising is the word, in bits, after what stands before it in its line? An "
            "unexpected use is often a new one, or a mistake."
        )
    )
    measure = ngettext("Measure {count} line", "Measure {count} lines", total).format(
        count=captions.count_of(total)
    )
    if st.button(measure, key="corpus surprise begin"):
        try:
            surprise.begin(word)
        except PolyseeError as error:
            st.error(text.of_error(error))
            return
        st.rerun()
    said = [_("SmolLM2 reads about ten lines a second, in the background: go on meanwhile.")]
    if done:
        said.append(_("{count} of them are there already.").format(count=captions.count_of(done)))
    st.caption(" ".join([*said, _("The numbers are kept.")]))


def _watch(word: CachedWord, total: int) -> None:
    if not surprise.is_running(word):
        st.rerun()
    done = surprise.done(word)
    said = _("Line {number} of {all}") if done else _("Loading the language model …")
    st.progress(done / total, said.format(number=captions.count_of(done), all=captions.count_of(total)))


def picture_of(found: Array, groups: Groups) -> Picture:
    """For each group, the share of its lines that are at least so surprising."""
    known = np.isfinite(found)
    most = max(1.0, float(found[known].max()))
    steps = np.arange(0, most + 1, max(1, round(most / STEPS)))
    drawn = []
    for number, look in enumerate(looks(groups)):
        own = found[known & (groups.of == number)]
        if len(own):
            shares = [float((own >= one).mean()) for one in steps]
            drawn.append(Line(look.name, shares, style.CURVES[number % len(style.CURVES)], mark="none"))
    names = [_("{count} bits or more").format(count=f"{one:.0f}") for one in steps]
    ticks = [f"{one:.0f}" for one in steps]
    return curves(
        drawn,
        StepAxis(names, ticks, _("bits, or more")),
        ValueAxis(counted_shares(), bounds=(0, 1), unit=_("share of the lines")),
        sentence=_("How surprising the word is in the lines of each group."),
        name="surprise",
    )


def counted_shares() -> list[tuple[float, str]]:
    """The guides of a share."""
    return [(one / 4, f"{25 * one} %") for one in range(5)]


def words_before(word: CachedWord) -> npt.NDArray[np.int64]:
    """(lines,): how many words stand before it in its line, as blanks divide them."""
    return np.array([len(left.split()) for left, _, _ in word.lines.parts()], np.int64)


def stands_first(word: CachedWord) -> npt.NDArray[np.bool_]:
    """(lines,): whether nothing stands before the word in its line."""
    return np.array([not left.strip() for left, _, _ in word.lines.parts()], bool)


def table_of(word: CachedWord, groups: Groups, found: Array) -> pd.DataFrame:
    """A row for each line."""
    parts = word.lines.parts()
    return pd.DataFrame(
        {
            "bits": found,
            "group": [groups.labels[i] for i in groups.of],
            "left": [one[0] for one in parts],
            "word": [one[1] for one in parts],
            "right": [one[2] for one in parts],
        }
    )
