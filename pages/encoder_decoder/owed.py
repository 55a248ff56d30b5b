"""What the next word owes to each word read, and what the model writes if it may not read one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from core.figures import Picture, bars, style
from core.localization import N_, _, decimal, gettext
from core.measures.attention.token_names import names
from core.memory import cached
from core.records.pair_contributions import PairContributions
from core.records.prediction import Expectation, probabilities
from pages.encoder_decoder import blocks, translator
from pages.encoder_decoder.published import Published
from pages.encoder_decoder.state import TranslationState
from pages.encoder_decoder.steps import SHOWN
from pages.encoder_decoder.translator import TranslationQuery
from pages.encoder_decoder.vocabulary import Sides
from ui import figure, files, layout, text
from ui.models import long_texts
from ui.models.attempt import attempt
from ui.state import toggle

if TYPE_CHECKING:
    from core.tasks import Decoding

TITLE = N_("What does this word owe to each word that was read?")


_NOT_WITHOUT = N_(
    "A sum says what this run used, not what would happen without it: another word can take its place. "
    "To see that, click a word of the source."
)
_LARGE = (
    (N_("about {number} trillion"), 1e12),
    (N_("about {number} billion"), 1e9),
    (N_("about {number} million"), 1e6),
)


def rival(decoding: Decoding, step: int) -> int:
    """The likeliest other word at a step, by its id: what the written one is compared with."""
    return next(one for one in decoding.expectations[step].ids if one != decoding.ids[step])


def show(
    s: TranslationState, query: TranslationQuery, decoding: Decoding, step: int, called: Sides
) -> None:
    """Draw the folded section; nothing is computed before it is opened.

    Args:
        s: the state of the page.
        query: the query.
        decoding: its result.
        step: from 0.
        called: the names of the two texts.
    """
    if not toggle(s.why, gettext(TITLE)):
        return
    sums = attempt(owed, query, step)
    if sums is None:
        return
    expected, first = decoding.expectations[step], decoding.ids[step]
    named = dict(zip(expected.ids, expected.tokens, strict=True)) | {first: decoding.tokens[step]}
    two = named[first], named[rival(decoding, step)]
    left, right = st.columns(2, gap="medium") if layout.scale() == 1 else (st.container(),) * 2
    with left:
        first_word, second_word = (text.plain(one) for one in two)
        why = _("**Why *{word}* and not *{other}***")
        st.markdown(why.format(word=first_word, other=second_word))
        st.markdown(_point(sums, two))
        figure.show(
            sums_picture(decoding, sums, two),
            "translate owed",
            on_bar=partial(_leave_out, s, len(sums.source)),
            saved_as=[files.csv(partial(table, query, step), f"owed-{step + 1}")],
            scale=layout.scale(),
        )
        left_out = _left_out(s, decoding)
        if left_out is not None:
            st.caption(_said(sums, called))
    with right:
        if left_out is None:  # beside the bars, where the other run would stand
            st.caption(_said(sums, called))
            st.caption(gettext(_NOT_WITHOUT))
        else:
            _without(s, query, decoding, step, left_out)


def sources(decoding: Decoding) -> list[str]:
    """The tokens of the source as pictures name them."""
    return [
        style.token_name(one) if one.strip() else _("(space)") for one in names(decoding.trace.encoder)
    ]


def sums_picture(decoding: Decoding, sums: PairContributions, two: tuple[str, str]) -> Picture:
    """A bar for each word of the source, and each that the decoder has read; they add up."""
    read = blocks.reads(decoding)[: len(sums.target)]
    labels = [*sources(decoding), *(f"⟨{one}⟩" for one in read), _("biases")]
    values = [*map(float, sums.by_source_token), *map(float, sums.by_target_token), sums.bias]
    return bars(
        values,
        labels,
        kind="signed",
        unit=_("logits"),
        sentence=_("What each word read adds to the logit of “{word}” less that of “{other}”.").format(
            word=two[0], other=two[1]
        ),
        name=f"owed-{sums.at[0] + 1}",
    )


def _point(sums: PairContributions, two: tuple[str, str]) -> str:
    """What the bars add up to, and what that makes of the two probabilities (Markdown)."""
    first, second = (text.plain(one) for one in two)
    return (
        _(
            "The bars add up to {sum}, the logit of *{word}* less that of *{other}*: *{word}* is "
            "{much} times as likely as *{other}*."
        )
        if sums.whole >= 0
        else _(
            "The bars add up to {sum}, the logit of *{word}* less that of *{other}*: *{word}* is "
            "{much} times less likely than *{other}*."
        )
    ).format(sum=decimal(f"{sums.whole:+.2f}"), word=first, other=second, much=_times(abs(sums.whole)))


def _said(sums: PairContributions, called: Sides) -> str:
    """Where the bars come from, and under which condition they add up (Markdown)."""
    of_source = float(sums.by_source_token.sum())
    return _(
        "The {source} gives {share} of the sum, through the cross-attention; words in ⟨ ⟩ are those "
        "already written. Attention weights, the divisors of norms, and gates are held at their "
        "values in this run; the sum is then exact."
    ).format(source=called.source, share=decimal(f"{of_source:+.2f}"))


def _times(logits: float) -> str:
    """The ratio of two probabilities whose logits differ by so much, in two digits: "2.4"."""
    if logits > 40:
        return _("more than 100,000 trillion")
    ratio = math.exp(logits)
    if ratio < 9.95:
        return decimal(f"{ratio:.1f}")
    for name, size in _LARGE:
        if ratio >= size:
            share = float(f"{ratio / size:.2g}")
            written = decimal(f"{share:,.0f}" if share >= 10 else f"{share:g}")
            return gettext(name).format(number=written)
    return _("about {number}").format(number=decimal(f"{float(f'{ratio:.2g}'):,.0f}"))


def _leave_out(s: TranslationState, count: int, index: int) -> None:
    """A click on a word of the source; a second one takes it back."""
    if 0 <= index < count:
        s.without.set(0 if s.without.get() == index + 1 else index + 1)


def _left_out(s: TranslationState, decoding: Decoding) -> int | None:
    """The word of the source that nothing may read, from 0; None for none."""
    at = s.without.get() - 1
    if 0 <= at < len(sources(decoding)):
        return at
    s.without.set(0)
    return None


def _without(
    s: TranslationState, query: TranslationQuery, decoding: Decoding, step: int, at: int
) -> None:
    """What the model expects when nothing reads word `at` of the source."""
    of = sources(decoding)
    name = text.plain(of[at])
    after = attempt(expected_without, query, step, at)
    if after is None:
        return
    before = decoding.expectations[step]
    best, now = before.top(SHOWN), after.top(SHOWN)
    ids = [*best.ids, *(one for one in now.ids[:2] if one not in best.ids)]
    named = dict(zip(before.ids, before.tokens, strict=True))
    labels = [named.get(one) or dict(zip(after.ids, after.tokens, strict=True))[one] for one in ids]
    shares = [probabilities(one.logits, 1.0)[ids] for one in (after, before)]
    st.markdown(_("**If nothing may read *{word}***").format(word=name))
    figure.show(
        bars(
            shares[0],
            labels,
            other=shares[1],
            names=(_("without “{word}”").format(word=of[at]), _("as it is")),
            unit=_("probability"),
            most=1.0,
            sentence=_("The next word without “{word}”, beside the next word as it is.").format(
                word=of[at]
            ),
            name=f"without-{step + 1}",
        ),
        "translate without",
        scale=layout.scale(),
    )
    likely = text.plain(now.tokens[0])
    same = now.ids[0] == best.ids[0]
    verdict = (
        _("Still *{word}*").format(word=likely)
        if same
        else _("Now *{word}*, no longer *{other}*").format(
            word=likely, other=text.plain(best.tokens[0])
        )
    )
    st.caption(
        _(
            "{verdict}. In every layer and head, the weights on *{word}* are set to 0, in the other "
            "words of the source and in the decoder, and the others grow until they add up to 1. What "
            "has been written so far stays."
        ).format(verdict=verdict, word=name)
    )
    st.button(_("With all words"), key="translate with all", on_click=s.without.set, args=(0,))


def table(query: TranslationQuery, step: int) -> pd.DataFrame:
    """What each word read adds, in the order of the bars."""
    sums = owed(query, step)
    parts = [("source", sums.source, sums.by_source_token), ("read", sums.target, sums.by_target_token)]
    rows = [
        (where, one, float(x)) for where, words, of in parts for one, x in zip(words, of, strict=True)
    ]
    return pd.DataFrame([*rows, ("biases", "", sums.bias)], columns=["where", "word", "logits"])


def owed(query: TranslationQuery, step: int) -> PairContributions:
    """The sum behind the written word's logit, less that of its rival.

    Raises:
        PolyseeError: see `translator.decoding`; NotSupported for a model that ours does not run.
    """
    translator.model(query.name)  # raises an error if the model is gone
    return _owed(query, step)


@cached()
def _owed(query: TranslationQuery, step: int) -> PairContributions:
    model, decoding = translator.model(query.name), translator.decoding(query)
    written, token, other = decoding.ids[:step], decoding.ids[step], rival(decoding, step)
    with long_texts.turn(query.text):
        if isinstance(model, Published):
            return model.owed(query.text, written, token, other)
        return model.pair_logit_contributions(query.text, written, token, other)


def expected_without(query: TranslationQuery, step: int, at: int) -> Expectation:
    """The prediction of a step while nothing but itself reads token `at` of the source.

    Raises: as `owed`.
    """
    translator.model(query.name)
    return _expected_without(query, step, at)


@cached()
def _expected_without(query: TranslationQuery, step: int, at: int) -> Expectation:
    model, decoding = translator.model(query.name), translator.decoding(query)
    written: Sequence[int] = decoding.ids[:step]
    with long_texts.turn(query.text):
        if isinstance(model, Published):
            return model.without(query.text, written, at, len(decoding.trace.encoder.tokens))
        return model.without_word(query.text, written, at)
