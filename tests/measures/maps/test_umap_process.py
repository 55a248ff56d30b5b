"""UMAP in a separate process: compiled once, low priority, the same numbers, ended with its parent."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import NotSupported
from core.measures.maps import neighbour_map, umap_process
from core.measures.maps.neighbour_map import SEED, umap_here
from core.measures.maps.umap_process import UmapProcess

pytestmark = pytest.mark.check

POINTS = np.random.default_rng(1).normal(size=(23, 11)).astype(np.float32)


def seconds_of(number: int) -> float:
    """The processor seconds of a process, which do not depend on the load of the machine."""
    behind = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, behind[11:13])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture(scope="module")
def process() -> Iterator[UmapProcess]:
    made = UmapProcess()
    yield made
    made.end()


@pytest.mark.fuzz  # UMAP is compiled
def test_it_begins_at_once_and_answers_as_this_process_does(process: UmapProcess) -> None:
    process.end()  # where another test has begun it
    before = process.number
    assert before is None
    start = time.monotonic()
    process.begin()
    process.begin()  # it runs already
    assert time.monotonic() - start < 5
    number = process.number
    assert number is not None
    found = process.fit(POINTS, 15, 2, SEED)  # waits for the library
    assert process.number == number
    assert os.getpriority(os.PRIO_PROCESS, number) == umap_process.NICENESS
    np.testing.assert_array_equal(found, umap_here(POINTS, 15, 2, SEED))
    assert process.fit(POINTS, 7, 3, SEED).shape == (23, 3)


@pytest.mark.fuzz  # compiling takes longer than all others here
def test_what_it_has_compiled_it_does_not_compile_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT")  # as on a server; the tests go without
    process = UmapProcess()
    try:
        found = process.fit(POINTS, 15, 2, SEED)
        number = process.number
        assert number is not None
        worked = seconds_of(number)
        assert worked > 3  # it has compiled
        np.testing.assert_array_equal(process.fit(POINTS, 15, 2, SEED), found)
        assert seconds_of(number) - worked < 1
    finally:
        process.end()


@pytest.mark.fuzz
def test_what_cannot_be_fitted_is_said_and_the_process_stays(process: UmapProcess) -> None:
    with pytest.raises(NotSupported, match="Choose PCA or t-SNE"):
        process.fit(np.full((9, 3), np.nan, np.float32), 5, 2, SEED)
    assert process.fit(POINTS, 15, 2, SEED).shape == (23, 2)


def test_without_the_package_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour_map, "find_spec", lambda _: None)
    process = UmapProcess()
    process.begin()
    assert process.number is None  # nothing to compile
    for fit in (process.fit, umap_here):
        with pytest.raises(NotSupported, match=r"pip install \"polysee\[maps\]\".*PCA or t-SNE"):
            fit(POINTS, 15, 2, SEED)


@pytest.mark.fuzz
def test_one_that_died_is_begun_anew(process: UmapProcess) -> None:
    process.begin()  # where this test is the first of its process
    before = process.number
    assert before is not None
    process.end()
    between = process.number
    assert between is None
    process.begin()
    assert process.number not in (None, before)


def test_it_ends_with_its_parent() -> None:
    lines = [
        "from core.measures.maps.umap_process import UmapProcess",
        "import os",
        "process = UmapProcess()",
        "process.begin()",
        "print(process.number, flush=True)",
        "os._exit(1)",  # as if it were killed: nothing is cleared up
    ]
    said = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False
    )
    number = int(said.stdout)
    end = time.monotonic() + 60
    while Path(f"/proc/{number}").exists() and time.monotonic() < end:
        time.sleep(0.2)
    assert not Path(f"/proc/{number}").exists()
