"""One corpus for everybody on a machine: built once, whoever asks first, and resumed if that one dies.

`build_once` is called by every process that needs it. One of them builds, holding a lock that the
system releases when it dies, however it dies; the others see its progress. What was finished before is
kept (`building`), and whoever calls next goes on from there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from ... import untrusted
from ...errors import CorpusError, in_short
from ...pretrained.text_model import TextModel
from ...untrusted import record
from ..storage import manifest as manifests
from ..whole_file import write_whole
from .build import build
from .progress import Progress

_EVERY = 0.3  # seconds between two notes of the progress


def build_once(
    folder: Path,
    write: Callable[[Path], Path],
    model: Callable[[], TextModel],
    layers: Sequence[str] = ("best", "last"),
    *,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> bool:
    """Build the corpus in a folder, unless it is there, or another thread or process is at it.

    Args:
        folder: the folder of the corpus.
        write: writes the file of texts into a folder, the same each time, and returns its path.
        model: returns the model; called only if the corpus must be built.
        layers: see `build`.
        on_progress: called now and then.

    Returns:
        Whether the corpus is there now; False while another one builds it.

    Raises:
        CorpusError: it cannot be built: no room, no right to write, or the extra is not installed.
    """
    import fcntl  # not on Windows, which has no corpora

    if manifests.exists(folder):
        return True
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = _lock_of(folder).open("w")
    except OSError as error:
        raise CorpusError(
            f"The folder “{folder.parent}” cannot be written: {in_short(error)}"
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        if manifests.exists(folder):  # finished while we came here
            return True
        noted = 0.0

        def note(progress: Progress) -> None:
            nonlocal noted
            on_progress(progress)
            if time.monotonic() - noted > _EVERY:
                noted = time.monotonic()
                write_whole(_progress_of(folder), json.dumps(asdict(progress)))

        try:
            note(Progress("read", 0, 0))
            texts = [write(folder.parent)]  # paragraphs, most of them of one sentence
            build(
                texts, folder, model=model(), layers=layers, text="text", running=True, on_progress=note
            )
        except OSError as error:
            raise CorpusError(f"The corpus could not be built: {in_short(error)}") from error
        finally:
            _progress_of(folder).unlink(missing_ok=True)
    return True


def progress(folder: Path) -> Progress | None:
    """How far the build of a corpus is, whichever process is at it; None if nobody has begun."""
    try:
        return record(Progress, untrusted.read(_progress_of(folder)))
    except (OSError, ValueError):
        return None


def _lock_of(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.lock")


def _progress_of(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.progress.json")
