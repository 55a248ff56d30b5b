"""What if: one thing changed in a sentence or in the model, and where the word then stands."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.figures import changed_paths, style
from core.measures import CONTEXTUAL
from core.records.interventions import Ablate, Change, Cut, Mask, Replace
from core.records.trace import Trace
from core.records.words import Occurrence
from ui import figure, layout, page, text
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
    """The question and its answer.

    Args:
        of: the word of one sentence, and between which senses.
        name: "A" or "B"; "" where there is one sentence.
        here: the layer and the head that the page shows, from 0.
        masked: the tokens that the page hides.
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
            st.caption("Type the replacement word.")
        return
    paths = attempt(computed.changed, of, changes)
    if paths is None:
        return
    before, after = float(paths.before[-1]), float(paths.after[-1])
    low, high = of.ends.names
    moved = round(after, 2) - round(before, 2)  # of what is printed, so that it can be checked
    side = "" if abs(moved) < 0.005 else f", towards *{text.plain(high if moved > 0 else low)}*"
    st.markdown(
        f"Unchanged, **{text.plain(computed.called(of.side))}** stands at "
        f"**{style.signed(before)}**; changed, at **{style.signed(after)}**: moved by "
        f"**{style.signed(moved, plus=True)}**{side}."
    )
    # Where the model predicts no words there is nothing to stand beside the path.
    predicts = model_cache.model(of.model).predicts == "masked"
    left, right = st.columns(2, gap="medium") if predicts else (st.container(), st.container())
    with left:
        picture = changed_paths(paths.before, paths.after, name, low=low, high=high)
        figure.show(picture, "why changed", scale=layout.scale())
        layout.csv(lambda: table(paths), "why-changed")
    with right:
        expected.show(of, changes, masked)


def table(paths: computed.Changed) -> pd.DataFrame:
    """The numbers of the picture: a row for each depth."""
    names = [style.depth_name(CONTEXTUAL + i) for i in range(len(paths.before))]
    depths = pd.Index(names, name="after")
    columns = {"as it is": paths.before, "changed": paths.after}
    columns["difference"] = paths.after - paths.before
    return pd.DataFrame(columns, index=depths)


def _choose(
    of: computed.ContributionQuery,
    trace: Trace,
    others: list[Occurrence],
    here: tuple[int, int] | None,
) -> tuple[Change, ...]:
    """The boxes; and the change that they ask for, or nothing while a word is still to be typed."""
    kind = select(KIND, KINDS, "What if …", width=230)
    layers, heads = trace.grid
    if kind == "silence":
        if here and not (LAYER.get() or HEAD.get()):
            LAYER.set(here[0] + 1)
            HEAD.set(here[1] + 1)
        layer = _number(LAYER, "Layer", layers, every=False)
        head = _number(HEAD, "Head", heads, every=False)
        _offer(here)
        return (Ablate(layer - 1, head - 1),)
    if not others:
        st.caption("This sentence has no other word.")
        return ()
    one = others[_word(of, others)]
    if kind == "cut":
        layer, head = (
            _number(which, title, count)
            for which, title, count in ((LAYER, "Layer", layers), (HEAD, "Head", heads))
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
    by = text_box(BY, "New word", width=200, placeholder="another word")
    return (Replace(one.word, by.strip(), one.number),) if by and by.strip() else ()


def _apart(of: computed.ContributionQuery, trace: Trace, other: Occurrence) -> bool:
    """Whether the word and the other can be cut from each other: a cut by tokens does not ask.

    Raises:
        NotSupported: one of them shares a token with a third.
    """
    from core.pretrained import token_edits

    for word, number in ((of.side.word, of.side.number), (other.word, other.number)):
        token_edits.alone(trace, word, number, cased=trace.cased, name=of.model)
    return True


def _offer(here: tuple[int, int] | None) -> None:
    """A button that takes the head of the page; where there is one, and it is not taken yet."""
    if here is None or (here[0] + 1, here[1] + 1) == (LAYER.get(), HEAD.get()):
        return

    def take() -> None:
        for field, number in zip((LAYER, HEAD), here, strict=True):
            field.set(number + 1)

    title = f"Take layer {here[0] + 1}, head {here[1] + 1}"
    st.button(title, on_click=take, help="The head described above")


def _word(of: computed.ContributionQuery, others: list[Occurrence]) -> int:
    """Which of the other words; at first the one whose cut moves the word farthest."""
    chosen = min(WORD.get(), len(others))
    if not chosen:
        why = computed.result(of)
        strong = max(why.others, key=lambda i: abs(why.cuts[i]), default=None)
        at = None if strong is None else why.tokens[strong]
        chosen = 1 + next((i for i, one in enumerate(others) if tuple(one.tokens) == at), 0)
    names = [one.word if not one.number else f"{one.word} ({one.number + 1})" for one in others]
    # A browser answers by names, which are this sentence's.
    word = Part(f"{WORD.key} in {of.side.text}", lambda: chosen, WORD.set)
    return select(word, dict(enumerate(names, start=1)), "Other word", width=200) - 1


def _number(which: Whole, title: str, count: int, *, every: bool = True) -> int:
    """A layer or a head, from 1; 0 for all of them."""
    offered = range(0 if every else 1, count + 1)
    return select(which, {n: str(n) if n else "all" for n in offered}, title, width=110)
