"""Sentences about a model that learns a text: each case says what its numbers say."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.own_text import Copied, ready, repeated
from core.own_text.recipe import parted
from pages.training.own_text import captions


def pause(step: int, bits: float, held: float, sample: str = "") -> Any:
    return SimpleNamespace(step=step, bits=bits, held=held, sample=sample or f"*sample* {step}")


def run(gram: float, *pauses: Any, text: str = "") -> Any:
    return SimpleNamespace(gram=gram, snapshots=pauses, text=text)


@pytest.mark.parametrize(
    ("gram", "held", "verdict"),
    [
        (2.18, 2.31, "table wins**, by 0.13"),
        (2.31, 2.184, "model wins**, by 0.13"),  # 0.13 by what stands there: 2.31 − 2.18
        (2.204, 2.196, "equally good"),
    ],
)
def test_beside_the_curves_stands_who_wins_by_the_numbers_that_it_names(
    gram: float, held: float, verdict: str
) -> None:
    last = pause(40, 2.0, held)
    said = captions.numbers(run(gram, pause(0, 8, 8), last), last)
    assert verdict in said
    assert f"{held:.2f} bits" in said
    assert f"**{gram:.2f}**" in said


def test_before_the_first_step_nobody_wins() -> None:
    first = pause(0, 8.9, 8.8)
    assert "noise" in captions.headline(run(2.0, first), first)
    said = captions.numbers(run(2.0, first), first)
    assert "8.80" in said
    assert "wins" not in said


TEXT = "The fox sat on the wall and said nothing. The cat saw the fox."


def test_what_it_does_is_told_by_what_it_writes_and_in_the_order_in_which_it_came() -> None:
    noise = pause(0, 8, 8, "\ufffd#")
    letters = pause(10, 3, 3, "tho fax sad")
    words = pause(20, 2, 2, "The cat sat. The wall said fox")
    heart = pause(30, 1, 3, "The fox sat on the wall and said nothing. The")
    learns = run(2.0, noise, letters, words, heart, text=TEXT)
    said = [captions.does(learns, one) for one in learns.snapshots[1:]]
    assert "0 % of its words" in said[0]
    assert "writes words: 100 %" in said[1]
    assert "by heart: 100 %" in said[2]
    assert "After step 30, it writes by heart" in captions.headline(learns, heart)
    assert captions.order(learns, noise) == ""
    first, second, third = captions.order(learns, heart).split(", then ")
    assert "letters (step 10)" in first
    assert "words (step 20)" in second
    assert "by heart (step 30)" in third
    assert "heart" not in captions.order(learns, words)
    # What one sample cannot do again was reached all the same; `does` says what it does now.
    worse = pause(40, 2, 3, "tho fax sad")
    again = run(2.0, noise, letters, words, worse, pause(50, 1, 3, words.sample), text=TEXT)
    for one in (worse, again.snapshots[-1]):
        assert "letters (step 10), then its words (step 20)" in captions.order(again, one)
    # At one step, nothing came first.
    both = run(2.0, noise, pause(10, 2, 2, words.sample), heart, text=TEXT)
    assert captions.order(both, heart) == (
        "First reached: its letters and its words together (step 10), "
        "then whole stretches by heart (step 30)."
    )
    # Words hold letters, and stretches words: what is held does not come after what holds it.
    odd = pause(20, 2, 2, "\ufffd\ufffd\ufffd#\ufffd The fox sat on the wall and said nothing. The")
    late = run(2.0, noise, odd, heart, text=TEXT)
    assert captions.order(late, heart) == (
        "First reached: its letters, its words and whole stretches by heart together (step 20)."
    )


def test_by_heart_is_said_only_of_a_text_that_is_nearly_all_copied() -> None:
    half = pause(20, 2, 2, "The fox sat on the wall and said nothing. But I ran and ran, on and on and")
    said = captions.headline(run(2.0, half, text=TEXT), half)
    assert "heart" not in said
    assert "letter for letter" in said


def test_what_was_learned_from_another_text_is_said_to_be() -> None:
    one = run(2.0, pause(1, 2, 2), text=TEXT)
    assert captions.another_text(one, 2, TEXT) == ""
    assert "run 2, of another text" in captions.another_text(one, 2, f"{TEXT} More.")


def test_an_end_that_stands_in_the_part_that_is_read_is_told_to_measure_memory() -> None:
    page = ready()["island"].text
    tells = []
    for text in (page, page + page[: len(page) // 4], page + page[: len(page) // 6] + "?" * 90):
        first, last = pause(0, 8, 8), pause(40, 2.0, 1.5)
        learns = run(2.2, first, last, text=text)
        read, held = parted(text)
        assert captions.memory(text) == repeated(held, read)
        tells.append([captions.numbers(learns, one) for one in (first, last)])
    assert not any("memory" in said for said in tells[0])
    assert all("**But this measures memory**: 100 % of the held-out end" in said for said in tells[1])
    assert all(" of the held-out end stands letter for letter" in said for said in tells[2])


def test_what_to_try_next_depends_on_whether_it_knows_the_text_by_heart() -> None:
    by_heart = run(2.0, pause(9, 1, 3, TEXT), text=TEXT)
    other = run(2.0, pause(9, 1, 3, "Nothing of the sort was ever there."), text=TEXT)
    assert "where its memory ends" in captions.try_next(by_heart)
    assert "more steps" in captions.try_next(other)
    worse = run(2.0, pause(5, 2, 2.5), pause(9, 1, 3, "Nothing of the sort."), text=TEXT)
    assert "a longer text would help" in captions.try_next(worse)
    knows = run(2.0, pause(5, 2, 2.5), pause(9, 0.21, 3, "Nothing of the sort."), text=TEXT)
    assert "does it recite from there?" in captions.try_next(knows)
    assert "it knows the text, and stumbles" in captions.headline(knows, knows.snapshots[-1])
    assert "costs it 0.21 bits" in captions.headline(knows, knows.snapshots[-1])


def test_overfitting_is_said_where_the_held_out_end_gets_worse_alone() -> None:
    best, last = pause(20, 2.4, 2.9), pause(40, 0.3, 3.4)
    said = captions.overfitting(run(2.0, pause(0, 8, 8), best, last), last)
    assert "by heart" in said
    assert "step 20 (2.90)" in said
    for other in (pause(40, 2.3, 2.95), pause(40, 3.0, 3.4)):  # hardly worse; worse on both
        assert "by heart" not in captions.overfitting(run(2.0, best, other), other)
    assert "by heart" not in captions.overfitting(run(2.0, best, last), best)  # not yet


def test_how_much_is_copied_and_from_where() -> None:
    text = "The fox sat. The hedgehog saw the fox and said nothing. It rained."
    copies = (Copied(0, 4, 0), Copied(10, 30, 20))
    assert "**60 %**" in captions.share("x" * 40, copies, text)
    assert "2 stretches" in captions.share("x" * 40, copies, text)
    assert "No stretch" in captions.share("x" * 40, (), text)
    said = captions.longest(copies, text)
    assert "20 letters" in said
    assert "The hedgehog saw the fox and said nothing" in said
    assert "rained" not in said
    assert captions.longest((), text) == ""


def test_a_sample_is_shown_as_it_is_and_not_as_markdown() -> None:
    said = captions.pauses(run(2.0, pause(7, 1, 2)))
    assert "\\*sample\\*" in said
    assert "Step 7" in said


def test_a_text_is_called_by_its_first_letters() -> None:
    assert captions.own_title("Once  upon\na time") == "Your text “Once upon a time”"
    assert len(captions.own_title("x" * 999)) < 40


def test_who_has_the_link_can_get_the_text_and_is_told_so() -> None:
    assert "whoever has that link can get the text" in captions.PRIVATE
    assert "as long as the server keeps the run" in captions.LOST_OWN
