"""A map of all words of a corpus: their mean vectors in a plane, computed once and kept with it.

The files lie in `maps/` in the folder of the corpus, named after the version of its tables and all that
was asked. A build or a deletion removes the folder: the words of texts that were deleted must not stay.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast

import numpy as np

from ..errors import CorpusError, NotSupported
from ..measures.maps.neighbour_map import FEWEST_FOR_UMAP, Fit, umap_of
from ..records.frozen import Array, Record
from .querying.cosines import largest
from .querying.word_means import LEAST_OCCURRENCES, MOST_WORDS, Report, WordMeans
from .storage import manifest as manifests

if TYPE_CHECKING:
    from .querying.corpus import Corpus

FOLDER = "maps"
MOST_FILES = 60  # of a corpus; 100,000 words take 80 MB, those of MASC 6 MB
How = Literal["pca", "umap"]
T = TypeVar("T")
FEWEST = 3  # words: fewer lie on a line
NEIGHBOURS = 10  # of which the share that a map keeps is measured
_SAMPLED = 500  # words, for that
_END = "\0"  # between the words of a file


class Asked(NamedTuple):
    """What a map is of.

    Attributes:
        layer: the layer, from 0.
        parts: the filter of each part of the texts that has a map of its own in the same plane: one or
            two; None for all texts.
        least: how often a word must occur in a part.
        most: how many words of a part at most.
    """

    layer: int
    parts: tuple[str | None, ...] = (None,)
    least: int = LEAST_OCCURRENCES
    most: int = MOST_WORDS


@dataclass(frozen=True, eq=False)
class WordMap(Record):
    """Words in a plane.

    Attributes:
        how: `pca`, the two directions in which their vectors differ most; `umap`, neighbours together.
        coordinates: for each part, (words, 2) float32.
        kept: of the ten nearest words by the vectors, the share that is among the ten nearest on the
            map, 0 to 1; the mean over 500 words drawn at random.
        held: of `pca`, the share of the variance that the plane holds, 0 to 1; else None.
    """

    how: How
    coordinates: tuple[Array, ...]
    kept: float
    held: float | None = None

    def __post_init__(self) -> None:
        for one in self.coordinates:
            one.flags.writeable = False


def project(means: Sequence[WordMeans], how: How, *, fit: Fit | None = None) -> WordMap:
    """The words of all parts in one plane, by their mean vectors at length 1: near is a large cosine.

    Args:
        means: of one layer of one model.
        how: see `WordMap`.
        fit: see `core.measures.maps.neighbour_map.umap`.

    Raises:
        NotSupported: there are too few words, or UMAP is not installed.
    """
    x = np.concatenate([one.vectors for one in means])
    fewest = FEWEST if how == "pca" else FEWEST_FOR_UMAP
    if len(x) < fewest:
        raise NotSupported(
            "A map of words needs at least {fewest} of them; these texts have {n_x}.",
            fewest=fewest,
            n_x=len(x),
        )
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    x = np.divide(x, lengths, out=np.zeros_like(x), where=lengths > 0)
    held = None
    if how == "pca":
        placed, held = _principal(x)
    else:
        placed, _ = umap_of(x, 2, fit=fit)
    placed = (placed - placed.mean(axis=0)).astype(np.float32)
    ends = np.cumsum([len(one) for one in means])[:-1]
    return WordMap(how, tuple(np.split(placed, ends)), _kept(x, placed), held)


def _principal(x: Array) -> tuple[Array, float]:
    """The first two principal components of points, and their share of the variance."""
    x = x - x.mean(axis=0)
    values, vectors = np.linalg.eigh((x.T @ x).astype(np.float64))
    two = vectors[:, ::-1][:, :2]
    two = two * np.sign(two[np.abs(two).argmax(axis=0), [0, 1]])  # the sign is arbitrary: one is taken
    total = float(values.clip(0).sum())
    return x @ two.astype(np.float32), float(values[-2:].sum()) / total if total else 0.0


def _kept(x: Array, placed: Array, seed: int = 0) -> float:
    """See `WordMap.kept`; of vectors of length 1 and their points."""
    count = min(_SAMPLED, len(x))
    k = min(NEIGHBOURS, len(x) - 1)
    found = 0
    for i in np.random.default_rng(seed).choice(len(x), count, replace=False):
        cosines, near = x @ x[i], -((placed - placed[i]) ** 2).sum(axis=1)
        cosines[i] = near[i] = -np.inf
        found += len(np.intersect1d(largest(cosines, k), largest(near, k)))
    return found / (count * k)


def turned(onto: Array, points: Array) -> Array:
    """Points, scaled as one to the spread of others, then turned and mirrored to lie near these.

    The orthogonal Procrustes problem (Schönemann 1966): the shape stays as it is. The best scale would
    be no scale to look at: of two models that have nothing in common, it makes a dot of the second.

    Args:
        onto: (n, 2), where the points should lie; NaN where that is not known.
        points: (n, 2).
    """
    known = np.isfinite(onto).all(axis=1)
    if known.sum() < FEWEST:
        return points
    a, b = onto[known].astype(np.float64), points[known].astype(np.float64)
    middle, own = a.mean(axis=0), b.mean(axis=0)
    u, _, vt = np.linalg.svd((b - own).T @ (a - middle))
    size = ((b - own) ** 2).sum()
    scale = np.sqrt(((a - middle) ** 2).sum() / size) if size else 1.0
    moved: Array = ((points - own) @ (u @ vt) * scale + middle).astype(np.float32)
    return moved


class Kept:
    """The maps of a corpus in its folder, or in another one if that cannot be written.

    Args:
        corpus: the corpus.
        otherwise: the folder in which they lie if the corpus's own is read only.
    """

    def __init__(self, corpus: Corpus, otherwise: Path | None = None) -> None:
        self._corpus = corpus
        self._folders = [corpus.folder / FOLDER, *([otherwise] if otherwise else [])]

    def means(
        self, asked: Asked, on_progress: Report = lambda done, total: None
    ) -> tuple[WordMeans, ...]:
        """The mean vectors of each part; read, or else computed and kept.

        Raises:
            CorpusError: see `Corpus.word_means`.
        """
        found = []
        for where in asked.parts:
            name = f"{self._name(asked._replace(parts=(where,)))}-means.npz"
            kept = self._read(name, _as_means)
            if kept is None:
                kept = self._corpus.word_means(
                    layer=asked.layer,
                    where=where,
                    least=asked.least,
                    most=asked.most,
                    on_progress=on_progress,
                )
                self._write(
                    name,
                    words=_joined(kept.words),
                    keys=_joined(kept.keys),
                    counts=kept.counts,
                    vectors=kept.vectors.astype(np.float16),
                    spread=kept.spread,
                )
            found.append(kept)
        return tuple(found)

    def has_means(self, asked: Asked) -> bool:
        """Whether the mean vectors of all parts are there."""
        names = (f"{self._name(asked._replace(parts=(one,)))}-means.npz" for one in asked.parts)
        return all(any((folder / name).is_file() for folder in self._folders) for name in names)

    def map(self, asked: Asked, how: How) -> WordMap | None:
        """A map that was kept; None if there is none."""
        return self._read(f"{self._name(asked)}-{how}.npz", lambda file: _as_map(file, how))

    def project(self, asked: Asked, how: How, *, fit: Fit | None = None) -> WordMap:
        """A map: read, or else computed and kept.

        Raises:
            CorpusError, NotSupported: see `means` and `project`.
        """
        found = self.map(asked, how)
        if found is None:
            found = project(self.means(asked), how, fit=fit)
            parts = {f"part_{i}": one for i, one in enumerate(found.coordinates)}
            about = np.array([found.kept, np.nan if found.held is None else found.held])
            self._write(f"{self._name(asked)}-{how}.npz", about=about, **parts)
        return found

    @property
    def _version(self) -> str:
        return _version(self._corpus.manifest)

    def _name(self, asked: Asked) -> str:
        return f"{self._version}-{_digest(repr(asked), 12)}"

    def _read(self, name: str, make: Callable[[Any], T]) -> T | None:
        for folder in self._folders:
            try:
                with np.load(folder / name, allow_pickle=False) as file:
                    return make(file)
            except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
                continue  # none, or one that was cut off: it is computed anew
        return None

    def _write(self, name: str, **arrays: Array) -> None:
        why = ""
        for folder in self._folders:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                self._make_room(folder)
                part = folder / f".{name}.{os.getpid()}-{threading.get_ident()}"
                with part.open("wb") as out:
                    np.savez(out, **cast("Any", arrays))
                part.replace(folder / name)
                if _version(manifests.read(self._corpus.folder)) != self._version:
                    (folder / name).unlink(missing_ok=True)
                    raise CorpusError("This corpus was changed while it was read. Open it again.")
            except OSError as error:
                why = error.strerror or "it failed"
                continue
            return
        raise CorpusError(
            "The map cannot be kept: {why}.",
            why=why,
        )

    def _make_room(self, folder: Path) -> None:
        """Drop what is of an older version, and the oldest beyond the most that are kept."""
        files = sorted(folder.glob("*.npz"), key=lambda one: one.stat().st_mtime)
        own = [one for one in files if one.name.startswith(self._version)]
        for old in [*set(files).difference(own), *own[: max(0, len(own) - MOST_FILES + 1)]]:
            old.unlink(missing_ok=True)


def forget(folder: Path) -> None:
    """Remove all maps of a corpus: after a change of its texts, they hold words that may be gone."""
    shutil.rmtree(folder / FOLDER, ignore_errors=True)


def _version(of: manifests.Manifest) -> str:
    return _digest(repr((of.generation, of.words_version, of.checksum)), 4)


def _digest(text: str, size: int) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=size).hexdigest()


def _joined(words: Sequence[str]) -> Array:
    """Words as bytes."""
    return np.frombuffer(_END.join(words).encode("utf-8", "surrogatepass"), np.uint8)


def _split(numbers: Array) -> tuple[str, ...]:
    return tuple(numbers.tobytes().decode("utf-8", "surrogatepass").split(_END))


def _as_means(file: Any) -> WordMeans:
    return WordMeans(
        _split(file["words"]),
        _split(file["keys"]),
        file["counts"],
        file["vectors"].astype(np.float32),
        file["spread"],
    )


def _as_map(file: Any, how: How) -> WordMap:
    kept, held = (float(one) for one in file["about"])
    parts = tuple(file[f"part_{i}"] for i in range(len(file.files) - 1))
    return WordMap(how, parts, kept, None if np.isnan(held) else held)
