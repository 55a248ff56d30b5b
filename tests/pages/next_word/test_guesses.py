"""A class guesses the next word: nothing before the reveal, then its answers beside the bars."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import core
from pages.next_word import guesses
from pages.next_word.guesses import Guess
from tests.pages.next_word.test_page import TEXT, press, visit
from tests.visits import said
from ui.classroom import address, asked
from ui.query import TextQuery
from ui.serving.classroom import ROOMS
from ui.serving.classroom.rooms import _of_phone, _of_wall

BARS = {" Mary": 0.5, " the": 0.25, " a": 0.05}


@pytest.fixture(autouse=True)
def _rooms_are_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(asked, "_reach", lambda: address.Reach("http://10.0.0.1:8501"))
    monkeypatch.setattr(address, "seat_of", lambda cookies: address.NO_SEAT)
    before = {*ROOMS._rooms}
    yield
    for name in {*ROOMS._rooms} - before:
        ROOMS.close(name)


def test_the_cross_entropy_is_that_of_its_formula() -> None:
    given = [Guess("Mary", 3, 0.5), Guess("him", 1, 0.125)]
    assert guesses.cross_entropy(given) == pytest.approx(0.75 * 1 + 0.25 * 3)
    assert math.isinf(guesses.cross_entropy([Guess("x", 1, 0.0)]))
    words = guesses.said(given, 4, BARS)
    assert "1.5 bits a word" in words
    assert "likeliest would cost 1.0" in words
    assert "(3 of 4)" in words
    assert "Nobody" in guesses.said([], 0, BARS)
    tie = [Guess(word, 2, 0.1) for word in ("her", "him")]
    assert "in a tie, “her”, “him” (2 of 5 each)" in guesses.said([*tie, Guess("it", 1, 0.1)], 5, BARS)
    assert "a tie of 4 words, “her”, “him”, “her” …" in guesses.said(tie * 2, 8, BARS)


def test_every_answer_and_all_probability_is_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "hidden", lambda word: word.strip() in ("the", "bad"))
    given = [Guess("mary", 3, 0.5), Guess("him", 2, 0.1), Guess("bad", 1, 0.01)]
    rows = guesses.rows(given, 8, BARS)
    assert [row[:2] for row in rows] == [
        ("Mary", 3), ("a", 0), ("him", 2), ("hidden word", 1), ("other", 2),
    ]  # fmt: skip
    assert sum(share for _, _, share in rows) == pytest.approx(1)
    assert rows[3][2] == pytest.approx(0.26)


def test_words_count_in_any_case() -> None:
    assert guesses.counted(Counter({"Mary": 2, "mary": 1, "him": 1})) == {"Mary": 3, "him": 1}


def test_a_word_has_the_probability_of_its_tokens(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    model = core.load(str(folder))
    score = model.score(f"{TEXT} bank")
    own = [i for i, (_, end) in enumerate(score.offsets) if end > len(TEXT)]
    assert own
    wanted = math.prod(2.0 ** -float(score.bits[i]) for i in own)
    assert guesses.share_of(folder.name, TEXT, "bank") == pytest.approx(wanted, rel=1e-4)


def test_words_of_one_token_need_no_run_and_others_have_a_time(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    model, query = core.load(str(folder)), TextQuery(folder.name, TEXT)
    (found,) = model.expects(TEXT)
    base = model.read(TEXT).ids
    words = Counter({"bank": 3, "river": 2, "😀": 1, "antidisestablishment": 1})
    one = {word for word in words if len(model.read(f"{TEXT} {word}").ids) == len(base) + 1}
    assert one
    assert one != {*words}
    runs: list[str] = []
    whole = guesses.share_of

    def counted(model: str, before: str, word: str) -> float:
        runs.append(word)
        return whole(model, before, word)

    monkeypatch.setattr(guesses, "share_of", counted)
    shares = guesses.shares_of(query, found, TEXT, words)
    assert {*runs} == {*words} - one
    assert shares == pytest.approx({w: whole(folder.name, TEXT, w) for w in words}, rel=1e-4)
    monkeypatch.setattr(guesses, "SECONDS", 0.0)
    runs.clear()
    assert {*guesses.shares_of(query, found, TEXT, words)} == one
    assert not runs
    given = [Guess("bank", 3, 0.5)]
    assert "Cross-entropy of 1 of the class’s 3 words under" in guesses.said(given, 5, BARS, left=2)


def covers(app: AppTest) -> bool:
    """Whether the page hides what the model expects."""
    return any("next-word-picture" in str(one.proto) for one in app.get("html"))


@pytest.mark.check
def test_a_class_guesses_and_nothing_is_shown_before_the_reveal(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = press(visit(m=folder.name, t=TEXT), "Ask the class")
    room = app.session_state["class room"].room
    view = ROOMS.student_view(room.name, "a")
    assert view is not None
    assert view.question is not None
    assert (view.question.word, view.question.about) == (True, (TEXT,))
    for token, word in (("a", "bank"), ("b", "Bank"), ("c", "river"), ("d", "<b>x</b>")):
        assert ROOMS.vote(room.name, token, "", 1, word).value == "counted"
    for wrong in ("two words", "", "x" * 31, 3, None, "…"):
        assert ROOMS.vote(room.name, "e", "", 1, wrong).value == "wrong"
    wall = ROOMS.wall(room.name, room.key)
    phone = ROOMS.student_view(room.name, "b")
    assert wall is not None
    assert phone is not None
    assert covers(app)
    assert "question of a step" not in said(app)
    assert not covers(press(app, "Write 20"))  # behind another text, nobody is asked
    app = press(app, "Start over")
    assert covers(app)
    shown = _of_wall(wall)
    assert (shown["answers"], shown["bars"], shown["reveal"]) == (4, [], None)
    assert _of_phone(phone)["bars"] == ()
    assert _of_phone(phone)["given"] == "Bank"
    app = press(app, "Reveal to all")
    assert not covers(app)
    wall = ROOMS.wall(room.name, room.key)
    phone = ROOMS.student_view(room.name, "b")
    assert wall is not None
    assert phone is not None
    bars = {bar.label.casefold(): bar for bar in wall.tally.bars}
    assert (bars["bank"].times, bars["river"].times, bars["<b>x</b>"].times) == (2, 1, 1)
    assert sum(bar.times for bar in wall.tally.bars) == 4
    assert sum(bar.share or 0 for bar in wall.tally.bars) == pytest.approx(1, abs=1e-3)
    assert wall.reveal is not None
    assert "bits a word" in wall.reveal.words
    assert _of_phone(phone)["bars"] == [bar._asdict() for bar in wall.tally.bars]
    assert ROOMS.vote(room.name, "e", "", 1, "late").value == "late"


def test_bits_are_told_as_tosses_of_a_coin() -> None:
    told = guesses.said([Guess("red", 1, 2.0**-21)], 1, {" blue": 0.5})
    assert "21.0 bits a word (as for guessing 21 tosses of a coin in a row)" in told
    assert "tosses" not in guesses.said([Guess("red", 1, 0.5)], 1, {" blue": 0.5})


def test_it_may_be_hidden_before_a_class_is_asked(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit(m=folder.name, t=TEXT, gs="1")
    assert "hidden, so that a class can guess it first" in said(app)
    assert covers(app)
    app = press(app, "Show it")
    assert "hidden, so that" not in said(app)
    assert not covers(app)
    assert "hidden, so that" in said(press(app, "Hide it first"))
