"""Every occurrence of every word in many texts, with a vector for each: build, ask, delete.

    import core.corpus
    core.corpus.build(["letters/"], "letters.corpus")
    letters = core.corpus.open("letters.corpus")
    letters.count("bank")

A corpus is a folder: `manifest.json` says what is published (`manifest`), `tables/` holds it in LanceDB
(`store`, `tables`), and the folder staging what is being built (`parts`). `building` reads texts
(`reading`, `columns`, `sentences`), embeds them (`embed`, `layers`) and publishes them (`publishing`);
`deleting` takes texts out again; `distributed` embeds on many machines. `corpus` answers; `filters`
checks its conditions. `command` is the command line.

The packages of the extra `corpus` are imported when they are needed; `extra.missing()` lists those that
are not installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .building import build
    from .corpus import Corpus, Near, Occurrence, SenseCoordinates, WordClusters, WordVectors, open
    from .deleting import Deleted, delete
    from .distributed.cluster import Cluster
    from .manifest import Manifest
    from .progress import Progress

_HOME = {
    "Cluster": ".distributed.cluster",
    "Corpus": ".corpus",
    "Deleted": ".deleting",
    "Manifest": ".manifest",
    "Near": ".corpus",
    "Occurrence": ".corpus",
    "Progress": ".progress",
    "SenseCoordinates": ".corpus",
    "WordClusters": ".corpus",
    "WordVectors": ".corpus",
    "build": ".building",
    "delete": ".deleting",
    "open": ".corpus",
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
