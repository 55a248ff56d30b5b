"""The surprise of a word in its lines, computed in the background by one thread, and kept.

The numbers of a word lie in the cache folder, four bytes a line, under a hash of the model's weights
and of the lines. They are written as they come: a server that starts again goes on where it was.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from core import settings
from core.corpus.querying.concordance import Lines
from core.corpus.querying.surprise import surprises
from core.errors import CorpusError, PolyseeError, TooMany
from core.localization import N_, _
from core.pretrained.load_model import weights_checksum
from core.records.frozen import Array
from ui.corpora.lines import CachedWord
from ui.models import model_cache
from ui.serving import logs

MODEL = "smollm2"
MOST = 1_000  # lines of a word that are read: more would take a quarter of an hour
_MOST_FILES = 2_000  # that are kept, 4 kB each at most
_MOST_WAITING = 8
_MOST_JOBS = 4 * _MOST_WAITING  # that are remembered
_BYTES = 4  # of a number
_worker = ThreadPoolExecutor(1, "polysee surprise")
_lock = threading.Lock()
_jobs: dict[Path, Future[None]] = {}


def kept(word: CachedWord) -> Array | None:
    """(lines,) float32, bits of the word in each line, NaN for none; None until all are there."""
    try:
        values = np.fromfile(_file(word), "<f4")
    except (OSError, PolyseeError):
        return None
    return values if len(values) == len(word.lines) else None


def done(word: CachedWord) -> int:
    """How many lines have their number."""
    try:
        return min(_file(word).stat().st_size // _BYTES, len(word.lines))
    except (OSError, PolyseeError):
        return 0


def is_running(word: CachedWord) -> bool:
    """Whether they are being computed, or wait for their turn."""
    job = _jobs.get(_file(word))
    return job is not None and not job.done()


def begin(word: CachedWord) -> None:
    """Compute them in the background, unless that is being done.

    Raises:
        TooMany: too many words wait.
        PolyseeError: why it failed; a next call tries again.
    """
    file = _file(word)
    with _lock:
        job = _jobs.get(file)
        if job is not None and job.done():
            del _jobs[file]
            if (error := job.exception()) is not None:
                raise error
        if file not in _jobs:
            for over in [one for one, job in _jobs.items() if job.done() and job.exception() is None]:
                del _jobs[over]  # its numbers are in the file; an error waits for who asks again
            while len(_jobs) >= _MOST_JOBS and (failed := _failed()) is not None:
                del _jobs[failed]
            if sum(not one.done() for one in _jobs.values()) >= _MOST_WAITING:
                raise TooMany(_("Too many words wait for their surprise. Try again in some minutes."))
            _jobs[file] = _worker.submit(_compute, word.lines, file)


def _failed() -> Path | None:
    """The oldest job that stopped with an error, which nobody has asked about again."""
    return next((file for file, job in _jobs.items() if job.done()), None)


def _compute(lines: Lines, file: Path) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _make_room(file.parent)
        model = model_cache.wait_for(MODEL)
        there = file.stat().st_size // _BYTES if file.exists() else 0
        with file.open("r+b" if file.exists() else "wb") as out:
            out.seek(there * _BYTES)
            out.truncate()
            for bits in surprises(lines, model, done=there):
                out.write(np.float32(bits).astype("<f4").tobytes())
                out.flush()
    except PolyseeError:
        raise
    except OSError as error:
        raise CorpusError(
            _("The numbers could not be kept: {why}.").format(why=error.strerror)
        ) from error
    except Exception as error:
        logs.event("error", logging.ERROR, error)
        raise CorpusError(N_("An error in Polysee stopped this. See the server’s log.")) from error


def _make_room(folder: Path) -> None:
    """Drop the oldest files beyond the most that are kept."""
    files = sorted(folder.glob("*.f32"), key=lambda one: one.stat().st_mtime)
    for old in files[: max(0, len(files) - _MOST_FILES)]:
        old.unlink(missing_ok=True)


def _file(word: CachedWord) -> Path:
    """Where the numbers of some lines lie."""
    name = word.once("surprise file", lambda: _name(word.lines))
    return settings.read().cache / "surprise" / f"{name}.f32"


def _name(lines: Lines) -> str:
    whole = hashlib.blake2b(f"{MODEL} {weights_checksum(MODEL, paths=False)}".encode(), digest_size=16)
    for text, span in zip(lines.texts_in_order, lines.spans, strict=True):
        whole.update(f"\0{span} {text}".encode("utf-8", "replace"))
    return whole.hexdigest()
