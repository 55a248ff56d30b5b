"""The link, the pictures and the captions of the encoder–decoder page, without the page."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.tasks import Decoding, Trained
from core.tasks.languages.directions import DIRECTIONS
from core.tasks.languages.translation import has_unseen_pair, unseen_pairs
from core.walkthroughs.steps.record import LOWEST
from pages.encoder_decoder import blocks, state, steps, translator, vocabulary
from pages.encoder_decoder.state import SHIPPED, TranslationState
from pages.encoder_decoder.translator import TranslationQuery
from tests.sentences import numbers, saying
from tests.tasks.conftest import brief, trained

CHOSEN = TranslationState()


def shipped() -> Trained:
    found = translator.model(SHIPPED)
    assert isinstance(found, Trained)
    return found


@pytest.fixture(scope="module")
def model() -> Trained:
    return shipped()


@pytest.fixture(scope="module")
def found() -> Decoding:
    return translator.decoding(
        TranslationQuery("shipped", "the black cat does not eat the small apple")
    )


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    kept: dict[str, object] = {}
    monkeypatch.setattr("ui.session.st.session_state", kept)
    return kept


def test_chosen_words_go_through_the_link() -> None:
    forced = {6: "[END]", 1: "n'", 2: "est-ce"}
    typed = state.write_forced(forced)
    assert typed == "2.n',3.est-ce,7.[END]"
    assert state.read_forced(typed) == forced
    assert state.read_forced("") == {}
    for broken in ("x", "0.a", "2.", "65.a", "2.[START]", "2.a,,", "1_0.a"):
        with pytest.raises(ValueError):  # noqa: PT011
            state.read_forced(broken)


def test_words_that_cannot_be_written_leave_the_link(session: dict[str, object]) -> None:
    session[CHOSEN.forced.key] = "2.zzz,3.une"
    assert steps.query_of(CHOSEN, "shipped", "I am tired").forced == ((2, "une"),)
    assert session[CHOSEN.forced.key] == "3.une"


def test_a_choice_forgets_those_behind_it(session: dict[str, object]) -> None:
    CHOSEN.write_instead(3, "chat", "chien")
    CHOSEN.write_instead(1, "une", "un")
    assert CHOSEN.words() == {1: "une"}
    CHOSEN.write_instead(4, "rouge", "noir")
    CHOSEN.write_instead(4, "noir", "noir")  # its own word is no choice
    assert CHOSEN.words() == {1: "une"}
    CHOSEN.take_back()
    CHOSEN.take_back()
    assert CHOSEN.words() == {}


def test_a_row_of_the_picture_is_a_step(session: dict[str, object]) -> None:
    sent = {"level": "head", "query": 2, "key": 1, "head": 0, "on": [0]}
    CHOSEN.take_picture("cross", (1, 10, 9), sent)
    assert CHOSEN.step.get() == 3
    assert CHOSEN.picture_state("cross") == {"level": "head", "query": 2, "key": 1}
    CHOSEN.take_picture("encoder", (4, 9, 9), {**sent, "head": -1, "query": 5})
    assert CHOSEN.step.get() == 3
    assert CHOSEN.picture_state("encoder")["query"] == 5
    assert CHOSEN.head() == -1
    CHOSEN.take_cell("decoder", {"row": 4.0, "column": 2})
    assert CHOSEN.step.get() == 5
    assert CHOSEN.picture_state("decoder")["key"] == 2
    before = dict(session)
    for bad in (1.5, "2", None, float("nan"), -1, True, 1e9):
        CHOSEN.take_cell("decoder", {"row": bad, "column": bad})
    assert session == before


def test_each_row_is_named_by_the_word_it_writes(found: Decoding) -> None:
    cross = blocks.block(found, "cross", 2)
    rows = cross.attention.queries
    assert rows[:3] == ("le (after [START])", "chat (after le)", "▸ noir (after chat)")
    assert cross.attention.keys[1] == "black"
    assert cross.attention.weights[0, 0, 2].argmax() == 1
    encoder = blocks.block(found, "encoder", 2)
    assert encoder.attention.queries == encoder.attention.keys == found.trace.encoder.tokens
    decoder = blocks.block(found, "decoder")
    assert decoder.attention.keys == ("[START]", *found.words)
    assert decoder.causal


@pytest.mark.parametrize("which", state.BLOCKS)
def test_scores_lead_to_the_weights_of_every_head(found: Decoding, which: str) -> None:
    weights = blocks.block(found, which).attention.weights
    for layer, head in np.ndindex(*weights.shape[:2]):
        step = blocks.softmax_step(found, which, layer, head)
        np.testing.assert_allclose(step.result.values, weights[layer, head], atol=2e-6)
        np.testing.assert_allclose(step.again(), weights[layer, head], atol=2e-6)
        hidden = step.operands[0].hidden
        if which != "decoder":
            assert hidden is None
            continue
        assert hidden is not None
        assert np.array_equal(hidden, np.triu(np.ones(hidden.shape, bool), 1))
        assert (step.operands[0].values[hidden] == np.float32(LOWEST)).all()
        table = blocks.softmax_table(
            TranslationQuery("shipped", found.trace.encoder.texts[0]), which, layer, head, True
        )
        assert table.iloc[0, 1] == -np.inf
        assert table.shape == (10, 20)


def test_without_the_mask_rows_look_at_what_comes_later(found: Decoding) -> None:
    own = blocks.scores(found, "decoder", 0, 1)
    raised = np.exp(own.values.astype(float))
    shares = raised / raised.sum(axis=1, keepdims=True)
    free = blocks.softmax_step(found, "decoder", 0, 1, masked=False)
    assert free.result.hidden is None
    np.testing.assert_allclose(free.result.values, shares, atol=1e-6)
    for step in (0, 4, 9):
        later = shares[step, step + 1 :].sum()
        assert blocks.without_mask(found, 0, 1, step) == pytest.approx(later, abs=1e-6)


def test_the_head_across_aligns(found: Decoding) -> None:
    into_french = DIRECTIONS["translation"]
    known = translator.references("translation", found.trace.encoder.tokens)
    (one,) = blocks.aligned(found, known, into_french)
    assert one == (0, 0, 9, 9)
    assert blocks.aligned(found, (), into_french) == ()
    wrong = [known[0]._replace(alignment=(0, 1, 2, *known[0].alignment[3:]))]  # noir, chat swapped
    assert blocks.aligned(found, wrong, into_french)[0].right == 7


def test_bars_hold_what_was_written() -> None:
    chosen = translator.decoding(
        TranslationQuery("shipped", "she does not have a red car", ((1, "a"),))
    )
    words, shares = steps.offered(chosen, 1, 1.0)
    assert words[0] == "n'"
    assert words[-1] == "a"
    p = np.exp(chosen.expectations[1].logits.astype(float))
    place = shipped().target.words.index("a")
    assert shares[-1] == pytest.approx(p[place] / p.sum(), rel=1e-5)
    assert steps.by_hand(chosen) == (1,)
    last = int(chosen.expectations[1].logits.argmin())  # beyond all that an expectation lists
    word = shipped().target.words[last]
    rare = translator.decoding(TranslationQuery("shipped", "she does not have a red car", ((1, word),)))
    assert steps.offered(rare, 1, 1.0)[0][-1] == word
    table = steps.table(TranslationQuery("shipped", "I am a student"), 2, 2.0)
    assert table.index[0] == "étudiant"
    assert table["probability"].is_monotonic_decreasing


def test_no_two_steps_have_one_name() -> None:
    twice = translator.decoding(TranslationQuery("shipped", "the cat sees the cat"))
    named = steps.names(twice)
    assert len(set(named)) == len(named) == 6
    seen = [name.replace("\u2060", "") for name in named]
    assert seen == ["le", "chat", "voit", "le", "chat", "\\[END\\]"]
    other = translator.decoding(TranslationQuery("shipped", "the cat sees the cat", ((4, "chien"),)))
    assert steps.names(other)[3:5] == ("le\u2060", "✎ chien")


def test_what_is_said_of_a_translation(model: Trained) -> None:
    def verdict(text: str, *forced: tuple[int, str]) -> str:
        found = translator.decoding(TranslationQuery("shipped", text, forced))
        known = translator.references("translation", found.trace.encoder.tokens)
        return vocabulary.verdict(model, found, known)

    told = verdict("I am a student")
    assert told.startswith("**je suis étudiant**: exactly what the grammar says.")
    assert "not in the training data" in told
    assert "the grammar says *elle n\\'a pas de voiture rouge*" in verdict(
        "she does not have a red car", (1, "a")
    )
    assert "a guess" in verdict("student a am I")
    early = verdict("I am a student", (3, "chat"))
    assert "exactly" not in early
    assert "cut" not in early
    endless = verdict("am am am", *((step, "pas") for step in range(24)))
    assert "a guess" in endless
    assert numbers(saying(endless, "\\[END\\]")) == [24]


@pytest.mark.fuzz
@pytest.mark.check
def test_which_adjective_training_never_showed_with_its_noun_is_said(model: Trained) -> None:
    said = set()
    for sentence in unseen_pairs(120):
        found = translator.decoding(TranslationQuery("shipped", " ".join(sentence.english)))
        verdict = vocabulary.verdict(model, found, (sentence,))
        assert "may have been in the training data" not in verdict
        (pair,) = re.findall(r"Training never paired “(\w+)” with “(\w+)”\.", verdict)
        assert pair in sentence.pairs
        assert has_unseen_pair(sentence._replace(pairs=(pair,)))
        said.add((pair, bool({"is", "are"} & {*sentence.english})))
    assert {predicate for _, predicate in said} == {False, True}  # "the red house", "the house is red"


@pytest.mark.parametrize(
    ("typed", "left_out"),
    [("I am a student", ""), ("I am a student .! ", ".!"), ("I am. a student", ""), ("!", "!")],
)
def test_what_stands_behind_the_last_word_is_said(model: Trained, typed: str, left_out: str) -> None:
    assert vocabulary.unread(model, typed) == left_out


def test_letters_have_no_full_stop_either() -> None:
    reverse = trained(brief("reverse"))
    assert reverse.unknown("abc é 1 ! ABC") == ("é", "1", "!")
    assert reverse.unknown("abc ab !") == ()
    found = reverse.decode("abc ab !")
    assert found.trace.encoder.tokens == (*"abcab",)
    said = vocabulary.verdict(reverse, found, ())
    assert "“\\!” at the end" in said
    assert ("before the model had written" in said) is not found.ended


def test_words_in_place_of_unknown_ones(model: Trained) -> None:
    offers = vocabulary.offers(model, "The studnet saw an applle 🙂")
    assert list(offers) == ["studnet", "saw", "applle", "🙂"]
    assert offers["studnet"][0] in ("student", "students")
    assert offers["applle"][0] in ("apple", "apples")
    assert offers["🙂"] == ()
    assert all(set(words) <= set(model.words) for words in offers.values())
    replaced = vocabulary.replaced(model, "A zebra,  a Zebra", "zebra", "cat")
    assert replaced == "A cat, a cat"
    assert vocabulary.replaced(model, "I am 🙂 tired", "🙂", "") == "I am tired"


@pytest.mark.parametrize(
    ("typed", "unknown", "kind", "first"),
    [
        ("the quick dog eats", "quick", "Adjectives", "small"),
        ("the ugly cat sees the dog", "ugly", "Adjectives", "small"),
        ("she has an awful apple", "awful", "Adjectives", "intelligent"),
        ("he has two apples", "two", "Small words", "the"),
        ("zorglub is happy", "zorglub", None, "she"),
        ("zorglubs are happy", "zorglubs", "I, you, him …", "they"),
        ("she devours the apple", "devours", "Verbs", "sees"),
        ("the cat slept", "slept", "Verbs", "sleep"),
        ("i am tyred", "tyred", "Adjectives", "tired"),
        ("i am a studnet", "studnet", "People and things", "student"),
        ("yesterday the cat eats the apple", "yesterday", None, None),
    ],
)
def test_what_is_offered_is_of_the_same_word_class(
    model: Trained, typed: str, unknown: str, kind: str | None, first: str | None
) -> None:
    offered = vocabulary.offers(model, typed)[unknown]
    assert (offered[0] if offered else None) == first
    if kind is not None:
        assert {word.split()[-1] for word in offered} <= set(vocabulary.groups("translation")[kind])


def test_a_noun_that_is_offered_has_the_number_of_its_article(model: Trained) -> None:
    assert "students" not in vocabulary.offers(model, "I am a studnet")["studnet"]
    assert "student" not in vocabulary.offers(model, "I see these studnet")["studnet"]


@pytest.mark.parametrize(
    ("typed", "unknown", "offered"),
    [
        ("drink milk", "milk", {"the coffee", "the tea", "the beer"}),
        ("I often drink milk", "milk", {"the coffee", "the tea", "the beer"}),
        ("she eats a pizza", "pizza", {"cake", "tomato"}),
        ("she eats an aubergine", "aubergine", {"apple", "orange", "egg"}),
        ("we read these signs", "signs", {"books", "letters", "newspapers", "stories"}),
        ("they live in Rome", "rome", {"the house", "the garden", "the school", "the city"}),
    ],
)
def test_what_is_offered_can_stand_there(
    model: Trained, typed: str, unknown: str, offered: set[str]
) -> None:
    found = vocabulary.offers(model, typed)[unknown]
    assert set(found) >= offered
    subject = "" if len(typed.split()) > 2 else "i "
    for by in offered:
        whole = subject + vocabulary.replaced(model, typed, unknown, by)
        assert model.unknown(whole) == ()
        assert translator.references("translation", tuple(whole.casefold().split())), whole


def test_every_word_has_a_part_of_speech(model: Trained) -> None:
    groups = vocabulary.groups("translation")
    assert {word for words in groups.values() for word in words} == set(model.words)


def test_what_the_model_is(model: Trained) -> None:
    said = vocabulary.about(model, translator.figures("shipped"))
    assert re.match(r".*2 encoder and 1 decoder layers, 4 .*heads in each, 1 ", said)
    assert "222,027" in said
    assert numbers(saying(said, "without a mistake"))[:2] == [500, 500]
    assert "mistake" not in vocabulary.about(model, None)
