"""docs/scale.md holds the numbers that its formulas give, and the formulas those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.corpus.building import parts, publishing
from core.corpus.distributed import driver
from core.corpus.storage import store, tables
from tools import scale
from tools.scale import CORES, Measured, Scale, largest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "scale.md").read_text("utf-8")
# Numbers by which the formulas can be followed in the head.
EASY = Measured(
    pieces_a_word=2,
    words_a_sentence=10,
    text_bytes=10,
    words_a_second=100,
    read_words=1_000,
    plain_bytes=90,
    vector_bytes=200,
    index_bytes=50,
    publish_bytes=1_000,
    slice_seconds=0.5,
    index_line=3,
    index_square=5,
    dispatch=10,
    core_hour=36,
    thousand_writes=1,
    thousand_reads=2,
)


def test_the_tables_of_the_page_are_those_of_the_formulas() -> None:
    assert PAGE.count("<!-- end -->") == len(scale.TABLES)
    assert scale.filled(PAGE) == PAGE
    spoilt = PAGE.replace("| 10⁸ | 64 |", "| 10⁸ | 65 |")
    assert spoilt != PAGE
    assert scale.filled(spoilt) == PAGE


def test_the_formulas_by_hand() -> None:
    of = Scale(4_000, 4, layers=2, part=20, shard_bytes=98_000, publishing_cores=8, at=EASY)
    assert (of.words, of.parts, of.row_bytes) == (2_000, 10, 490)
    assert of.staged_bytes == 2_000 * 500
    assert of.bytes == 2_000 * 600
    assert of.read_seconds == 4
    assert (of.core_seconds, of.embed_seconds) == (20, 5)
    assert of.shards == 10
    assert of.publish_seconds == 980 + 10 * 10 * 0.5
    assert of.helpers == 4  # the cluster is smaller than a machine for publishing
    assert of.index_seconds == pytest.approx(2 * (3 * 0.002 + 5 * 0.002**2) / 4)
    few = Scale(4_000, 4, clustered=500, at=EASY)
    assert few.index_seconds == pytest.approx(0.002 * (3 + 5 * 0.0005) / 4)
    assert of.seconds == pytest.approx(4 + 5 + 1_030 + of.index_seconds)
    assert of.dollars == pytest.approx((20 + 4 * of.seconds) / 3_600 * 36)
    assert (of.writes, of.reads) == (30, 100)
    assert of.requests_dollars == pytest.approx(0.03 + 0.2)
    # Ray hands out ten tasks a second: more cores do not help.
    assert Scale(4_000, 10**6, part=2, at=EASY).embed_seconds == 10
    assert Scale(4_000, 10**6, part=2, most_tasks=50, at=EASY).embed_seconds == 5


def test_limits_are_where_a_step_reaches_them() -> None:
    at_most = largest(1_000, "parts", at=EASY)
    assert Scale(at_most, 1, at=EASY).parts == pytest.approx(1_000, rel=2e-3)


def test_the_limits_that_the_page_names() -> None:
    named = {
        "650,000,000": largest(65_530, "parts"),
        "600,000,000": largest(3_600, "index_seconds"),
        "14,000,000,000": largest(86_400, "index_seconds"),
        "2,900,000,000": largest(86_400, "publish_seconds"),
        "180,000,000": largest(16e9, "vectors_bytes"),
    }
    limits = PAGE.partition("The limits themselves")[2].partition("\n## ")[0]
    for written, computed in named.items():
        assert written in limits
        assert float(f"{computed:.2g}") == float(written.replace(",", ""))


def test_what_the_prose_says_is_what_the_formulas_give() -> None:
    day = 86_400
    ten = Scale(10**10, CORES[10**10])
    assert f"{float(f'{ten.shards:.2g}'):,.0f} shards" in PAGE
    assert round(ten.publish_seconds / day) == 11
    assert "eleven days" in PAGE
    assert round(Scale(10**9, CORES[10**9]).index_seconds / 3_600) == 2  # almost two hours
    assert round(Scale(10**8, CORES[10**8]).index_seconds / 60, -1) == 10  # ten minutes
    assert round(Scale(10**7, 2).seconds / 900) == 3  # three quarters of an hour
    assert round(Scale(10**7, 8).seconds / 60) == 12  # twelve minutes
    assert 0.8e9 < Scale(10**7, 8).vectors_bytes < 1.2e9
    assert Scale(10**8, 8).vectors_bytes > 8e9
    seconds = 512 * Measured().words_a_sentence / Measured().words_a_second
    assert round(seconds) == 4  # of embedding a part, in which the driver hands out so many
    assert f"some {seconds * Measured().dispatch // 100 * 100:.0f} of them" in PAGE
    further = Measured().vector_bytes + Measured().index_bytes
    assert f"{further:.0f} bytes a word" in PAGE
    assert round(1 / Measured().frequent) == 22


def test_the_formulas_know_the_code() -> None:
    of = Scale(10**6, 2)
    assert of.part == parts.SENTENCES
    assert of.most_tasks == driver.MOST_TASKS
    assert of.clustered == store._PARTITION * store._MOST_PARTITIONS
    assert publishing.MERGE_RUNS == 8  # "eight appends"
    rows = tables.shards(10**8, 1_000)
    assert len(rows) == pytest.approx(10**8 * 1_000 / of.shard_bytes, rel=0.01)
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == set(Measured.__dataclass_fields__)


def test_another_number_changes_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for rate, embedding in (("20", "5.8 h"), ("2000", "3.5 min")):
        monkeypatch.setattr("sys.argv", ["scale", "--words-a-second", rate])
        scale.main()
        assert f"| 10⁶ | 2 | 1.3 s | {embedding} |" in capsys.readouterr().out
