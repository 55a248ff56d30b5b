"""How far a visitor has come in the lessons: kept in the browser alone, never told to the server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from core import spreadsheet
from core.classroom import MOST_WHY, mentioned, plain
from core.lessons import Check, misconceptions, readable
from core.lessons.expressions import filled
from core.localization import _
from ui.state import Place

SCRIPT = Path(__file__).parent / "progress.js"  # the folder for any web space has it too
STYLE = Path(__file__).parent / "progress.css"

# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component(
    "polysee_progress",
    html='<div class="polysee-progress"></div>',
    css=STYLE.read_text("utf-8"),
    js=SCRIPT.read_text("utf-8"),
    isolate_styles=False,
)


def words() -> dict[str, str]:
    """What the browser says itself; "{…}" is filled in there."""
    return {
        "why": _("Why?"),
        "own": _("in your own words"),
        "before": _("Before you begin: what do you think?"),
        "skip": _("Begin without an answer"),
        "again": _("The same question as before the lesson"),
        "answered": _("You answered: “{answer}”. The lesson asks again at its end."),
        "right": _("right"),
        "wrong": _("not right"),
        "once": _("Your answer: “{last}”, {right}."),
        "same": _("Before and after: “{last}”, {right}."),
        "changed": _("Before: “{first}”, {was}. After: “{last}”, {right}."),
        "instead": _("Right is: “{answer}”."),
        "wrote": _("Before, you wrote: “{words}”"),
        "writes": _("Now, you wrote: “{words}”"),
        "compare": _("Compare"),
        "answerAgain": _("Answer again"),
        "all": _("all steps seen"),
        "some": _("{done} of {steps} steps seen"),
        "save": _("Save my answers as CSV"),
        "forget": _("Forget my progress"),
    }


def note(place: Place, *, revealed: bool) -> None:
    """A step is on the screen: the browser notes it.

    Where the step is another one than before, its title takes the focus, and where its answer has come,
    the answer: what had the focus is gone, and whoever goes by keys would begin at the top of the page.
    A lesson that is left gives it to the page's title.
    """
    data = {"do": "note", "lesson": place.name, "step": place.step, "revealed": revealed}
    _COMPONENT(key="lesson progress", data=data, height="content")


def why(place: Place) -> None:
    """A box for the reason behind a prediction, in the visitor's own words."""
    _COMPONENT(
        key=f"lesson why {place}",
        data={"do": "why", "of": str(place), "most": MOST_WHY, "words": words()},
        height="content",
    )


def keep(place: Place, asked: str, predicted: str, model: str, *, right: bool) -> None:
    """The browser keeps a prediction with its answer, for the file that a visitor may save.

    Args:
        place: the step.
        asked: the question.
        predicted: the prediction in words.
        model: the answer in words.
        right: whether the prediction holds.
    """
    said = {"asked": asked, "predicted": predicted, "model": model, "right": right}
    of = {"do": "keep", "of": str(place), "said": said}
    _COMPONENT(key="lesson answer kept", data=of, height="content")


def check(
    lesson: str, moment: Literal["before", "after"], said: Mapping[str, Any], *, folded: bool = False
) -> None:
    """The question before a lesson, or after it with what changed; the browser alone keeps the answers.

    Args:
        lesson: the name of the lesson.
        moment: which of the two.
        said: the question, as `question`.
        folded: whether it leaves its room to the picture until it is opened.
    """
    of = {"do": "check", "lesson": lesson, "moment": moment, "folded": folded, "words": words()}
    _COMPONENT(key=f"lesson check {lesson} {moment}", data=of | dict(said), height="content")


def question(check: Check, texts: Mapping[str, str]) -> dict[str, Any]:
    """The question before a lesson and after it, as the browser has it.

    Args:
        check: the question.
        texts: the lesson's texts, which it may name.

    Returns:
        The question, its answers, the index of the right one, why it is right, for each answer the idea
        that it shows and what is the case (or ""), and how many letters a reason may have.
    """
    return {
        "question": plain(mentioned(filled(check.question, texts))),
        "answers": tuple(plain(filled(one, texts)) for one in check.answers),
        "right": check.right,
        "because": plain(filled(check.because, texts)),
        "instead": tuple(map(_idea, check.misconceptions)),
        "most": MOST_WHY,
    }


def _idea(name: str) -> str:
    """A misconception in words, "" for none."""
    one = misconceptions().get(name)
    if one is None:
        return ""
    said = _("The idea behind the other answer: “{idea}” {instead}")
    return said.format(idea=one.says, instead=one.instead)


def show(lesson: str, steps: int) -> None:
    """How many steps of a lesson this browser has shown."""
    _COMPONENT(
        key=f"progress {lesson}",
        data={"do": "show", "lesson": lesson, "steps": steps, "words": words()},
        height="content",
    )


def forget() -> None:
    """Buttons that save what was answered, and forget all; they are there only where there is any."""
    lessons = readable()[0]
    steps = {one.name: len(one.steps) for one in lessons}
    of = {"do": "forget", "lessons": steps, "rules": spreadsheet.rules(), "words": words()}
    _COMPONENT(key="progress forget", data=of, height="content")
