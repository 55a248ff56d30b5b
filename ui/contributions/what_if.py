"""What if: one change in a sentence or in the model, and where the word then stands."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.comparison.say import after_layer
from core.figures import changed_paths, style
from core.localization import _, each
from core.measures import CONTEXTUAL
from core.records.interventions import Ablate, Change, Cut, Mask, Replace
from core.records.trace import Trace
from core.records.words import Occurrence
from ui import figure, files, layout, page, text
from ui.contributions import computed, expected
from ui.contributions.state import BY, HEAD, KIND, KINDS, LAYER, WORD
from ui.models import answers, model_cache
from ui.models.attempt import attempt
from ui.state import Part, Whole, select
from ui.state import text as text_box


def show(
    of: computed.ContributionQuery,
    name: str,
    *,
    here: tuple[int, int] | None = None,
    masked: tuple[int, ...] = (),
) -> None:
    """Show the controls of the change, and its result.

    Args:
        of: the word of one sentence, and the two senses.
        name: "A" or "B"; "" if there is only one sentence.
        here: the layer and the head that the page shows, from 0.
        masked: the tokens that the page masks.
    """
    page.part(_show, None, of, name, here, masked)


def _show(
    of: computed.ContributionQuery,
    name: str,
    here: tuple[int, int] | None,
    masked: tuple[int, ...],
) -> None:
    trace = answers.trace(of.model, of.side.text)
    own = set(trace.find(of.side.word, of.side.number).tolist())
    others = [one for one in trace.occurrences() if not own & set(one.tokens.tolist())]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        changes = _choose(of, trace, others, here)
    if not changes:
        if others and KIND.get() == "replace":
            st.caption(_("Type the replacement word."))
        return
    paths = attempt(computed.changed, of, changes)
    if paths is None:
        return
    before, after = float(paths.before[of.at]), float(paths.after[of.at])
    low, high = of.ends.names
    # the difference of the printed numbers, so that a reader can check it
    moved = round(after, 2) - round(before, 2)
    side = (
        ""
        if abs(moved) < 0.005
        else _(", towards *{end}*").format(end=text.plain(high if moved > 0 else low))
    )
    st.markdown(
        after_layer(of.layer)
        + _(
            "Without the change, **{word}** stands at **{before}**; with it, at **{after}**. The "
            "change moves the word by **{moved}**{side}."
        ).format(
            word=text.plain(computed.called(of.side)),
            before=style.signed(before),
            after=style.signed(after),
            moved=style.signed(moved, plus=True),
            side=side,
        )
    )
    # If the model predicts no words, the picture of the path takes the full width.
    predicts = model_cache.model(of.model).predicts == "masked"
    left, right = st.columns(2, gap="medium") if predicts else (st.container(), st.container())
    with left:
        picture = changed_paths(paths.before, paths.after, name, low=low, high=high)
        numbers = files.csv(lambda: table(paths), "why-changed")
        figure.show(picture, "why changed", saved_as=[numbers], scale=layout.scale())
    with right:
        expected.show(of, changes, masked)


def table(paths: computed.Changed) -> pd.DataFrame:
    """The numbers of the picture, one row for each depth."""
    names = [style.depth_name(CONTEXTUAL + i) for i in range(len(paths.before))]
    depths = pd.Index(names, name=_("after"))
    columns = {_("as it is"): paths.before, _("changed"): paths.after}
    columns[_("difference")] = paths.after - paths.before
    return pd.DataFrame(columns, index=depths)


def _choose(
    of: computed.ContributionQuery,
    trace: Trace,
    others: list[Occurrence],
    here: tuple[int, int] | None,
) -> tuple[Change, ...]:
    """Draw the controls; return the chosen change, or None while a word is still to be typed."""
    kind = select(KIND, each(KINDS), _("What if …"), width=230)
    layers, heads = trace.grid
    if kind == "silence":
        if here and not (LAYER.get() or HEAD.get()):
            LAYER.set(here[0] + 1)
            HEAD.set(here[1] + 1)
        layer = _number(LAYER, _("Layer"), layers, every=False)
        head = _number(HEAD, _("Head"), heads, every=False)
        _offer(here)
        return (Ablate(layer - 1, head - 1),)
    if not others:
        st.caption(_("This sentence has no other word."))
        return ()
    one = others[_word(of, others)]
    if kind == "cut":
        layer, head = (
            _number(which, title, count)
            for which, title, count in ((LAYER, _("Layer"), layers), (HEAD, _("Head"), heads))
        )
        _offer(here)
        if attempt(_apart, of, trace, one) is None:
            return ()
        return tuple(
            Cut(int(q), int(k), layer - 1 if layer else None, head - 1 if head else None)
            for q in trace.find(of.side.word, of.side.number)
            for k in one.tokens
        )
    if kind == "mask":
        return (Mask(one.word, one.number),)
    by = text_box(BY, _("New word"), width=200, placeholder=_("another word"))
    return (Replace(one.word, by.strip(), one.number),) if by and by.strip() else ()


def _apart(of: computed.ContributionQuery, trace: Trace, other: Occurrence) -> bool:
    """Whether attention between the word and the other can be cut: a cut acts on whole tokens.

    Raises:
        NotSupported: if one of them shares a token with a third word.
    """
    from core.pretrained import token_edits

    for word, number in ((of.side.word, of.side.number), (other.word, other.number)):
        token_edits.alone(trace, word, number, spelling=trace.spelling, name=of.model)
    return True


def _offer(here: tuple[int, int] | None) -> None:
    """A button that chooses the page's current head, unless it is already chosen."""
    if here is None or (here[0] + 1, here[1] + 1) == (LAYER.get(), HEAD.get()):
        return

    def take() -> None:
        for field, number in zip((LAYER, HEAD), here, strict=True):
            field.set(number + 1)

    title = _("Take layer {layer}, head {head}").format(layer=here[0] + 1, head=here[1] + 1)
    st.button(title, on_click=take, help=_("The head described above"))


def _word(of: computed.ContributionQuery, others: list[Occurrence]) -> int:
    """Choose one of the other words; the default is the one whose cut moves the word farthest."""
    chosen = min(WORD.get(), len(others))
    if not chosen:
        why = computed.result(of)
        strong = max(why.others, key=lambda i: abs(why.cuts[i]), default=None)
        at = None if strong is None else why.tokens[strong]
        chosen = 1 + next((i for i, one in enumerate(others) if tuple(one.tokens) == at), 0)
    names = [one.word if not one.number else f"{one.word} ({one.number + 1})" for one in others]
    # A browser answers with names, so each sentence needs a list of its own.
    word = Part(f"{WORD.key} in {of.side.text}", lambda: chosen, WORD.set)
    return select(word, dict(enumerate(names, start=1)), _("Other word"), width=200) - 1


def _number(which: Whole, title: str, count: int, *, every: bool = True) -> int:
    """A layer or a head, counted from 1; 0 for all."""
    offered = range(0 if every else 1, count + 1)
    return select(which, {n: str(n) if n else _("all") for n in offered}, title, width=110)
