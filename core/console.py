"""How a command of ours ends: with its status, and a sentence if it could not do what it was asked."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable

from .errors import PolyseeError

FAILED = 2  # the exit status after a sentence on standard error
INTERRUPTED = 130
NOBODY_READS = 141  # as of a program that a closed pipe ends

# What a write says that has nowhere to go: a full disk, or a stream that is closed.
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


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
            if sys.stdout is not None:  # or Python would find only at its very end that nobody reads
                sys.stdout.flush()
    except PolyseeError as error:
        return _said(f"Polysee: {error}", FAILED)
    except KeyboardInterrupt:
        return _said(interrupted, INTERRUPTED) if interrupted else INTERRUPTED
    except BrokenPipeError:
        _to_nowhere()
        return NOBODY_READS
    except OSError as error:
        if error.filename is not None or error.errno not in _UNWRITABLE:
            raise
        _to_nowhere()
        return _said(f"Polysee: The output cannot be written: {error.strerror}.", FAILED)
    return 0


def _said(sentence: str, status: int) -> int:
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        _to_nowhere()
    return status


def _to_nowhere() -> None:
    """Let what is still buffered go nowhere: Python writes it at its end, and would complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # closed before the command began
                stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
