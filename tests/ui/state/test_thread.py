"""The state carried from page to page: the sentence, a word, a layer, a head."""

from __future__ import annotations

import itertools
import json
from typing import Any
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from core.examples.first_texts import HORSE, OPENING
from pages.compare.state import CompareState
from pages.embeddings.state import EmbeddingsState
from pages.heads.state import ALL, HeadsState
from pages.senses.state import SensesState
from pages.step_by_step.state import StepsState
from tests.ui.state.states import STATES, state_of
from ui.state import Choice, Field, Real, Switch, Whole

PAGES = [*STATES]
OWN = "The old bank by the water"


def app() -> None:
    """The states of real pages, one at a time; values are set as a control would set them."""
    import json

    import streamlit as st

    from tests.ui.state.states import STATES as states
    from ui import permalink, state
    from ui.state import thread

    name = st.session_state["page"]
    Chosen = states[name]
    state.begin(Chosen)
    by_key = {one.key: one for one in Chosen.link()}
    for key, value in st.session_state.pop("set", {}).items():
        by_key[key].set(value)
    if st.session_state.pop("reset", False):
        permalink.go(Chosen.link(), {})
        thread.end()
    if "trace" in st.session_state:
        chosen: Any = Chosen()
        thread.places(
            st.session_state["trace"],
            chosen.choose_word if name == "heads" else chosen.token.set,
        )
    state.end(Chosen)
    st.json(json.dumps({key: str(one.get()) for key, one in by_key.items()}))


class Visitor:
    """A visitor who goes from page to page by the menu, and changes fields there."""

    def __init__(self) -> None:
        self.app = AppTest.from_function(app)

    def go(self, page: str, *, trace: object = None, **url: str) -> dict[str, str]:
        self.app.session_state["page"] = page
        if trace is not None:
            self.app.session_state["trace"] = trace
        self.app.query_params.clear()
        self.app.query_params.update(url)
        found = self._run()
        if trace is not None:
            del self.app.session_state["trace"]
        return found

    def set(self, values: dict[Any, Any]) -> dict[str, str]:
        self.app.session_state["set"] = {one.key: value for one, value in values.items()}
        return self._run()

    def reset(self) -> dict[str, str]:
        self.app.session_state["reset"] = True
        return self._run()

    def _run(self) -> dict[str, str]:
        self.app.run()
        assert not self.app.exception, self.app.exception
        return dict(json.loads(self.app.json[0].value))


def test_a_sentence_of_ones_own_goes_along_with_its_word_a_layer_and_a_head(minilm: Any) -> None:
    visitor, trace = Visitor(), minilm.trace(OWN)
    visitor.go("compare")
    visitor.set({CompareState.a: OWN, CompareState.layer: 3, CompareState.head: 5})
    heads = visitor.go("heads", trace=trace)
    side = HeadsState.sides[0]
    assert heads[HeadsState.text.key] == OWN
    assert (heads[side.layer.key], heads[side.head.key]) == ("3", "4")  # heads count from 0 there
    (bank,) = trace.find("bank")
    assert heads[HeadsState.shared["query"].key] == str(bank)
    steps = visitor.go("step_by_step", trace=trace)
    assert steps[StepsState.text.key] == OWN
    assert steps[StepsState.size.key] == "0"  # the tiny model knows five words
    assert (steps[StepsState.layer.key], steps[StepsState.head.key]) == ("3", "5")
    assert steps[StepsState.token.key] == str(bank)
    embeddings = visitor.go("embeddings")
    assert embeddings[EmbeddingsState.text.key] == OWN
    assert embeddings[EmbeddingsState.words.key] == "bank:1"
    assert embeddings[EmbeddingsState.depth.key] == "3"


def test_what_nobody_chose_does_not_go_along() -> None:
    visitor = Visitor()
    opens = Visitor().go("heads")
    visitor.go("compare")
    assert visitor.go("heads") == opens
    assert opens[HeadsState.text.key] == HORSE
    assert visitor.go("compare")[CompareState.a.key] == OPENING.text_a


def test_what_is_chosen_further_on_comes_back(minilm: Any) -> None:
    visitor, trace = Visitor(), minilm.trace(OWN)
    visitor.go("compare")
    visitor.set({CompareState.a: OWN, CompareState.b: "The bank was by the old road"})
    visitor.go("heads", trace=trace)
    (old,) = trace.find("old")
    visitor.set({HeadsState.token: int(old) + 1, HeadsState.sides[0].layer: "2"})
    compare = visitor.go("compare")
    assert compare[CompareState.a.key] == OWN
    assert compare[CompareState.word.key] == "old"
    assert compare[CompareState.layer.key] == "2"


def test_compare_keeps_its_pair_where_the_word_is_not_in_both() -> None:
    visitor = Visitor()
    before = visitor.go("compare")
    visitor.go("heads")
    visitor.set({HeadsState.text: "A cat sat on the mat", HeadsState.sides[0].layer: "4"})
    after = visitor.go("compare")
    assert after == before | {CompareState.layer.key: "4"}
    visitor.go("senses")
    visitor.set({SensesState.preset: "spring", SensesState.word: "spring"})
    assert visitor.go("compare") == after


def test_a_page_is_as_it_was_left_where_nothing_was_changed_elsewhere() -> None:
    visitor = Visitor()
    visitor.go("heads")
    left = visitor.set({HeadsState.text: OWN, HeadsState.second: "And a second text"})
    steps = visitor.go("step_by_step")
    assert steps[StepsState.text.key] == OWN
    assert visitor.go("heads") == left  # the second text too: the first is the same
    visitor.go("step_by_step")
    visitor.set({StepsState.text: "Another one"})
    heads = visitor.go("heads")
    assert heads[HeadsState.text.key] == "Another one"
    assert heads[HeadsState.second.key] == ""  # a pair was not meant


def test_a_reset_ends_it() -> None:
    visitor = Visitor()
    visitor.go("compare")
    visitor.set({CompareState.a: OWN, CompareState.layer: 3})
    visitor.go("heads")
    opened = visitor.reset()
    assert (opened[HeadsState.text.key], opened[HeadsState.sides[0].layer.key]) == (HORSE, ALL)
    steps = visitor.go("step_by_step")
    assert steps == Visitor().go("step_by_step")
    assert visitor.go("compare")[CompareState.a.key] == OWN  # as it was left


def test_a_link_and_back_say_everything_and_a_link_begins_a_thread() -> None:
    visitor = Visitor()
    visitor.go("compare")
    visitor.set({CompareState.a: OWN})
    assert visitor.go("heads", v="2", l="2")[HeadsState.text.key] == HORSE
    with patch("ui.permalink.by_history", lambda: True):
        assert visitor.go("step_by_step")[StepsState.text.key] == StepsState.text.default
    arrived = Visitor()
    arrived.go("heads", v="2", t=OWN, l="2", h="3")
    steps = arrived.go("step_by_step")
    assert steps[StepsState.text.key] == OWN
    assert (steps[StepsState.layer.key], steps[StepsState.head.key]) == ("2", "3")


def test_pages_with_a_language_of_their_own_keep_theirs() -> None:
    visitor = Visitor()
    visitor.go("compare")
    visitor.set({CompareState.a: OWN, CompareState.layer: 3})
    for page in ("encoder_decoder", "training"):
        assert visitor.go(page) == Visitor().go(page)


def test_a_word_goes_to_senses_and_back_if_there_are_sentences_of_it() -> None:
    visitor = Visitor()
    visitor.go("compare")
    visitor.set({CompareState.word: "spring"})
    senses = visitor.go("senses")
    assert senses[SensesState.preset.key] == senses[SensesState.word.key] == "spring"
    assert "spring" in senses[SensesState.lines.key]
    visitor.go("compare")
    visitor.set({CompareState.word: "bank"})
    visitor.go("senses")
    visitor.go("compare")
    visitor.set({CompareState.word: "zebra"})
    assert visitor.go("senses")[SensesState.word.key] == "bank"


def another(chosen: Field[Any]) -> Any:
    """A value that a visitor may choose, other than the one with which the page opens."""
    if isinstance(chosen, Choice):
        return next((word for word in chosen.words if word != chosen.default), chosen.default)
    if isinstance(chosen, Switch):
        return not chosen.default
    if isinstance(chosen, Whole):
        return chosen.default + (1 if chosen.default < chosen.most else -1)
    if isinstance(chosen, Real):
        return chosen.least if chosen.default != chosen.least else chosen.most
    for typed in (OWN, "2", "2.3", "0.5", "1,2,3", "head", "a:1"):
        try:
            value = chosen.parse(typed)
        except (ValueError, KeyError):
            continue
        if value not in (chosen.default, None):
            return value
    return chosen.default


def every_way(pages: list[str]) -> list[str]:
    """A walk that goes from each page to each other one exactly once."""
    left = {page: [other for other in pages if other != page] for page in pages}
    walk, stack = list[str](), [pages[0]]
    while stack:
        if left[stack[-1]]:
            stack.append(left[stack[-1]].pop())
        else:
            walk.append(stack.pop())
    return walk


@pytest.mark.check
def test_every_page_is_as_it_was_left_from_wherever_one_comes() -> None:
    visitor = Visitor()
    for page in PAGES:
        visitor.go(page)
        state = state_of(page)
        visitor.set({one: another(one) for one in state.fields if one.scope == "page"})
    left = {page: visitor.go(page) for page in PAGES}  # what was chosen on the later pages has come
    walk = every_way(PAGES)
    assert {*itertools.pairwise(walk)} == {*itertools.permutations(PAGES, 2)}
    for before, page in itertools.pairwise(walk):
        assert visitor.go(page) == left[page], f"from {before} to {page}"


@pytest.mark.fuzz
@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize("strand", ["layer", "head", "word"])
def test_what_comes_along_replaces_itself_alone(strand: str, minilm: Any) -> None:
    """What is chosen on one page may change the fields of this strand on another, and nothing else."""
    trace = minilm.trace(OWN)
    chosen: dict[str, dict[Any, Any]] = {
        "layer": {CompareState.layer: 3},
        "head": {CompareState.head: 5},
        "word": {CompareState.word: "old"},
    }
    for page in (page for page in PAGES if page != "compare"):
        visitor, state = Visitor(), state_of(page)
        places = trace if page in ("heads", "step_by_step") else None
        visitor.go("compare")
        visitor.set({CompareState.a: OWN, CompareState.b: "An old bank"})
        visitor.go(page, trace=places)
        visitor.set(
            {
                one: another(one)
                for one in state.fields
                if one.scope == "page" and one not in state.thread().get("sentence", ((),))[0]
            }
        )
        before = visitor.go("glossary" if page != "glossary" else "training")
        before = visitor.go(page, trace=places)
        visitor.go("compare")
        visitor.set(chosen[strand])
        after = visitor.go(page, trace=places)
        own = {one.key for one in state.thread()[strand].fields} if strand in state.thread() else set()
        assert {key for key in after if after[key] != before[key]} <= own, page


@pytest.mark.parametrize("whose", ["own", "file"])
def test_a_visitors_own_sentences_stay(whose: str) -> None:
    visitor = Visitor()
    visitor.go("senses")
    lines = "money | the bank pays" if whose == "own" else SensesState.lines.default
    left = visitor.set({SensesState.preset: whose, SensesState.lines: lines})
    visitor.go("glossary")
    assert visitor.go("senses") == left
    compare = visitor.go("compare")
    assert compare == Visitor().go("compare")  # the word was not changed
    visitor.set({CompareState.word: "spring"})
    assert visitor.go("senses") == left  # ours about “spring” would take their place


def test_another_word_of_the_same_text_keeps_the_other_paths(minilm: Any) -> None:
    visitor = Visitor()
    visitor.go("compare")
    visitor.set({CompareState.a: OWN, CompareState.b: "An old bank"})
    visitor.go("embeddings")
    visitor.set({EmbeddingsState.words: "bank, water, road"})
    visitor.go("compare")
    visitor.set({CompareState.word: "old"})
    assert visitor.go("embeddings")[EmbeddingsState.words.key] == "old:1, water, road"


def test_another_piece_of_the_word_stays_chosen(minilm: Any) -> None:
    text = "An unthreadable bank"
    trace = minilm.trace(text)
    pieces = trace.find("unthreadable")
    assert len(pieces) > 1
    visitor = Visitor()
    visitor.go("heads")
    visitor.set({HeadsState.text: text})
    visitor.go("heads", trace=trace)
    left = visitor.set({HeadsState.token: int(pieces[1]) + 1})
    visitor.go("glossary")
    assert visitor.go("heads", trace=trace) == left
