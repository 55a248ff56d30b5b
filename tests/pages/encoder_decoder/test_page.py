"""The encoder–decoder without a browser: its content, for typed texts and for links."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.tasks import Trained, shipped
from pages.encoder_decoder import translator
from pages.encoder_decoder.state import TranslationState
from tests.pages.reading import on_map, text_box
from tests.pages.translation_reading import pictures, visit, words
from tests.sentences import saying
from tests.tasks.conftest import brief, trained
from tests.visits import link, press, run, said


@pytest.fixture(scope="module")
def model() -> Trained:
    return shipped()


def test_opens_translated_with_bars_and_lines(model: Trained) -> None:
    app = visit()
    assert words(app) == ["je", "suis", "étudiant", "[END]"]
    assert link(app) == {}
    found = pictures(app)
    assert set(found) == {"word-3", "cross-layer-1"}
    bars, shares = found["word-3"]
    step = list(model.steps_of("I am a student"))[2].expectation.top(8)
    assert bars["labels"] == list(step.tokens)
    np.testing.assert_allclose(shares, step.probabilities, atol=1e-6)
    assert bars["chosen"] == 0
    layer, _ = found["cross-layer-1"]
    assert layer["queries"] == [
        *("je (after [START])", "suis (after je)", "▸ étudiant (after suis)", "[END] (after étudiant)")
    ]
    assert layer["keys"] == ["i", "am", "a", "student"]
    assert layer["state"]["query"] == 2
    assert "**3 of 3** French words attend most to the English word" in said(app)
    assert "exactly what the grammar says. This sentence was not in the training data." in said(app)
    assert not [*app.error, *app.warning, *app.info]


def test_steps_words_and_the_way_back() -> None:
    app = press(visit(st="1"), "translate N")
    assert link(app)["st"] == "2"
    press(app, "translate N")
    press(app, "translate N")
    assert app.button(key="translate N").disabled
    assert "[END]" in pictures(app)["word-4"][0]["labels"][0]
    press(app, "translate B")
    assert link(app) == {}  # where the page opens
    other = visit(t="she does not have a red car", st="2", fw="2.a")
    assert words(other) == ["elle", "✎ a", "une", "voiture", "rouge", "[END]"]
    bars, _ = pictures(other)["word-2"]
    assert bars["labels"][0] == "n'"
    assert bars["labels"][bars["chosen"]] == "a"
    assert "the model’s own word is *n\\'*" in said(other)
    press(other, "translate undo")
    assert "fw" not in link(other)
    assert words(other)[1] == "n'"
    text_box(other, "translate text control").set_value("he sings")
    run(other)
    assert link(other) == {"t": "he sings", "st": "1"}
    assert words(other) == ["il", "chante", "[END]"]


def test_drawing_writes_words_of_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit(te="5.0", st="2")
    monkeypatch.setattr("random.getrandbits", lambda _: 7)
    press(app, "translate draw all")
    drawn = words(app)
    assert any(word.startswith("✎") for word in drawn)
    assert words(visit(**link(app))) == drawn
    press(app, "translate own")
    assert words(app) == ["je", "suis", "étudiant", "[END]"]
    monkeypatch.setattr("random.choices", lambda those, _: [those[3]])
    press(app, "translate draw")
    assert "✎" in words(app)[1]


def test_the_mask_before_and_after_softmax() -> None:
    app = visit(e="decoder", p="softmax", h="2", st="1")
    header, numbers = pictures(app)["decoder-softmax"]
    scores, weights = numbers.reshape(2, 4, 4)
    assert [one["name"] for one in header["matrices"]] == ["scores", "weights"]
    later = [[row, column] for row in range(4) for column in range(row + 1, 4)]
    assert header["matrices"][0]["hidden"] == header["matrices"][1]["hidden"] == later
    assert header["matrices"][0]["rows"] == ["je", "suis", "étudiant", "[END]"]
    assert header["matrices"][0]["columns"] == ["[START]", "je", "suis", "étudiant"]
    assert np.triu(weights, 1).max() == 0
    assert scores[0, 1] < -1e30
    assert header["state"]["row"] == 0
    assert "head 2 would" in said(app)
    app.toggle(key=TranslationState.mask.control).set_value(False)
    run(app)
    header, numbers = pictures(app)["decoder-softmax"]
    free = numbers.reshape(2, 4, 4)[1]
    assert header["matrices"][1]["hidden"] == []
    lost = saying(said(app), "not written yet")
    assert f"**{100 * free[0, 1:].sum():.1f} %**" in lost
    assert link(app)["c"] == "0"


@pytest.mark.parametrize("head", ["", "3", "mean"])
def test_the_encoder_has_two_layers_of_four_heads(model: Trained, head: str) -> None:
    app = visit(e="encoder", l="2", h=head, r="head")
    header, _ = pictures(app)["encoder-layer-2"]
    assert header["queries"] == header["keys"] == ["i", "am", "a", "student"]
    assert (header["heads"], header["causal"]) == (4, False)
    assert header["state"]["head"] == {"": 0, "3": 2, "mean": -1}[head]
    buttons = app.button_group(key=TranslationState.layer.control)
    assert len(buttons.proto.options) == 2
    app.button_group(key=TranslationState.block.control).set_value("decoder")
    run(app)
    assert set(pictures(app)) == {"word-3", "decoder-softmax"}


def test_large_letters_show_the_matrices_first() -> None:
    url = {"e": "decoder", "p": "softmax"}
    assert [*pictures(visit(**url))] == ["word-3", "decoder-softmax"]
    assert [*pictures(visit(**url, j="1"))] == ["decoder-softmax", "word-3"]


def test_unknown_words_are_named_and_others_offered() -> None:
    app = visit(t="a zebra sees the studnet")
    assert "does not know “zebra”, “studnet”" in app.info[0].value
    assert not pictures(app)
    press(app, "offer 1 student")
    press(app, "offer 0 cat")
    assert link(app) == {"t": "a cat sees the student", "st": "1"}
    assert words(app) == ["un", "chat", "voit", "l'", "étudiant", "[END]"]
    pills = app.button_group(key="translate group 1 control")
    pills.set_value("red")
    run(app)
    assert link(app)["t"] == "a cat sees the student red"
    assert "a guess" in said(app)
    press(app, "translate another")
    assert "exactly what the grammar says" in said(app)


@pytest.mark.check
def test_a_model_of_another_task(monkeypatch: pytest.MonkeyPatch) -> None:
    reverse = trained(brief("reverse"))
    monkeypatch.setattr(
        "pages.encoder_decoder.translator.names",
        lambda: {"shipped": "its own", "yours-mine": "Reverse"},
    )
    own = translator.model
    monkeypatch.setattr(
        "pages.encoder_decoder.translator.model",
        lambda name: reverse if name == "yours-mine" else own(name),
    )
    app = visit(tm="yours-mine")
    assert not [*app.error, *app.warning, *app.info]
    source = reverse.task.source
    assert source is not None
    letters = source.join(source.words[i] for i in reverse.task.probe().source)
    assert text_box(app, "translate text control").value == letters
    assert text_box(app, "translate text control").label == "Source"
    assert words(app)[:24] == [*reverse.decode(letters).tokens]
    assert "exactly what the grammar says" not in said(app)
    everything = "\n".join([app.title[0].value, said(app), *(e.label for e in app.expander)])
    assert not re.search(r"English|French|translat|\bwords?\b", everything, re.IGNORECASE)
    assert app.button(key="translate N").label == "Next letter →"
    for i in range(3):  # its lessons are its own: no English sentence, no word that it cannot read
        press(app, f"try {i}")
        assert not [*app.error, *app.warning, *app.info]
    app.sidebar.selectbox(key="translator model control").set_value("shipped")
    run(app)
    assert words(app) == ["je", "suis", "étudiant", "[END]"]  # it knows no letters
    assert "French" in said(app)
    assert app.button(key="translate N").label == "Next word →"


def test_the_buttons_lead_where_they_say() -> None:
    app = press(visit(), "try 0")
    assert words(app)[:3] == ["le", "chat", "noir"]
    header, _ = pictures(app)["cross-layer-1"]
    assert header["state"]["level"] == "head"
    press(app, "try 1")
    assert "decoder-softmax" in pictures(app)
    press(app, "try 2")
    assert words(app)[1] == "✎ a"


def test_french_is_read_and_english_written() -> None:
    app = visit(d="to-english")
    assert words(app) == ["i", "am", "a", "student", "[END]"]
    assert text_box(app, "translate text control").value == "je suis étudiant"
    assert text_box(app, "translate text control").label == "French"
    found = pictures(app)
    layer, _ = found["cross-layer-1"]
    assert layer["keys"] == ["je", "suis", "étudiant"]
    assert layer["queries"][-2] == "student (after a)"
    assert "**3 of 3** English words attend most to the French word" in said(app)  # "a" has none
    assert "exactly what the grammar says. This sentence was not in the training data." in said(app)
    assert "500 sentences" in said(app)
    assert not [*app.error, *app.warning, *app.info]


def test_the_direction_turns_and_takes_the_sentence_along() -> None:
    app = visit(t="the black cat does not eat the small apple", st="4", fw="2.chien")
    direction = app.button_group(key=TranslationState.direction.control)
    direction.set_value("to-english")
    run(app)
    assert link(app)["d"] == "to-english"
    assert link(app)["t"] == "le chat noir ne mange pas la petite pomme"
    assert "fw" not in link(app)
    assert words(app)[:3] == ["the", "black", "cat"]
    app.button_group(key=TranslationState.direction.control).set_value("to-french")
    run(app)
    assert link(app)["t"] == "the black cat does not eat the small apple"
    assert "d" not in link(app)


def test_back_and_forth_is_the_page_as_it_opens() -> None:
    app = visit()
    for one in ("to-english", "to-french"):
        app.button_group(key=TranslationState.direction.control).set_value(one)
        run(app)
    assert "t" not in link(app)
    assert text_box(app, "translate text control").value == "I am a student"
    nothing = visit(t="zebra zebra")  # nothing that could be taken along
    nothing.button_group(key=TranslationState.direction.control).set_value("to-english")
    assert words(run(nothing)) == ["i", "am", "a", "student", "[END]"]


def test_two_translations_of_one_sentence_are_both_right() -> None:
    app = visit(d="to-english", t="elle l'entend")
    assert words(app)[2] in ("him", "her")
    other = {"him": "her", "her": "him"}[words(app)[2]]
    verdict = saying(said(app), "It could also be")
    assert f"*she hears {other}*" in verdict
    assert "exactly what the grammar says" in said(app)
    _, shares = pictures(visit(d="to-english", t="elle l'entend", st="3"))["word-3"]
    assert shares[:2].sum() > 0.95  # it has to guess
    assert shares[1] > 0.3


def test_words_and_examples_of_the_french_side() -> None:
    app = visit(d="to-english", t="je suis un zèbre")
    assert "zèbre" in app.info[0].value
    groups = [one for one in app.button_group if str(one.key).startswith("translate group")]
    offered = {option.content.replace("\\", "") for one in groups for option in one.proto.options}
    assert offered == set(shipped("to-english").words)
    app = press(visit(d="to-english"), "translate another")
    assert link(app)["d"] == "to-english"
    assert "This sentence was not in the training data" in said(app)


def test_a_link_with_another_direction_is_the_usual_one() -> None:
    app = visit(d="to-german")
    assert words(app) == ["je", "suis", "étudiant", "[END]"]
    assert link(app) == {}


def test_the_drawing_in_the_sidebar_has_the_stacks_of_the_translator(model: Trained) -> None:
    recipe = model.recipe
    for block, heads in (("encoder", recipe.n_heads), ("cross", recipe.n_cross_heads)):
        given = on_map(visit(e=block))
        assert given["heads"] == heads
        assert given["stacks"] == [
            ["encoder", recipe.n_encoder_layers],
            ["decoder", recipe.n_decoder_layers],
        ]


@pytest.mark.parametrize(("level", "pale"), [("lines", True), ("head", False)])
def test_only_lines_have_pale_rows(level: str, pale: bool) -> None:
    assert ("Pale rows" in said(visit(r=level))) is pale


def test_the_end_translates_no_word_and_was_not_taught_where_to_attend(model: Trained) -> None:
    typed = "she has a black cat"
    across = model.decode(typed).trace.cross
    assert across is not None
    row = across.weights[0, 0, -1]
    free = saying(said(visit(t=typed, st="1")), "nothing taught its row")
    assert free.startswith(r"*\[END\]* translates no word")
    assert f"**{100 * row.max():.1f} %** on *{typed.split()[row.argmax()]}*" in free
    english = saying(
        said(visit(d="to-english", t="je suis étudiant", st="3")), "nothing taught its row"
    )
    assert english.startswith("*a* translates no word")  # that of the chosen step


def test_what_a_word_owes_and_what_is_written_without_another(model: Trained) -> None:
    typed = "the black cat does not eat the small apple"
    url = {"t": typed, "st": "6", "wy": "1", "wo": "5"}  # "pas", without "not"
    app = visit(**url)
    assert not [*app.error, *app.warning, *app.exception]
    assert link(app) == url
    found, decoding = pictures(app), model.decode(typed)
    bars, values = found["owed-6"]
    logits, (first, second) = decoding.expectations[5].logits, decoding.expectations[5].ids[:2]
    assert values.sum() == pytest.approx(logits[first] - logits[second], abs=1e-4)
    read = ["⟨[START]⟩", "⟨le⟩", "⟨chat⟩", "⟨noir⟩", "⟨ne⟩", "⟨mange⟩"]
    assert bars["labels"] == [*typed.split(), *read, "biases"]
    by_word = dict(zip(bars["labels"], values, strict=True))
    assert sorted(by_word, key=by_word.__getitem__)[-2:] == ["not", "⟨ne⟩"]
    beside, shares = found["without-6"]
    after = model.without_word(typed, decoding.ids[:5], 4)
    assert shares[0] == pytest.approx(probability(after.logits, first), abs=1e-6)
    assert beside["labels"][0] == "pas"
    times = float(probability(logits, first) / probability(logits, second))
    assert 6.75e7 < times < 6.85e7
    assert "about 68 million times as likely as *souvent*" in said(app)
    press(app, "translate with all")
    assert "wo" not in link(app)
    assert "without-6" not in pictures(app)


def test_each_layer_of_the_decoder_and_another_sentence(model: Trained) -> None:
    """The grid of the lens, and the patched runs with one of them opened."""
    url = {"t": "the black cat sleeps", "ln": "1", "pa": "1", "pc": "1.1"}  # at the third step
    url["t2"] = "the white cat sleeps"
    app = visit(**url)
    assert not [*app.error, *app.warning, *app.exception]
    assert link(app) == url
    found, decoding = pictures(app), model.decode(url["t"])
    grid, shares = found["decoder-layers"]
    own = model.pair_lens(url["t"], decoding.ids[:-1])
    np.testing.assert_allclose(shares, own.probabilities[::-1, :, 0].ravel(), atol=1e-6)
    assert grid["chosen"] == 2  # the step, in the top row
    assert grid["columns"] == ["[START]", "le", "chat", "noir", "dort"]  # words, not pieces with spaces
    assert "**After layer 1, at the step that wrote noir:** *noir*" in said(app)
    patched = model.patch_pair(url["t"], url["t2"], decoding.ids[:2])
    assert patched.answers == ("noir", "blanc")
    matrix, values = found["patching"]
    np.testing.assert_allclose(values, 100 * patched.recovered.T.ravel(), atol=1e-3)
    assert [one.split(" / ") for one in matrix["rows"]][1] == ["black", "white"]
    point = "Most of what makes it *noir* and not *blanc* is in *black / white*"
    assert point in said(app).replace("\\", "")
    assert matrix["columns"] == ["input", "after layer 1", "after layer 2"]
    assert grid["rows"] == ["after layer 1", "input of layer 1"]
    beside, shares = found["patched-word"]
    run = model.patched_pair(url["t"], url["t2"], decoding.ids[:2], 1, 1)
    first = run.ids[0]
    assert beside["labels"][0] == run.tokens[0]
    assert shares[0] == pytest.approx(probability(run.logits, first), abs=1e-6)
    for block in ("decoder", "cross"):
        other = visit(**url | {"pb": block})
        assert not [*other.error, *other.exception]
        values = pictures(other)["patching"][1]
        expected = model.patch_pair(url["t"], url["t2"], decoding.ids[:2], block=block).recovered
        expected = expected if block == "cross" else expected.T
        np.testing.assert_allclose(values, 100 * expected.ravel(), atol=1e-3)


def test_where_both_sentences_go_on_alike_another_step_is_offered() -> None:
    url = {"t": "the black cat sleeps", "st": "1", "pa": "1", "t2": "the white cat sleeps"}
    app = visit(**url)
    assert "patching" not in pictures(app)
    assert "the same word behind both sentences" in said(app)
    press(app, "translate differs 2")
    assert "st" not in link(app)  # the third, with which the page opens
    assert "patching" in pictures(app)
    assert "the same words" in said(visit(**url | {"t2": "the black cat sleeps"}))


def probability(logits: np.ndarray, which: int) -> float:
    share = np.exp(logits - logits.max())
    return float(share[which] / share.sum())
