"""`polysee compare`: one word in two sentences, as the page that the app saves."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import settings
from ..comparison import Ends, ends
from ..comparison.heads import Look
from ..comparison.saved_page import page
from ..comparison.source import Direct
from ..comparison.word_and_ends import ask
from ..errors import SettingError
from ..records.spelling import Spelling
from . import checks

if TYPE_CHECKING:
    from ..pretrained import EngineName, Model

FIRST = Look(layer=0, head=0, special=False)  # the head that the page shows first, as the app's does


def add_to(commands: Any) -> None:
    """Add this command to the subparsers of the command line."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "compare",
        help="save a page that compares a word in two sentences",
        description="Save what the page Compare of the app saves: one HTML file, whose pictures work "
        "without a network.",
    )
    parser.add_argument("a", metavar="A", help="the first sentence, in quotes")
    parser.add_argument("b", metavar="B", help="the second sentence")
    parser.add_argument(
        "--word", required=True, help='a word of both sentences; a star stands for letters: "bank*"'
    )
    parser.add_argument("--word-b", help="its form in the second sentence, if it is another one")
    parser.add_argument("--out", required=True, help="the file to write")
    parser.add_argument("--low", default="", help="one meaning of the word: words for it, by commas")
    parser.add_argument("--high", default="", help="the other meaning")
    checks.add_model(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Write the page.

    Raises:
        PolyseeError: a sentence is empty or too long, the word is not in it, the file cannot be
            written, or there is no such model.
    """
    out = checks.writable_file(options.out)
    texts = checks.sentence(options.a), checks.sentence(options.b)
    made = _page(options, texts)
    try:
        out.write_text(made, "utf-8")
    except OSError as error:
        raise SettingError(f"{out} cannot be written: {error.strerror}.") from error


def _page(options: argparse.Namespace, texts: tuple[str, str]) -> str:
    from ..pretrained import limit_threads

    limit_threads(settings.read().threads)  # as in the app: the same sums in the same order
    model = _load(options.model)
    checks.one_text(model.kind, options.model)
    source = Direct(model, partial(_load, options.model, engine="huggingface"))
    for text in texts:
        checks.whole(source.trace(text))
    words = options.word, options.word_b or options.word
    question = ask(source, texts, words, partial(_ends, options, source.spelling))
    return page(question, FIRST, source, back=0, link="")


def _load(name: str, engine: EngineName | None = None) -> Model:
    """A model that the app offers too, which reads as much of a text as there is memory for."""
    from ..pretrained import load

    return load(name, engine=engine, paths=False).fitted()


def _ends(options: argparse.Namespace, spelling: Spelling, word: str) -> Ends | None:
    """The ends that the options name for a word; None if they name none."""
    typed = options.low.strip(), options.high.strip()
    if not any(typed):
        return None
    named = ends.settle(typed, word, None, spelling)
    if named is None:
        raise SettingError("--low and --high go together: each needs a word that names a meaning.")
    return named
