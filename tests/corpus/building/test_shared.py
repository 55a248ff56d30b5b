"""One corpus for everybody: built by one, resumed by the next."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

import core
from core import corpus
from core.corpus import python_docs
from core.corpus.building import shared
from core.corpus.building.progress import Progress
from core.corpus.storage import manifest
from core.errors import CorpusError


def write(folder: Path) -> Path:
    file = folder / "texts.txt"
    file.write_text("The bank lends money.\n\nThe bank is muddy.", "utf-8")
    return file


def test_of_several_one_builds(tmp_path: Path, minilm: core.Model) -> None:
    folder = tmp_path / "made" / "corpus"
    began, go_on, results, seen = threading.Event(), threading.Event(), [], list[Progress]()

    def slowly(progress: Progress) -> None:
        seen.append(progress)
        if progress.step == "embed":
            began.set()
            assert go_on.wait(60)

    def first() -> None:
        results.append(shared.build_once(folder, write, lambda: minilm, ("2",), on_progress=slowly))

    thread = threading.Thread(target=first)
    thread.start()
    assert began.wait(60)
    noted = shared.progress(folder)
    assert noted is not None

    def never() -> core.Model:
        raise AssertionError("somebody else builds")

    assert shared.build_once(folder, write, never) is False
    assert not manifest.exists(folder)
    go_on.set()
    thread.join()
    assert results == [True]
    assert shared.build_once(folder, write, never) is True
    assert corpus.open(folder).count("bank") == 2
    assert [one.layer for one in manifest.read(folder).layers] == [1]
    assert shared.progress(folder) is None


def test_what_fails_says_so_and_the_next_one_goes_on(tmp_path: Path, minilm: core.Model) -> None:
    folder = tmp_path / "corpus"

    def breaks(progress: Progress) -> None:
        if progress.step == "embed":
            raise OSError(28, "No space left on device")

    with pytest.raises(CorpusError, match="No space left"):
        shared.build_once(folder, write, lambda: minilm, ("2",), on_progress=breaks)
    assert not manifest.exists(folder)
    seen: list[Progress] = []
    assert shared.build_once(folder, write, lambda: minilm, ("2",), on_progress=seen.append)
    assert max(one.resumed for one in seen) == 2  # both sentences, embedded before
    assert corpus.open(folder).count("bank") == 2


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(CorpusError, match="cannot be written"):
        shared.build_once(tmp_path / "file" / "corpus", write, lambda: None)  # type: ignore[arg-type, return-value]


def test_the_documentation_is_read_the_same_each_time(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = (python_docs.write(tmp_path / name).read_bytes() for name in "ab")
    assert one == other
    rows = [json.loads(line) for line in one.decode().splitlines()]
    texts = [row["text"] for row in rows]
    assert len(texts) == len({*texts})
    assert sum(len(text.split()) for text in texts) > 40_000
    assert not any("====" in text or text.startswith("+---") for text in texts)
    by_topic = {row["topic"]: row["chapter"] for row in rows}
    assert by_topic["The assert statement"] == "Simple statements"
    assert by_topic["String Methods"] == "Library"
