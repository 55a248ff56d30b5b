"""What stands beside the answer of a step: the prediction, whether it holds, and the answer."""

from __future__ import annotations

from ..sentences import sentence
from .expressions import counted
from .keys import Answer, says_key
from .parsing import Choice, Click, Number, Step


def told(
    step: Step,
    answer: Answer,
    key: str,
    own: str = "",
    *,
    right: bool | None = None,
    exact: bool = False,
) -> str:
    """The verdict on a prediction, and the answer unless the reveal says it itself (Markdown).

    Args:
        step: the step.
        answer: its answer.
        key: the answer in words, of a click with the names of what is clicked.
        own: the prediction in words.
        right: whether the prediction holds; None without one.
        exact: whether a number is the answer itself, and not only near it.
    """
    if isinstance(step.prediction, Choice) and answer.key not in answer.options:
        return f"{sentence('lesson.none')} {sentence('lesson.answer', key=key)}"
    tolerance = step.prediction.tolerance if isinstance(step.prediction, Number) else 0.0
    verdict = ""
    if right is not None:
        near = "exactly" if exact else "within"
        which = "otherwise" if not right else near if tolerance else "holds"
        verdict = sentence(f"lesson.{which}", own=own, by=counted(tolerance))
    # Of a right choice, the prediction has named the answer already.
    known = right is True and isinstance(step.prediction, Choice)
    says_it = known or (says_key(step) and not isinstance(step.prediction, Click))
    return " ".join(filter(None, (verdict, "" if says_it else sentence("lesson.answer", key=key))))
