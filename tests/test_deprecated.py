"""Former public names still work, and warn with the current name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import core
from core import measures
from core.figures import (
    Patterns,
    Point,
    cloud,
    cloud_in_space,
    distance_heatmap,
    groups_of,
    layer_view,
    overview,
    sense_paths,
    word_projection,
    word_space,
)
from core.lessons import lessons
from core.measures import HeadDifference, Why
from core.measures.analogy import nearest
from core.measures.contributions.contribution_difference import apart


def test_a_head_is_still_ablated_by_the_former_name() -> None:
    with pytest.warns(DeprecationWarning, match=r"core\.Ablate"):
        former = core.Silence
    assert former is core.Ablate
    assert isinstance(former(1, 2), core.Ablate)


def test_what_never_was_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="Quieten"):
        _ = core.Quieten


def test_contributions_are_still_read_by_their_former_names() -> None:
    tokens, heads = ("a", "b", "c"), np.arange(6.0).reshape(1, 2, 3)
    found = core.Contributions(
        tokens, (1,), 0, np.ones(5), 6.0, np.arange(6.0).reshape(2, 3), np.zeros(2), heads, heads / 2
    )
    for former, now in (("pushes", "by_depth"), ("carried", "by_head"), ("fetched", "by_head_direct")):
        with pytest.warns(DeprecationWarning, match=now):
            assert getattr(found, former) is getattr(found, now)


def test_why_is_still_read_by_its_former_names() -> None:
    ones = np.ones((2, 1))
    found = Why(
        ("a",),
        ((0,),),
        (0,),
        (False,),
        2.0,
        ones,
        np.ones(2),
        0.0,
        ones[0],
        ones[0],
        ones[:1],
        ones[:1],
    )
    less = apart(found, found)
    for record, former, now in (
        (found, "place", "coordinate"),
        (found, "pushes", "contributions"),
        (found, "carried", "by_head"),
        (found, "kept", "by_head_own"),
        (less, "place", "coordinate"),
        (less, "pushes", "contributions"),
        (less, "carried", "by_head"),
    ):
        with pytest.warns(DeprecationWarning, match=now):
            np.testing.assert_array_equal(getattr(record, former), getattr(record, now))


def test_maps_are_still_read_by_their_former_name() -> None:
    at = np.arange(4.0).reshape(1, 2, 2)
    for record in (measures.Projection(at, np.ones(2)), measures.NeighbourMap(at, 5.0)):
        with pytest.warns(DeprecationWarning, match="coordinates"):
            np.testing.assert_array_equal(record.places, at)


def test_a_prediction_is_still_read_by_its_former_name() -> None:
    logits = np.array([0.0, 1.0], np.float32)
    expected = core.Expectation(3, "next", logits, (1, 0), ("b", "a"), ("b", "a"))
    for record in (expected, expected.top(1)):
        with pytest.warns(DeprecationWarning, match="position"):
            assert record.place == record.position == 3


def test_a_word_near_a_sum_is_still_read_by_its_former_name() -> None:
    with pytest.warns(DeprecationWarning, match="in_sum"):
        (found,) = nearest([1.0, 0.0], ["King"], [[1.0, 0.0]], asked=["king"])  # type: ignore[call-arg]
    with pytest.warns(DeprecationWarning, match="in_sum"):
        assert found.asked is found.in_sum is True


def test_distances_are_still_named_by_their_former_argument() -> None:
    words: dict[str, Any] = {"sentence": "Distances.", "name": "d", "of": ("a", "b")}
    with pytest.warns(DeprecationWarning, match="names"):
        former = distance_heatmap(**words | {"called": ["a", "b"], "values": np.eye(2)})
    assert former.header == distance_heatmap(["a", "b"], np.eye(2), **words).header


def test_a_step_of_a_lesson_is_still_read_by_its_former_name() -> None:
    step = lessons()[0].steps[0]
    with pytest.warns(DeprecationWarning, match="page_name"):
        assert step.called == step.page_name


def test_the_tokens_of_a_difference_are_its_queries() -> None:
    found = HeadDifference(("a", "b"), ("a", "b"), np.zeros((2, 2)))
    with pytest.warns(DeprecationWarning, match="queries"):
        assert found.tokens is found.queries


def test_a_block_is_still_read_by_its_former_names() -> None:
    attention = core.Attention(("a",), ("a",), np.ones((1, 1, 1, 1)))
    block = replace(measures.as_block(attention), title="Encoder")
    with pytest.warns(DeprecationWarning, match="title"):
        assert block.place == block.title == "Encoder"
    with pytest.warns(DeprecationWarning, match="trace"):
        assert block.within is block.trace is None


def test_coordinates_on_an_axis_are_still_read_by_their_former_name(minilm: core.Model) -> None:
    trace = minilm.trace("the river bank")
    axis, tokens = minilm.sense_axis("bank", ["money"], ["river"]), trace.find("bank")
    with pytest.warns(DeprecationWarning, match="coordinates"):
        former = axis.position(trace, tokens)
    np.testing.assert_array_equal(former, axis.coordinates(trace, tokens))


def test_absent_heads_are_asked_of_a_block(minilm: core.Model) -> None:
    trace = minilm.trace("bank", keep="attention")
    (block,) = measures.blocks(trace).values()
    with pytest.warns(DeprecationWarning, match=r"AttentionBlock\.absent"):
        np.testing.assert_array_equal(measures.absent(trace), block.absent)


@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("Likeness", "Similarity"),
        ("SenseRange", "SameSenseBaseline"),
        ("Site", "AttentionBlock"),
        ("BlockDifference", "HeadDifference"),
        ("SiteDifference", "HeadDifference"),
        ("alike", "head_similarity"),
        ("likeness", "pairwise_similarity"),
        ("positions", "sense_coordinates"),
        ("sense_range", "same_sense_baseline"),
        ("site_difference", "block_difference"),
        ("sites", "blocks"),
    ],
)
def test_measures_are_still_found_by_their_former_names(former: str, now: str) -> None:
    with pytest.warns(DeprecationWarning, match=now):
        assert getattr(measures, former) is getattr(measures, now)
    assert now in measures.__all__


def test_scores_of_patterns_are_still_read_by_their_former_names() -> None:
    scores = Patterns(("one",), np.zeros((1, 2, 1)), np.ones((1, 2, 1)), (0.5,))
    for former, now in (("here", "scores"), ("usual", "typical")):
        with pytest.warns(DeprecationWarning, match=now):
            assert getattr(scores, former) is getattr(scores, now)


@pytest.mark.parametrize(
    ("former", "now", "value"),
    [
        ("looking", "query_tokens", "xyz"),
        ("way", "direction", "from"),
        ("usual", "typical", True),
        ("least", "threshold", 0.5),
        ("places", "positions", ((2, 3, 4), (1, 3, 5))),
        ("absent", "missing_heads", [[False, True]]),
    ],
)
def test_the_picture_of_all_heads_takes_its_arguments_by_their_former_names(
    former: str, now: str, value: object
) -> None:
    patterns = Patterns(("one",), np.zeros((1, 2, 1)), np.ones((1, 2, 1)), (0.5,))

    def drawn(**more: Any) -> bytes:
        weights = np.full((1, 2, 3, 3), 1 / 3, np.float32)
        made = overview(weights, tokens="abc", patterns=patterns, sentence="s", name="n", **more)
        return made.to_bytes()

    with pytest.warns(DeprecationWarning, match=rf"overview\({former}=…\) is deprecated: use {now}=…"):
        by_former = drawn(**{former: value})
    assert by_former == drawn(**{now: value}) != drawn()


def test_points_are_still_read_and_drawn_by_their_former_names() -> None:
    point = Point("one", np.eye(2), "red")
    with pytest.warns(DeprecationWarning, match="coordinates"):
        assert point.places is point.coordinates
    at, shown = np.arange(6.0).reshape(1, 2, 3), {"sentence": "s", "name": "n"}
    look: dict[str, Any] = {"steps": "ab", "depth": 0, "titles": "xyz", **shown}
    spots: tuple[Any, ...] = [("", "one", "")], groups_of(["all"]), [0]
    projected = measures.Projection(np.arange(18.0).reshape(2, 3, 3), np.full(3, 1 / 3))
    parts: dict[str, Any] = dict(zip(("texts", "groups", "group_of"), spots, strict=True))
    draws: tuple[tuple[Any, str, str, Any, dict[str, Any]], ...] = (
        (cloud_in_space, "places", "coordinates", at, {**parts, **look}),
        (cloud, "places", "coordinates", at[..., :2], {**parts, **look, "words": ("x", "y")}),
        (sense_paths, "places", "coordinates", {"A": at[0, 0]}, {"low": "l", "high": "h"}),
        (word_projection, "found", "projection", projected, {"names": "AB", "depth": 0}),
        (word_space, "found", "projection", projected, {"names": "AB", "depth": 0}),
    )
    for draw, former, now, value, more in draws:
        with pytest.warns(DeprecationWarning, match=f"{now}=…"):
            by_former = draw(**{former: value}, **more)
        assert by_former.to_bytes() == draw(**{now: value}, **more).to_bytes()


def test_the_block_of_a_layer_is_taken_by_its_former_name() -> None:
    def drawn(**more: Any) -> bytes:
        weights = np.full((1, 2, 2), 0.5)
        made = layer_view("ab", "ab", layer="Layer 1", weights=weights, sentence="s", name="n", **more)
        return made.to_bytes()

    with pytest.warns(DeprecationWarning, match=r"layer_view\(place=…\) is deprecated: use block=…"):
        by_former = drawn(place="Encoder")
    assert by_former == drawn(block="Encoder") != drawn()
