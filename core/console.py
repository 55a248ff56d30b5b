"""How a command of ours ends: with its status, and a sentence if it could not do what it was asked."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from .errors import PolyseeError

FAILED = 2  # the exit status after a sentence on standard error
INTERRUPTED = 130
NOBODY_READS = 141  # as of a program that a closed pipe ends


def status_of(command: Callable[[], object], *, interrupted: str = "") -> int:
    """Run a command, and return its exit status: 0, or one of the above.

    Args:
        command: the whole command, the reading of its arguments included; a SystemExit passes through.
        interrupted: said after Ctrl-C.
    """
    try:
        try:
            command()
        finally:
            sys.stdout.flush()  # or Python would find only at its very end that nobody reads
    except PolyseeError as error:
        return _said(f"Polysee: {error}", FAILED)
    except KeyboardInterrupt:
        return _said(interrupted, INTERRUPTED) if interrupted else INTERRUPTED
    except BrokenPipeError:
        _to_nowhere()
        return NOBODY_READS
    return 0


def _said(sentence: str, status: int) -> int:
    try:
        print(sentence, file=sys.stderr, flush=True)
    except BrokenPipeError:
        _to_nowhere()
    return status


def _to_nowhere() -> None:
    """Let what is still buffered go nowhere: Python writes it at its end, and would complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
