"""`polysee generate`: a model of the next word goes on with a text, token by token."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import SettingError
from ..language import Sampling
from ..version import VERSION
from . import checks

if TYPE_CHECKING:
    from ..pretrained import Model
    from ..records.chat import Chat
    from ..records.generated import Generated

FORMAT = 1  # of the JSON; it increases if a field changes its meaning


def add_to(commands: Any) -> None:
    """Add this command to the subparsers of the command line."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "generate",
        help="let a model of the next word go on with a text",
        description="Print a text and what a model of the next word writes after it, as it is written. "
        "At temperature 0 it takes the likeliest token each time. docs/command_line.md describes the "
        "JSON.",
    )
    parser.add_argument("text", help="the text to go on with, in quotes")
    parser.add_argument(
        "--chat",
        action="store_true",
        help="read the text as a user's message, in the model's chat template, and print the answer",
    )
    parser.add_argument("--system", metavar="TEXT", help="with --chat: a system message before it")
    parser.add_argument("-n", type=int, default=40, metavar="N", help="at most so many tokens (40)")
    parser.add_argument(
        "--temperature", type=float, default=1.0, metavar="T", help="0: the likeliest each time (1)"
    )
    parser.add_argument("--top-k", type=int, metavar="K", help="draw from the K likeliest only")
    parser.add_argument(
        "--top-p", type=float, metavar="P", help="draw from the likeliest that together reach P"
    )
    parser.add_argument(
        "--min-p",
        type=float,
        metavar="P",
        help="draw from those P times as likely as the first, or more",
    )
    parser.add_argument("--seed", type=int, default=0, help="the same seed draws the same (0)")
    parser.add_argument(
        "--stop",
        action="append",
        default=[],
        metavar="TEXT",
        help="end after this text (repeatable)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON: each token with its rank and probability"
    )
    parser.add_argument(
        "--page",
        metavar="FILE",
        help="also write one HTML file in which SmolLM2 goes on, from a disk and without a network",
    )
    parser.add_argument("--model", required=True, help="a folder, a GGUF file, or a hub id")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Write, and print each token as it comes.

    Raises:
        PolyseeError: the text is empty or too long, an option is out of range, there is no such model,
            or it does not predict the next word.
    """
    text = checks.sentence(options.text)
    if options.system is not None and not options.chat:
        raise SettingError("--system is for a conversation: add --chat.")
    if options.page is not None and options.chat:
        raise SettingError("--page is for a text, not for a conversation.")
    Sampling(options.temperature, options.top_k, options.top_p, options.min_p)  # before a model is read
    from ..pretrained import load

    model = load(options.model)
    checks.one_text(model.kind, options.model)
    chat: Chat | None = None
    if options.chat:
        system = [] if options.system is None else [{"role": "system", "content": options.system}]
        chat = model.chat([*system, {"role": "user", "content": text}])
    else:
        read = model.read(text)
        checks.all_read(read.left_out_by_text[0], text, len(read), model.name)
    written = model.generate(
        text if chat is None else chat,
        options.n,
        temperature=options.temperature,
        top_k=options.top_k,
        top_p=options.top_p,
        min_p=options.min_p,
        seed=options.seed,
        stop=options.stop,
    )
    done: list[Generated] = []
    if options.json:
        done.extend(written)
        print(json.dumps(record(model.name, text, done, chat)))
    else:
        if chat is None:
            print(text, end="", flush=True)
        for one in written:
            done.append(one)
            print(one.added, end="", flush=True)
        print()
    if options.page is not None:
        _write_page(options, text, model, [one.id for one in done])


def _write_page(options: argparse.Namespace, text: str, model: Model, more: list[int]) -> None:
    """Write the page that goes on from here; its choices are those of the options."""
    from ..notebook import next_word

    view = next_word(text, model=model, more=more, seed=options.seed)
    asked = {"topK": options.top_k, "topP": options.top_p, "minP": options.min_p}
    for name, value in {"temperature": options.temperature, **asked}.items():
        if value is not None:
            setattr(view, name, value)
    view.save(options.page, model=True)


def record(
    model: str, text: str, written: Iterable[Generated], chat: Chat | None = None
) -> dict[str, Any]:
    """The result as plain values: see docs/command_line.md."""
    read = {} if chat is None else {"chat": _read(chat)}
    return {
        "polysee": VERSION,
        "format": FORMAT,
        "model": model,
        "text": text,
        **read,
        "tokens": [
            {
                "id": one.id,
                "token": one.token,
                "text": one.text,
                "rank": one.rank,
                "probability": one.probability,
                "number": one.number,
                "end": one.end,
            }
            for one in written
        ],
    }


def _read(chat: Chat) -> list[dict[str, Any]]:
    """What the model reads of a conversation, a value for each token."""
    parts = zip(chat.ids, chat.tokens, chat.pieces, chat.roles, chat.special, strict=True)
    return [
        {"id": number, "token": token, "text": piece, "role": role, "special": special}
        for number, token, piece, role, special in parts
    ]
