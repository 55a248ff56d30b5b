"""`polysee`: read the arguments, run the subcommand, and report an error in one sentence."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

from ..console import FAILED, status_of
from ..errors import ModelNote
from ..version import VERSION
from . import start

# The subcommands, in the order of the help. Each has `add_to(subparsers)`, which sets `run`.
COMMANDS = (".trace", ".compare", ".generate", ".score", ".read", ".corpus")


class _Parser(argparse.ArgumentParser):
    """A parser whose error messages are one sentence, without the usage above it."""

    def error(self, message: str) -> NoReturn:
        self.exit(FAILED, f"Polysee: {message[0].upper()}{message[1:]}. See {self.prog} --help.\n")


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    made = _Parser(
        prog="polysee",
        description="See a transformer turn each word's fixed vector into one that means something. "
        "Without a command, this starts the app.",
    )
    made.add_argument("--version", action="version", version=f"polysee {VERSION}")
    start.add_to(made)
    commands = made.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    for name in COMMANDS:
        import_module(name, __package__).add_to(commands)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit status: see `core.console`.

    Args:
        arguments: those after the command's name; those of this process by default.
    """
    # A terminal with another encoding then shows a question mark instead of raising an error.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")

    def run() -> None:
        options = parser().parse_args(arguments)
        with warnings.catch_warnings():
            usual = warnings.showwarning
            warnings.showwarning = partial(_say, usual)
            options.run(options)

    return status_of(run)


def _say(
    usual: Callable[..., None], message: Warning | str, category: type[Warning], *more: Any
) -> None:
    """Print what a reader of a model's numbers should know, as one sentence like an error."""
    if issubclass(category, ModelNote):
        print(f"Polysee: {message}", file=sys.stderr)
    else:
        usual(message, category, *more)
