"""The captions of the Corpus page."""

from __future__ import annotations

from core.corpus.storage.layers import Layer
from core.examples import sentences
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
