"""Maps of all words of a corpus, computed in the background by one thread, and kept with the corpus."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from core import settings
from core.corpus import Corpus
from core.corpus.querying.typical import Typical
from core.corpus.querying.word_means import Moved, WordMeans, moved
from core.corpus.word_map import Asked, How, Kept, WordMap
from core.errors import CorpusError, PolyseeError, TooMany
from core.localization import N_
from core.measures.maps.umap_process import UmapProcess
from core.memory import cached
from ui.corpora.offered import Offered, opened
from ui.serving import logs

_MOST_WAITING = 4
_MOST_JOBS = 32  # that are remembered


class Key(NamedTuple):
    """A map of a corpus as it is published now."""

    corpus: str
    version: str
    asked: Asked
    how: How


@dataclass
class Job:
    """A map that is being computed.

    Attributes:
        done: words of the texts that have been read.
        total: all of them.
        projecting: when the projection began, in seconds; 0 before.
        placed: how many words have a point; 0 before they are known.
        future: its end.
    """

    done: int = 0
    total: int = 0
    projecting: float = 0.0
    placed: int = 0
    future: Future[None] | None = None

    @property
    def running(self) -> bool:
        """Whether it is not finished."""
        return self.future is not None and not self.future.done()


_worker = ThreadPoolExecutor(1, "polysee word map")
_lock = threading.Lock()
_jobs: dict[Key, Job] = {}


def get(corpus: Offered, asked: Asked, how: How) -> tuple[tuple[WordMeans, ...], WordMap] | None:
    """The mean vectors and the map, if they are kept; None if they have to be computed.

    Raises:
        CorpusError: the corpus cannot be read.
    """
    found, version = opened(corpus)
    key = Key(corpus.name, version, asked, how)
    kept = _kept(found)
    if not kept.has_means(asked) or kept.map(asked, how) is None:
        return None
    return _loaded(key, kept)


def begin(corpus: Offered, asked: Asked, how: How) -> Job:
    """Compute a map in the background, unless that is being done.

    Raises:
        TooMany: too many maps wait.
        PolyseeError: why it failed; a next call tries again.
    """
    found, version = opened(corpus)
    key = Key(corpus.name, version, asked, how)
    with _lock:
        job = _jobs.get(key)
        if job is not None and job.future is not None and job.future.done():
            del _jobs[key]
            if (error := job.future.exception()) is not None:
                raise error
            job = None
        if job is None:
            for over in [one for one, other in _jobs.items() if not other.running]:
                if len(_jobs) >= _MOST_JOBS:
                    del _jobs[over]
            if sum(one.running for one in _jobs.values()) >= _MOST_WAITING:
                raise TooMany(N_("Too many maps of words wait. Try again in some minutes."))
            job = _jobs[key] = Job()
            job.future = _worker.submit(_compute, _kept(found), asked, how, job)
        return job


def _compute(kept: Kept, asked: Asked, how: How, job: Job) -> None:
    process = None

    def report(done: int, total: int) -> None:
        job.done, job.total = done, total

    try:
        job.placed = sum(map(len, kept.means(asked, report)))
        kept.project(asked, "pca")  # seconds: shown until the other one has come
        job.projecting = time.monotonic()
        if how == "umap":  # a process of its own: others wait for that of the small maps
            process = UmapProcess()
            kept.project(asked, how, fit=process.fit)
    except PolyseeError:
        raise
    except Exception as error:
        logs.event("error", logging.ERROR, error)
        raise CorpusError(N_("An error in Polysee stopped this. See the server’s log.")) from error
    finally:
        if process is not None:
            process.end()


def _kept(corpus: Corpus) -> Kept:
    """The maps of a corpus; in the cache folder if its own cannot be written."""
    name = hashlib.blake2b(str(corpus.folder.resolve()).encode(), digest_size=8).hexdigest()
    return Kept(corpus, Path(settings.read().cache) / "maps" / name)


@cached(key=lambda key, kept: key, weigh=lambda made: sum(one.vectors.nbytes * 2 for one in made[0]))
def _loaded(key: Key, kept: Kept) -> tuple[tuple[WordMeans, ...], WordMap]:
    means, found = kept.means(key.asked), kept.map(key.asked, key.how)
    if found is None:
        raise CorpusError(N_("This map has just been removed. Reload the page."))
    return means, found


def typical(corpus: Offered, column: str) -> Typical:
    """See `Corpus.typical`.

    Raises:
        CorpusError: see there.
    """
    found, version = opened(corpus)
    return _typical((corpus.name, version, column), found)


@cached(
    key=lambda key, corpus: key, weigh=lambda found: 1_000 + sum(120 + len(key) for key in found.of)
)
def _typical(key: tuple[str, str, str], corpus: Corpus) -> Typical:
    return corpus.typical(key[2])


def farthest(corpus: Offered, asked: Asked, means: tuple[WordMeans, ...]) -> Moved:
    """See `core.corpus.querying.word_means.moved`, of the two parts of a map."""
    _, version = opened(corpus)
    return _farthest((corpus.name, version, asked), means)


@cached(key=lambda key, means: key)
def _farthest(key: tuple[str, str, Asked], means: tuple[WordMeans, ...]) -> Moved:
    return moved(*means)


def forget() -> None:
    """Empty the caches, as in a new server."""
    for one in (_loaded, _typical, _farthest):
        one.cache_clear()
    _jobs.clear()
