"""A build on a real Ray cluster of two nodes: the same corpus, whoever dies in the middle."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import core
from core import corpus
from core.corpus.building import build as building
from core.corpus.storage.manifest import read
from tests.corpus.distributed.two_nodes import TwoNodes, descendants, kill, two_nodes
from tests.corpus.rows import tables

ROOT = Path(__file__).resolve().parents[3]
SIZE = 8  # sentences of a part, so that there are many moments to die at
# The real command, in small parts.
BUILD = f"""
import sys
from core.cli.main import main
from core.corpus.building import build as building
building.SENTENCES = {SIZE}
sys.exit(main(["corpus", "build", *sys.argv[1:], "--layers", "2,last"]))
"""


@pytest.fixture(scope="module")
def nodes() -> Iterator[TwoNodes]:
    with two_nodes() as nodes:
        yield nodes


def write_texts(folder: Path, count: int, seed: int) -> Path:
    """A folder with a table and a plain text, `count` sentences in all."""
    rng = random.Random(seed)
    folder.mkdir()
    places = ["river", "snow", "money", "flooded", "naïve", "North"]
    lines = [
        f"{rng.randrange(1900, 2000)},{rng.choice(['news', 'letter', ''])},"
        f"Sentence {n} is about the {' '.join(rng.choices(places, k=rng.randrange(1, 9)))} bank."
        for n in range(count // 2)
    ]
    (folder / "table.csv").write_text("\n".join(["year,genre,text", *lines]) + "\n", "utf-8")
    plain = (f"The {rng.choice(places)} bank {n} is closed." for n in range(count - count // 2))
    (folder / "plain.txt").write_text(" ".join(plain) + "\n\n" + "tired " * 700, "utf-8")
    return folder


def start(texts: Path, out: Path, nodes: TwoNodes) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", BUILD, str(texts), "--out", str(out), "--ray"],
        cwd=ROOT,
        env=nodes.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def parts(out: Path) -> list[Path]:
    return sorted(out.glob("staging/parts-*/*.words.arrow"))


def reached(out: Path, count: int) -> bool:
    return len(parts(out)) > count


def wait_until(true: Callable[[], bool], build: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 240
    while not true():
        assert build.poll() is None, build.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def works(pid: int) -> bool:
    """Whether an actor below a process embeds: it has the weights in its memory."""
    import psutil

    for one in descendants(pid):
        try:
            process = psutil.Process(one)
            if "MapWorker" in " ".join(process.cmdline()) and process.memory_info().rss > 400e6:
                return True
        except psutil.NoSuchProcess:
            pass
    return False


def same(made: Path, expected: Path) -> None:
    """Row by row: words, columns and vectors to the bit; and the manifest."""
    for own, of in zip(tables(made), tables(expected), strict=True):
        assert own.schema.equals(of.schema)
        assert own.equals(of)
    assert replace(read(made), skipped=(), versions={}) == replace(
        read(expected), skipped=(), versions={}
    )
    assert read(made).skipped == read(expected).skipped
    assert read(made).versions == read(expected).versions
    assert not (made / building.STAGING).exists()


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "SENTENCES", SIZE)


@pytest.mark.fuzz
@pytest.mark.check
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("small_parts")
def test_a_node_that_dies_in_the_middle_changes_nothing(
    nodes: TwoNodes, tmp_path: Path, minilm: core.Model
) -> None:
    texts = write_texts(tmp_path / "texts", 900, seed=1)
    build = start(texts, tmp_path / "made", nodes)
    wait_until(lambda: works(nodes.second.pid) and len(parts(tmp_path / "made")) > 10, build)
    nodes.kill_second()
    done = len(parts(tmp_path / "made"))
    out, error = build.communicate(timeout=300)
    assert build.returncode == 0, error
    assert 10 < done < 105  # of 113: it was in the middle
    assert nodes.address in error
    assert "2 nodes" in error
    assert "1 node " in error  # was lost
    assert "Traceback" not in out + error
    made = corpus.build([texts], tmp_path / "local", model=minilm, layers=("2", "last"))
    assert made.sentences == 901
    same(tmp_path / "made", tmp_path / "local")


@pytest.mark.fuzz
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("small_parts")
def test_a_driver_that_dies_goes_on_and_so_does_a_local_build(
    tmp_path: Path, minilm: core.Model
) -> None:
    texts, out = write_texts(tmp_path / "texts", 1_600, seed=2), tmp_path / "made"
    with two_nodes() as nodes:
        written: dict[Path, int] = {}
        for more in (30, 70):
            build = start(texts, out, nodes)
            wait_until(partial(reached, out, more), build)
            build.kill()
            build.wait()
            time.sleep(2)  # until its actors are gone
            # What an earlier driver finished, the next one did not write again.
            assert {part: part.stat().st_mtime_ns for part in written} == written
            written = {part: part.stat().st_mtime_ns for part in parts(out)}
            assert not (out / "manifest.json").exists()
        build = start(texts, out, nodes)
        wait_until(lambda: len(parts(out)) > len(written) + 10, build)
        nodes.kill_second()
        wait_until(lambda: len(parts(out)) > len(written) + 40, build)
        build.kill()
        build.wait()
    ended = len(parts(out))
    assert ended < 200
    seen: list[corpus.Progress] = []
    corpus.build([texts], out, model=minilm, layers=("2", "last"), on_progress=seen.append)
    assert max(one.resumed for one in seen) >= ended * SIZE
    corpus.build([texts], tmp_path / "local", model=minilm, layers=("2", "last"))
    same(out, tmp_path / "local")


@pytest.mark.fuzz
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("small_parts")
def test_a_cluster_that_is_lost_is_said_and_so_is_a_build_that_is_stopped(
    tmp_path: Path, minilm: core.Model
) -> None:
    texts, out = write_texts(tmp_path / "texts", 2_000, seed=5), tmp_path / "made"
    with two_nodes() as nodes:
        build = start(texts, out, nodes)
        wait_until(partial(reached, out, 5), build)
        build.send_signal(signal.SIGINT)
        _, error = build.communicate(timeout=120)
        assert build.returncode == 130
        assert "Traceback" not in error
        build = start(texts, out, nodes)
        wait_until(partial(reached, out, len(parts(out)) + 5), build)
        kill(nodes.head)
        _, error = build.communicate(timeout=120)
    assert build.returncode == 2
    assert nodes.address in error.splitlines()[-1]
    assert "Traceback" not in error
    assert len(parts(out)) > 10
    assert not (out / "manifest.json").exists()


@pytest.mark.fuzz
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("small_parts")
def test_without_an_address_a_cluster_is_started_and_texts_are_added(
    tmp_path: Path, minilm: core.Model
) -> None:
    first = write_texts(tmp_path / "first", 20, seed=3)
    second = write_texts(tmp_path / "second", 50, seed=4)
    for out in ("made", "local"):
        corpus.build([first], tmp_path / out, model=minilm, layers=("2", "last"))
    environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp", ignore_cleanup_errors=True) as short:
        done = subprocess.run(
            [sys.executable, "-c", BUILD, str(second), "--out", str(tmp_path / "made"), "--ray"],
            cwd=ROOT,
            env={**environment, "RAY_AUTH_MODE": "disabled", "RAY_TMPDIR": short},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "RAY_ADDRESS" in done.stderr
    assert "Warning" not in done.stderr
    corpus.build([second], tmp_path / "local", model=minilm)
    same(tmp_path / "made", tmp_path / "local")
    assert read(tmp_path / "made").runs == 2
