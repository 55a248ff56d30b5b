"""The captions of the Corpus page."""

from __future__ import annotations

from core.corpus.storage.layers import Layer
from core.examples import sentences
from core.measures.senses.marked import AxisAgreement, ClusterAgreement
from pages.corpus import captions
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
