"""Fit a lens to a model: for each layer, a map of its states to what the head reads after the last.

`python -m core.pretrained.fit_lens MODEL TEXTS OUT` fits the one that ships with Polysee: TEXTS is a
text, or a table with tabs whose last column is text and whose last but one names the document; either
may be packed (.gz). It prints how far each layer is from the model's own prediction, read by the plain
lens, by the whole map, and by the map as it is stored.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from ..errors import NotSupported, TooLarge
from ..language.lens import FittedLens, Losses, Map, Moments, stored
from ..records.frozen import Array
from . import cancellation
from .engines.batches import refuse_empty
from .lens import TOKENS, refuse_lens, states_of

if TYPE_CHECKING:
    from .lens import Lenses
    from .tokenizer.reader import Encoded

WINDOW = 256  # tokens that are read at once
_LETTERS = 1_000  # of a piece of text, which are about as many tokens
_LEAST = 2  # tokens for each number of a state
_HELD_OUT, _MOST_HELD_OUT = 8, 1_024  # one part in so many, and no more tokens, are for measuring
_DOCUMENTS = 8  # from so many on, whole ones are for measuring
_ROWS = 4_000_000  # logits at once
# A corpus of tokens has spaces where texts have none.
_SPACED = [(f" {sign}", sign) for sign in (*",.;:?!)", "'s", "'re", "'ve", "'ll", "'m", "'d", "n't")]


def fit(
    model: Lenses,
    texts: Iterable[str],
    *,
    fitted_on: str,
    tokens: int,
    rank: int,
    on_progress: Callable[[int, int], None] | None = None,
) -> FittedLens:
    """See `Model.fit_lens`."""
    refuse_lens(model)
    shape = model._runner.shape
    n, d = shape.n_layers, shape.d_model
    numbers = Moments.numbers(n, d)
    if 4 * numbers > model._trace_bytes:
        raise TooLarge(
            "Fitting a lens to “{name}” would take {numbers:.0f} MB, and the limit is "
            "{trace_bytes:.0f} MB (POLYSEE_TRACE_MB).",
            name=model.name,
            numbers=4 * numbers / 1000000.0,
            trace_bytes=model._trace_bytes / 1000000.0,
        )
    train, tested = _divided([one for one in (_pieces(text) for text in texts) if one])
    moments, held = Moments(n, d), []
    kept = min(_MOST_HELD_OUT, max(1, tokens // _HELD_OUT))
    done = 0

    def report(count: int) -> None:
        nonlocal done
        done += count
        if on_progress is not None:
            on_progress(min(done, tokens + kept), tokens + kept)

    try:
        for states_NLD in _read(model, train, tokens, report):
            moments.add(states_NLD)
        if moments.tokens < _LEAST * d:
            raise NotSupported(
                "These texts have {tokens:,} tokens to fit on, and the states of “{name}” have "
                "{d} numbers: it takes at least {least:,} tokens, and better {d2:,}.",
                tokens=moments.tokens,
                name=model.name,
                d=d,
                least=_LEAST * d,
                d2=30 * d,
            )
        done = tokens
        held = [*_read(model, tested, kept, report)]
        if not held:
            raise NotSupported("These texts are too short to keep some of them for measuring.")
        maps = [moments.map(depth, min(rank, d)) for depth in range(n)]
        nothing = np.zeros(n, np.float32)
        first = stored(
            maps,
            Losses(0, *([nothing] * 6)),
            fingerprint=model.fingerprint(),
            fitted_on=fitted_on,
            tokens=moments.tokens,
        )
        losses = _losses(model, maps, first, np.concatenate(held, axis=1), report)
    finally:
        model._words.head.release()
    return FittedLens(
        first.fingerprint,
        first.scale,
        first.mean,
        first.offset,
        first.down,
        first.up,
        first.strength,
        fitted_on,
        moments.tokens,
        losses,
    )


def _pieces(text: str) -> list[str]:
    """A text in pieces of about one window, which end where a line or a word ends."""
    found, piece = [], ""
    for word in text.split(" "):
        if piece and len(piece) + len(word) >= _LETTERS:
            found.append(piece)
            piece = ""
        piece = f"{piece} {word}" if piece else word
        while len(piece) > 2 * _LETTERS:  # without spaces
            found.append(piece[:_LETTERS])
            piece = piece[_LETTERS:]
    return [one for one in (*found, piece) if one.strip()]


def _divided(documents: list[list[str]]) -> tuple[list[str], list[str]]:
    """Pieces to fit on, in a random order that is always the same, and others to measure on."""
    order = np.random.default_rng(1)
    if len(documents) >= _DOCUMENTS:
        shuffled = [documents[i] for i in order.permutation(len(documents))]
        count = len(shuffled) // _HELD_OUT
        parts = [[*chain(*shuffled[count:])], [*chain(*shuffled[:count])]]
    else:
        every = [*chain(*documents)]
        count = -(-len(every) // _HELD_OUT)  # rounded up: the last piece may be short
        parts = [every[:-count], every[-count:]]
    train, tested = ([part[i] for i in order.permutation(len(part))] for part in parts)
    return train, tested


def _read(
    model: Lenses, pieces: Sequence[str], most: int, report: Callable[[int], None]
) -> Iterator[Array]:
    """(N + 1, L, D) of each piece until there are `most` tokens: without the template, and the sink."""
    reader = model._reader.up_to(min(WINDOW, model.max_tokens))
    count = 0
    for piece in pieces:
        if count >= most:
            return
        encoded = reader.read(piece)
        own = _own(encoded, causal=model._runner.causal)[: most - count]
        if not own:
            continue
        cancellation.ask()
        refuse_empty(encoded, model.name)
        states = states_of(model._runner, encoded, reader.pad_id, model.name)
        of_piece = states.normed_NLD[:, own].cpu().numpy()
        of_piece[-1] = states.last_LD[own].cpu().numpy()
        count += len(own)
        report(len(own))
        yield of_piece


def _own(encoded: Encoded, *, causal: bool) -> list[int]:
    """The tokens that count: those of the text, and of a decoder's all but the first."""
    return [i for i, special in enumerate(encoded.special) if not special and not (causal and i == 0)]


def _losses(
    model: Lenses,
    maps: Sequence[Map],
    lens: FittedLens,
    states_NLD: Array,
    report: Callable[[int], None],
) -> Losses:
    """How far each lens is from the model's own prediction on these states, (N + 1, L, D).

    `report` is told of no further tokens, now and then, and may end it.
    """
    n, count = len(maps), states_NLD.shape[1]
    apart, same = np.zeros((3, n)), np.zeros((3, n))
    device = model._runner.device
    step = max(1, _ROWS // model._runner.n_vocabulary)
    with torch.inference_mode():
        for start in range(0, count, step):
            some_NLD = states_NLD[:, start : start + step]
            target_LV = _log_shares(model, some_NLD[-1], device)
            shares_LV, best_L = target_LV.exp(), target_LV.argmax(dim=1)
            own_L = (shares_LV * target_LV).sum(dim=1)
            for depth in range(n):
                report(0)
                x_LD = some_NLD[depth]
                for which, read_LD in enumerate(
                    (x_LD, maps[depth].whole(x_LD), lens.read(depth, x_LD))
                ):
                    cancellation.ask()
                    read_LV = _log_shares(model, read_LD, device)
                    away_L = own_L - (shares_LV * read_LV).sum(dim=1)
                    apart[which, depth] += float(away_L.sum()) / np.log(2)
                    same[which, depth] += int((read_LV.argmax(dim=1) == best_L).sum())
    return Losses(count, *(apart / count), *(same / count))


def _log_shares(model: Lenses, vectors_LD: Array, device: str) -> Tensor:
    """(L, V): the logarithms of the probabilities."""
    vectors = torch.from_numpy(np.ascontiguousarray(vectors_LD, np.float32)).to(device)
    return model._words.head.logits(vectors).float().log_softmax(dim=1)


def texts_of(file: Path) -> list[str]:
    """The documents of a file, see the head of this module."""
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "rt", encoding="utf-8", errors="replace") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    if any(len(row) < 2 for row in rows if row != [""]):
        return ["\n".join("\t".join(row) for row in rows)]
    documents: dict[str, list[str]] = {}
    for row in rows:
        if len(row) >= 2:
            documents.setdefault(row[-2], []).append(row[-1])
    return [_closed(" ".join(lines)) for lines in documents.values()]


def _closed(text: str) -> str:
    """Without the spaces that a corpus of tokens has before a sign."""
    for spaced, sign in _SPACED:
        text = text.replace(spaced, sign)
    return text


def report(lens: FittedLens) -> str:
    """The losses of a lens as a table."""
    losses = lens.losses
    lines = [
        f"Fitted on {lens.tokens:,} tokens, measured on {losses.tokens:,} others: bits from the "
        "model's own prediction, and the share of equal likeliest tokens.",
        "after layer   plain        whole map    stored",
    ]
    for depth in range(len(losses.plain)):
        each = [
            f"{float(bits[depth]):5.2f} ({float(same[depth]):.2f})"
            for bits, same in (
                (losses.plain, losses.plain_same),
                (losses.full, losses.full_same),
                (losses.fitted, losses.fitted_same),
            )
        ]
        lines.append(f"{depth:11}   {'   '.join(each)}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    """Fit a lens, write it, and print how good it is."""
    from . import load

    parser = argparse.ArgumentParser("python -m core.pretrained.fit_lens", description=__doc__)
    parser.add_argument("model", help="a name or a folder, as core.load takes it")
    parser.add_argument("texts", type=Path, help="a text, or a table of sentences")
    parser.add_argument("out", type=Path, help="the file of the lens")
    parser.add_argument("--tokens", type=int, default=TOKENS, help="how many tokens to fit on")
    parser.add_argument("--about", default="", help="what the texts are, for the readers of the lens")
    given = parser.parse_args(arguments)
    model = load(given.model)
    lens = model.fit_lens(
        texts_of(given.texts),
        fitted_on=given.about or given.texts.name,
        tokens=given.tokens,
        on_progress=lambda done, every: print(
            f"\r{done:,} of {every:,} tokens", end="", file=sys.stderr
        ),
    )
    content = lens.to_bytes()
    given.out.write_bytes(content)
    print(f"\n{report(lens)}\n{len(content) / 1e6:.2f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
