"""Rooms with a simulated clock: one answer each, bounded, and deleted when they end."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count

import pytest

from core.classroom import (
    EMPTY,
    IDLE,
    LIFE,
    MOST_PER_ADDRESS,
    MOST_ROOMS,
    MOST_VOTERS,
    MOST_WHY,
    Buckets,
    Question,
    Reveal,
    RoomError,
    Rooms,
    Verdict,
)
from core.classroom.rooms import MOST_OPENED, MOST_ROUNDS, YIELDS, new_name

SIDE = Question("On which side?", ("the river", "the money"))


class Clock:
    """A clock that a test advances."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rooms(clock: Clock) -> Rooms:
    return Rooms(clock)


def votes(rooms: Rooms, name: str, key: str) -> list[int]:
    wall = rooms.wall(name, key)
    assert wall is not None
    return [bar.times for bar in wall.tally.bars]


def test_a_question_is_asked_answered_once_by_each_and_revealed(rooms: Rooms) -> None:
    name, key = rooms.open()
    assert rooms.student_view(name, "a") == (0, None, None, None, None, None)
    assert rooms.vote(name, "a", "", 0, 0) is Verdict.LATE  # nothing is asked yet
    assert rooms.ask(name, SIDE) == 1
    assert rooms.vote(name, "a", "", 1, 0) is Verdict.COUNTED
    assert rooms.vote(name, "b", "", 1, 1) is Verdict.COUNTED
    assert rooms.vote(name, "c", "", 1, 1) is Verdict.COUNTED
    assert votes(rooms, name, key) == [1, 2]
    assert rooms.student_view(name, "a") == (1, SIDE, 0.0, None, None, None)
    assert rooms.student_view(name, "d") == (1, SIDE, None, None, None, None)
    rooms.reveal(name, Reveal("The money.", option=1))
    assert rooms.vote(name, "d", "", 1, 1) is Verdict.LATE
    wall = rooms.wall(name, key)
    assert wall is not None
    assert (wall.tally.answers, wall.tally.right) == (3, 2)
    assert [bar.right for bar in wall.tally.bars] == [False, True]
    seen = rooms.student_view(name, "a")
    assert seen is not None
    assert seen.tally == wall.tally  # all may now see how the class answered
    # The next question finds the same phones, who answer anew; the former tally stays for the file.
    assert rooms.ask(name, SIDE) == 2
    assert rooms.vote(name, "a", "", 1, 0) is Verdict.LATE
    assert rooms.vote(name, "a", "", 2, 0) is Verdict.COUNTED
    assert [one.tally.answers for one in rooms.every(name)] == [3, 1]


def test_a_slip_is_mended_until_the_reveal_and_counts_once(rooms: Rooms) -> None:
    name, key = rooms.open()
    rooms.ask(name, SIDE)
    for said in (0, 1, 1, 0, 1):
        assert rooms.vote(name, "a", "here", 1, said) is Verdict.COUNTED
        assert votes(rooms, name, key) == [1 - said, said]
    assert rooms.vote(name, "a", "here", 1, 7) is Verdict.WRONG  # the answer before it stays
    assert votes(rooms, name, key) == [0, 1]
    rooms.reveal(name, Reveal("The river.", option=0))
    assert rooms.vote(name, "a", "here", 1, 0) is Verdict.LATE
    assert votes(rooms, name, key) == [0, 1]


def test_whoever_is_in_a_full_room_can_still_change_an_answer(rooms: Rooms) -> None:
    name, key = rooms.open()
    rooms.ask(name, SIDE)
    for i in range(MOST_PER_ADDRESS):
        rooms.vote(name, f"{i}", "here", 1, 0)
    assert rooms.vote(name, "late", "here", 1, 0) is Verdict.FULL
    assert rooms.vote(name, "0", "here", 1, 1) is Verdict.COUNTED
    assert votes(rooms, name, key) == [MOST_PER_ADDRESS - 1, 1]


def test_a_question_that_the_teacher_has_left_leaves_phones_and_wall_and_may_return(
    rooms: Rooms,
) -> None:
    name, key = rooms.open()
    rooms.set_aside(name, True)  # nothing is asked yet
    rooms.ask(name, SIDE)
    rooms.vote(name, "a", "", 1, 0)
    rooms.set_aside(name, True)
    assert rooms.student_view(name, "a") == (1, None, None, None, None, None)
    wall = rooms.wall(name, key)
    assert wall is not None
    assert (wall.question, wall.tally.answers) == (None, 0)
    for token in ("a", "b"):
        assert rooms.vote(name, token, "", 1, 1) is Verdict.LATE
    assert [one.tally.answers for one in rooms.every(name)] == [1]  # the file keeps it
    rooms.set_aside(name, False)
    seen = rooms.student_view(name, "a")
    assert seen is not None
    assert (seen.question, seen.given) == (SIDE, 0.0)
    assert rooms.vote(name, "b", "", 1, 1) is Verdict.COUNTED
    rooms.set_aside("nobody", True)


@pytest.mark.parametrize(
    "said", [2, -1, True, "0", None, [0], 0.0, float("nan"), float("inf"), 10**400, {}]
)
def test_what_is_no_answer_is_not_counted(rooms: Rooms, said: object) -> None:
    name, key = rooms.open()
    rooms.ask(name, SIDE)
    assert rooms.vote(name, "a", "", 1, said) is Verdict.WRONG
    assert rooms.vote(name, "a", "", 1, 0) is Verdict.COUNTED  # and spends nothing
    assert votes(rooms, name, key) == [1, 0]


def test_a_room_is_gone_when_it_is_closed_left_or_old(rooms: Rooms, clock: Clock) -> None:
    closed, left, old = (rooms.open() for _ in range(3))
    for one in (closed, left, old):
        rooms.ask(one.name, SIDE)
        rooms.vote(one.name, "a", "", 1, 0)
    rooms.close(closed.name)
    assert not rooms.is_open(closed.name)
    began = clock.now
    while clock.now < began + LIFE - 600:
        clock.now += 600
        assert rooms.wall(old.name, old.key) is not None  # the teacher's page is there
        rooms.student_view(left.name, "a")  # phones alone keep no room
        assert rooms.is_open(left.name) is (clock.now < began + IDLE)
    clock.now = began + LIFE
    assert rooms.wall(old.name, old.key) is None
    for one in (closed, left, old):
        assert rooms.student_view(one.name, "a") is None
        assert rooms.every(one.name) == ()
        assert rooms.vote(one.name, "b", "", 1, 0) is Verdict.GONE
        with pytest.raises(RoomError):
            rooms.ask(one.name, SIDE)
        with pytest.raises(RoomError):
            rooms.reveal(one.name, Reveal("", option=0))


def test_only_the_key_opens_the_tally(rooms: Rooms) -> None:
    name, key = rooms.open()
    rooms.ask(name, SIDE)
    assert rooms.wall(name, "") is None
    assert rooms.wall(name, f"{key}x") is None
    assert rooms.wall(name, "ключ") is None
    assert rooms.wall("nobody", key) is None


def test_rooms_voters_and_rounds_are_bounded(rooms: Rooms) -> None:
    name, _ = rooms.open()
    rooms.ask(name, SIDE)
    one = [rooms.vote(name, f"{i}", "here", 1, 0) for i in range(MOST_PER_ADDRESS + 5)]
    assert Counter(one) == {Verdict.COUNTED: MOST_PER_ADDRESS, Verdict.FULL: 5}
    many = [rooms.vote(name, f"x{i}", f"{i}", 1, 0) for i in range(MOST_VOTERS)]
    assert Counter(many)[Verdict.COUNTED] == MOST_VOTERS - MOST_PER_ADDRESS
    for _ in range(MOST_ROUNDS - 1):
        rooms.ask(name, SIDE)
    with pytest.raises(RoomError):
        rooms.ask(name, SIDE)
    for _ in range(MOST_OPENED):
        rooms.open("here")
    with pytest.raises(RoomError):
        rooms.open("here")
    for i in range(MOST_ROOMS - MOST_OPENED - 1):
        rooms.open(f"{i}")
    with pytest.raises(RoomError):
        rooms.open("elsewhere")
    rooms.close(name)
    assert rooms.open("elsewhere")


def test_a_room_of_nobody_ends_after_two_minutes(rooms: Rooms, clock: Clock) -> None:
    """One with its teacher's page, or that a phone has entered, goes on."""
    left, walled, looked, answered = (rooms.open() for _ in range(4))
    for one in (left, walled, looked, answered):
        rooms.ask(one.name, SIDE)
    rooms.student_view(looked.name, "a")
    rooms.vote(answered.name, "a", "", 1, 0)
    rooms.student_view(left.name, "")  # a program without a cookie is no phone
    began = clock.now
    for _ in range(11):
        clock.now += 10
        rooms.wall(walled.name, walled.key)
    assert rooms.is_open(left.name)
    clock.now = began + EMPTY
    assert not rooms.is_open(left.name)
    for one in (walled, looked, answered):
        assert rooms.is_open(one.name)
    clock.now = began + 110 + EMPTY
    assert not rooms.is_open(walled.name)
    for one in (looked, answered):
        assert rooms.is_open(one.name)
    clock.now = began + IDLE
    for one in (looked, answered):
        assert not rooms.is_open(one.name)


@pytest.mark.parametrize("address", ["here", ""])
def test_who_floods_shuts_nobody_out(address: str, rooms: Rooms, clock: Clock) -> None:
    """Not a teacher elsewhere; soon none in the same network; and never one who has a class."""
    phones, wall = rooms.open(address), rooms.open(address)
    for one in (phones, wall):
        rooms.ask(one.name, SIDE)
    opened = 2
    with suppress(RoomError):
        while opened <= MOST_ROOMS:
            rooms.open(address)
            opened += 1
    assert opened < MOST_ROOMS
    assert rooms.open("elsewhere")
    for _ in range(60):
        clock.now += 1
        rooms.student_view(phones.name, "a")
        rooms.wall(wall.name, wall.key)
        if clock.now >= 1000 + YIELDS:
            assert rooms.open(address)
    assert rooms.is_open(phones.name)
    assert rooms.is_open(wall.name)


def test_many_addresses_that_flood_give_way_to_another(rooms: Rooms, clock: Clock) -> None:
    own = rooms.open("school")
    rooms.ask(own.name, SIDE)
    rooms.vote(own.name, "a", "", 1, 0)
    with suppress(RoomError):
        for i in range(MOST_ROOMS):
            rooms.open(f"{i % 4}")
    with pytest.raises(RoomError):
        rooms.open("elsewhere")
    clock.now += YIELDS
    for i in range(5):
        assert rooms.open(f"elsewhere {i}")
    assert rooms.is_open(own.name)


def test_a_room_that_phones_have_left_gives_way_and_one_with_phones_does_not(
    rooms: Rooms, clock: Clock
) -> None:
    every = [rooms.open("here") for _ in range(MOST_OPENED)]
    for one in every:
        rooms.ask(one.name, SIDE)
        rooms.vote(one.name, "a", "", 1, 0)
    clock.now += EMPTY - 1
    for one in every[1:]:
        rooms.student_view(one.name, "a")
    with pytest.raises(RoomError):
        rooms.open("here")
    clock.now += 1
    assert rooms.open("here")
    assert not rooms.is_open(every[0].name)
    assert all(rooms.is_open(one.name) for one in every[1:])
    with pytest.raises(RoomError):
        rooms.open("here")


def test_names_are_short_differ_and_can_be_said(clock: Clock) -> None:
    assert all(len(new_name()) == 6 and new_name().isalpha() for _ in range(50))
    proposed = iter(["lala", "lala", "lolo"])
    rooms = Rooms(clock, lambda: next(proposed))
    assert [rooms.open().name for _ in range(2)] == ["lala", "lolo"]


def test_no_answer_is_lost_or_counted_twice_between_threads(rooms: Rooms) -> None:
    name, key = rooms.open()
    rooms.ask(name, SIDE)
    with ThreadPoolExecutor(8) as at_once:
        done = list(at_once.map(lambda i: rooms.vote(name, f"{i % 100}", "", 1, i % 2), range(800)))
    assert Counter(done) == {Verdict.COUNTED: 800}
    assert sum(votes(rooms, name, key)) == 100


def test_a_bucket_empties_fills_again_and_is_forgotten(clock: Clock) -> None:
    buckets = Buckets(clock, burst=3, rate=2, most=10)
    assert [buckets.take("a") for _ in range(5)] == [True, True, True, False, False]
    assert buckets.take("b")
    clock.now += 1
    assert [buckets.take("a") for _ in range(3)] == [True, True, False]
    for i, _ in zip(count(), range(100), strict=False):
        buckets.take(f"{i}")
    assert len(buckets) == 10
    clock.now += 60
    buckets.take("c")
    assert len(buckets) == 1


def test_a_reason_is_kept_with_its_answer_bounded_and_in_one_line() -> None:
    rooms = Rooms()
    name, key = rooms.open()
    rooms.ask(name, Question("Which?", ("river", "money")))
    rooms.vote(name, "a", "1", 1, 0, "of\nthe\u202e boat\x00 " + "x" * 500)
    rooms.vote(name, "b", "1", 1, 1, {"no": "text"})
    rooms.vote(name, "c", "1", 1, 1, "  ")
    ((answer, why),) = rooms.every(name)[0].whys
    assert answer == "river"
    assert why.startswith("of the boat x")
    assert len(why) == MOST_WHY
    rooms.vote(name, "a", "1", 1, 1, "the boat after all")  # with another answer
    wall = rooms.wall(name, key)
    assert wall is not None
    assert wall.whys == (("money", "the boat after all"),)


def test_a_reason_for_one_answer_is_none_for_another() -> None:
    rooms = Rooms()
    name, _ = rooms.open()
    rooms.ask(name, Question("Which?", ("river", "money")))
    rooms.vote(name, "a", "1", 1, 0, "the boat")
    rooms.vote(name, "a", "1", 1, 0)  # the same answer once more
    (one,) = rooms.reasons(name)
    assert (one.text, one.times, one.options) == ("the boat", 1, (0,))
    rooms.vote(name, "a", "1", 1, 1)
    assert not rooms.every(name)[0].whys
    assert not rooms.reasons(name)
    rooms.vote(name, "a", "1", 1, 1, "the bank")
    rooms.hide(name, "the bank")
    assert rooms.every(name)[0].whys == ()
    assert [one.hidden for one in rooms.reasons(name)] == [True]
    assert rooms.reasons("nobody") == ()
    rooms.ask(name, Question("Which word?", word=True))
    rooms.vote(name, "a", "1", 2, "river", "it flows")
    assert rooms.reasons(name) == ()


def test_what_a_teachers_page_knows_is_kept_with_its_room() -> None:
    rooms = Rooms()
    name, key = rooms.open()
    state = object()
    assert rooms.held(name, key) is None
    rooms.hold(name, state)
    assert rooms.held(name, key) is state
    assert rooms.held(name, f"{key}x") is rooms.held("nobody", key) is rooms.held(name, "ä") is None
    rooms.close(name)
    rooms.hold(name, state)
    assert rooms.held(name, key) is None


def test_the_same_question_again_has_the_counts_of_before() -> None:
    rooms = Rooms()
    name, _ = rooms.open()
    check, other = Question("Why?", ("row", "attention")), Question("Which?", ("row", "attention"))
    rooms.ask(name, check)
    rooms.vote(name, "a", "1", 1, 0)
    rooms.vote(name, "b", "1", 1, 0)
    rooms.ask(name, other)
    rooms.vote(name, "a", "1", 2, 0)
    rooms.ask(name, check)
    rooms.vote(name, "a", "1", 3, 1)
    first, between, again = (wall.tally.bars for wall in rooms.every(name))
    assert [bar.before for bar in (*first, *between)] == [None] * 4
    assert [(bar.times, bar.before) for bar in again] == [(0, 2), (1, 0)]
