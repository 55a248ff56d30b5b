"""Every occurrence of every word in many texts, with a vector for each: build, ask, delete.

    import core.corpus
    core.corpus.build(["letters/"], "letters.corpus")
    letters = core.corpus.open("letters.corpus")
    letters.count("bank")

A corpus is a folder: `manifest.json` says what is published, `tables/` holds it in LanceDB, and the
folder staging what is being built. `core.reading` takes texts from files, `building` embeds, publishes
and deletes them, `storage` is what lies in the folder, `querying` answers; `distributed` embeds on many
machines. `command` is the command line, and `python_docs` the text that every machine has.

The packages of the extra `corpus` are imported when they are needed; `extra.missing()` lists those that
are not installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .building.build import build
    from .building.deleting import Deleted, delete
    from .building.progress import Progress
    from .distributed.cluster import Cluster
    from .querying.corpus import (
        Corpus,
        Near,
        Occurrence,
        SenseCoordinates,
        WordClusters,
        WordVectors,
        open,
    )
    from .storage.manifest import Manifest

_HOME = {
    "Cluster": ".distributed.cluster",
    "Corpus": ".querying.corpus",
    "Deleted": ".building.deleting",
    "Manifest": ".storage.manifest",
    "Near": ".querying.corpus",
    "Occurrence": ".querying.corpus",
    "Progress": ".building.progress",
    "SenseCoordinates": ".querying.corpus",
    "WordClusters": ".querying.corpus",
    "WordVectors": ".querying.corpus",
    "build": ".building.build",
    "delete": ".building.deleting",
    "open": ".querying.corpus",
}

__all__ = [
    "Cluster",
    "Corpus",
    "Deleted",
    "Manifest",
    "Near",
    "Occurrence",
    "Progress",
    "SenseCoordinates",
    "WordClusters",
    "WordVectors",
    "build",
    "delete",
    "open",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'core.corpus' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name], __name__), name)
    globals()[name] = value
    return value
