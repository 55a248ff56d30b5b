"""A build that is killed at any moment goes on, with nothing lost and nothing twice."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.corpus import manifest as manifests
from tests.corpus.rows import tables

ROOT = Path(__file__).resolve().parents[2]
# The real build, in parts of four sentences, so that there are many moments to be killed at.
BUILD = """
import sys
import lancedb, sentencex
from core.corpus import building, command
building.SENTENCES = 4
print("ready", flush=True)
sys.exit(command.main(["build", *sys.argv[1:], "--layers", "last"]))
"""
# The same, killed when a function is called for the n-th time: between any two steps of publishing.
AT = """
import importlib, os, signal, sys
from core.corpus import building, command
building.SENTENCES = 4
module, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
owner = importlib.import_module(module)
*path, last = name.split(".")
for part in path:
    owner = getattr(owner, part)
real, calls = getattr(owner, last), 0
def killing(*arguments, **named):
    global calls
    calls += 1
    if calls == count:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments, **named)
setattr(owner, last, killing)
sys.exit(command.main(["build", *sys.argv[4:], "--layers", "last"]))
"""
MOMENTS = [
    ("core.corpus.parts", "_write", 1),
    ("core.corpus.parts", "_write", 4),
    ("core.corpus.building", "publish", 1),
    ("core.corpus.publishing", "Progress", 1),
    ("core.corpus.store", "Generation.append", 2),
    ("core.corpus.store", "Generation.index_column", 1),
    ("core.corpus.store", "Generation.index_column", 2),
    ("core.corpus.manifest", "Manifest.write", 1),
    ("core.corpus.building", "shutil.rmtree", 2),
]


def text(folder: Path, name: str, count: int, seed: int) -> Path:
    rng = random.Random(seed)
    sentences = [
        f"Sentence {name} {n} is about the {rng.choice(['river', 'money', 'snow'])} bank."
        for n in range(count)
    ]
    (folder / name).write_text(" ".join(sentences))
    return folder / name


def run(code: str, *arguments: object) -> int:
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, -9), done.stderr
    return done.returncode


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


def started(*arguments: object) -> subprocess.Popen[str]:
    """A build whose imports are done: they are most of its time, and nothing happens in them."""
    build = subprocess.Popen(
        [sys.executable, "-c", BUILD, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert build.stdout is not None
    assert build.stdout.readline() == "ready\n"
    return build


def killed_at_random(folder: Path, times: int, seed: int) -> None:
    first, second = text(folder, "a.txt", 30, seed), text(folder, "b.txt", 50, seed + 1)
    run(BUILD, first, "--out", folder / "whole")
    begin = time.monotonic()
    with started(second, "--out", folder / "whole") as build:
        build.communicate()
    longest = time.monotonic() - begin
    run(BUILD, first, "--out", folder / "killed")
    before = manifests.read(folder / "killed")
    rng, killed = random.Random(seed), 0
    while killed < times:
        with started(second, "--out", folder / "killed") as build:
            try:
                build.communicate(timeout=rng.uniform(0, longest))
            except subprocess.TimeoutExpired:
                build.kill()
                build.communicate()
                killed += 1
                untouched(folder / "killed", before)
                continue
        assert build.returncode == 0
        # It was quicker, having gone on from where it was killed: begin anew.
        same_rows(folder / "killed", folder / "whole")
        subprocess.run(["rm", "-r", folder / "killed"], check=True)
        run(BUILD, first, "--out", folder / "killed")
    run(BUILD, second, "--out", folder / "killed")
    same_rows(folder / "killed", folder / "whole")


@pytest.mark.check
@pytest.mark.timeout(900)
def test_killed_at_random_moments(tmp_path: Path) -> None:
    killed_at_random(tmp_path, 2, seed=1)


@pytest.mark.fuzz
@pytest.mark.timeout(3600)
def test_killed_at_twenty_random_moments(tmp_path: Path) -> None:
    killed_at_random(tmp_path, 20, seed=2)


@pytest.mark.check
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "moments",
    [MOMENTS[1::4], pytest.param(MOMENTS, marks=[pytest.mark.fuzz, pytest.mark.timeout(3600)])],
    ids=["some", "all"],
)
def test_killed_between_any_two_steps(tmp_path: Path, moments: Sequence[tuple[str, str, int]]) -> None:
    first, second = text(tmp_path, "a.txt", 9, 1), text(tmp_path, "b.txt", 11, 2)
    run(BUILD, first, "--out", tmp_path / "whole")
    run(BUILD, second, "--out", tmp_path / "whole")
    run(BUILD, first, "--out", tmp_path / "killed")
    before = manifests.read(tmp_path / "killed")
    for module, name, count in moments:
        assert run(AT, module, name, count, second, "--out", tmp_path / "killed") == -9, (name, count)
        untouched(tmp_path / "killed", before)
    run(BUILD, second, "--out", tmp_path / "killed")
    same_rows(tmp_path / "killed", tmp_path / "whole")


def test_parts_of_another_build_are_dropped(tmp_path: Path) -> None:
    """Their plan has another key."""
    from core.corpus import building

    staging = tmp_path / building.STAGING
    staging.mkdir()
    (staging / building.PLAN).write_text(json.dumps({"key": "of another"}))
    assert building._stored_plan(tmp_path, "mine") is None
