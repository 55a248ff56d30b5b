"""A supervised download: how much has arrived, and whether more is arriving."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import copy_context
from pathlib import Path
from typing import Any, TypeVar

from ... import settings
from ...errors import ModelNotFound

Progress = Callable[[int, int], None]
"""Called with the bytes so far and the bytes in all, from the downloading threads."""

Refusal = Callable[[Exception], ModelNotFound | None]
"""Turns an error into a message for the user, if it is a definite refusal by the hub."""

T = TypeVar("T")  # the bracketed form needs Python 3.12

_PIECE_BYTES = 2**18


def in_background(call: Callable[[], T]) -> Future[T]:
    """Run `call` in a separate thread, for which the caller can stop waiting.

    A connection's timeout covers neither the look-up of the host's name nor retries. The thread is a
    daemon, because Python would wait for any other thread before it exits.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    # In the caller's context: a progress bar in a notebook belongs to the cell that started it.
    threading.Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return future


def download(hub_id: str, sizes: dict[str, int], progress: Progress | None, refused: Refusal) -> Path:
    """Fetch the files of a hub model one after the other, and supervise the download.

    Args:
        hub_id: the model's id.
        sizes: the files in the order in which to fetch them, and their sizes in bytes.
        progress: called while bytes arrive; None draws a bar in a terminal or a notebook.
        refused: recognises definite refusals by the hub.

    Returns:
        The folder of the files.

    Raises:
        ModelNotFound: if the hub refused, broke off, or sent nothing for `HUB_STALL_SECONDS`.

    This does not use `snapshot_download`, which requests the list of files again without a time limit,
    whose total grows while it runs, and whose threads delay the exit of Python even if they have
    stalled.
    """
    from huggingface_hub import constants

    seconds = settings.HUB_STALL_SECONDS
    meter = _Meter(hub_id, sizes, progress)
    # With the default chunks of 10 MB, a slow connection would seem to be stalled.
    constants.DOWNLOAD_CHUNK_SIZE = min(constants.DOWNLOAD_CHUNK_SIZE, _PIECE_BYTES)
    coming = in_background(lambda: _fetch_all(hub_id, sizes, meter))
    try:
        while not wait([coming], timeout=min(1.0, seconds / 4)).done:
            if meter.seconds_still() > seconds:
                raise ModelNotFound(
                    "The download of “{hub_id}” has stalled: no byte arrived for {seconds:g} s. "
                    "Try again later: the files that have arrived are kept.",
                    hub_id=hub_id,
                    seconds=seconds,
                )
        return coming.result()
    except ModelNotFound:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            room = sum(sizes.values()) / 1e6
            raise ModelNotFound(
                f"The disk is full: there is no room for “{hub_id}” ({room:.0f} MB) in "
                f"{constants.HF_HUB_CACHE}. Free some space there and try again: the files "
                "that have arrived are kept."
            ) from error
        message = " ".join(f"{type(error).__name__}: {error}".split())[:200].rstrip(".")
        raise refused(error) or ModelNotFound(
            "The download of “{hub_id}” was interrupted ({message}). Try again: the files "
            "that have arrived are kept.",
            hub_id=hub_id,
            message=message,
        ) from error
    finally:
        # nobody is waiting any more, for example after Ctrl-C: the thread ends at the next byte
        meter.stop()


def _fetch_all(hub_id: str, sizes: dict[str, int], meter: _Meter) -> Path:
    from huggingface_hub import constants, hf_hub_download

    folder = Path()
    for file in sizes:
        meter.begin(file)
        path = hf_hub_download(hub_id, file, endpoint=constants.ENDPOINT, tqdm_class=meter.bar())
        meter.end(file)
        if folder not in (Path(), Path(path).parent):
            raise OSError("the model was changed on the hub in the meantime")
        folder = Path(path).parent
    return folder


class _Stopped(Exception):
    """The caller no longer waits for this download."""


class _Meter:
    """Counts the downloaded bytes of a model, for the progress bar and for the waiting caller."""

    def __init__(self, hub_id: str, sizes: dict[str, int], progress: Progress | None) -> None:
        from huggingface_hub import constants
        from huggingface_hub.file_download import repo_folder_name

        self._sizes = sizes
        self._total = sum(sizes.values())
        self._report = progress or drawn_bar(hub_id, self._total)
        # bytes of complete files; of the current file; reported so far
        self._before = self._here = self._shown = 0
        self._stopped = False
        name = repo_folder_name(repo_id=hub_id, repo_type="model")
        self._blobs = Path(constants.HF_HUB_CACHE).expanduser() / name / "blobs"
        self._on_disk = -1
        self._moved = time.monotonic()

    def begin(self, file: str) -> None:
        """Start counting the next file."""
        self._moved = time.monotonic()
        self._here = 0

    def end(self, file: str) -> None:
        """Count a file as complete, whether downloaded or already there."""
        self._before += self._sizes[file]
        self._here = 0
        self._show(0)

    def add(self, n: float) -> None:
        """Count bytes that were written; a negative number means that a file starts again."""
        self._here += int(n)
        self._show(int(n))

    def _show(self, n: int) -> None:
        if self._stopped:
            raise _Stopped
        self._moved = time.monotonic()
        now = min(self._before + self._here, self._total)
        if now > self._shown:  # never backwards
            self._shown = now
            self._report(now, self._total)

    def seconds_still(self) -> float:
        """The seconds since anything arrived, including from another process into the same files."""
        try:
            on_disk = sum(path.stat().st_size for path in self._blobs.glob("*"))
        except OSError:  # a file has just been moved into place
            on_disk = -1
        if on_disk != self._on_disk:
            self._on_disk, self._moved = on_disk, time.monotonic()
        return time.monotonic() - self._moved

    def stop(self) -> None:
        """Make the downloading thread end at its next byte."""
        self._stopped = True

    def bar(self) -> type:
        """A substitute for tqdm that `huggingface_hub` accepts: draws nothing, counts here."""
        meter = self

        class Counting:
            def __init__(self, *_: Any, initial: int = 0, **__: Any) -> None:
                meter.add(initial)

            def __enter__(self) -> Counting:
                return self

            def __exit__(self, *_: object) -> None:
                pass

            def update(self, n: float | None = 1) -> None:
                meter.add(n or 0)

            def update_transfer(self, n: float | None = 1) -> None:
                """Count bytes from the network that are not yet part of the file."""
                meter.add(0)

            def set_postfix_str(self, *_: Any, **__: Any) -> None:
                pass

            set_transfer_postfix_str = refresh = close = set_postfix_str

        return Counting


def drawn_bar(hub_id: str, total: int) -> Progress:
    """A bar in a terminal or a notebook; nothing elsewhere, or if `huggingface_hub` is silenced."""
    from huggingface_hub.utils.tqdm import tqdm

    made: Any = tqdm  # it has no type annotations
    bar = made(total=total, unit="B", unit_scale=True, desc=f"Downloading {hub_id}", disable=None)

    def report(so_far: int, _: int) -> None:
        bar.update(so_far - bar.n)
        if so_far == total:
            bar.close()

    return report
