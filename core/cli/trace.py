"""`polysee trace`: the tokens of a sentence, and the path of one word through the layers."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import SettingError
from ..measures import word_path
from ..records.finding import STAR
from ..records.trace import Array, Trace
from ..records.unknown import UNKNOWN, all_unknown
from ..sentences import sentence
from ..version import VERSION
from . import checks

if TYPE_CHECKING:
    from ..pretrained import TextModel

FORMAT = 1  # of the JSON; it increases if a field changes its meaning
MOST_NAMED = 3  # tokens of a row in the table


def add_to(commands: Any) -> None:
    """Add this command to the subparsers of the command line."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "trace",
        help="print what each layer makes of a sentence",
        description="Print the tokens of a sentence, and how far each has moved from its learned "
        "vector; with --word, what each layer makes of that word. docs/command_line.md describes the "
        "JSON.",
    )
    parser.add_argument("sentence", help="the sentence, in quotes")
    parser.add_argument("--word", help='a word of the sentence; a star stands for letters: "bank*"')
    parser.add_argument("--occurrence", type=int, help="which one, from 1, if it occurs twice (1)")
    parser.add_argument("--json", action="store_true", help="print JSON, with every number")
    checks.add_model(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Trace the sentence and print the result.

    Raises:
        PolyseeError: the sentence is empty or too long, the word is not in it, or there is no such
            model.
        SettingError: an occurrence of no word.
    """
    from ..pretrained import load

    if options.word is None and options.occurrence is not None:
        raise SettingError("--occurrence counts a word. Name the word too, with --word.")
    text = checks.sentence(options.sentence)
    model = load(options.model)
    checks.one_text(model.kind, options.model)
    trace = checks.whole(model.trace(text))
    at = None
    if options.word is not None:
        number = 1 if options.occurrence is None else options.occurrence
        at = checks.occurrence(trace, options.word, number)
    shown = record(model, trace, options.word, at)
    print(json.dumps(shown) if options.json else "\n".join(table(shown)))


def record(model: TextModel, trace: Trace, word: str | None, at: Array | None) -> dict[str, Any]:
    """The result as plain values, as `trace.schema.json` describes it.

    Args:
        model: the model.
        trace: the sentence by this model.
        word: the word, or None.
        at: (pieces,), the positions of its tokens.
    """
    shape = model.shape
    named = zip(trace.tokens, trace.offsets, trace.special, strict=True)
    return {
        "polysee": VERSION,
        "format": FORMAT,
        "model": {
            "name": trace.model,
            "layers": shape.n_layers,
            "heads": shape.n_heads,
            "d_model": shape.d_model,
        },
        "text": trace.texts[0],
        "tokens": [
            {
                "token": token,
                "start": start,
                "end": end,
                "special": special,
                "cosine": _cosine(trace.learned[i], trace.contextual[i]),
            }
            for i, (token, (start, end), special) in enumerate(named)
        ],
        "word": None if word is None or at is None else _word(trace, word, at),
    }


def _word(trace: Trace, word: str, at: Array) -> dict[str, Any]:
    path = word_path(trace, at)
    weights = None if trace.attention is None else trace.attention.weights[:, :, at].mean(axis=2)
    places = trace.occurrences(of=word)
    here = next(one for one in places if np.array_equal(one.tokens, at))
    return {
        "word": word,
        "found": trace.texts[0][here.start : here.end],
        "unknown": all_unknown(trace.tokens, at),
        "words": dict(Counter(one.word for one in places)),
        "tokens": at.tolist(),
        "learned": path.vectors[0].tolist(),
        "layers": [
            {
                "layer": layer + 1,
                "vector": vector.tolist(),
                "cosine": _cosine(path.vectors[0], vector),
                "attention": None if weights is None else _numbers(weights[layer]),
            }
            for layer, vector in enumerate(path.hidden)
        ],
    }


def _cosine(learned: Array, hidden: Array) -> float | None:
    """Cosine similarity; None if the widths differ (ALBERT), or if a vector is 0."""
    if learned.shape != hidden.shape:
        return None
    a, b = learned.astype(np.float64), hidden.astype(np.float64)
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else None


def _numbers(of_heads: Array) -> list[list[float] | None]:
    """(heads, keys) as lists; None for a head that the layer does not have."""
    return [None if np.isnan(row).any() else row.tolist() for row in of_heads]


def table(shown: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the readable table, from the same values as the JSON."""
    model, tokens, word = shown["model"], shown["tokens"], shown["word"]
    yield (
        f"{model['name']}: {model['layers']} layers × {model['heads']} heads, "
        f"vectors of {model['d_model']} numbers"
    )
    yield ""
    if word is None:
        yield from checks.aligned(
            ("", "token", "cosine of its learned and its last vector"),
            [(str(i + 1), one["token"], _short(one["cosine"])) for i, one in enumerate(tokens)],
        )
        if any(one["token"] in UNKNOWN and not one["special"] for one in tokens):
            yield ""
            first = next(one for one in tokens if one["token"] in UNKNOWN and not one["special"])
            yield sentence("word.unknown", word=shown["text"][first["start"] : first["end"]])
        return
    positions = ", ".join(str(i + 1) for i in word["tokens"])
    yield f"“{word['found']}”, token {positions} of {len(tokens)}"
    if word["unknown"]:
        yield sentence("word.unknown", word=word["found"])
    if STAR in word["word"] or len(word["words"]) > 1:
        every = [f"{name} ({count})" for name, count in word["words"].items()]
        words = "one word" if len(every) == 1 else f"{len(every)} different words"
        yield f"“{word['word']}” fits {words}: {', '.join(every)}"
    yield ""
    yield from checks.aligned(
        ("layer", "cosine with the learned vector", "attends to, mean of all heads"),
        [
            (str(one["layer"]), _short(one["cosine"]), _most(one["attention"], tokens))
            for one in word["layers"]
        ],
    )


def _most(of_heads: Sequence[Sequence[float] | None] | None, tokens: Sequence[Any]) -> str:
    """The tokens with the largest weights."""
    rows = [row for row in of_heads or () if row is not None]
    if not rows:
        return "no attention"
    mean = np.mean(rows, axis=0)
    largest = np.argsort(-mean, kind="stable")[:MOST_NAMED]
    return ", ".join(f"{tokens[i]['token']} {_short(float(mean[i]))}" for i in largest)


def _short(number: float | None) -> str:
    return "–" if number is None else f"{number:.2f}"
