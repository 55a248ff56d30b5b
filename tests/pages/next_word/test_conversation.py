"""A conversation in a link: it comes back as it was, is bounded, and what is none is refused."""

from __future__ import annotations

import pytest

from pages.next_word.conversation import (
    MOST_BYTES,
    MOST_TURNS,
    kept,
    messages,
    plain,
    turns,
    turns_written,
)


@pytest.mark.parametrize(
    "value", [(), (("Hi", "Hello"),), (("a\n\"'<b>&", "שלום 😀"), ("", ","), ("[", "]"))]
)
def test_it_comes_back(value: tuple[tuple[str, str], ...]) -> None:
    assert turns(turns_written(value)) == value


@pytest.mark.parametrize(
    "wrong", ["x", "[]", '["a"]', "[1,2]", '{"a":1}', '["a",["b"]]', "[" * 5_000, '["a","b"]' * 2]
)
def test_what_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        turns(wrong)


def test_it_keeps_the_last_turns_that_fit() -> None:
    many = tuple((str(i), "b") for i in range(MOST_TURNS + 3))
    assert kept(many) == many[3:]
    long = (("a" * 1_500, "b"), ("c" * 1_500, "d"), ("é" * 1_000, "f"))
    assert kept(long) == long[1:]
    assert kept((("a" * MOST_BYTES, ""),)) == ()
    for value in (kept(many), kept(long)):
        assert turns(turns_written(value)) == value


def test_it_becomes_messages() -> None:
    made = messages("s", (("a", "b"),), "c")
    assert [one["role"] for one in made] == ["system", "user", "assistant", "user"]
    assert [one["content"] for one in made] == ["s", "a", "b", "c"]
    assert len(messages(" ", (), "c")) == 1
    assert plain(made) == "s\na\nb\nc"
