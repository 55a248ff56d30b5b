"""The captions of the Corpus page."""

from __future__ import annotations

import numpy as np

from core.corpus.querying.collocates import Collocates
from core.corpus.querying.concordance import Groups
from core.corpus.querying.frequencies import Frequencies
from core.corpus.storage.layers import Layer
from core.examples import sentences
from core.localization import spoken
from core.measures.senses.marked import AxisAgreement, ClusterAgreement
from core.measures.senses.separation import Separation
from core.measures.senses.shares import Share, wilson
from pages.corpus import captions, change
from tests.sentences import numbers


def test_the_accuracy_of_the_best_layer_names_the_sentences_that_it_is_of() -> None:
    said = captions.about_layers(Layer(4, ("best",), 0.953))
    count = sum(len(sentences.labelled(word)) for word in sentences.words())
    assert numbers(said) == [5, count, len(sentences.words()), 95]


def test_without_an_accuracy_no_layer_is_said_to_be_the_best() -> None:
    for one in (Layer(4, ("best",)), Layer(4, ("last",), 0.9)):
        assert numbers(captions.about_layers(one)) == []


def test_some_forms_that_were_left_out_are_named() -> None:
    said = captions.left_out(("call", "calls", "calling", "called", "caller", "callers"))
    assert [form in said for form in ("“calling”", "“called”", "“callers”", "…")] == [1, 1, 0, 1]
    assert captions.left_out(("call",)) == ""


def test_groups_that_have_nothing_to_do_with_the_marks_are_said_to_have_nothing() -> None:
    same = ClusterAgreement(("money", "river"), ((43, 34), (4, 4)), -0.01, 0.86, 0.86)
    said = captions.clusters_marked(same)
    assert "do not follow your marks" in said
    assert "two senses" in said  # what to try next
    assert numbers(said) == [85, 86, -0.01]
    better = ClusterAgreement(("money", "river"), ((76, 1), (0, 8)), 0.92, 0.98, 0.86)
    assert "are your marks" in captions.clusters_marked(better)
    assert numbers(captions.clusters_marked(better)) == [85, 98, 86, 0.92]


def test_an_axis_says_how_many_marked_lines_it_leaves_out() -> None:
    found = AxisAgreement("money", "river", (77, 8), 0.997, 0.976)
    assert 5 in numbers(captions.axis_marked(found, ("cash", "shore"), 90))
    assert "left out" not in captions.axis_marked(found, ("cash", "shore"), 85)


def share(value: str, sense: int, count: int, total: int) -> Share:
    return Share(value, sense, count, total, *wilson(count, total))


def test_the_largest_difference_of_shares_is_said_where_it_is_sure() -> None:
    found = [share("sport", 1, 20, 20), share("home", 1, 13, 56), share("sea", 1, 4, 9)]
    said = captions.largest_difference("topic", found, ("Cluster 1", "Cluster 2"), 1)
    assert numbers(said) == [2, 100, 20, 23, 56, 95]
    assert said.index("sport") < said.index("home")
    assert "sea" not in said
    close = [share("sport", 1, 10, 20), share("home", 1, 24, 56)]
    assert "overlap" in captions.largest_difference("topic", close, ("Cluster 1", "Cluster 2"), 1)
    assert "nothing to compare" in captions.largest_difference("topic", found[:1], ("a", "b"), 1)
    assert change.rare([*found, share("money", 1, 0, 1), share("law", 0, 4, 4)]) == ["money 1", "law 4"]


def test_where_a_word_is_most_frequent_is_said_where_it_is_sure() -> None:
    found = Frequencies("topic", ("home", "money"), np.array([1, 23]), np.array([19_536, 4_802]))
    said = captions.most_frequent(found, "bank")
    assert numbers(said) == [4_790, 51]
    assert "money" in said
    alike = Frequencies("topic", ("home", "money"), np.array([5, 6]), np.array([1_000, 1_000]))
    assert "overlap" in captions.most_frequent(alike, "bank")


def test_the_strongest_collocates_are_named_before_their_numbers() -> None:
    def column(*values: int) -> np.ndarray:
        return np.array(values, np.int64)

    found = Collocates(
        ("muddy", "river"),
        column(4, 5),
        column(4, 0),
        column(0, 5),
        column(9, 14),
        np.array([[0, 0], [4, 5]]),
        36,
        295,
        column(200, 95),
        94_458,
    )
    said = captions.strongest_beside("bank", found, [1, 0], 5, 5)
    assert said.index("river") < said.index("muddy")
    assert numbers(said) == [14, 5]
    assert "often enough" in captions.strongest_beside("bank", found, [], 5, 5)


def test_the_names_of_groups_are_said_in_the_language_of_the_screen_and_marks_as_they_are() -> None:
    none = np.zeros(3, np.float32)
    dense = Groups("density", ("Cluster 1", "no cluster"), np.array([0, 0, 1]), none)
    marks = Groups("marks", ("between", "not marked"), np.array([0, 0, 1]), none)
    axis = Groups("axis", ("river", "money", "between"), np.array([0, 1, 2]), none, none)
    assert [one.labels for one in (dense, marks, axis)] == [one.names for one in (dense, marks, axis)]
    with spoken("de"):
        assert dense.labels == ("Cluster 1", "kein Cluster")
        assert marks.labels == ("between", "nicht markiert")
        assert axis.labels == ("river", "money", "dazwischen")
        assert "94\u202f458" in captions.count_of(94_458)


def test_lines_at_a_border_are_in_doubt_only_where_the_halves_disagree() -> None:
    same, apart = (captions._at_the_border(Separation(0.45, share)) for share in (1, 0.93))
    assert "either" in same
    assert numbers(same) == []
    assert numbers(apart) == [7]
    assert "could be in either" not in same
