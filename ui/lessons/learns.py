"""The wait for an answer that a training has to reach first: its progress, on a page that goes on.

A training takes a minute on a busy machine. It runs beside the page, so that whoever waits can read,
go on to the next step, or leave; and whoever comes back finds the answer.
"""

from __future__ import annotations

import streamlit as st

from core.localization import _, decimal
from ui import text
from ui.models import lesson_records
from ui.models.lesson_records import Learning, Texts

AT_ONCE = 0.7  # seconds in which an answer may come without a word about its progress
PULSE = 1.0  # seconds between two looks at a training


def going(lesson: str, step: int, model: str, texts: Texts) -> bool:
    """Whether the answer to a step waits for a training. Arguments as of `lesson_records.answer_of`."""
    waits = lesson_records.learning(lesson, step, model, tuple(sorted(texts)))
    return waits is not None and not waits.wait(0)


def show(lesson: str, step: int, model: str, texts: Texts) -> bool:
    """Draw the progress of the training that an answer waits for, and say whether there is one.

    The page runs again when the training is over. Arguments as of `lesson_records.answer_of`.
    """
    waits = lesson_records.learning(lesson, step, model, texts)
    if waits is None or waits.wait(AT_ONCE):
        return False
    _watch(waits)
    st.caption(_("The answer comes by itself. You can go on meanwhile, and come back to it."))
    return True


@st.fragment(run_every=PULSE)
def _watch(waits: Learning) -> None:
    if waits.wait(0):
        st.rerun()
    st.progress(min(1.0, waits.step / waits.steps), _said(waits))


def _said(waits: Learning) -> str:
    """How far the training is, and how long it still takes."""
    said = _("It learns: step {step} of {steps}")
    left = waits.seconds_left
    if left is not None:
        said = _("It learns: step {step} of {steps}, {left}")
    return said.format(
        step=decimal(f"{waits.step:,}"),
        steps=decimal(f"{waits.steps:,}"),
        left="" if left is None else text.time_left(left),
    )
