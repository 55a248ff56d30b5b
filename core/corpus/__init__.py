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

from typing import TYPE_CHECKING

from .. import lazy

if TYPE_CHECKING:
    from .building.build import build
    from .building.deleting import Deleted, delete
    from .building.progress import Progress
    from .distributed.cluster import Cluster
    from .querying.collocate_difference import CollocateDifference
    from .querying.collocates import Collocates, Keywords
    from .querying.corpus import (
        Corpus,
        Near,
        Occurrence,
        SenseCoordinates,
        WordClusters,
        WordVectors,
        open,
    )
    from .querying.frequencies import Frequencies
    from .storage.manifest import Manifest
else:
    __getattr__, __dir__ = lazy.exports(__name__)

__all__ = [
    "Cluster",
    "CollocateDifference",
    "Collocates",
    "Corpus",
    "Deleted",
    "Frequencies",
    "Keywords",
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
