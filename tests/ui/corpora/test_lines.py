"""Lines of many visitors at once: none mixed up, each read once; old ones go with their corpus."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.corpus import delete
from core.corpus.querying import concordance
from core.errors import CorpusError
from tests.corpus.synthetic import Row, publish_rows
from ui.corpora import lines, offered, served
from ui.corpora.offered import Offered

pytestmark = pytest.mark.check

WORDS = ("bank", "river", "money", "boat")


@pytest.fixture
def letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Offered]:
    rows = [Row(f"{' '.join(WORDS[: i % 4 + 1])} {i}", i % 2, {"year": i % 3}) for i in range(60)]
    publish_rows(tmp_path / "letters", rows, {"year": "int"})
    monkeypatch.setenv("POLYSEE_CORPORA", str(tmp_path))
    lines.forget()
    yield offered.every()["letters"]
    lines.forget()


@pytest.mark.fuzz
def test_sixteen_visitors_get_their_own_answers(
    letters: Offered, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []
    real = concordance.read

    def counted(corpus: Any, word: str, **more: Any) -> Any:
        reads.append(word)
        return real(corpus, word, **more)

    monkeypatch.setattr(concordance, "read", counted)
    barrier = threading.Barrier(16)

    def asks(visitor: int) -> tuple[str, str, int, int]:
        word = WORDS[visitor % 4]
        barrier.wait()
        found = lines.get(letters, word, "")
        return word, found.lines.word, len(found.lines), sum(found.clusters(2).counts)

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(asks, range(16)))
    counts = {word: sum(i % 4 >= at for i in range(60)) for at, word in enumerate(WORDS)}
    assert all(own == word and n == m == counts[word] for word, own, n, m in answers)
    assert sorted(reads) == sorted(WORDS)


def test_after_a_deletion_nothing_old_is_shown(letters: Offered) -> None:
    before = lines.get(letters, "bank", "")
    assert lines.get(letters, "bank", "") is before
    delete(letters.folder, "year = 1")
    after = lines.get(letters, "bank", "")
    assert len(before.lines) == 60
    assert len(after.lines) == 40
    assert after.query.version != before.query.version


def test_the_lines_are_read_only(letters: Offered) -> None:
    word = lines.get(letters, "bank", "")
    for array in (word.lines.vectors, word.clusters(2).distance):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_forms_of_the_word_are_left_out_of_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_rows(tmp_path / "a", [Row(f"bank banks Banks shore {i}") for i in range(9)], {})
    monkeypatch.setenv("POLYSEE_CORPORA", str(tmp_path))
    word = lines.get(offered.every()["a"], "bank", "")
    assert word.forms() == ("bank", "banks")
    near = {one.occurrence.word for one in word.near_line(0)}
    assert "shore" in near
    assert near.isdisjoint({"bank", "banks"})


@pytest.mark.parametrize("sampled", [True, False])
def test_inflections_are_left_out_of_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sampled: bool
) -> None:
    texts = [Row(f"call {form} shore {i}") for i, form in enumerate(("calling", "Called", "calls"))]
    publish_rows(tmp_path / "a", texts, {})
    monkeypatch.setenv("POLYSEE_CORPORA", str(tmp_path))
    word = lines.get(offered.every()["a"], "call", "")
    if sampled:  # a large corpus: its forms are not among the words that are looked through
        monkeypatch.setattr(type(word.corpus), "frequent", lambda _: {})
    else:
        assert set(word.forms()) == {"call", "calling", "called", "calls"}
    near = {one.occurrence.word for one in word.near_line(0)}
    assert "shore" in near
    assert near.isdisjoint({"call", "calling", "called", "calls"})


def test_shares_are_counted_once_for_a_word_its_groups_and_a_column(letters: Offered) -> None:
    word = lines.get(letters, "bank", "")
    groups = word.clusters(2)
    found = word.shares(groups, "year")
    assert {(one.value, one.total) for one in found} == {(0, 20), (1, 20), (2, 20)}
    assert sum(one.count for one in found) == len(word.lines) == 60
    assert word.shares(groups, "year") is found
    other = replace(groups, of=groups.of * 0)
    assert [one.count for one in word.shares(other, "year")] == [20, 20, 20]
    assert {one.value for one in word.shares(groups, "source")} == {*word.lines.column("source")}


def test_a_browser_gets_the_cosines(letters: Offered) -> None:
    client = TestClient(Starlette(routes=served.routes()))
    word = lines.get(letters, "bank", "")
    address = served.address(word.query)
    assert address is not None
    answer = client.get(f"{address}7")
    assert answer.status_code == 200
    x = word.lines.vectors.astype(np.float64)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    np.testing.assert_allclose(np.frombuffer(answer.content, "<f4"), x @ x[7], atol=1e-6)
    assert "immutable" in answer.headers["cache-control"]
    wrong = {"to": "60", "c": "nothing", "w": "zebra", "v": "0", "l": "9"}
    for name, value in (*wrong.items(), ("to", "x"), ("to", ""), ("c", "../letters"), ("l", "²")):
        asked = dict(client.get(f"{address}7").url.params) | {name: value}
        assert client.get(served._PATH, params=asked).status_code == 404


def test_what_is_no_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half" / "staging").mkdir(parents=True)
    (tmp_path / "none").mkdir()
    (tmp_path / ".hidden").mkdir()
    monkeypatch.setenv("POLYSEE_CORPORA", str(tmp_path))
    every = offered.every()
    assert [*every] == ["half", "none", offered.WRITTEN, offered.DOCS]  # own corpora first
    for name in ("half", "none"):
        with pytest.raises(CorpusError, match=name):
            offered.opened(every[name])
