"""What a change does: an edge cut, a head ablated, a word replaced; the words before and after."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import streamlit as st

from core.figures import Picture, apart, bare, bars
from core.localization import _, decimal
from core.measures.rivals import PUNCTUATION
from core.records.frozen import Array
from core.records.interventions import Ablate, Change, Cut, Replace
from core.records.logit_parts import LogitParts
from core.records.prediction import Expectation
from core.records.score import Score
from pages.next_word import captions as of_page
from pages.next_word.state import NextWordState, Path
from pages.next_word.why import captions, computed
from pages.next_word.why.computed import Query
from ui import figure, layout
from ui.lessons import reveal
from ui.models import model_cache
from ui.models.attempt import attempt
from ui.state import select, some
from ui.state import text as text_box

HEADS = 20  # the strongest, in the list
MOST_TOKENS = 120  # tokens in the list
BARS = 10


def show(
    s: NextWordState, query: Query, parts: LogitParts, words: list[str], ids: tuple[int, ...]
) -> tuple[Change, ...]:
    """Draw the controls of the changes, and what they do; the changes."""
    st.subheader(_("Undo it, and look"), anchor=False)
    replaces = _controls(s, query, parts, words)
    rest = attempt(made, s, query, parts, replaces)
    if rest is None:
        return ()
    chosen = (*replaces, *rest)
    if not chosen:
        st.caption(
            _(
                "Cut what the last token reads from a word, ablate a head, or put another word in a "
                "place."
            )
        )
        return ()
    found = attempt(computed.changed, query, chosen)
    if found is None:
        return ()
    before, now = found
    was, is_ = ((_gap(one, ids), computed.share(one, ids[0])) for one in found)
    names = captions.name(parts.token), None if parts.other is None else captions.name(parts.other)
    with st.container(key="why change"):
        st.markdown(captions.after(was, is_, names))
        if len(chosen) == 1 and (what := _part(parts, words, chosen[0])) is not None:
            st.caption(captions.added_and_cut(what[1], round(is_[0] - was[0], 2), what[0]))
        ends = model_cache.model(query.model).ends
        figure.show(before_and_after(before, now, ids, ends), "why after", scale=layout.scale())
    return chosen


def _controls(
    s: NextWordState, query: Query, parts: LogitParts, words: list[str]
) -> tuple[Change, ...]:
    """Draw the controls; the replacement, if there is one."""
    n = min(len(words), MOST_TOKENS)
    last = len(words) - 1
    tokens = {(i + 1): apart(words, i) for i in range(n) if i != last}
    heads = parts.by_head
    order = np.argsort(-np.abs(heads), axis=None)[:HEADS]
    every: dict[Path, str] = {}
    for layer, head in zip(*np.unravel_index(order, heads.shape), strict=True):
        every[int(layer) + 1, int(head) + 1] = _named(heads, layer, head)
    layers, count = heads.shape
    for one in beyond(s, last, (layers, count)):
        st.caption(one)
    for at in s.ablated.get():
        if len(at) == 2 and 1 <= at[0] <= layers and 1 <= at[1] <= count:
            every.setdefault(at, _named(heads, at[0] - 1, at[1] - 1))
    left, middle, right = st.columns(3, gap="small")
    with left:
        some(s.cut, tokens, _("The last token no longer reads …"), placeholder=_("words"))
    with middle:
        some(s.ablated, every, _("Without the heads …"), placeholder=_("heads"))
    with right, st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        return _replacement(s, query)


def _named(heads: Array, layer: int, head: int) -> str:
    """A head from 0, with what it adds; without that where a lesson asks about it."""
    named = captions.head_name(int(layer), int(head))
    if reveal.is_hidden("why-change*"):
        return named
    return f"{named} ({captions.number(float(heads[layer, head]))})"


def beyond(s: NextWordState, last: int, shape: tuple[int, int]) -> Iterator[str]:
    """The tokens and heads of the link that there are not (Markdown).

    Args:
        s: the state of the page.
        last: the token that predicts, from 0: only those before it can be cut.
        shape: how many layers there are, and heads in each.
    """
    for token in s.cut.get():
        if not 1 <= token <= last:
            yield of_page.beyond(_("token"), token, last, _("it is not cut"))
    for at in s.ablated.get():
        if not (1 <= at[0] <= shape[0] and 1 <= at[1] <= shape[1]):
            yield (
                _(
                    "The link asks for head {head} of layer {layer}, and there are {layers} layers of "
                    "{heads} heads: it is not ablated."
                ).format(
                    layer=decimal(f"{at[0]:,}"),
                    head=decimal(f"{at[1]:,}"),
                    layers=shape[0],
                    heads=shape[1],
                )
            )


def _replacement(s: NextWordState, query: Query) -> tuple[Change, ...]:
    score = attempt(computed.score, query._replace(written=()))
    if score is None:
        return ()
    found = _words(score.text)
    if s.replaced.get() > len(found):
        st.caption(of_page.beyond(_("word"), s.replaced.get(), len(found), _("no word is replaced")))
    places = {0: _("no word"), **{i + 1: word for i, (word, _) in enumerate(found)}}
    chosen = select(s.replaced, places, _("In place of …"), by_names=True, width=150)
    by = text_box(s.by, _("say"), width=130, placeholder=_("another word")) if chosen else ""
    if not chosen or not by.strip():
        return ()
    word, number = found[chosen - 1]
    return (Replace(word, by.strip(), number),)


def _words(typed: str) -> list[tuple[str, int]]:
    """The words of a text, each with the number of its occurrence."""
    found: list[tuple[str, int]] = []
    for part in typed.split():
        word = part.strip(PUNCTUATION)
        if word:
            found.append((word, sum(one == word for one, _ in found)))
    return found[:MOST_TOKENS]


def made(
    s: NextWordState, query: Query, parts: LogitParts, replaces: tuple[Change, ...]
) -> tuple[Change, ...]:
    """The cuts and ablations that are chosen and that this text has.

    A word that is replaced by one of more pieces moves the tokens behind it.
    """
    last, (layers, heads) = parts.sources.word[0], parts.by_head.shape
    moved, behind = 0, last
    if replaces and s.cut.get():
        moved = computed.changed(query, replaces)[1].position - last
        behind = _end_of(computed.score(query), replaces[0])
    cuts = (
        Cut(last + moved, at - 1 + (moved if at - 1 >= behind else 0))
        for at in s.cut.get()
        if 1 <= at <= last
    )
    ablated = (
        Ablate(at[0] - 1, at[1] - 1)
        for at in s.ablated.get()
        if 1 <= at[0] <= layers and 1 <= at[1] <= heads
    )
    return (*cuts, *ablated)


def _end_of(score: Score, replaced: Change) -> int:
    """The first token behind a word that is replaced."""
    assert isinstance(replaced, Replace)
    start = -1
    for __ in range(replaced.occurrence + 1):
        start = score.text.find(replaced.word, start + 1)
    end = start + len(replaced.word)
    later = (i for i, (begin, stop) in enumerate(score.offsets) if begin >= end and stop > end)
    return next(later, len(score.tokens))


def _gap(one: Expectation, ids: tuple[int, ...]) -> float:
    return float(one.logits[ids[0]]) - (float(one.logits[ids[1]]) if len(ids) > 1 else 0.0)


def _part(parts: LogitParts, words: list[str], change: Change) -> tuple[str, float] | None:
    """The name of what was taken away, and what it had added."""
    if isinstance(change, Ablate):
        return captions.head_name(change.layer, change.head), float(
            parts.by_head[change.layer, change.head]
        )
    if isinstance(change, Cut) and isinstance(change.key, int):
        read = float(parts.heads[:, :, change.key].sum())
        return _("what the heads at the last token read from *{word}*").format(
            word=words[change.key]
        ), read
    return None


def before_and_after(
    before: Expectation, now: Expectation, ids: tuple[int, ...], ends: frozenset[int]
) -> Picture:
    """The likeliest words of both, and those that are explained, with both probabilities."""
    some_ids = [*ids]
    for one in (now, before):
        some_ids += [i for i in one.ids[: BARS // 2 + 1] if i not in some_ids]
    shown = sorted(some_ids[:BARS], key=lambda i: -computed.share(before, i))
    names = dict(zip((*before.ids, *now.ids), (*before.texts, *now.texts), strict=True))
    return bars(
        [computed.share(now, i) for i in shown],
        [_("end of text") if i in ends else bare(names.get(i, str(i))) for i in shown],
        other=[computed.share(before, i) for i in shown],
        names=(_("with the change"), _("as it was")),
        unit=_("probability"),
        most=1.0,
        sentence=_("The likeliest next tokens, before and after the change."),
        name="why-after",
    )
