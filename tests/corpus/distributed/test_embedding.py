"""What is staged, embedded and refused, without a cluster."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core import corpus
from core.cli.main import main
from core.corpus.building.embed import Sentence, embed
from core.corpus.building.parts import Parts
from core.corpus.distributed import cluster, driver
from core.corpus.distributed.cluster import Cluster
from core.corpus.distributed.texts import stage, staged
from core.corpus.distributed.worker import Embedder, Job, versions
from core.corpus.storage.columns import Kind
from core.corpus.storage.layers import Layer
from core.errors import CorpusError
from core.pretrained.load_model import weights_checksum

COLUMNS: dict[str, Kind] = {"year": "int", "score": "float", "genre": "text"}
SENTENCES = [
    Sentence(7, "The bank was steep.", "a.csv", {"year": 1990, "score": 0.5, "genre": "river"}),
    Sentence(8, "The naïve bank 🎣 closed.", "b.txt", {}),
]


@pytest.fixture
def job(tmp_path: Path) -> Job:
    layers = (Layer(1, ("2",)), Layer(5, ("last",)))
    return Job(tmp_path / "parts", "minilm", weights_checksum("minilm"), versions(), layers, COLUMNS)


def test_staged_sentences_come_back(job: Job) -> None:
    parts = Parts(job.folder)
    stage(parts, 3, SENTENCES, COLUMNS)
    back = staged(parts, 3)
    assert [(one.id, one.text, one.source) for one in back] == [
        (one.id, one.text, one.source) for one in SENTENCES
    ]
    assert back[0].columns == SENTENCES[0].columns
    assert back[1].columns == dict.fromkeys(COLUMNS)
    assert not parts.has(3)


@pytest.mark.check
def test_a_part_is_what_a_local_build_makes_and_is_made_once(job: Job, minilm: core.Model) -> None:
    parts = Parts(job.folder)
    stage(parts, 0, SENTENCES, COLUMNS)
    worker = Embedder(job)
    row = worker({"part": np.array([0])})
    expected = embed(SENTENCES, minilm, job.layers, COLUMNS)
    assert {name: value.tolist() for name, value in row.items()} == {
        "part": [0],
        "sentences": [2],
        "words": [expected.words.num_rows],
        "failure": [""],
    }
    assert parts.table(0, "words").equals(expected.words)
    assert parts.table(0, "sentences").equals(expected.sentences)
    file = job.folder / "0000000.words.arrow"
    before = file.stat()
    assert worker({"part": np.array([0])})["words"].tolist() == [expected.words.num_rows]
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"checksum": "0" * 64}, "weights"),
        ({"versions": {"torch": "1.0"}}, "torch"),
        ({"folder": Path("/nowhere/parts")}, "/nowhere/parts"),
    ],
)
def test_a_node_that_differs_says_so(job: Job, change: dict[str, Any], said: str) -> None:
    stage(Parts(job.folder), 0, SENTENCES, COLUMNS)
    row = Embedder(replace(job, **change))({"part": np.array([0])})
    assert said in row["failure"][0]
    assert socket.gethostname() in row["failure"][0]
    assert not Parts(job.folder).has(0)


def test_parts_that_nobody_sees_are_missed(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "_SIGHT", 0.1)
    with pytest.raises(CorpusError, match="Part 1 was embedded"):
        driver._require_all(Parts(job.folder), 1)


def test_two_writers_of_a_part_do_not_meet(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one begins when the first has written half: both files are whole."""
    parts, sync = Parts(job.folder), os.fsync
    depth: list[int] = []

    def second(number: int) -> None:
        if not depth:
            depth.append(1)
            stage(parts, 0, SENTENCES[:1], COLUMNS)
        sync(number)

    monkeypatch.setattr(os, "fsync", second)
    stage(parts, 0, SENTENCES, COLUMNS)
    assert len(staged(parts, 0)) == 2
    assert [file.name for file in job.folder.iterdir()] == ["0000000.texts.arrow"]


@pytest.mark.check
def test_rows_come_as_long_as_the_head_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "_LOOK", 0.05)
    monkeypatch.setattr(driver, "_LOST", 0.2)

    def rows(slow: float) -> Iterator[int]:
        yield 1
        time.sleep(slow)
        yield 2

    def broken() -> Iterator[int]:
        yield 1
        raise RuntimeError("broken")

    with socket.create_server(("127.0.0.2", 0)) as head:
        address = f"127.0.0.2:{head.getsockname()[1]}"
        assert list(driver._watched(rows(0.5), address)) == [1, 2]
        with pytest.raises(RuntimeError, match="broken"):
            list(driver._watched(broken(), address))
    assert list(driver._watched(rows(0), address)) == [1, 2]
    with pytest.raises(cluster.ClusterLost, match=address):
        list(driver._watched(rows(5), address))


@pytest.mark.parametrize(
    ("address", "head"),
    [(None, "local"), ("", "local"), (" 10.0.0.1:6379 ", "10.0.0.1:6379"), ("auto", "auto")],
)
def test_the_address_comes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, address: str | None, head: str
) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    if address is not None:
        monkeypatch.setenv("RAY_ADDRESS", address)
    assert Cluster().head == head
    assert Cluster("1.2.3.4:5").head == "1.2.3.4:5"


@pytest.mark.parametrize("address", ["ray://10.0.0.1:10001", "http://10.0.0.1:8265", "head", ":1"])
def test_an_address_for_something_else_is_refused(address: str) -> None:
    with pytest.raises(CorpusError, match="HOST:PORT"):
        Cluster(address).check()


@pytest.mark.parametrize("of", [{"actors": 0}, {"cpus": 0}, {"gpus": -1}, {"gpus": float("nan")}])
def test_impossible_numbers_are_refused(of: dict[str, Any]) -> None:
    with pytest.raises(CorpusError):
        Cluster(**of)


def test_nobody_at_the_address_is_said_before_a_text_is_read(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.2", 0))
        address = f"127.0.0.2:{closed.getsockname()[1]}"
    with pytest.raises(CorpusError, match=address):
        corpus.build([tmp_path], tmp_path / "out", cluster=Cluster(address))
    assert not (tmp_path / "out").exists()
    for port in ("0", "70000", "x"):
        with pytest.raises(CorpusError, match="answers"):
            Cluster(f"127.0.0.2:{port}").check()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--ray"], "requirements-dev.txt"),
        (["--ray", "--actors", "0"], "actors"),
        (["--actors", "2"], "--ray"),
        (["--gpus", "1"], "--ray"),
    ],
)
def test_the_command_line_says_what_is_missing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    said: str,
) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)  # as if Ray were not installed
    (tmp_path / "a.txt").write_text("One.")
    build = ["corpus", "build", str(tmp_path / "a.txt"), "--out", str(tmp_path / "out"), *options]
    assert main(build) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
