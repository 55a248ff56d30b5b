"""Python's documentation as a corpus, built at first use by one thread of one process, for everyone."""

from __future__ import annotations

import logging
import threading
import time

from core.corpus import python_docs
from core.corpus.building import shared
from core.corpus.building.progress import Progress
from core.corpus.storage import manifest
from core.errors import CorpusError, PolyseeError
from ui.corpora import offered
from ui.models import model_cache
from ui.serving import logs
from ui.state import MODEL

_LOOK = 0.5  # seconds between two looks at a build by another process
_BROKE = "An error in Polysee stopped the build. Try again, or see the server’s log."

_lock = threading.Lock()
_thread: threading.Thread | None = None
_failed: list[PolyseeError] = []


def is_there() -> bool:
    """Whether it is built."""
    return manifest.exists(offered.docs_folder())


def begin(*, again: bool = False) -> None:
    """Build it in the background, unless it is being built; after a failure, only `again`.

    Raises:
        PolyseeError: why the last build failed.
    """
    global _thread
    offered.require_extra()
    with _lock:
        if again:
            _failed.clear()
        if _failed:
            raise _failed[0]
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_build, name="polysee corpus", daemon=True)
            _thread.start()


def progress() -> Progress | None:
    """How far the build is, in whichever process; None if that is not known yet."""
    return shared.progress(offered.docs_folder())


def wait(seconds: float) -> bool:
    """Wait for the build, at most so long; returns whether the corpus is there."""
    thread = _thread
    if thread is not None:
        thread.join(seconds)
    return is_there()


def _build() -> None:
    folder = offered.docs_folder()
    try:
        while not shared.build_once(
            folder,
            python_docs.write,
            lambda: model_cache.wait_for(str(MODEL.default)),
            python_docs.LAYERS,
        ):
            time.sleep(_LOOK)  # another process is at it; if it dies, we go on
    except PolyseeError as error:
        _failed.append(error)
    except Exception as error:
        logs.event("error", logging.ERROR, error)
        _failed.append(CorpusError(_BROKE))
