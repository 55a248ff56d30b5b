"""Long work goes through a queue: in order, limited, and a visitor who leaves makes room."""

from __future__ import annotations

import threading

import pytest

from core.errors import TooMany
from ui.models.work_queue import WorkQueue


class _Gone(Exception):
    """Raised like Streamlit's error for a visitor who has left."""


def _comes(queue: WorkQueue, name: str, done: list[str], hold: threading.Event) -> threading.Thread:
    """A visitor who holds a turn until `hold` is set."""

    def visit() -> None:
        with queue.turn(lambda place: None):
            done.append(name)
            hold.wait()

    thread = threading.Thread(target=visit, daemon=True)
    thread.start()
    return thread


def _until(says: object) -> None:
    waited = threading.Event()
    while not says():  # type: ignore[operator]
        waited.wait(0.005)


def test_so_many_are_at_work_and_the_others_come_in_their_order() -> None:
    queue, done, hold = WorkQueue(2), list[str](), threading.Event()
    threads = []
    for number, name in enumerate("abcde"):
        threads.append(_comes(queue, name, done, hold))
        _until(lambda: queue.at_work + queue.waiting == number + 1)  # noqa: B023
    assert sorted(done) == ["a", "b"]
    assert (queue.at_work, queue.waiting) == (2, 3)
    hold.set()
    for thread in threads:
        thread.join()
    assert sorted(done[2:]) == ["c", "d", "e"]
    assert (queue.at_work, queue.waiting) == (0, 0)


def test_the_place_is_told_and_moves() -> None:
    queue, done = WorkQueue(1), list[str]()
    first, second, third = threading.Event(), threading.Event(), threading.Event()
    _comes(queue, "a", done, first)
    _until(lambda: queue.at_work == 1)
    _comes(queue, "b", done, second)
    _until(lambda: queue.waiting == 1)
    places: list[int] = []

    def come() -> None:
        with queue.turn(places.append):
            done.append("c")
        third.set()

    threading.Thread(target=come, daemon=True).start()
    _until(lambda: 2 in places)
    first.set()
    _until(lambda: 1 in places)
    assert done == ["a", "b"]
    second.set()
    third.wait()
    assert done == ["a", "b", "c"]


def test_who_leaves_makes_room() -> None:
    queue, done, hold = WorkQueue(1), list[str](), threading.Event()
    thread = _comes(queue, "a", done, hold)
    _until(lambda: queue.at_work == 1)

    def leave(place: int) -> None:
        raise _Gone

    with pytest.raises(_Gone), queue.turn(leave):
        done.append("never")
    assert queue.waiting == 0
    hold.set()
    thread.join()
    with queue.turn(leave):  # there is room at once: nobody is told a place
        done.append("b")
    assert done == ["a", "b"]


def test_a_mistake_at_work_gives_the_turn_back() -> None:
    queue = WorkQueue(1)
    with pytest.raises(ValueError, match="mistake"), queue.turn(lambda place: None):
        raise ValueError("a mistake")
    assert queue.at_work == 0


def test_a_full_line_takes_nobody_and_says_so() -> None:
    queue, done, hold = WorkQueue(1, most_waiting=0), list[str](), threading.Event()
    thread = _comes(queue, "a", done, hold)
    _until(lambda: queue.at_work == 1)
    with pytest.raises(TooMany, match="Try again"), queue.turn(lambda place: None):
        done.append("never")
    hold.set()
    thread.join()
    assert done == ["a"]


def test_a_line_needs_somebody_at_work() -> None:
    with pytest.raises(ValueError, match="at least one visitor work"):
        WorkQueue(0)
