"""What a class answered before and after: counts, changes, misconceptions, words."""

from __future__ import annotations

import pytest

from core.classroom import MOST_WHY, Idea, Question, Reveal, RoomError, Rooms, Verdict, Words
from core.classroom import rooms as module
from core.classroom.evidence import alike, gathered, grouped

ASKED = Question("Why?", ("a", "b", "c", "d"), twice=True, shows=("x", "", "x", "y"))


def test_counts_changes_and_ideas_of_those_who_answered() -> None:
    before = {
        "1": (0.0, ""),
        "2": (0.0, "A"),
        "3": (1.0, ""),
        "4": (3.0, ""),
        "5": (2.0, ""),
        "6": (1.0, ""),
    }
    after = {
        "1": (1.0, ""),
        "2": (1.0, "B"),
        "3": (0.0, ""),
        "4": (2.0, ""),
        "6": (1.0, ""),
        "7": (1.0, ""),
    }
    found = gathered(ASKED, 1, before, after)
    assert (found.before, found.after) == ((2, 2, 1, 1), (1, 4, 1, 0))
    assert found.both == 5  # the fifth left, the seventh came
    assert found.changes == ((0, 2, 0, 0), (1, 1, 0, 0), (0, 0, 0, 0), (0, 0, 1, 0))
    assert found.moved() == (2, 1, 1)
    assert found.ideas == (Idea("x", 3, 2), Idea("y", 1, 0))
    assert (found.wrote_before, found.wrote_after) == ((Words("A", 1, (0,)),), (Words("B", 1, (1,)),))
    once = gathered(ASKED, None, before, None)
    assert (once.after, once.changes, once.both) == ((), (), 0)
    assert once.ideas == (Idea("x", 3, None), Idea("y", 1, None))


def test_equal_texts_are_one_and_the_most_frequent_comes_first() -> None:
    said = [
        (1.0, "One!"),
        (0.0, "the Others."),
        (1.0, "The  others"),
        (2.0, ""),
        (1.0, "???"),
        (1.0, "…"),
    ]
    assert grouped(said, {alike("one")}) == (
        Words("the Others.", 2, (0, 1)),
        Words("One!", 1, (1,), hidden=True),
        Words("???", 1, (1,)),
        Words("…", 1, (1,)),
    )


@pytest.mark.parametrize(
    "wrong",
    [{"shows": ("x",)}, {"options": (), "twice": True, "shows": ()}, {"word": True, "shows": ()}],
)
def test_what_is_no_such_question(wrong: dict[str, object]) -> None:
    with pytest.raises(RoomError):
        Question(**{"text": "Why?", "options": ("a", "b"), "twice": True, "shows": ("", "x"), **wrong})  # type: ignore[arg-type]


def test_a_room_has_the_evidence_of_its_questions_before_and_after_until_it_is_closed() -> None:
    rooms = Rooms()
    name, _ = rooms.open()
    for number, answers in (
        (1, {"a": (0, "It looks it up."), "b": (1, "")}),
        (3, {"a": (1, "Rude"), "b": (1, "ok")}),
    ):
        rooms.ask(name, ASKED)
        for token, (given, why) in answers.items():
            assert rooms.vote(name, token, "", number, given, why) is Verdict.COUNTED
        if number == 1:
            rooms.ask(name, Question("Another?", ("a", "b")))
    (found,) = rooms.evidence(name)
    assert (found.right, found.changes[0]) == (None, (0, 1, 0, 0))
    seen = rooms.student_view(name, "a")
    assert seen is not None
    assert seen.before is None  # until the reveal
    rooms.reveal(name, Reveal("b", option=1))
    (found,) = rooms.evidence(name)
    assert (found.right, found.moved()) == (1, (1, 0, 0))
    seen = rooms.student_view(name, "a")
    assert seen is not None
    assert seen.before == "a"
    rooms.hide(name, "nobody wrote this")
    rooms.hide(name, "RUDE!")
    assert [one.hidden for one in rooms.evidence(name)[0].wrote_after] == [True, False]
    assert [why for wall in rooms.every(name) for _, why in wall.whys] == ["It looks it up.", "ok"]
    rooms.hide(name, "rude", hidden=False)
    assert len(rooms.every(name)[-1].whys) == 2
    rooms.close(name)
    assert rooms.evidence(name) == ()
    rooms.hide(name, "ok")  # nothing happens


def test_reasons_are_bounded_in_length_and_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WHYS", 2)
    rooms = Rooms()
    name, _ = rooms.open()
    rooms.ask(name, ASKED)
    for token in "abc":
        assert rooms.vote(name, token, "", 1, 0, f"{token} " * 999) is Verdict.COUNTED
    rooms.vote(name, "a", "", 1, 1, "another")  # whoever has one may change it
    written = rooms.evidence(name)[0].wrote_before
    assert {one.text[:7] for one in written} == {"another", "b b b b"}
    assert max(len(one.text) for one in written) <= MOST_WHY
    assert rooms.evidence(name)[0].before == (2, 1, 0, 0)
