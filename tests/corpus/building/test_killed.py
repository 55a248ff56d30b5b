"""A build that is killed at any moment goes on, with nothing lost and nothing twice."""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.corpus.storage import manifest as manifests
from tests.corpus import builds
from tests.corpus.rows import tables

MOMENTS = [
    ("core.corpus.building.parts", "_write", 1),
    ("core.corpus.building.parts", "_write", 4),
    ("core.corpus.building.build", "publish", 1),
    ("core.corpus.building.publishing", "Progress", 1),
    ("core.corpus.storage.store", "Generation.append", 2),
    ("core.corpus.storage.store", "Generation.index_column", 1),
    ("core.corpus.storage.store", "Generation.index_column", 2),
    ("core.corpus.storage.manifest", "Manifest.write", 1),
    ("core.corpus.building.build", "shutil.rmtree", 2),
]


def text(folder: Path, name: str, count: int, seed: int) -> Path:
    rng = random.Random(seed)
    sentences = [
        f"Sentence {name} {n} is about the {rng.choice(['river', 'money', 'snow'])} bank."
        for n in range(count)
    ]
    (folder / name).write_text(" ".join(sentences))
    return folder / name


def same_rows(folder: Path, whole: Path) -> None:
    for own, expected in zip(tables(folder), tables(whole), strict=True):
        assert own.equals(expected)
    assert not (folder / "staging").exists()
    assert [one.name for one in (folder / "tables").iterdir()] == [manifests.read(folder).generation]


def untouched(folder: Path, before: manifests.Manifest | None) -> None:
    """A reader sees what was published before the build that was killed, or all of it."""
    if manifests.exists(folder):
        now = manifests.read(folder)
        words, sentences = tables(folder)
        assert (words.num_rows, sentences.num_rows) == (now.words, now.sentences)
    else:
        assert before is None


def killed_at_random(folder: Path, times: int, seed: int) -> None:
    first, second = text(folder, "a.txt", 30, seed), text(folder, "b.txt", 50, seed + 1)
    builds.build(first, folder / "whole")
    begin = time.monotonic()
    builds.build(second, folder / "whole")
    longest = time.monotonic() - begin
    builds.build(first, folder / "killed")
    before = manifests.read(folder / "killed")
    rng, killed = random.Random(seed), 0
    while killed < times:
        build = builds.begin(second, folder / "killed")
        build.join(rng.uniform(0, longest))
        if build.exitcode is None:
            build.kill()
            build.join()
            killed += 1
            untouched(folder / "killed", before)
        else:
            assert build.exitcode == 0
            # It was quicker, having gone on from where it was killed: begin anew.
            same_rows(folder / "killed", folder / "whole")
            shutil.rmtree(folder / "killed")
            builds.build(first, folder / "killed")
    builds.build(second, folder / "killed")
    same_rows(folder / "killed", folder / "whole")


@pytest.mark.fuzz
@pytest.mark.timeout(3600)
def test_killed_at_twenty_random_moments(tmp_path: Path) -> None:
    killed_at_random(tmp_path, 20, seed=2)


@pytest.mark.fuzz
@pytest.mark.check
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "moments",
    [MOMENTS[1::9], pytest.param(MOMENTS, marks=[pytest.mark.fuzz, pytest.mark.timeout(3600)])],
    ids=["some", "all"],
)
def test_killed_between_any_two_steps(tmp_path: Path, moments: Sequence[tuple[str, str, int]]) -> None:
    first, second = text(tmp_path, "a.txt", 9, 1), text(tmp_path, "b.txt", 11, 2)
    builds.build(first, tmp_path / "whole")
    builds.build(second, tmp_path / "whole")
    builds.build(first, tmp_path / "killed")
    before = manifests.read(tmp_path / "killed")
    for module, name, count in moments:
        status = builds.killed_at(module, name, count, second, tmp_path / "killed")
        assert status == -signal.SIGKILL, (name, count)
        untouched(tmp_path / "killed", before)
    builds.build(second, tmp_path / "killed")
    same_rows(tmp_path / "killed", tmp_path / "whole")


def test_parts_of_another_build_are_dropped(tmp_path: Path) -> None:
    """Their plan has another key."""
    from core.corpus.building import build as building

    staging = tmp_path / building.STAGING
    staging.mkdir()
    (staging / building.PLAN).write_text(json.dumps({"key": "of another"}))
    assert building._stored_plan(tmp_path, "mine") is None
