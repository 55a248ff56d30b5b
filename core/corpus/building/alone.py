"""One program changes a corpus at a time; if it fails, what was published before is what there is."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from ...errors import CorpusError, PolyseeError, in_short
from ..storage import manifest as manifests
from ..storage.store import roll_back

# LanceDB passes the errors of the system on as text, with the place in its own source.
_SYSTEM = re.compile(r"\(os error (\d+)\)")


@contextlib.contextmanager
def alone(folder: Path, otherwise: str) -> Iterator[None]:
    """Keep others from changing a corpus at the same time, and undo what could not be finished.

    Args:
        folder: the folder of the corpus.
        otherwise: what the error says about the state after a failure, and what to do.

    Raises:
        CorpusError: another program is changing it, or it cannot be written: no right to, or no room.
    """
    import fcntl

    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as error:
        raise CorpusError(f"The folder “{folder}” cannot be written: {in_short(error)}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CorpusError(f"Another program is changing the corpus in “{folder}”.") from None
        try:
            yield
        except (PolyseeError, BrokenPipeError):
            raise
        except (OSError, RuntimeError, pa.ArrowException) as error:
            if (why := _of_the_system(error)) is None:
                raise
            _undo(folder)
            raise CorpusError(
                f"The corpus in “{folder}” cannot be written: {why}. {otherwise}"
            ) from error


def remove(former: Path) -> None:
    """Remove a folder that what is now published has replaced.

    Raises:
        CorpusError: it cannot be removed.
    """
    try:
        if former.exists():
            shutil.rmtree(former)
    except OSError as error:
        raise CorpusError(
            f"The corpus is changed as you asked, but its former files could not be removed: "
            f"{in_short(error)} Remove the folder {former} yourself."
        ) from error


def _undo(folder: Path) -> None:
    """Free what an unfinished version takes; if even that fails, the next build does it."""
    with contextlib.suppress(OSError, RuntimeError, ValueError):
        roll_back(folder, manifests.read(folder) if manifests.exists(folder) else None)


def _of_the_system(error: Exception) -> str | None:
    """What the operating system refused, in its words; None if this was another error."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    found = _SYSTEM.search(str(error))
    if found is not None:
        return os.strerror(int(found[1]))
    return in_short(error).rstrip(".") if isinstance(error, OSError) else None
