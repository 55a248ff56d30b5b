"""The pictures of a model that learns a text."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.figures import (
    Axis,
    Line,
    Picture,
    Point,
    StepAxis,
    ValueAxis,
    heatmap,
    labelled_text,
    lines,
    scatter,
    style,
)
from core.figures.labels import spelled
from core.localization import _, decimal, pgettext
from core.measures import HeadMap, as_block, head_map
from core.memory import cached
from core.own_text import Copied, TextRecipe, copied, readable, sentence_around
from core.own_text.copies import LEAST
from core.records.attention import Attention
from core.records.pieces import has_bytes
from core.sentences import sentence

if TYPE_CHECKING:
    from core.own_text import Pause, TextRun

_VOWELS = {*"aeiouAEIOU"}
ENDS = ".!?"
CUT = " …"
_HIGH = 230  # pixels of the curves
_APART = 0.12  # of their height, so that two guides can have names


@cached(
    key=lambda text, title, recipe: (sha256(text.encode("utf-8", "replace")).digest(), title, recipe),
    weigh=lambda run: 200_000 + 4 * len(run.text),
)
def untrained(text: str, title: str, recipe: TextRecipe) -> TextRun:
    """A model before its first step, on one thread.

    Raises:
        SettingError: see `core.own_text.TextTraining`.
    """
    from core.own_text.run import untrained as before_training
    from core.tasks.training.threads import one_thread_here

    one_thread_here()
    return before_training(text, title, recipe)


def at(run: TextRun, step: int) -> int:
    """The index of the last pause that is not later than a step; step −1 means the last."""
    steps = [one.step for one in run.snapshots]
    return len(steps) - 1 if step < 0 else max(0, int(np.searchsorted(steps, step, "right")) - 1)


def writing(
    written: str, copies: Sequence[Copied], text: str, name: str, *, prompt: str = ""
) -> Picture:
    """What a model wrote, with the copies from its text and the prompt on backgrounds of their own.

    Args:
        written: behind the prompt.
        copies: of `written`, see `core.own_text.copied`.
        text: what it learned from.
        name: of the saved file, after "polysee-".
        prompt: what stood before it.
    """
    pieces = [(prompt, 2, _("your words"))] if prompt else []
    written = readable(written, text)
    place = 0
    for one in copies:
        source = sentence_around(text, one.source, one.source + one.end - one.start)
        pieces += [(piece, 0, "") for piece in _words(written[place : one.start])]
        pieces += [
            (piece, 1, _("from: {text}").format(text=source))
            for piece in _words(written[one.start : one.end])
        ]
        place = one.end
    pieces += [(piece, 0, "") for piece in _words(written[place:])]
    if pieces and is_cut(written):  # after so many tokens, often within a word
        pieces[-1] = (pieces[-1][0] + CUT, *pieces[-1][1:])
    shown, kinds, notes = zip(*(pieces or [(_("(nothing)"), 0, "")]), strict=True)
    return labelled_text(
        shown,
        kinds,
        (
            _("no copy of {count} letters or more").format(count=LEAST) if text else _("what it wrote"),
            _("copied: {count} letters or more in a row").format(count=LEAST),
            _("your words"),
        ),
        unit=_("where from"),
        sentence=_("A model wrote: {text}").format(text=written),
        name=name,
        notes=notes,
        first_written=1 if prompt else None,
    )


def is_cut(written: str) -> bool:
    """Whether what a model wrote breaks off within a sentence."""
    return written != "" and not written[-1].isspace() and written[-1] not in ENDS


def _words(text: str) -> list[str]:
    """A text in pieces that begin with a space or behind the end of a line."""
    cuts = [i for i in range(1, len(text)) if text[i] == " " or text[i - 1] == "\n"]
    return [text[i:j] for i, j in zip([0, *cuts], [*cuts, len(text)], strict=True) if text[i:j]]


@cached()
def copies_of(written: str, text: str) -> tuple[Copied, ...]:
    """The longest copies in what a model wrote."""
    return copied(written, text)


def curves(run: TextRun, shown: int) -> Picture:
    """Bits a letter at each pause, on the text and on its held-out end, and the 5-gram's."""
    steps = sorted({*run.planned, run.snapshots[-1].step})
    learned = {one.step: one.bits for one in run.snapshots}
    held = {one.step: one.held for one in run.snapshots}
    here = run.snapshots[shown].step
    rows = {
        _("held-out end"): (held, style.SENTENCE_B, _("held out")),
        _("what it reads"): (learned, style.SENTENCE_A, _("read")),
    }
    drawn = []
    for name, (values, colour, label) in rows.items():
        row = [values.get(step, np.nan) for step in steps]
        dot = [values[step] if step == here else np.nan for step in steps]
        drawn.append(Line(name, row, colour, mark="none", label=label))
        drawn.append(Line(_("shown here"), dot, colour, mark="circle", label=""))
    ticks = [decimal(f"{step:,}") for step in steps]
    last = run.snapshots[-1]
    top = max(run.gram, *learned.values(), *held.values())
    gram = decimal(f"{run.gram:.2f}")
    guides = [(run.gram, _("5-gram {bits}").format(bits=gram))]
    if run.gram > _APART * top:  # else the two names would lie over each other
        guides.insert(0, (0.0, "0"))
    return lines(
        drawn,
        StepAxis([_("step {step}").format(step=tick) for tick in ticks], ticks, _("steps")),
        ValueAxis(
            guides,
            bounds=(0.0, top),
            unit=_("bits a letter"),
            digits=2,
        ),
        sentence=sentence(
            "own-text.curves",
            bits=decimal(f"{last.bits:.2f}"),
            held=decimal(f"{last.held:.2f}"),
            gram=gram,
        ),
        name="own-text-curves",
        height=_HIGH,
    )


def table(run: TextRun) -> pd.DataFrame:
    """The pauses as a table for a file."""
    rows = [(one.step, one.bits, one.held, run.gram, one.seconds, one.sample) for one in run.snapshots]
    names = ["step", "bits_read", "bits_held_out", "bits_5_gram", "seconds", "writes"]
    return pd.DataFrame(rows, columns=names).set_index("step")


def one_map(pause: Pause, layer: int, head: int) -> HeadMap:
    """The weights of one head, from 1, or of the mean, 0; layer 0 is the last."""
    layers, heads = pause.attention.shape[:2]
    names = tuple(map(spelled, pause.tokens))
    shown = as_block(Attention(names, names, pause.attention), causal=True)
    depth = min(layer, layers) - 1 if layer else layers - 1
    return head_map(shown, depth, min(head, heads) - 1 if head else None, special=True)


def attention(pause: Pause, layer: int, head: int) -> Picture:
    """The attention on the beginning of the held-out text."""
    return heatmap(
        one_map(pause, layer, head),
        sentence=_("What each token of the held-out text attends to after step {step}.").format(
            step=decimal(f"{pause.step:,}")
        ),
        name="own-text-attention",
        colour=style.SENTENCE_A,
    )


def map_table(pause: Pause, layer: int, head: int) -> pd.DataFrame:
    """The numbers of the map as a table for a file."""
    shown = one_map(pause, layer, head)
    return pd.DataFrame(shown.weights, index=list(shown.queries), columns=list(shown.keys))


def _is_vowel(name: str) -> bool:
    return name.strip() in _VOWELS


def has_vowels(run: TextRun) -> bool:
    """Whether a token that is drawn is a vowel."""
    return any(map(_is_vowel, run.shown))


def byte_token(run: TextRun, pause: Pause) -> str:
    """A token that is drawn and is a part of a character, by its bytes; "" if there is none."""
    return next(filter(has_bytes, (*run.shown, *pause.tokens)), "").strip()


def vectors(run: TextRun, shown: int) -> Picture:
    """The commonest tokens at every pause, each time in the plane in which they then differ most."""
    planes = run.planes[: len(run.snapshots)]
    coordinates = np.stack([one.coordinates for one in planes], axis=1)  # (tokens, pauses, 2)
    steps = [_("step {step}").format(step=decimal(f"{one.step:,}")) for one in run.snapshots]
    points = [
        Point(spelled(name), there, style.SENTENCE_A if vowel else style.LEARNED, bold=vowel)
        for name, there in zip(run.shown, coordinates, strict=True)
        for vowel in [_is_vowel(name)]
    ]
    return scatter(
        points,
        steps=steps,
        depth=shown,
        x=Axis(_("projected: first component")),
        y=Axis(_("second component")),
        sentence=_(
            "The learned vectors of the {count} commonest tokens at each pause, projected."
        ).format(count=len(points)),
        name="own-text-vectors",
        slider=pgettext("of a step", "After"),
        moments=[_("after {step}").format(step=step) for step in steps],
        words=(_("on the first component"), _("on the second")),
        height=420,
    )


def coordinates(run: TextRun, shown: int) -> pd.DataFrame:
    """The coordinates in the same picture at one pause, as a table for a file."""
    return pd.DataFrame(
        run.planes[shown].coordinates, index=[*map(spelled, run.shown)], columns=["first", "second"]
    )
