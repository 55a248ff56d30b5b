"""The words of a step in the language of the screen; a cached record has them in English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...localization import N_, _, gettext
from .record import Groups, Step

# Words in formulas; a message with the braces of a formula would seem to have places.
_IN_FORMULAS = (
    *(N_("text"), N_("pieces"), N_("ids"), N_("learned"), N_("one-hot"), N_("scaled"), N_("sum")),
    *(N_("segment"), N_(" for "), N_(" where "), N_(" is hidden from ")),
)
_SHARED = ("key", "value")  # what several heads of queries may share


def spoken(step: Step, notes: Sequence[str] = ()) -> Step:
    """The step with its title, its formula and its purpose in the language of this context.

    Args:
        step: as computed.
        notes: for the step that has notes, these in their place; none for its own.
    """
    why = gettext(step.why)
    if step.groups is not None and step.name in _SHARED:
        why = f"{why} {_of_group(step.groups)}"
    return replace(
        step,
        title=gettext(step.title),
        formula=spoken_formula(step.formula),
        why=why,
        notes=tuple(notes) if notes and step.notes else step.notes,
    )


def spoken_formula(formula: str) -> str:
    """A formula with its words in the language of this context."""
    for words in _IN_FORMULAS:
        formula = formula.replace(f"\\text{{{words}}}", f"\\text{{{gettext(words)}}}")
    return formula


def _of_group(groups: Groups) -> str:
    """Which heads of queries share a key or a value."""
    first, last = groups.members
    said = (
        _(
            "Heads {first} and {last} share it: {heads} heads of queries have {shared} heads of keys "
            "and values between them."
        )
        if last == first + 1
        else _(
            "Heads {first} to {last} share it: {heads} heads of queries have {shared} heads of keys "
            "and values between them."
        )
    )
    return said.format(first=first + 1, last=last + 1, heads=groups.heads, shared=groups.shared)
