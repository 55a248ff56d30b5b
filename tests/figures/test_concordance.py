"""A concordance as bytes: its lines, their parts, their order."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.figures import Picture, concordance, groups_of
from core.figures.concordance import HEIGHT, order

TEXTS = ["The bank lends.", "שלום bank 👩‍👩‍👧 <b>", f"{'x' * 500} bank {'y' * 500}"]
SPANS = [(4, 8), (5, 9), (501, 505)]


def made(**more: object) -> Picture:
    given = {
        "texts": TEXTS,
        "sentence_of": [0, 1, 2],
        "spans": SPANS,
        "groups": groups_of(["a", "b"]),
        "group_of": [1, 0, 1],
        "distance": [0.3, 0.2, 0.1],
        "sentence": "Three lines.",
        "name": "three",
    }
    return concordance(**{**given, **more})  # type: ignore[arg-type]


def parts(picture: Picture) -> list[tuple[str, ...]]:
    """What a browser reads: the bytes between two places of a line."""
    count, columns = picture.header["lines"], len(picture.header["columns"])
    places = np.frombuffer(picture.payload, "<u4", 4 * count).reshape(count, 4)
    numbers = picture.header["numbers"] is not None
    text = picture.payload[4 * count * (5 + columns + numbers) + count :]
    return [tuple(text[a:b].decode() for a, b in pairwise(row)) for row in places.tolist()]


def test_each_line_has_its_context_on_both_sides() -> None:
    one, two, long = parts(made(columns={"year": [1, 2, 3]}, numbers=[0, 1, 2], number_name="n"))
    assert one == ("The ", "bank", " lends.")
    assert two == ("שלום ", "bank", " 👩‍👩‍👧 <b>")
    assert long == ("x" * 500 + " ", "bank", " " + "y" * 500)  # the browser clips it, at a word's end


def test_sentences_are_sent_once_for_all_their_lines() -> None:
    picture = made(texts=["bank, bank"], sentence_of=[0] * 3, spans=[(0, 4), (6, 10), (6, 10)])
    assert picture.payload.endswith(b"bank, bank")
    assert parts(picture) == [("", "bank", ", bank"), *[("bank, ", "bank", "")] * 2]


def test_columns_are_numbered_in_the_order_of_their_values() -> None:
    picture = made(columns={"year": [2005, None, 90], "genre": ["b", "a", "b"]})
    assert [dict(one) for one in picture.header["columns"]] == [
        {"name": "year", "values": ("90", "2005", "")},
        {"name": "genre", "values": ("a", "b")},
    ]
    codes = np.frombuffer(picture.payload, "<u4", 6, offset=4 * 3 * 5)
    assert codes.tolist() == [1, 2, 0, 1, 0, 1]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"chosen": 3}, {"chosen": None}),
        ({"group": 2}, {"group": None}),
        ({"sort": "column"}, {"sort": "meaning"}),
        ({"sort": "similar", "chosen": 1}, {"sort": "meaning", "chosen": 1}),
        ({"sort": "left", "group": 1, "chosen": 2}, {"sort": "left", "group": 1, "chosen": 2}),
    ],
)
def test_a_link_chooses_only_what_is_there(
    wanted: dict[str, object], expected: dict[str, object]
) -> None:
    state = made().choosing(wanted).state
    assert expected.items() <= dict(state).items()


def test_similarity_needs_a_server_and_a_chosen_line() -> None:
    picture = made(similar="/similar?to=")
    assert picture.choosing({"sort": "similar"}).state["sort"] == "meaning"
    assert picture.choosing({"sort": "similar", "chosen": 0}).state["sort"] == "similar"


@pytest.mark.parametrize(
    "wrong",
    [
        {"sentence_of": [0, 1, 3]},
        {"spans": [(4, 8), (5, 9), (501, 5050)]},
        {"group_of": [0, 1, 2]},
        {"distance": [0.1, 0.2]},
        {"distance": [0.1, 0.2, float("nan")]},
        {"columns": {"year": [1]}},
        {"numbers": [1, 2]},
        {"sentence_of": [], "spans": [], "group_of": [], "distance": []},
    ],
)
def test_what_does_not_fit_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        made(**wrong)


def ordered(**state: object) -> list[int]:
    chosen = {"sort": "meaning", "column": 0, "group": None, "chosen": None, **state}
    return order(
        chosen,
        group_of=np.array([1, 0, 1, 0]),
        distance=[0.3, 0.2, 0.1, 0.2],
        contexts=[("the big", "of b"), ("a BIG", ", of a"), ("", "x"), ("the old", "of a!")],
        columns=[[9, 10, None, -1]],
        similarity=[0.1, 0.9, 0.3, 0.9],
    ).tolist()


def test_order() -> None:
    assert ordered() == [1, 3, 2, 0]
    assert ordered(group=1) == [2, 0]
    assert ordered(sort="text") == [0, 1, 2, 3]
    assert ordered(sort="left") == [2, 1, 0, 3]  # "", "big a", "big the", "old the"
    assert ordered(sort="right") == [1, 3, 0, 2]
    assert ordered(sort="shuffled") == [3, 2, 0, 1]  # as in lines.test.js
    assert ordered(sort="similar", chosen=1) == [1, 3, 2, 0]
    assert ordered(sort="column") == [3, 0, 1, 2]


@pytest.mark.parametrize(
    ("counts", "rows"), [((1, 0), 3), ((6, 0), 7), ((2, 2), 6), ((7, 2), 11), ((9, 8), None)]
)
def test_it_is_no_higher_than_its_longest_list(counts: tuple[int, int], rows: int | None) -> None:
    count = sum(counts)
    picture = made(
        texts=["bank"],
        sentence_of=[0] * count,
        spans=[(0, 4)] * count,
        group_of=[0] * counts[0] + [1] * counts[1],
        distance=[0.0] * count,
    )
    assert picture.header["height"] == (HEIGHT if rows is None else 26 * rows + 62)
    assert made(height=300).header["height"] == 300
