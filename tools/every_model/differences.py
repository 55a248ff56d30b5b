"""`python -m tools.every_model.differences [--write FILE]`: how near our own transformer comes.

For each type that ours runs, a small model with random weights, saved and loaded twice: in our own
transformer, and in eager `transformers`. The largest differences on one text, as a table.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import core
from tools.every_model import small
from tools.every_model.__main__ import OURS, _quiet
from tools.every_model.walk import TARGET, TEXTS, _headed, _saved, tokenizer

_HEAD = """\
# How near our own transformer comes

Made by `python -m tools.every_model.differences --write docs/differences.md`.

Each type that runs in ours ([the table](models.md)) with random weights and a few layers, on one text:
the largest difference between our own transformer and eager `transformers`. That of attention is a
share of a row, those of vectors and logits are relative to the largest number of theirs. Of an
encoder–decoder it is the largest of both its halves and of the cross-attention. Contributions add up
to the logit that they explain; the last column is what is missing, relative to the logit.

| type | attention | last vectors | logits | contributions |
|---|---|---|---|---|
"""


class Difference(NamedTuple):
    """The largest differences of one type; None for what it does not have."""

    kind: str
    attention: float
    vectors: float
    logits: float | None
    parts: float | None


def of(kind: str) -> Difference:
    """Build a model of a type, and run it in both. Raises the errors of `core.load`."""
    made = small.model(kind)
    made = _headed(kind, made.config) or made
    with tempfile.TemporaryDirectory() as folder:
        if _saved(made, Path(folder), tokenizer()) is None:
            raise core.NotSupported(f"transformers cannot run {kind}.")
        return between(Path(folder), kind)


def between(folder: Path, kind: str) -> Difference:
    """Run the model in a folder in both. Raises the errors of `core.load`."""
    ours, theirs = (core.load(folder, engine=one, name=kind) for one in ("scratch", "huggingface"))
    texts = (TEXTS[0], TARGET) if ours.kind == "encoder-decoder" else (TEXTS[0],)
    a, b = (_parts(one.trace(*texts)) for one in (ours, theirs))
    weights = max(map(_far, a.attention, b.attention))
    logits = parts = None
    if ours.predicts == "next":
        mine, want = (one.expects(*texts)[0].logits for one in (ours, theirs))
        logits = _relative(mine, want)
        parts = _missing(ours, texts, int(mine.argmax()))
    return Difference(kind, weights, max(map(_relative, a.last, b.last)), logits, parts)


class _Parts(NamedTuple):
    """What a run has: one text, or source, target and what leads from the one to the other."""

    attention: tuple[Any, ...]
    last: tuple[Any, ...]


def _parts(trace: core.Trace | core.Seq2SeqTrace) -> _Parts:
    if isinstance(trace, core.Trace):
        assert trace.attention is not None
        return _Parts((trace.attention.weights,), (_last(trace),))
    assert trace.cross is not None
    encoder, decoder = _parts(trace.encoder), _parts(trace.decoder)
    attention = (*encoder.attention, *decoder.attention, trace.cross.weights)
    return _Parts(attention, encoder.last + decoder.last)


def _missing(ours: Any, texts: Sequence[str], token: int) -> float:
    """What the contributions to a logit lack of it, relative to it."""
    if len(texts) == 1:
        why = ours.why(texts[0], token)
        return float(abs(why.to_frame("source").iloc[:, -1].sum() - why.whole) / abs(why.whole))
    sums = ours.pair_logit_contributions(*texts, token)
    parts = sums.by_depth.sum(axis=-1) + sums.from_source.sum(axis=-1) + sums.biases
    return float(np.abs(parts - sums.whole).max() / abs(sums.whole))


def _far(mine: Any, theirs: Any) -> float:
    return float(np.nanmax(np.abs(mine - theirs)))


def _last(trace: core.Trace) -> Any:
    """The last vectors, behind the last norm where there is one."""
    assert trace.hidden is not None
    return trace.hidden[-1] if trace.final is None else trace.final


def _relative(mine: Any, theirs: Any) -> float:
    return float(np.abs(np.asarray(mine) - theirs).max() / np.abs(theirs).max())


def cells(one: Difference) -> list[str]:
    """Its numbers in a table."""
    return ["" if value is None else f"{value:.0e}" if value else "0" for value in one[1:]]


def page(found: Sequence[Difference], others: Sequence[str] = ()) -> str:
    """The table as a page in Markdown. `others`: types whose small shape ours does not know."""
    rows = [f"| `{one.kind}` | {' | '.join(cells(one))} |" for one in found]
    named = ", ".join(f"`{one}`" for one in others)
    foot = (
        f"\nNot here, since their small shape is none that was published: {named}.\n" if others else ""
    )
    return _HEAD + "\n".join(rows) + "\n" + foot


def main(arguments: Sequence[str]) -> int:
    """Compare all types of ours, print the table, write it if requested."""
    parser = argparse.ArgumentParser(prog="python -m tools.every_model.differences")
    parser.add_argument("--write", type=Path, help="where to write the table")
    options = parser.parse_args(arguments)
    _quiet()
    found, others = [], []
    for kind in sorted(OURS):
        try:
            found.append(of(kind))
        except core.NotSupported as error:  # its small shape has settings that ours does not know
            print(f"{kind}: {error}", flush=True)
            others.append(kind)
    text = page(found, others)
    print(text)
    if options.write:
        options.write.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
