"""The switches, the choice of the stack, the captions and the two pictures."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.figures import Picture
from core.localization import N_, _, each, gettext
from pages.step_by_step import computed
from pages.step_by_step.computed import Sentence
from pages.step_by_step.depth import captions, pictures, python, results
from pages.step_by_step.depth.results import PARTS, Stack
from pages.step_by_step.state import MEASURES, StepsState
from ui import figure, files, layout, same_in_python
from ui.layout import row
from ui.models import model_cache
from ui.page import terms
from ui.state import number, select, toggle

LAYERS = 110  # pixels of the number of layers
LOG = N_("Log scale")


def show(s: StepsState, model: str | None, read: Sentence | None) -> None:
    """Draw the view; all parts can be omitted, alone and together.

    Args:
        s: the state of the page.
        model: the name of the model; None for the tiny model.
        read: the text; None for the tiny model.
    """
    with row():
        missing = _choose_parts(s)
    with row():
        only_fresh = _only_fresh(model, read)
        stack = _choose_stack(s, model, read, only_fresh=bool(only_fresh))
    curves, parts = results.curves(stack, missing), captions.without(missing)
    numbers = partial(pictures.table, curves, parts)
    left, right = st.columns(2, gap="medium")
    with left:
        picture = st.container()  # first, on a phone too; its controls are below
        with row():
            measure = _choose_measure(s)
            log = _choose_scale(s, measure)
        with picture:
            st.markdown(gettext(captions.TITLES[measure]))
            _picture(pictures.tokens(curves, parts, measure, log=log), numbers, measure)
        st.markdown(captions.similarity(curves, missing, norm_last=stack.norm_last))
        about = f"{gettext(captions.RANK_COLLAPSE)} {gettext(captions.CURVES[measure])}"
        terms.caption(about, "rank collapse")
    with right:
        st.markdown(gettext(captions.TITLES["gradient"]))
        _picture(pictures.gradient(curves, parts), numbers, "gradient")
        st.markdown(captions.gradient(curves, missing))
        terms.caption(gettext(captions.VANISHING), "vanishing gradients")
    terms.caption(f"{only_fresh}{_about(stack)}", "depth")
    text = "" if read is None else read.text
    same_in_python.show(s.python, partial(python.lines, stack, missing, model, text), model)


def _choose_parts(s: StepsState) -> frozenset[str]:
    """Choose which of `results.PARTS` to omit."""
    switches = {
        "residual": s.no_residual,
        "norm": s.no_norm,
        "positions": s.no_positions,
        "scale": s.no_scale,
        "heads": s.one_head,
    }
    return frozenset(part for part in PARTS if toggle(switches[part], each(captions.NAMES)[part]))


def _choose_measure(s: StepsState) -> str:
    """Choose the measure of the tokens; another scale does not change it."""

    def changed() -> None:
        if s.measure.get() == "similarity":
            s.log.set(False)

    return select(s.measure, each(MEASURES), _("Measure"), style="segments", changed=changed)


def _choose_scale(s: StepsState, measure: str) -> bool:
    """Choose whether the scale of the tokens' picture is logarithmic."""
    if measure == "difference":
        about = _("Shows how far a collapse continues when the difference is already small.")
        return toggle(s.log, gettext(LOG), about=about)
    why = _("A cosine can be 0 or negative, and such a number has no logarithm. Choose the difference.")
    st.toggle(gettext(LOG), False, key="steps log of a cosine", help=why, disabled=True)
    return False


def _only_fresh(model: str | None, read: Sentence | None) -> str:
    """Why the layers of a model cannot be used; "" if they can."""
    if model is None or read is None:
        return _("The tiny model has only one layer: its words go through a fresh stack.") + " "
    if not read.paper and model_cache.model(model).scratch_decoder is not None:
        said = _(
            "This view leaves parts out of an encoder’s layers alone: the tokens of a decoder go "
            "through a fresh stack."
        )
        return f"{said} "
    if not read.paper and model_cache.model(model).scratch_encoder is None:
        said = _(
            "This model does not run in our own transformer, which can leave parts out: its tokens go "
            "through a fresh stack."
        )
        return f"{said} "
    return ""


def _choose_stack(
    s: StepsState, model: str | None, read: Sentence | None, *, only_fresh: bool
) -> Stack:
    """Choose the model's own layers, or fresh ones."""
    if model is None or read is None:
        return _fresh(s, computed.tiny(s.tiny_text.get(), s.edits.get()).ids)
    if only_fresh:
        return _fresh(s, read.ids)
    of = _("the paper’s 6 layers") if read.paper else _("this model")
    own = {"own": of, "fresh": _("a fresh stack")}
    if select(s.stack, own, _("All layers of"), style="segments", named=True) == "fresh":
        return _fresh(s, read.ids)
    if read.paper:
        return Stack("paper", read.ids)
    return Stack("trained", read.ids, read.types, model)


def _fresh(s: StepsState, ids: tuple[int, ...]) -> Stack:
    n_layers = number(s.depth, _("Layers"), width=LAYERS)
    first = toggle(s.norm_first, _("Norm first"), about=_("Puts each norm before its sub-layer."))
    return Stack("fresh", ids, n_layers=n_layers, norm_first=first)


def _picture(picture: Picture | None, numbers: partial[pd.DataFrame], name: str) -> None:
    if picture is not None:
        saved = files.csv(numbers, f"{name}-over-depth")
        figure.show(picture, f"{name} over depth", saved_as=[saved], scale=layout.scale())


def _about(stack: Stack) -> str:
    """A description of the stack."""
    if stack.kind == "trained":
        return _(
            "The weights are those of the trained model. It learned them with all parts in place; "
            "without one of the parts, it would have learned other weights. The norm of its embeddings "
            "stays."
        )
    if stack.kind == "paper":
        return _("The weights are random, as at the start of training.")
    return _(
        "In a fresh stack, vectors have 64 numbers, layers have 8 heads, and the weights are random, "
        "as at the start of training. Each curve is the median of 5 such stacks."
    )
