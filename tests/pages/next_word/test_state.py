"""The fields of Next word: continuations in a link, and the tree of what was tried."""

from __future__ import annotations

import pytest

from pages.next_word.state import MOST_PATHS, MOST_WRITTEN, NextWordState
from ui.session import SessionValue

paths = NextWordState.tried.parse


@pytest.fixture
def s(monkeypatch: pytest.MonkeyPatch) -> NextWordState:
    kept: dict[str, object] = {}
    monkeypatch.setattr(SessionValue, "get", lambda self: kept.get(self.key, self.default))
    for kind in SessionValue, type(NextWordState.written):
        monkeypatch.setattr(kind, "set", lambda self, value: kept.__setitem__(self.key, value))
    return NextWordState()


def test_continuations_survive_a_link() -> None:
    for one in ((), ((1,),), ((1, 2, 3), (4,)), ((0,), (49_151, 7))):
        assert paths(NextWordState.tried.write(one)) == one


@pytest.mark.parametrize(
    "text", ["_", "1__2", "1.x", "-1", "1..2", "-", "1_-", "1_" + ".".join("1" * 300)]
)
def test_what_is_no_continuation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\A"):
        paths(text)


def test_too_many_or_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\A"):
        paths("_".join(["1"] * (MOST_PATHS + 1)))
    with pytest.raises(ValueError, match=r"\A"):
        NextWordState.written.parse(".".join(["1"] * (MOST_WRITTEN + 1)))


def test_a_way_that_goes_on_takes_the_place_of_its_beginning(s: NextWordState) -> None:
    for ids in ((1,), (1, 2), (1, 3), (1, 3, 4), (5,)):
        s.put(ids)
    assert s.written.get() == (5,)
    assert s.tried.get() == ((1, 2), (1, 3, 4), (5,))


def test_going_back_forgets_nothing(s: NextWordState) -> None:
    s.put((1, 2, 3))
    s.put((1, 2))
    assert s.written.get() == (1, 2)
    assert s.tried.get() == ((1, 2, 3),)


def test_only_the_last_continuations_are_kept(s: NextWordState) -> None:
    for number in range(MOST_PATHS + 5):
        s.put((number,))
    assert len(s.tried.get()) == MOST_PATHS
    assert s.tried.get()[-1] == (MOST_PATHS + 4,)
    s.put(tuple(range(MOST_WRITTEN + 9)))
    assert len(s.written.get()) == MOST_WRITTEN
