"""The marks on lines of a corpus: a visitor's own, or those that are kept with it for all.

`POLYSEE_MARKS` decides. Where they are kept with the corpus, one lock of this process and a whole file
at a time keep two visitors from losing each other's marks.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from core import settings
from core.corpus import marking
from core.corpus.marking import Mark, Place
from core.memory import cached
from ui.corpora.offered import Offered
from ui.session import SessionValue

_OWN = SessionValue[dict[str, dict[Place, Mark]]]("corpus marks", {})
_lock = threading.Lock()


def are_kept() -> bool:
    """Whether marks are kept with their corpus, for all visitors."""
    return settings.read().marks == "corpus"


def of(shown: Offered) -> Mapping[Place, Mark]:
    """The marks of a corpus.

    Raises:
        CorpusError: their file is damaged.
    """
    if not are_kept():
        return _OWN.get().get(shown.name, {})
    return _read(shown.folder, _version(shown.folder))


def change(shown: Offered, places: Sequence[tuple[Place, Mark]]) -> None:
    """Set some marks anew; an empty one takes a mark away.

    Raises:
        CorpusError: they cannot be kept.
    """
    if not are_kept():
        own = marking.changed(_OWN.get().get(shown.name, {}), places)
        _OWN.set({**_OWN.get(), shown.name: own})
        return
    with _lock:
        marking.write(shown.folder, marking.changed(marking.read(shown.folder), places))


def _version(folder: Path) -> tuple[int, int]:
    try:
        status = (folder / marking.FILE).stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@cached()
def _read(folder: Path, version: tuple[int, int]) -> Mapping[Place, Mark]:
    return marking.read(folder)
