"""The commands of a corpus, and the others, in a pipe that nobody reads to its end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.console import NOBODY_READS
from core.corpus.building.progress import Progress
from core.corpus.command import _Shown
from tests.test_console import closed


@pytest.mark.check
@pytest.mark.parametrize(
    "arguments",
    [
        ("-m", "core", "--help"),
        ("-m", "core", "--version"),
        ("-m", "core", "corpus", "--help"),
        ("-m", "core", "corpus", "info", "{corpus}"),
        ("-m", "core.corpus", "info", "{corpus}"),
        pytest.param(("-m", "core", "trace", "a bank", "--json"), marks=pytest.mark.fuzz),
    ],
    ids=lambda arguments: " ".join(arguments[1:]),
)
def test_every_command_exits_quietly_where_nobody_reads(
    arguments: tuple[str, ...], letters: Path
) -> None:
    command = [one.format(corpus=letters) for one in arguments]
    status, said = closed(*command, stream="stdout")
    assert said == ""
    assert status in (NOBODY_READS, 0)


@pytest.mark.fuzz
def test_a_build_goes_on_where_nobody_reads_its_progress(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A bank of the river.", "utf-8")
    command = ("-m", "core", "corpus", "build", str(tmp_path / "a.txt"), "--out", str(tmp_path / "out"))
    status, said = closed(*command, "--layers", "last", stream="stderr")
    assert (status, bool(re.search(r"5 words in 1 sentence", said))) == (0, True)
    assert (tmp_path / "out" / "manifest.json").exists()


def test_progress_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed:
        def isatty(self) -> bool:
            return False

        def write(self, text: str) -> int:
            raise BrokenPipeError

        def flush(self) -> None:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", Closed())
    _Shown()(Progress("read", 1, 2))
