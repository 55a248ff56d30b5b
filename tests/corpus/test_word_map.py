"""Maps of all words: what a plane keeps, and what lies in the folder of a corpus."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from core import corpus
from core.corpus import word_map
from core.corpus.querying.word_means import WordMeans
from core.corpus.word_map import Asked, Kept, project, turned
from core.errors import CorpusError, NotSupported
from tests.corpus.synthetic import Row, publish_rows

rng = np.random.default_rng(5)


def means_of(vectors: np.ndarray) -> WordMeans:
    names = tuple(f"w{i}" for i in range(len(vectors)))
    zero = np.zeros(len(vectors), np.float32)
    return WordMeans(names, names, np.ones(len(vectors), np.int64), vectors.astype(np.float32), zero)


def test_a_plane_in_the_vectors_is_kept_whole() -> None:
    """Points on a small flat patch of the sphere: two components hold nearly all, neighbours stay."""
    x = np.full((59, 11), 10.0)
    x[:, :2] += rng.uniform(-1, 1, size=(59, 2))
    made = project([means_of(x[:30]), means_of(x[30:])], "pca")
    assert [one.shape for one in made.coordinates] == [(30, 2), (29, 2)]
    assert made.held is not None
    assert made.held > 0.99
    assert made.kept > 0.95
    noise = project([means_of(rng.normal(size=(400, 97)))], "pca")
    assert noise.held is not None
    assert noise.held < 0.06
    assert noise.kept < 0.2  # ten of 399 by chance: .03


def test_neighbours_are_counted_exactly() -> None:
    x = rng.normal(size=(23, 5)).astype(np.float32)
    made = project([means_of(x)], "pca")
    unit, placed = x / np.linalg.norm(x, axis=1, keepdims=True), made.coordinates[0]
    shares = []
    for i in range(23):
        others = [j for j in range(23) if j != i]
        by_vector = sorted(others, key=lambda j: -(unit[i] @ unit[j]))[:10]
        on_map = sorted(others, key=lambda j: float(((placed[i] - placed[j]) ** 2).sum()))[:10]
        shares.append(len({*by_vector} & {*on_map}) / 10)
    assert made.kept == pytest.approx(np.mean(shares))


def test_umap_gets_vectors_of_length_one() -> None:
    seen = []

    def fit(points: np.ndarray, near: int, components: int, seed: int) -> np.ndarray:
        seen.append((np.linalg.norm(points, axis=1), near, components))
        return points[:, :2]

    made = project([means_of(3 * rng.normal(size=(40, 7)))], "umap", fit=fit)
    lengths, near, components = seen[0]
    np.testing.assert_allclose(lengths, 1, atol=1e-6)
    assert (near, components, made.held) == (15, 2, None)
    with pytest.raises(NotSupported, match="at least 31"):
        project([means_of(rng.normal(size=(30, 7)))], "umap", fit=fit)


def test_another_map_is_turned_onto_one() -> None:
    points = rng.normal(size=(17, 2)).astype(np.float32)
    mirrored = 3 * points @ np.array([[0.6, 0.8], [0.8, -0.6]]) + 7
    known = points.copy()
    known[13:] = np.nan  # words that only one corpus has
    np.testing.assert_allclose(turned(known, mirrored), points, atol=1e-4)
    assert turned(known[13:], mirrored[13:]) is not points
    np.testing.assert_array_equal(turned(known[13:], mirrored[13:]), mirrored[13:])


def test_a_map_that_has_nothing_in_common_with_another_is_drawn_as_large() -> None:
    points, other = (rng.normal(size=(997, 2)).astype(np.float32) for _ in range(2))
    placed = turned(points, other / 50)
    assert placed.std() == pytest.approx(points.std(), rel=1e-3)
    quarter = points @ np.array([[0, -1], [1, 0]], np.float32)
    assert np.abs(placed - points).mean() <= np.abs(placed - quarter).mean()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        Row("one two three four five", 0, {"year": 1990}),
        Row("five four three two one six", 1, {"year": 2005}),
    ]
    publish_rows(tmp_path / "corpus", rows, {"year": "int"})
    return tmp_path / "corpus"


ASKED = Asked(5, ("year = 1990", "year = 2005"), least=1)


def test_a_map_is_computed_once_and_kept_with_the_corpus(folder: Path) -> None:
    opened = corpus.open(folder)
    kept = Kept(opened)
    assert kept.map(ASKED, "pca") is None
    assert not kept.has_means(ASKED)
    made = kept.project(ASKED, "pca")
    assert kept.has_means(ASKED)
    assert {one.suffix for one in (folder / word_map.FOLDER).iterdir()} == {".npz"}
    again = Kept(corpus.open(folder)).map(ASKED, "pca")
    assert again is not None
    assert again.kept == made.kept
    assert again.held == pytest.approx(made.held)
    for a, b in zip(again.coordinates, made.coordinates, strict=True):
        np.testing.assert_array_equal(a, b)
    means = Kept(corpus.open(folder)).means(ASKED)
    own = opened.word_means(where="year = 2005", layer=5, least=1)
    assert means[1].words == own.words
    np.testing.assert_allclose(means[1].vectors, own.vectors, atol=2e-3)  # kept in float16
    assert Kept(opened).map(ASKED._replace(least=2), "pca") is None


def test_texts_that_are_deleted_leave_no_words_in_a_map(folder: Path) -> None:
    Kept(corpus.open(folder)).project(Asked(5, least=1), "pca")
    assert any(b"six" in one.read_bytes() for one in (folder / word_map.FOLDER).iterdir())
    corpus.delete(folder, "year = 2005")
    assert not (folder / word_map.FOLDER).exists()


def test_a_corpus_that_cannot_be_written_keeps_its_maps_elsewhere(folder: Path, tmp_path: Path) -> None:
    (folder / word_map.FOLDER).write_text("in the way", "utf-8")
    kept = Kept(corpus.open(folder), tmp_path / "elsewhere")
    kept.project(ASKED, "pca")
    assert kept.map(ASKED, "pca") is not None
    assert any((tmp_path / "elsewhere").iterdir())


def test_a_file_that_was_cut_off_is_made_anew(folder: Path) -> None:
    kept = Kept(corpus.open(folder))
    made = kept.project(ASKED, "pca")
    for one in (folder / word_map.FOLDER).iterdir():
        one.write_bytes(one.read_bytes()[:200])
    assert kept.map(ASKED, "pca") is None
    np.testing.assert_allclose(
        kept.project(ASKED, "pca").coordinates[0], made.coordinates[0], atol=1e-3
    )


def test_a_map_of_a_corpus_that_has_changed_meanwhile_is_not_kept(folder: Path) -> None:
    old = folder.parent / "old"
    shutil.copytree(folder, old)
    corpus.delete(folder, "year = 2005")
    behind = corpus.open(old)
    behind.folder = folder
    with pytest.raises(CorpusError, match="changed while it was read"):
        Kept(behind).project(Asked(5, least=1), "pca")
    assert not list((folder / word_map.FOLDER).glob("*.npz"))
