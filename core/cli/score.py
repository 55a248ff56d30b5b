"""`polysee score`: how surprised a model of the next word is by each token of a text."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..version import VERSION
from . import checks

if TYPE_CHECKING:
    from ..records.score import Score

FORMAT = 1  # of the JSON; it increases if a field changes its meaning
TOP = 5  # tokens that were likeliest, in the JSON


def add_to(commands: Any) -> None:
    """Add this command to the subparsers of the command line."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "score",
        help="print how surprised a model of the next word is by each token",
        description="Print for each token of a text −log₂ of the probability that a model of the next "
        "word gave it, in bits, with the token that was likeliest there; and the mean, the bits a "
        "token. docs/command_line.md describes the JSON.",
    )
    parser.add_argument("text", help="the text, in quotes")
    parser.add_argument("--json", action="store_true", help="print JSON, with every number")
    parser.add_argument("--model", required=True, help="a folder, a GGUF file, or a hub id")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Score the text and print the result.

    Raises:
        PolyseeError: the text is empty or too long, there is no such model, or it does not predict the
            next word.
    """
    from ..pretrained import load

    text = checks.sentence(options.text)
    model = load(options.model)
    checks.one_text(model.kind, options.model)
    found = model.score(text, top=TOP)
    checks.all_read(found.left_out, found.text, len(found.tokens), found.model)
    print(json.dumps(record(found)) if options.json else "\n".join(_table(found)))


def record(found: Score) -> dict[str, Any]:
    """The result as plain values: see docs/command_line.md."""
    rows = zip(found.tokens, found.offsets, strict=True)
    return {
        "polysee": VERSION,
        "format": FORMAT,
        "model": found.model,
        "text": found.text,
        "bits": found.total,
        "bits_per_token": _number(found.per_token),
        "perplexity": _number(found.perplexity),
        "tokens": [
            {
                "token": token,
                "start": start,
                "end": end,
                "bits": _number(found.bits[i]),
                "entropy": _number(found.entropy[i]),
                "rank": int(found.ranks[i]) if found.ranks[i] >= 0 else None,
                "likeliest": [
                    {"text": text, "probability": float(share)}
                    for text, share in zip(found.likeliest[i], found.probabilities[i], strict=False)
                ],
            }
            for i, (token, (start, end)) in enumerate(rows)
        ],
    }


def _table(found: Score) -> Iterator[str]:
    rows = []
    for i, token in enumerate(found.tokens):
        if found.ranks[i] < 0:
            rows.append((token, "–", "–", "nothing stands before it"))
            continue
        likeliest = f"{found.likeliest[i][0]!r} {found.probabilities[i, 0]:.2f}"
        rows.append((token, f"{found.bits[i]:.2f}", str(found.ranks[i]), likeliest))
    yield from checks.aligned(("token", "bits", "rank", "likeliest there"), rows)
    yield ""
    if found.scored:
        yield (
            f"{found.total:.2f} bits for {found.scored} tokens: {found.per_token:.2f} bits a token, "
            f"perplexity {found.perplexity:.1f}"
        )
    else:
        yield "No token has another before it, so that none was predicted."


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
