"""The path of a word through the depths of a model: between two senses, or by cosine similarity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from ...localization import N_, _, decimal, gettext
from ...measures import CONTEXTUAL
from ...records.trace import Array
from ...sentences import sentence
from .. import style
from ..curves import Line, StepAxis, ValueAxis, lines
from ..picture import Picture

HEIGHT = 330
_SENTENCES: Mapping[str, tuple[str, Literal["circle", "square"]]] = {
    "A": (style.SENTENCE_A, "circle"),
    "B": (style.SENTENCE_B, "square"),
    "": (style.SENTENCE_A, "circle"),  # for a single sentence
}

# The lines of `cosine_paths`: name, short name, colour, mark.
COSINES: Sequence[tuple[str, str, str, Literal["circle", "square", "diamond"]]] = (
    (N_("A and alone"), "A", style.SENTENCE_A, "circle"),
    (N_("B and alone"), "B", style.SENTENCE_B, "square"),
    (N_("A and B"), "A·B", style.LEARNED, "diamond"),
)
COSINE_GUIDES = ((0, "0"), (0.5, "0.5"), (1, N_("same 1")))
AXIS = N_("after layer")


def sense_paths(
    coordinates: Mapping[str, Array], *, low: str, high: str, file: str = "path"
) -> Picture:
    """One line for each sentence: layers from left to right, between two senses from bottom to top.

    Args:
        coordinates: "A", "B" or both, or "" -> the coordinates of its word after each layer, (layers,),
            from `SenseAxis.coordinates`.
        low: the name of the group at −1.
        high: the name of the group at +1.
        file: the name of the saved file, after "polysee-".
    """
    everything = [float(at) for path in coordinates.values() for at in path]
    return _lines(
        [
            Line(
                _("Sentence {name}").format(name=name) if name else _("the word"),
                path,
                *_SENTENCES[name],
                f"{name} {style.signed(path[-1])}".strip(),
            )
            for name, path in coordinates.items()
        ],
        _layers(len(next(iter(coordinates.values())))),
        guides=_guides(low, high),
        bounds=(min(-1.15, *everything), max(1.15, *everything)),
        start=None,
        sentence=_(
            "The position of the word between {low} (−1) and {high} (+1) after each layer."
        ).format(low=low, high=high),
        file=file,
    )


def changed_paths(before: Array, after: Array, name: str, *, low: str, high: str) -> Picture:
    """The path of a word between two senses, unchanged and changed.

    Args:
        before: the coordinates of the word after each layer, (layers,).
        after: the same with the change.
        name: "A" or "B", the sentence; "" for a single one.
        low: see `sense_paths`.
        high: see `sense_paths`.
    """
    everything = [float(at) for path in (before, after) for at in path]
    colour, mark = _SENTENCES[name]
    return _lines(
        [
            Line(_("unchanged"), before, colour, mark, f"{name} {style.signed(before[-1])}".strip()),
            Line(
                _("changed"),
                after,
                style.LEARNED,
                "diamond",
                _("changed {at}").format(at=style.signed(after[-1])),
            ),
        ],
        _layers(len(before)),
        guides=_guides(low, high),
        bounds=(min(-1.15, *everything), max(1.15, *everything)),
        start=None,
        sentence=(
            _(
                "The word between {low} (−1) and {high} (+1) after each layer, unchanged and changed."
            ).format(low=low, high=high)
        ),
        file=f"changed-{name or 'here'}",
    )


def cosine_paths(
    together: Array,
    from_alone: tuple[Array, Array],
    *,
    file: str = "path",
) -> Picture:
    """Cosine similarities over depth.

    Args:
        together: between the word in A and the word in B, (depths,).
        from_alone: between the word in A, and that in B, and the same word on its own, (depths,) each.
        file: the name of the saved file, after "polysee-".
    """
    a, b = from_alone
    least = min(0.0, *map(float, (*together, *a, *b)))
    return _lines(
        [
            Line(gettext(name), row, colour, mark, f"{short} {style.signed(row[-1])}")
            for (name, short, colour, mark), row in zip(COSINES, (a, b, together), strict=True)
        ],
        range(len(together)),
        guides=[(at, decimal(gettext(said))) for at, said in COSINE_GUIDES],
        bounds=(least, 1.0),
        start=None,
        sentence=sentence("lines.cosine"),
        file=file,
    )


def _layers(count: int) -> range:
    """The depths of so many layers: before the first, there is no axis."""
    return range(CONTEXTUAL, CONTEXTUAL + count)


def _guides(low: str, high: str) -> list[tuple[float, str]]:
    return [(-1, f"{style.short(low)} −1"), (0, _("halfway 0")), (1, f"{style.short(high)} +1")]


def _lines(
    shown: list[Line],
    depths: range,
    *,
    guides: list[tuple[float, str]],
    bounds: tuple[float, float],
    start: str | None,
    sentence: str,
    file: str = "path",
) -> Picture:
    return lines(
        shown,
        StepAxis(
            [style.depth_name(depth) for depth in depths],
            [style.depth_tick(depth) for depth in depths],
            gettext(AXIS),
        ),
        ValueAxis(guides, bounds),
        start=start,
        sentence=sentence,
        name=file,
        height=HEIGHT,
    )
