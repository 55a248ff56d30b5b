"""What if it had the paper's part: the next words of a decoder of today, with one part exchanged."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import Line, bars, lengths, style
from core.figures.labels import spelled
from core.localization import N_, _, decimal, gettext
from core.memory import cached
from core.records.frozen import Array
from core.records.prediction import Expectation, probabilities
from core.walkthroughs import part_names
from pages.step_by_step.computed import Sentence, decoder_alone
from pages.step_by_step.state import StepsState
from ui import figure, files, layout, same_in_python, text
from ui.models import model_cache
from ui.models.attempt import attempt
from ui.page import terms
from ui.state import select

SHOWN = 10  # next words with a bar
LENGTHENS = ("order", "network")  # the parts that change most how long the vectors are
_FOR = {
    "mask": N_(
        "A decoder writes, and must not see what it has to write. The encoder of the paper sees all. "
        "With later words hidden, a model can learn from every word of a text at once, and keep what "
        "it has read."
    ),
    "order": N_(
        "A norm after each sum rescales the stream and its gradient, twice in each layer: deep models "
        "then need a careful warm-up. Before each part, it leaves the stream as it is (Xiong et al. "
        "2020)."
    ),
    "norm": N_(
        "RMSNorm leaves out the subtraction of the mean, which changes little and costs time (Zhang "
        "and Sennrich 2019)."
    ),
    "positions": N_(
        "Turned queries and keys make a score depend on the distance between two words (Su et al. "
        "2021). Waves are added to what a word says."
    ),
    "network": N_(
        "A gate decides, number by number, how much of the other product passes (Shazeer 2020)."
    ),
    "heads": N_(
        "Heads that share keys and values say what they would say with copies of their own, and keep a "
        "fraction of the numbers (Ainslie et al. 2023)."
    ),
}


def offered(model: str | None, *, paper: bool) -> bool:
    """Whether a model has a part that the paper had otherwise."""
    return not paper and model is not None and bool(_parts(model))


def show(s: StepsState, model: str, read: Sentence) -> None:
    """Draw the choice of the part, and the next words as they are and with it."""
    parts = _parts(model)
    names = {one: part_names.exchanges(one) for one in parts}
    if s.part.get() not in parts:
        s.part.set(parts[0])
    chosen = select(s.part, names, _("Exchange"), more=True)
    found = attempt(_both, model, read.text, chosen)
    if found is None:
        return
    before, logits = found
    first, share = before.texts[0].strip() or "␣", probabilities(before.logits, 1.0)
    said = _("As it is, *{word}* is the most probable next word: {share}.")
    st.markdown(said.format(word=text.plain(first), share=_percent(share)))
    then = probabilities(logits, 1.0)
    token = before.ids[0]
    place = 1 + int(np.count_nonzero(logits > logits[token]))
    with st.container(key="steps numbers"):
        st.markdown(_said(model, chosen, read.text, then, token, place))
    if chosen in LENGTHENS:
        _draw_lengths(model, read.text, chosen)
    shown = list(before.ids[:SHOWN])
    numbers = partial(_table, before, logits)
    figure.show(
        bars(
            then[shown],
            list(before.texts[:SHOWN]),
            other=share[shown],
            names=(_("with the part exchanged"), _("as it is")),
            unit=_("probability"),
            sentence=_(
                "The {count} words that were most probable, with a part exchanged and as it is."
            ).format(count=len(shown)),
            name="paper-part",
        ),
        "picture steps parts",
        saved_as=[files.csv(numbers, "paper-part")],
        scale=layout.scale(),
    )
    with st.container(key="steps part note"):  # which a lesson covers: it says what the part changes
        terms.caption(gettext(_FOR[chosen]), "part")
    same_in_python.show(s.python, partial(_lines, model, read.text, chosen), model)


def _draw_lengths(model: str, typed: str, part: str) -> None:
    """How long the last token's vector is by layer, as it is and with a part exchanged."""
    named = {"as it is": _("as it is"), part: _("exchanged")}
    of = {one: _lengths(model, typed, one) for one in named}
    now, then = (
        Line(name, of[one], colour, "none", f"{decimal(f'{of[one][-1]:,.2f}')} {name}")
        for (one, name), colour in zip(named.items(), style.LABELS[:3:2], strict=True)
    )
    sentence = _(
        "The length of the last token’s vector by layer: {start} before the first, {now} after the last"
        " as it is, {then} with the part exchanged."
    ).format(
        start=decimal(f"{of['as it is'][0]:,.2f}"),
        now=decimal(f"{of['as it is'][-1]:,.2f}"),
        then=decimal(f"{of[part][-1]:,.2f}"),
    )
    columns = {"as it is": of["as it is"], "with the part exchanged": of[part]}
    frame = pd.DataFrame({"layer": range(len(of[part])), **columns})
    figure.show(
        lengths([now, then], sentence=sentence, name="paper-part-lengths"),
        "picture steps lengths",
        saved_as=[files.csv(lambda: frame, "paper-part-lengths")],
        scale=layout.scale(),
    )


def _percent(share: Array) -> str:
    return f"{100 * float(share.max()):.0f} %"


def _said(model: str, part: str, typed: str, then: Array, token: int, place: int) -> str:
    """What the exchange changes (Markdown).

    Args:
        model: its name.
        part: the one that is exchanged.
        typed: the text.
        then: the probabilities with the part exchanged.
        token: the one that was the most probable.
        place: its place now, from 1.
    """
    share = decimal(f"{100 * float(then[token]):.1f}")
    if place == 1:
        said = _("With the part exchanged it has **{share} %** and is still first.").format(share=share)
    else:
        (first,) = model_cache.model(model).spellings([int(then.argmax())])
        said = _(
            "With the part exchanged it has **{share} %** and is at place {place}: the model now says "
            "*{word}*, with {first}."
        ).format(
            share=share,
            place=decimal(f"{place:,}"),
            word=text.plain(spelled((first or "").strip(" ") or " ")),
            first=_percent(then),
        )
    if part == "order":
        was, now = (_lengths(model, typed, one)[-1] for one in ("as it is", part))
        long = _("The last token’s vector leaves the last layer **{now}** long, not {was}.")
        return f"{said} {long.format(now=decimal(f'{now:.1f}'), was=decimal(f'{was:.1f}'))}"
    if part == "heads":
        was, now = (_kept(model, one) for one in ("as it is", part))
        kept = _("For each token, the model then keeps **{now}** numbers, not {was}.")
        return f"{said} {kept.format(now=decimal(f'{now:,}'), was=decimal(f'{was:,}'))}"
    return said


@cached()
def _parts(model: str) -> tuple[str, ...]:
    from core.walkthroughs import swapped_parts

    decoder = decoder_alone(model)
    if decoder is None or model_cache.model(model).scratch_head() is None:
        return ()
    return swapped_parts.exchangeable(decoder)


@cached()
def _both(model: str, typed: str, part: str) -> tuple[Expectation, Array]:
    """What is expected as it is, and the logits with the part exchanged."""
    from core.walkthroughs import swapped_parts

    loaded = model_cache.model(model)
    decoder, head_VD = loaded.scratch_decoder, loaded.scratch_head()
    assert decoder is not None
    assert head_VD is not None
    (before,) = loaded.expects(typed)
    ids = loaded.read(typed).ids
    return before, swapped_parts.expected(decoder, head_VD, ids, part_names.named(part))


@cached()
def _lengths(model: str, typed: str, part: str) -> Array:
    from core.walkthroughs import swapped_parts

    loaded = model_cache.model(model)
    assert loaded.scratch_decoder is not None
    ids = loaded.read(typed).ids
    return swapped_parts.lengths(loaded.scratch_decoder, ids, part_names.named(part))


def _kept(model: str, part: str) -> int:
    from core.walkthroughs import swapped_parts

    decoder = decoder_alone(model)
    assert decoder is not None
    return swapped_parts.kept(decoder, part_names.named(part))


def _table(before: Expectation, logits: Array) -> pd.DataFrame:
    """The most probable next words, as it is and with the part."""
    ids = list(before.ids)
    return pd.DataFrame(
        {
            "token": [spelled(one) for one in before.texts],
            "as it is": probabilities(before.logits, 1.0)[ids],
            "with the part exchanged": probabilities(logits, 1.0)[ids],
        }
    )


def _lines(model: str, typed: str, part: str) -> dict[str, str]:
    return {
        "Python": "\n".join(
            [
                same_in_python.imports(model),
                "from core.records.prediction import probabilities",
                "from core.walkthroughs.swapped_parts import expected",
                "",
                f"model, text = core.load({model!r}), {typed!r}",
                "decoder, head = model.scratch_decoder, model.scratch_head()",
                "ids = model.read(text).ids",
                "(before,) = model.expects(text)",
                f"logits = expected(decoder, head, ids, {part!r})",
                "[probabilities(one, 1.0)[before.ids[0]] for one in (before.logits, logits)]",
            ]
        )
    }
