"""The corpora that come with Polysee, each built once, at first use, for everyone on a computer."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping

from core.corpus.building import shared
from core.corpus.building.progress import Progress
from core.corpus.storage import manifest
from core.errors import CorpusError, PolyseeError
from core.localization import N_
from ui.corpora import offered
from ui.corpora.offered import SUPPLIED, Supplied
from ui.models import model_cache
from ui.serving import logs
from ui.state import MODEL

_LOOK = 0.5  # seconds between two looks at a build by another process
_BROKE = N_("An error in Polysee stopped the build. Try again, or see the server’s log.")


class _Build:
    """The build of one corpus in this process."""

    def __init__(self, of: Supplied) -> None:
        self.of = of
        self.lock = threading.Lock()
        self.thread: threading.Thread | None = None
        self.failed: list[PolyseeError] = []

    def run(self) -> None:
        """Build it, or wait for another process that does; if that one dies, go on."""
        folder = offered.supplied_folder(self.of)
        try:
            while not shared.build_once(
                folder,
                self.of.write,
                lambda: model_cache.wait_for(str(MODEL.default)),
                self.of.layers,
            ):
                time.sleep(_LOOK)
        except PolyseeError as error:
            self.failed.append(error)
        except Exception as error:
            logs.event("error", logging.ERROR, error)
            self.failed.append(CorpusError(_BROKE))


_builds: Mapping[str, _Build] = {name: _Build(of) for name, of in SUPPLIED.items()}


def is_there(name: str) -> bool:
    """Whether a corpus that comes with Polysee is built."""
    return manifest.exists(offered.supplied_folder(SUPPLIED[name]))


def begin(name: str, *, again: bool = False) -> None:
    """Build it in the background, unless it is being built; after a failure, only `again`.

    Raises:
        PolyseeError: why the last build failed.
    """
    offered.require_extra()
    own = _builds[name]
    with own.lock:
        if again:
            own.failed.clear()
        if own.failed:
            raise own.failed[0]
        if own.thread is None or not own.thread.is_alive():
            own.thread = threading.Thread(target=own.run, name="polysee corpus", daemon=True)
            own.thread.start()


def progress(name: str) -> Progress | None:
    """How far the build is, in whichever process; None if that is not known yet."""
    return shared.progress(offered.supplied_folder(SUPPLIED[name]))


def wait(name: str, seconds: float) -> bool:
    """Wait for the build, at most so long; returns whether the corpus is there."""
    thread = _builds[name].thread
    if thread is not None:
        thread.join(seconds)
    return is_there(name)
