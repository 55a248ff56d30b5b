"""Words replaced, masked and cut by their exact characters, whatever characters a token covers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.pretrained import token_edits
from core.pretrained.tokenizer.reader import Encoded, TextReader
from core.records import finding, words
from core.records.spelling import CASED, Spelling
from tests.pretrained.small_models import DECODERS, save
from tests.pretrained.tokenizer_kinds import FAST, SLOW, TEXTS

KINDS = [*FAST, *SLOW]
MANY = 10**7  # rows of a table, more than any tokenizer here needs
RIVER = "on a river bank"
FISH = "see 🎣bank now"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], TextReader]:
    """The reader of a kind, made once."""
    made: dict[str, TextReader] = {}

    def of(kind: str) -> TextReader:
        if kind not in made:
            folder = tmp_path_factory.mktemp("tokenizer")
            tokenizer = FAST[kind]() if kind in FAST else SLOW[kind](folder)
            made[kind] = TextReader(tokenizer, 4096, MANY, kind)
        return made[kind]

    return of


def exact(read: token_edits.Tokens, i: int) -> str:
    """The characters of a token, without surrounding spaces."""
    return read.texts[0][slice(*read.offsets[i])].strip()


def every_word(read: Encoded, spelling: Spelling) -> list[tuple[str, int, words.Word]]:
    """Each word of a text that reached the model: its spelling, its occurrence, and its span."""
    text = read.texts[0]
    found, names = [], {word.text for word in words.split(text)}
    spans = np.array(read.offsets, dtype=np.int64).reshape(-1, 2)
    for name in sorted(names):
        for number, (start, end, _) in enumerate(
            finding.spans_of(text, spans, name, spelling=spelling, end=len(text))
        ):
            found.append((name, number, words.Word(text[start:end], start, end)))
    return found


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", KINDS)
def test_a_word_is_replaced_by_its_characters(reader: Any, kind: str) -> None:
    """For every word of every text: everything around it stays, character by character."""
    asked = 0
    for text in [RIVER, *TEXTS]:
        try:
            read = reader(kind).read(text)
        except core.NotSupported:
            continue  # it does not tell which characters a token of this text came from
        for name, number, word in every_word(read, reader(kind).spelling):
            span = token_edits.span_of(read, name, number, spelling=reader(kind).spelling)
            assert span == (word.start, word.end)
            after = token_edits.replaced(text, [(*span, "shore")])
            assert after == text[: word.start] + "shore" + text[word.end :]
            asked += 1
    assert asked >= 3


@pytest.mark.few(24)
@pytest.mark.parametrize("kind", KINDS)
def test_tokens_are_known_again_by_their_characters(reader: Any, kind: str) -> None:
    """Both texts are read by the tokenizer itself: tokens at the same characters are the same."""
    followed = 0
    for text in [RIVER, *TEXTS]:
        try:
            read = reader(kind).read(text)
        except core.NotSupported:
            continue
        for name, number, word in every_word(read, reader(kind).spelling):
            put = [(*token_edits.span_of(read, name, number, spelling=reader(kind).spelling), "a")]
            try:
                after = reader(kind).read(token_edits.replaced(text, put))
            except core.NotSupported:
                continue
            places = token_edits.moved(read, after, put)
            assert len(places) == len(read)
            there = [place for place in places if place is not None]
            assert there == sorted(set(there))  # in their order, each once
            for i, (start, end) in enumerate(read.offsets):
                if text[max(start, word.start) : min(end, word.end)].strip():
                    assert places[i] is None  # of the word, or of it and another
                if (place := places[i]) is not None:
                    assert exact(after, place) == exact(read, i)
                    followed += 1
    assert followed or kind in ("CTRL", "ESM")


@pytest.mark.few(24)
@pytest.mark.parametrize("kind", KINDS)
def test_a_token_of_two_words_is_neither_masked_nor_cut(reader: Any, kind: str) -> None:
    """Against the explicit rule: a word's tokens cover no letter of another word."""
    spelling = reader(kind).spelling
    for text in [RIVER, *TEXTS]:
        try:
            read = reader(kind).read(text)
        except core.NotSupported:
            continue
        for name, number, word in every_word(read, spelling):
            tokens = token_edits.tokens_of(read, name, number, spelling=spelling)
            others = [
                other
                for other in words.split(text)
                if not word.start <= other.start < word.end
                and any(
                    start < other.end and other.start < end
                    for start, end in (read.offsets[i] for i in tokens)
                )
            ]
            if others:
                with pytest.raises(core.NotSupported, match="as one token"):
                    token_edits.alone(read, name, number, spelling=spelling, name=kind)
            else:
                assert (
                    token_edits.alone(read, name, number, spelling=spelling, name=kind).tolist()
                    == tokens.tolist()
                )


@pytest.mark.parametrize("kind", ["GPT-2", "OPT", "Llama", "Qwen", "RoBERTa", "XLM-R", "BERT"])
@pytest.mark.parametrize("word", ["river", "bank"])
def test_the_space_before_a_word_stays(reader: Any, kind: str, word: str) -> None:
    read = reader(kind).read(RIVER)
    span = token_edits.span_of(read, word, spelling=reader(kind).spelling)
    after = reader(kind).read(token_edits.replaced(RIVER, [(*span, "shore")]))
    assert after.texts == (RIVER.replace(word, "shore"),)
    places = token_edits.moved(read, after, [(*span, "shore")])
    own = set(token_edits.tokens_of(read, word, spelling=reader(kind).spelling).tolist())
    for i, was in enumerate(places):
        if was is None:
            assert i in own or not exact(read, i)  # the word's own, and signs around the text
        else:
            assert exact(after, was) == exact(read, i)
    assert own
    assert not {places[i] for i in own} - {None}


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", DECODERS)
def test_a_decoder_reads_what_is_typed(
    tmp_path: Path, fill_randomly: Callable[..., None], kind: str
) -> None:
    model = core.load(str(save(tmp_path, kind, fill_randomly)))
    found = model.intervene(RIVER, core.Replace("bank", "shore"))
    typed = model.trace("on a river shore")
    assert found.after.texts == typed.texts
    assert found.after.tokens == typed.tokens
    np.testing.assert_array_equal(found.after.hidden, typed.hidden)


@pytest.mark.check
@pytest.mark.parametrize("engine", ["minilm", "minilm_hf"])
def test_one_unknown_token_of_two_words(request: pytest.FixtureRequest, engine: str) -> None:
    """“🎣bank” is one [UNK] to MiniLM."""
    model: core.Model = request.getfixturevalue(engine)
    read = model.trace(FISH)
    assert read.find("bank").tolist() == read.find("🎣").tolist()
    assert read.tokens[read.find("bank")[0]] == "[UNK]"
    for change, after in (
        (core.Replace("bank", "sea"), "see 🎣sea now"),
        (core.Replace("🎣", "old "), "see old bank now"),
        (core.Replace("now", "then"), "see 🎣bank then"),
    ):
        found = model.intervene(FISH, change).after
        assert found.texts == (after,)
        np.testing.assert_array_equal(found.hidden, model.trace(after).hidden)
    both = model.intervene(FISH, core.Replace("🎣", "sea "), core.Replace("bank", "side"))
    assert both.after.texts == ("see sea side now",)
    for word in ("bank", "🎣"):
        with pytest.raises(core.NotSupported, match=r"“bank” and “🎣”|“🎣” and “bank”"):
            model.intervene(FISH, core.Mask(word))
    # On its own, each word can be edited, and so can a word that was inserted first.
    assert model.intervene(FISH, core.Mask("now")).after.tokens[3] == "[MASK]"
    apart = model.intervene(FISH, core.Replace("🎣", "a "), core.Mask("bank"))
    assert apart.after.tokens[3] == "[MASK]"


def test_a_cut_does_not_take_another_word_along(minilm: core.Model) -> None:
    for change in (core.Cut("now", "bank"), core.Cut("🎣", "now")):
        with pytest.raises(core.NotSupported, match="as one token"):
            minilm.intervene(FISH, change)
        with pytest.raises(core.NotSupported, match="one token"):
            list(minilm.changed(FISH, [[change]]))
    # An index refers to that one token, whatever its words.
    (place,) = minilm.trace(FISH).find("bank")
    (now,) = minilm.trace(FISH).find("now")
    after = minilm.intervene(FISH, core.Cut(int(now), int(place))).after
    assert after.attention is not None
    assert (after.attention.weights[:, :, now, place] == 0).all()


def test_what_is_hidden_stays_hidden_behind_a_replaced_word(minilm: core.Model) -> None:
    text = "On a river bank, see 🎣bank now"
    places = [int(minilm.trace(text).find(word)[0]) for word in ("river", "see", "🎣", "now")]
    found = minilm.intervene(text, core.Replace("river", "riverbanks of the"), masked=places).after
    assert found.texts == ("On a riverbanks of the bank, see 🎣bank now",)
    hidden = [exact(found, i) for i, token in enumerate(found.tokens) if token == "[MASK]"]
    assert hidden == ["see", "🎣bank", "now"]
    gone = minilm.intervene(text, core.Replace("bank", "sea", 1), masked=places).after
    hidden = [exact(gone, i) for i, token in enumerate(gone.tokens) if token == "[MASK]"]
    assert hidden == ["river", "see", "now"]  # the token of 🎣 was that of the word too, and has gone


def test_bytes_of_one_sign_are_followed_one_by_one(reader: Any) -> None:
    read = reader("GPT-2").read("a 🎣 bank")
    sign = [i for i in range(len(read)) if exact(read, i) == "🎣"]
    assert len(sign) > 2
    put = [(0, 1, "the river")]
    after = reader("GPT-2").read(token_edits.replaced("a 🎣 bank", put))
    places = token_edits.moved(read, after, put)
    there = [i for i in range(len(after)) if exact(after, i) == "🎣"]
    assert [places[i] for i in sign] == there


def test_a_word_that_is_not_there_is_named(reader: Any) -> None:
    read = reader("GPT-2").read(RIVER)
    with pytest.raises(core.WordNotFound, match=r"The words here are: on, a, river, bank\."):
        token_edits.span_of(read, "lake", spelling=CASED)
    with pytest.raises(core.WordNotFound, match="occurs here once"):
        token_edits.alone(read, "bank", 1, spelling=CASED, name="GPT-2")
