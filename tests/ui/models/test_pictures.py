from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from core.errors import NotSupported
from core.figures import Picture
from ui.models import pictures


@pytest.fixture(autouse=True)
def _empty() -> None:
    pictures.once.cache_clear()


class Maker:
    """Makes pictures, and counts them."""

    def __init__(self, size: int = 8) -> None:
        self.made, self._size = 0, size

    def __call__(self) -> Picture:
        self.made += 1
        return Picture("layer", {"height": 100, "state": {"head": 0}}, bytes(self._size))


def test_a_picture_is_made_once_for_each_query() -> None:
    make = Maker()
    first = pictures.once(("layer", "minilm", "a bank", 1), make)
    assert pictures.once(("layer", "minilm", "a bank", 1), make) is first
    assert make.made == 1
    queries: list[Any] = [
        ("layer", "minilm", "a bank", 2),
        ("layer", "minilm", "the bank", 1),
        ("layer", "bert", "a bank", 1),
        ("overview", "minilm", "a bank", 1),
    ]
    assert all(pictures.once(query, make) is not first for query in queries)
    assert make.made == 5


def test_what_is_kept_has_a_bound_in_bytes(budget: Callable[[int], None]) -> None:
    budget(10**7)
    make = Maker(3 * 10**6)
    for number in range(4):
        pictures.once(number, make)
    assert 6 * 10**6 < pictures.once.cache.currsize <= 10**7
    pictures.once(3, make)
    assert make.made == 4
    pictures.once(0, make)  # the one that was asked for longest ago has gone
    assert make.made == 5
    huge = Maker(10**7)
    assert len(pictures.once("huge", huge).payload) == 10**7
    pictures.once("huge", huge)
    assert huge.made == 2


def test_of_one_that_fails_nothing_is_kept() -> None:
    def fail() -> Picture:
        raise NotSupported("There is none.")

    make = Maker()
    with pytest.raises(NotSupported):
        pictures.once("layer", fail)
    pictures.once("layer", make)
    assert make.made == 1


def test_all_who_ask_at_the_same_time_have_the_same_one() -> None:
    make, found = Maker(), list[Picture]()
    all_who_ask = [Thread(target=lambda: found.append(pictures.once("layer", make))) for _ in range(5)]
    for one in all_who_ask:
        one.start()
    for one in all_who_ask:
        one.join()
    assert make.made == 1
    assert len({id(one) for one in found}) == 1
