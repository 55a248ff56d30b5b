"""README: its lines of Python run, and its figures are those that the app has measured."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import core
from core.measures.senses.verdict import MANY, SEVERAL, shipped
from tests.notebook.gallery import in_checkout

README = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.check
def test_its_lines_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    assert len(BLOCKS) >= 2
    for block in BLOCKS:
        exec(compile(in_checkout(block), "README.md", "exec"), names)
    river, money = names["river"], names["money"]
    (a,), (b,) = river.find("bank"), money.find("bank")
    assert (river.learned[a] == money.learned[b]).all()  # “the same row of the embedding table”
    assert names["hidden"].shape == (6, 384)
    assert (tmp_path / "head.html").stat().st_size > 1000
    own = eval(in_checkout(BLOCKS[-1]).strip().splitlines()[-1].partition("#")[0], names)
    assert isinstance(own, core.Attention)


def numbers(pattern: str) -> list[int]:
    """The numbers of a sentence of README, whose lines may break anywhere."""
    found = re.search(pattern, " ".join(README.split()))
    assert found, pattern
    return [int(one) for one in found.groups()]


def test_its_shares_of_verdicts_are_the_measured_ones() -> None:
    calibration = shipped("minilm")
    assert calibration
    bounds = calibration.bounds
    percent = {
        kind: {k: round(100 * getattr(of, k)) for k in ("given", "right", "unrelated", "uncued_two")}
        for kind, of in bounds.items()
    }
    given = numbers(
        r"(\d+) % of the pairs if an end is one or two words, on (\d+) % if it is three or more, "
        r"on (\d+) % if each end is six or more sentences, and on (\d+) % if it is six or more"
    )
    assert given == [percent[kind]["given"] for kind in ("word", "words", "sentences", "both")]
    of_dictionary = numbers(
        r"from the dictionary on (\d+) %, between the two that the model guesses, if it is sure of "
        r"them, on (\d+) %"
    )
    assert of_dictionary == [percent[kind]["given"] for kind in ("picked", "guessed")]
    assert (SEVERAL, MANY) == (3, 6)
    for pattern, share in (
        (r"Of these verdicts, (\d+) to (\d+) % are right", "right"),
        (r"unrelated to the word, (\d+) to (\d+) % of the pairs", "unrelated"),
        (r"called two meanings in (\d+) to (\d+) % of cases", "uncued_two"),
    ):
        # Meanings of the dictionary are never unrelated to their word.
        own = ("picked", "guessed") if share == "unrelated" else ()
        measured = [kind for kind in percent if kind not in own]
        shares = [percent[kind][share] for kind in measured]
        assert numbers(pattern) == [min(shares), max(shares)]
