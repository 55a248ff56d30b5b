from __future__ import annotations

import pytest

from ui import permalink
from ui.state import layer as layer_state

USUAL = {
    "level": "lines",
    "on": (0, 1, 2),
    "head": 0,
    "threshold": 0.05,
    "alone": 0.01,
    "special": True,
    "view": "weights",
}
CHOSEN = {
    "level": "product",
    "on": [0, 2],
    "head": 2,
    "query": 4,
    "key": 0,
    "pin": "query",
    "threshold": 0.1,
    "alone": 0.2,
    "all": False,
    "special": False,
    "view": "scores",
    "sort": "size",
}
FIELDS = layer_state.fields("picture")


def link(state: dict[str, object], usual: dict[str, object]) -> dict[str, str]:
    """A state as in a link, by the names of its parts."""
    chosen = layer_state.chosen(state, usual)
    return {w: FIELDS[w].write(value) for w, value in chosen.items() if value is not None}


def read(**texts: str) -> dict[str, object]:
    """The values of fields from such a link, without those that cannot be read."""
    url = {FIELDS[what].url: text for what, text in texts.items()}
    held = {what: permalink._read(field, url) for what, field in FIELDS.items()}
    return {what: value for what, value in held.items() if value is not None}


def test_a_state_comes_back_from_its_texts() -> None:
    texts = link(CHOSEN, USUAL)
    assert texts["on"] == "1.3"
    assert (texts["head"], texts["query"], texts["key"]) == ("3", "5", "1")
    assert read(**texts) == {**CHOSEN, "on": (0, 2)}


def test_all_heads_off_is_not_the_same_as_usual() -> None:
    texts = link({"on": []}, {})
    assert texts == {"on": "none"}
    assert read(**texts) == {"on": ()}


def test_the_mean_of_all_heads_has_a_name_and_no_number() -> None:
    texts = link({"on": [-1], "head": -1}, USUAL)
    assert (texts["on"], texts["head"]) == ("mean", "mean")
    assert read(**texts) == {"on": (-1,), "head": -1}
    assert read(on="1.0", head="0", query="0", key="-1") == {}


def test_what_is_as_usual_is_left_out() -> None:
    assert link({**USUAL, "on": [0, 1, 2], "pin": None}, USUAL) == {}


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0"), (1, "1"), (1.0, "1"), (0.1, "0.1"), (0.05, "0.05"), (1e-5, "0.00001")]
)
def test_a_share_is_written_as_a_browser_writes_it(share: float, text: str) -> None:
    for what in ("threshold", "alone"):
        assert link({what: share}, {}) == {what: text}


@pytest.mark.parametrize("typed", ["x", "1.x", "٣.", "²", "maybe", "-"])
def test_what_cannot_be_read_is_left_out(typed: str) -> None:
    found = read(**dict.fromkeys(FIELDS, typed))
    assert not {"on", "head", "query", "key", "threshold", "special"} & {*found} or typed == "٣."


@pytest.mark.parametrize(
    ("what", "good", "bad"),
    [
        ("level", "product", "zzz"),
        ("on", "1.3", "1.x"),
        ("head", "mean", "0"),
        ("threshold", "0.1", "nan"),
        ("alone", "0.2", "2"),
        ("pin", "key", "both"),
        ("view", "scores", "x"),
        ("sort", "size", "3"),
    ],
)
def test_a_link_keeps_what_can_be_read_and_leaves_nonsense_out(what: str, good: str, bad: str) -> None:
    field = FIELDS[what]
    assert field.write(field.parse(good)) == good
    assert field.parse("") is None  # as the picture writes what is as usual beside a packed state
    with pytest.raises(ValueError, match=bad[-1]):
        field.parse(bad)


def test_the_fields_of_a_second_picture_have_keys_of_their_own() -> None:
    head = layer_state.field("head", "head of the other", url="2")
    assert (head.url, head.key, head.default) == ("h2", "head of the other", None)


def test_short_keys_are_different() -> None:
    shorts = [field.url for field in FIELDS.values()]
    assert (
        len({*shorts, "m", "t", "t2", "l", "u", "f", "x", "y", "e", "n", "j", "v", "z"})
        == len(shorts) + 13
    )
