"""Words into tokens: the view's statements about byte pairs and WordPiece, and its link."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import core
from core.errors import NotSupported
from core.examples.first_texts import SUBWORDS
from core.walkthroughs.subwords import byte_pairs, words_of
from pages.step_by_step.subwords import grouped
from tests import left_to_right
from tests.pages.reading import drawn
from tests.pages.steps_reading import link, listed, visit
from tests.sentences import numbers, saying
from tests.visits import run, said

DOT = "\u2009|\u2009"


def plain(app: Any) -> str:
    return said(app).replace("\\", "")


def pictures(app: Any) -> dict[str, dict[str, Any]]:
    return {header["file"].removeprefix("polysee-"): header for header, _ in drawn(app)}


def test_it_opens_on_a_thread_in_unthreadable(minilm: core.Model) -> None:
    app = visit(p="tokens")
    assert "Numbers" not in [one.label for one in app.sidebar.radio]  # there are none in this view
    learned = byte_pairs(words_of(SUBWORDS), 99)
    (own,) = (tokens for tokens in learned.states[5] if "".join(tokens) == "unthreadable")
    assert "thread" in own
    times = [pair.times for pair in learned.candidates[5][:6]]
    assert times[0] > times[1] > times[-1]  # one sees that the most frequent pair comes next
    assert "**unthreadable**, the longest match first" in plain(app)
    words = plain(app)
    assert DOT.join(own) in words
    pieces = [*minilm.trace("unthreadable").tokens[1:-1]]
    assert pieces == ["un", "##th", "##rea", "##dable"]
    assert DOT.join(pieces) in words
    assert f"{learned.lengths[5]} tokens after 5 merges, {learned.lengths[0]} characters" in words
    assert f"{len(minilm.trace(SUBWORDS).tokens) - 2} tokens." in words
    assert not [*app.error, *app.warning, *app.info]
    # The parts of the vocabulary add up to its size.
    whole, first, inner, rest = numbers(saying(words, "tokens: ", "whole words", "continue one"))
    assert whole == minilm.n_vocabulary == first + inner + rest
    assert first + inner == len(minilm.word_pieces())
    assert inner == sum(piece[:2] == "##" and len(piece) > 2 for piece in minilm.word_pieces())


def test_the_bars_are_the_pairs_before_the_next_merge() -> None:
    app = visit(
        p="tokens",
        bt="low low low low low lower lower newest newest newest newest newest "
        "newest widest widest widest",
        bm="0",
    )
    header, sent = drawn(app)[0]
    assert header["labels"][:2] == ["e + s", "s + t"]
    assert header["notes"][0].startswith("9 of ")
    assert header["kind"] == "counts"
    assert np.frombuffer(sent, "<f4")[:2].tolist() == [9, 9]  # as often as the sentence says
    assert "Next merge: **e + s**" in plain(app)
    assert numbers(saying(plain(app), "This pair occurs")) == [9]
    later = visit(p="tokens", bt="low low lower", bm="2")
    assert "Next merge" in plain(later)
    assert DOT.join(("low", "e", "r")) in plain(later)


def test_all_merges_leave_whole_words() -> None:
    app = visit(p="tokens", bt="ab ab c", bm="999")
    assert "No pair is left" in plain(app)
    assert link(app, "bm") == "1"
    assert {*pictures(app)} == {"byte-pairs-tokens"}
    alone = visit(p="tokens", bt="a b")
    assert not pictures(alone)


def test_the_pieces_of_one_word_are_tried_from_the_longest() -> None:
    app = visit(p="tokens", bt="a zebras", bw="1")
    assert "1. not zebras; **zebra**" in plain(app)
    assert "2. **##s**" in plain(app)
    listed(app, "Word").set_value(0)
    run(app)
    assert "1. **a**" in plain(app)


def test_a_sign_that_no_piece_fits() -> None:
    assert "becomes [UNK]" in plain(visit(p="tokens", bt="😀", bw="0"))


def test_nothing_typed() -> None:
    app = visit(p="tokens", bt=" ")
    assert "no word yet" in said(app)


def test_the_tiny_size_has_the_view_too() -> None:
    assert "WordPiece" in said(visit(p="tokens", ti="1"))


def test_the_curve_has_a_scale() -> None:
    header = pictures(visit(p="tokens"))["byte-pairs-tokens"]
    learned = byte_pairs(words_of(SUBWORDS), 99)
    guides = dict(header["guides"])
    assert header["unit"] == "tokens"
    assert guides[len(learned.words)] == f"{len(learned.words)} words"
    round_ones = [guides[at] for at in sorted(guides) if at % 20 == 0 and at != len(learned.words)]
    assert round_ones == ["0", "40", "60", "80"]


def test_a_family_of_emoji_is_read_piece_by_piece() -> None:
    app = visit(p="tokens", bt="👩\u200d👧 👩\u200d👦", bm="0")
    assert DOT.join(("👩", "⟨ZWJ⟩", "👧")) in plain(app)
    header, sent = drawn(app)[0]
    assert header["labels"][0] == "👩 + ⟨ZWJ⟩"
    assert np.frombuffer(sent, "<f4")[0] == 2
    assert numbers(saying(plain(app), "zero-width joiner")) == [1]
    assert "\u200d" not in "".join(header["labels"])


def test_large_counts_are_written_in_groups() -> None:
    text = " ".join(f"{'abcdefghijklmnopqrstuvwxyz'[i % 26] * 30}" for i in range(60))
    assert "1,800 characters" in plain(visit(p="tokens", bt=text, bm="0"))


@pytest.mark.check
def test_a_model_without_word_pieces_shows_its_own_tokens() -> None:
    smollm2 = left_to_right.real()
    with pytest.raises(NotSupported, match="WordPiece"):
        smollm2.word_pieces()  # although a few of its tokens begin with ##
    app = visit(p="tokens", m="smollm2")
    words = plain(app)
    assert "longest match first" not in words
    assert "Ġ" not in words
    (right,) = [one.value for one in app.markdown if "The tokens of" in one.value]
    said_of, count = numbers(right)[-2:]
    assert said_of == smollm2.n_vocabulary
    assert count == len(smollm2.trace(" ".join(words_of(SUBWORDS))).tokens)
    assert not [*app.error, *app.warning]


def test_tokens_are_grouped_by_word() -> None:
    assert grouped(["##a", "b", "##c", "##", "d"]) == [["##a"], ["b", "c"], ["##"], ["d"]]
    assert grouped([]) == []
