"""A download that is watched: what has come, and whether anything still comes."""

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
"""Called with the bytes that have come and the bytes in all, from the threads that download."""

Refusal = Callable[[Exception], ModelNotFound | None]
"""What an error means for the one who asked, if it is a clear no of the hub."""

T = TypeVar("T")  # the bracketed form needs Python 3.12

_PIECE_BYTES = 2**18


def in_background(call: Callable[[], T]) -> Future[T]:
    """`call` in a thread of its own, which its caller can stop waiting for.

    A connection's timeout does not bound the look-up of the host's name, nor the tries that follow. A
    daemon, because Python would wait for any other thread before it ends.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    # In the caller's context: a bar in a notebook belongs to the cell that asked for it.
    threading.Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return future


def download(hub_id: str, sizes: dict[str, int], progress: Progress | None, refused: Refusal) -> Path:
    """Fetch the files of a hub model one after the other, watched from here.

    Args:
        hub_id: the model's id.
        sizes: the files in the order in which to fetch them, and their sizes in bytes.
        progress: called while bytes come; None: a bar is drawn in a terminal or a notebook.
        refused: knows the hub's clear answers.

    Returns:
        The folder that they lie in.

    Raises:
        ModelNotFound: the hub refused, broke off, or sent nothing for `HUB_STALL_SECONDS`.

    Not `snapshot_download`: it asks again for the list of files without any time limit, its total grows
    while it runs, and Python waits for its threads before it ends, stalled or not.
    """
    from huggingface_hub import constants

    seconds = settings.HUB_STALL_SECONDS
    meter = _Meter(hub_id, sizes, progress)
    # In pieces of 10 MB, as they come by default, a slow connection would seem to stand still.
    constants.DOWNLOAD_CHUNK_SIZE = min(constants.DOWNLOAD_CHUNK_SIZE, _PIECE_BYTES)
    coming = in_background(lambda: _fetch_all(hub_id, sizes, meter))
    try:
        while not wait([coming], timeout=min(1.0, seconds / 4)).done:
            if meter.seconds_still() > seconds:
                raise ModelNotFound(
                    f"The download of “{hub_id}” has stalled: no byte arrived for "
                    f"{seconds:g} s. Try again later: the files that have arrived are kept."
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
            f"The download of “{hub_id}” was interrupted ({message}). Try again: the files "
            "that have arrived are kept."
        ) from error
    finally:
        meter.stop()  # nobody waits any more, also after Ctrl-C: the next byte ends the thread


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
    """Nobody waits for this download any more."""


class _Meter:
    """How many bytes of the model have come, for the one who watches and the one who waits."""

    def __init__(self, hub_id: str, sizes: dict[str, int], progress: Progress | None) -> None:
        from huggingface_hub import constants
        from huggingface_hub.file_download import repo_folder_name

        self._sizes = sizes
        self._total = sum(sizes.values())
        self._report = progress or _drawn_bar(hub_id, self._total)
        self._before = self._here = self._shown = 0  # of the files that are whole; of this one
        self._stopped = False
        name = repo_folder_name(repo_id=hub_id, repo_type="model")
        self._blobs = Path(constants.HF_HUB_CACHE).expanduser() / name / "blobs"
        self._on_disk = -1
        self._moved = time.monotonic()

    def begin(self, file: str) -> None:
        """The next file is asked for."""
        self._moved = time.monotonic()
        self._here = 0

    def end(self, file: str) -> None:
        """A file is whole: downloaded, or there before."""
        self._before += self._sizes[file]
        self._here = 0
        self._show(0)

    def add(self, n: float) -> None:
        """Bytes were written. Negative: a file is begun anew."""
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
        """Since when nothing has come, not even into the same files from another process."""
        try:
            on_disk = sum(path.stat().st_size for path in self._blobs.glob("*"))
        except OSError:  # a file was moved to its place just now
            on_disk = -1
        if on_disk != self._on_disk:
            self._on_disk, self._moved = on_disk, time.monotonic()
        return time.monotonic() - self._moved

    def stop(self) -> None:
        """Let the thread that downloads end at its next byte."""
        self._stopped = True

    def bar(self) -> type:
        """What `huggingface_hub` takes for a tqdm class: draws nothing, counts here."""
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
                """Bytes from the network that are not yet a part of the file."""
                meter.add(0)

            def set_postfix_str(self, *_: Any, **__: Any) -> None:
                pass

            set_transfer_postfix_str = refresh = close = set_postfix_str

        return Counting


def _drawn_bar(hub_id: str, total: int) -> Progress:
    """A bar in a terminal or a notebook; nothing elsewhere, or where `huggingface_hub` is told so."""
    from huggingface_hub.utils.tqdm import tqdm

    made: Any = tqdm  # it has no types
    bar = made(total=total, unit="B", unit_scale=True, desc=f"Downloading {hub_id}", disable=None)

    def report(so_far: int, _: int) -> None:
        bar.update(so_far - bar.n)
        if so_far == total:
            bar.close()

    return report
