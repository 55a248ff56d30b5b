"""`polysee compare`: one word in two sentences, as the page that the app saves."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors import SettingError
from . import checks

if TYPE_CHECKING:
    from ui.selection import Ends

    from ..records.trace import Trace


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
    texts = {"A": checks.sentence(options.a), "B": checks.sentence(options.b)}
    with _silent():  # `main` reports the error; the app would log it as well
        page = _page(options, texts)
    try:
        out.write_text(page, "utf-8")
    except OSError as error:
        raise SettingError(f"{out} cannot be written: {error.strerror}.") from error


@contextmanager
def _silent() -> Iterator[None]:
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)


def _page(options: argparse.Namespace, texts: dict[str, str]) -> str:
    # Imported here, because the app's libraries take two seconds to import.
    from pages.compare import saved_comparison
    from pages.compare.attention import Look
    from pages.compare.state import CompareState
    from ui.comparison import Question
    from ui.models import answers, model_cache
    from ui.selection import Chosen

    words = {"A": options.word, "B": options.word_b or options.word}
    checks.one_text(model_cache.wait_for(options.model).kind, options.model)
    traces = {name: checks.whole(answers.trace(options.model, text)) for name, text in texts.items()}
    numbers = {}
    for name, trace in traces.items():
        trace.find(words[name])
        (first, *_) = trace.occurrences(of=words[name])
        words[name], numbers[name] = first.word, first.number  # under its own name: "bank*" is "banker"
    a, b = (Chosen(texts[name], words[name], numbers[name]) for name in texts)
    question = Question(options.model, a, b, _ends(options, traces, words))
    look = Look.numbered(
        CompareState.layer.default, CompareState.head.default, special=CompareState.special.default
    )
    return saved_comparison.comparison(question, look, back=CompareState.back.default, link="")


def _ends(options: argparse.Namespace, traces: dict[str, Trace], words: dict[str, str]) -> Ends | None:
    """The ends of the word's sense axis: as given, otherwise as the app knows or proposes them."""
    from ui import sense_ends
    from ui.selection import Ends

    spelling = traces["A"].spelling
    typed = [sense_ends.end_of(end, words["A"], spelling) for end in (options.low, options.high)]
    if any(end.strip() for end in (options.low, options.high)):
        if not all(contexts for _, contexts in typed):
            raise SettingError("--low and --high go together: each needs a word that names a meaning.")
        (low, at_low), (high, at_high) = typed
        return Ends((low, high), at_low, at_high)
    texts = [trace.texts[0] for trace in traces.values()]
    known = sense_ends.ends_for(options.model, words["A"], texts)
    return known or sense_ends.proposed(traces["A"], traces["B"], (words["A"], words["B"]))
