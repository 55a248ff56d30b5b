from __future__ import annotations

import base64
import json
import pickle
import re
import struct
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from core.figures import (
    Picture,
    distance_heatmap,
    heatmap,
    layer_of,
    picture,
    signed_heatmap,
    strips,
    style,
)
from core.figures.web import code
from core.measures import HeadMap
from core.records.attention import Attention
from tests.sentences import numbers as numbers_in

# Three queries and five keys: swapped axes cannot pass.
QUERIES = ("the", "bank", "the")
KEYS = ("the", "</script><b>", "שלום", "a\x01\ud800", "##ing")
WEIGHTS = np.array(
    [[0.5, 0.25, 0.125, 0.0625, 0.0625], [0, 0, 1, 0, 0], [0.04, 0.06, 0.09, 0.16, 0.65]], np.float32
)
WORDS: Any = {"sentence": "One <i>head</i>.", "name": "head"}


def view(queries: Any = QUERIES, keys: Any = KEYS, weights: Any = WEIGHTS) -> HeadMap:
    n = len(queries)
    return HeadMap(queries, keys, weights, renormalised=False, dropped=np.zeros(n), tokens=np.arange(n))


def square(n: int) -> HeadMap:
    tokens = tuple(f"token{i}" for i in range(n))
    return view(tokens, tokens, np.random.default_rng(0).dirichlet(np.ones(n), n))


def unpacked(sent: bytes) -> tuple[dict[str, Any], bytes]:
    (length,) = struct.unpack_from("<I", sent)
    return json.loads(sent[4 : 4 + length]), sent[4 + length :]


def numbers(picture: Picture) -> np.ndarray:
    header, payload = unpacked(picture.to_bytes())
    return np.frombuffer(payload, "<f4").reshape(len(header["rows"]), -1)


def test_bytes_hold_the_labels_and_the_very_numbers_rows_first() -> None:
    picture = heatmap(view(), **WORDS, marked=[1], colour="#123456")
    header, _ = unpacked(picture.to_bytes())
    assert header["rows"] == ["the", "bank", "the"]
    assert header["columns"] == ["the", "</script><b>", "שלום", "a␁\ufffd", "·ing"]
    np.testing.assert_array_equal(numbers(picture), WEIGHTS)
    assert header["marked"] == {"rows": [1], "columns": [], "colour": "#123456"}
    assert header["file"] == "polysee-head"
    assert header["sentence"] == picture.sentence == "One <i>head</i>."
    assert header["dtype"] == "float32"
    assert "events" not in header


def test_a_transposed_or_sliced_matrix_travels_in_its_own_order() -> None:
    backwards = np.asfortranarray(np.repeat(WEIGHTS, 2, axis=1)[:, ::2])
    np.testing.assert_array_equal(numbers(heatmap(view(weights=backwards), **WORDS)), WEIGHTS)


def test_same_tokens_on_both_sides_are_marked_on_both() -> None:
    header, _ = unpacked(heatmap(square(7), **WORDS, marked=[5, 2, 5]).to_bytes())
    assert header["marked"]["rows"] == header["marked"]["columns"] == [2, 5]


@pytest.mark.parametrize(("n", "root"), [(32, False), (33, True)])
def test_weights_have_a_fixed_scale_with_roots_above_32(n: int, root: bool) -> None:
    scale = heatmap(square(n), **WORDS).header["scale"]
    assert (scale["kind"], scale["root"], scale["hue"]) == ("weights", root, style.WEIGHT_HUE)
    assert ("square-root" in scale["title"]) == root
    assert heatmap(square(n), **WORDS, root=not root).header["scale"]["root"] != root


def test_what_was_left_out_is_said_in_the_picture() -> None:
    one = np.ones(1)
    some = HeadMap(("a",), ("a",), one[:, None], renormalised=True, dropped=one, tokens=one)
    assert "special tokens left out" in heatmap(some, **WORDS).header["scale"]["notes"][0]
    assert heatmap(view(), **WORDS).header["scale"]["notes"] == ()


def test_signed_colours_end_as_far_on_both_sides() -> None:
    values = WEIGHTS - 0.7
    picture = signed_heatmap(QUERIES, KEYS, values, title="difference", **WORDS)
    scale = picture.header["scale"]
    assert scale["bound"] == 0.7  # the largest, sign aside
    assert (scale["light"], scale["dark"]) == (style.SIGNED_ON_LIGHT, style.SIGNED_ON_DARK)
    assert scale["notes"] == ()
    np.testing.assert_array_equal(numbers(picture), values)
    given = signed_heatmap(QUERIES, KEYS, values, title="d", bound=0.5, **WORDS).header["scale"]
    assert given["bound"] == 0.5
    assert [numbers_in(note) for note in given["notes"]] == [[11, 0.5]]
    nothing = signed_heatmap(QUERIES, KEYS, 0 * values, title="d", **WORDS)
    assert nothing.header["scale"]["bound"] == 1


def test_strips_end_their_colours_where_99_of_100_numbers_lie() -> None:
    vectors = {"learned": np.linspace(-0.1, 0.1, 383), "in A": np.linspace(-0.1, 0.1, 383)}
    vectors["in A"][7] = -50
    picture = strips(vectors, **WORDS, colours={"in A": style.SENTENCE_A})
    assert picture.header["scale"]["bound"] == pytest.approx(0.1)
    assert [numbers_in(note) for note in picture.header["scale"]["notes"]] == [[1, 0.1]]
    assert picture.header["rows"] == ("learned", "in A")
    assert picture.header["colours"] == (None, style.SENTENCE_A)
    np.testing.assert_array_equal(numbers(picture), np.array(list(vectors.values()), np.float32))


@pytest.mark.parametrize(
    "draw",
    [
        lambda: heatmap(view((), (), np.zeros((0, 0))), **WORDS),
        lambda: heatmap(view(weights=np.where(WEIGHTS > 0.5, np.nan, WEIGHTS)), **WORDS),
        lambda: distance_heatmap(KEYS[:2], np.full((2, 2), np.nan), of=("a", "with"), **WORDS),
        lambda: strips({"a": np.full(3, np.nan)}, **WORDS),
        lambda: heatmap(view(), **WORDS, marked=[3]),
        lambda: heatmap(view(), **WORDS, marked=[-1]),
        lambda: heatmap(view(KEYS, QUERIES), **WORDS),
        lambda: signed_heatmap(KEYS, QUERIES, WEIGHTS, title="d", **WORDS),
        lambda: signed_heatmap(QUERIES, KEYS, WEIGHTS, title="d", bound=0, **WORDS),
        lambda: signed_heatmap(QUERIES, KEYS, WEIGHTS * np.inf, title="d", bound=1, **WORDS),
        lambda: strips({}, **WORDS),
        lambda: strips({"a": np.zeros(3), "b": np.zeros(4)}, **WORDS),
        lambda: strips({"a": np.zeros((3, 2))}, **WORDS),
        lambda: strips({"a": np.zeros(0)}, **WORDS),
        lambda: code("nothing"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"), np.errstate(invalid="ignore"):
        draw()


def test_distances_fade_into_the_page_where_they_are_small() -> None:
    values = np.array([[0, 1.31, 2], [1.31, 0, 3.7], [2, 3.7, 0]])
    picture = distance_heatmap(KEYS[:3], values, marked=[1], against=[2], of=("a", "with"), **WORDS)
    scale = picture.header["scale"]
    assert (scale["kind"], scale["root"], scale["most"]) == ("weights", False, 3.7)
    # Near pairs fade into the page, light or dark.
    assert scale["title"].startswith("distance: the fainter")
    assert not re.search("pale|dark|light", scale["title"])
    assert scale["hue"] != style.WEIGHT_HUE
    assert picture.header["marked"] == {
        "rows": (1,),
        "columns": (2,),
        "colour": style.LEARNED,
        "framed": True,
    }
    with pytest.raises(ValueError, match="never below 0"):
        distance_heatmap(KEYS[:3], -values, of=("a", "b"), **WORDS)
    with pytest.raises(ValueError, match="cannot be marked"):
        distance_heatmap(KEYS[:3], values, against=[3], of=("a", "b"), **WORDS)


def test_bytes_and_page_are_bounded_at_512_tokens() -> None:
    picture = heatmap(square(512), **WORDS)
    assert len(picture.to_bytes()) < 4 * 512**2 + 16_000
    assert len(picture.to_html()) < 1_460_000
    assert len(heatmap(square(14), **WORDS).to_bytes()) < 1_500


def test_height_is_known_beforehand_and_bounded() -> None:
    heights = [heatmap(square(n), **WORDS).height for n in (1, 14, 64, 512)]
    assert heights == sorted(heights)
    assert heights[0] < 200
    assert heights[1] < 480
    assert heights[-1] < 720


def test_html_is_whole_and_no_token_ends_its_script() -> None:
    page = heatmap(view(), **WORDS).to_html()
    assert page.count("<script>") == page.count("</script>") == 1
    assert "<b>" not in page
    assert "<p>One &lt;i&gt;head&lt;/i&gt;.</p>" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    sent = re.search(r'data-bytes="([^"]*)"', page)
    assert sent is not None
    assert base64.b64decode(sent[1]) == heatmap(view(), **WORDS).to_bytes()
    assert heatmap(view(), **WORDS)._repr_html_() == page
    assert len(heatmap(view(), **WORDS).to_html(with_code=False)) < 2_500


def test_events_travel_in_the_header() -> None:
    picture = heatmap(view(), **WORDS)
    header, payload = unpacked(picture.to_bytes(events=("cell",)))
    assert header["events"] == ["cell"]
    assert payload == picture.payload


def test_a_picture_cannot_be_changed_and_can_be_pickled() -> None:
    picture = heatmap(view(), **WORDS, marked=[1])
    with pytest.raises(AttributeError):
        picture.payload = b""  # type: ignore[misc]
    with pytest.raises(TypeError):
        picture.header["rows"] = ()  # type: ignore[index]
    with pytest.raises(TypeError):
        picture.header["scale"]["root"] = True
    assert isinstance(picture.header["rows"], tuple)
    again = pickle.loads(pickle.dumps(picture))
    assert again.to_bytes() == picture.to_bytes()


def test_whatever_is_chosen_numbers_are_packed_and_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = layer_of(Attention(QUERIES, QUERIES, np.full((1, 2, 3, 3), 1 / 3)), 0, state={"head": 1})
    packed = drawn.numbers()
    assert (len(packed), packed.name) == (len(packed.content), sha256(packed.content).hexdigest())
    header, payload = unpacked(packed.content)
    assert ("state" in header, payload) == (False, drawn.payload)
    monkeypatch.setattr(picture, "_json", lambda header: pytest.fail("packed once more"))
    for chosen, head in (({"head": 0}, 0), ({"head": -1}, -1), ({"head": 7}, 0), ({}, 0)):
        other = drawn.choosing(chosen)
        assert (other.state["head"], other.state["level"]) == (head, "lines")
        assert other.numbers() is packed
        assert other.payload is drawn.payload
    assert drawn.state["head"] == 1
    assert (drawn.choosing({}, autoplay=True).header["autoplay"], "autoplay" in drawn.header) == (
        True,
        False,
    )
    with pytest.raises(TypeError):
        other.header["state"]["head"] = 1


def test_of_another_height_the_numbers_are_the_same() -> None:
    """A page with larger type fetches no numbers again."""
    drawn = heatmap(view(), **WORDS)
    higher = drawn.scaled(1.5)
    assert higher.height == round(1.5 * drawn.height)
    assert drawn.choosing({}).scaled(1.5).numbers() is higher.numbers() is drawn.numbers()
    assert "height" not in unpacked(drawn.numbers().content)[0]
    assert (
        unpacked(higher.to_bytes())[0]["height"] == higher.height
    )  # in a saved page nothing comes beside
    assert drawn.nbytes > len(drawn.numbers())


def test_what_can_be_chosen_is_known_after_pickling() -> None:
    drawn = layer_of(Attention(QUERIES, QUERIES, np.full((1, 2, 3, 3), 1 / 3)), 0)
    again = pickle.loads(pickle.dumps(drawn)).choosing({"head": 9, "query": 2})
    assert again.to_bytes() == drawn.choosing({"query": 2}).to_bytes()
