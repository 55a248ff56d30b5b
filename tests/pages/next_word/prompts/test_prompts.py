"""The view of two prompts without a browser: numbers, clicks, links, refusals; on a small decoder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.errors import TooLarge
from core.measures import holders, strongest_heads
from core.pretrained.patching import Patches
from core.records.patching import By, Patching
from pages.next_word.prompts import captions, computed, view
from pages.next_word.prompts.computed import Query
from pages.next_word.prompts.view import PAIRS
from pages.next_word.state import NextWordState
from tests import visits
from tests.pages.cells import given
from tests.pages.reading import drawn, text_box
from tests.pretrained.test_smollm2 import smollm2  # noqa: F401
from tests.visits import run, said
from ui.figure import Cell
from ui.page import leads, prose
from ui.session import SessionValue

Made = Callable[..., Path]
A, B = "a kid saw the bank", "a kip sow the bank"


@pytest.fixture
def name(made: Made, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    return folder.name


@pytest.fixture
def model(made: Made) -> core.Model:
    loaded: core.Model = core.load(str(made("llama")))
    return loaded


@pytest.fixture
def words(model: core.Model) -> tuple[str, str]:
    """The answers that the two prompts raise most against each other, as one types them."""
    a, b = (model.expects(text)[0].logits for text in (A, B))
    order = np.argsort(a - b)
    forms = {i: model._reader.surface_form(i) for i in order.tolist()}
    typed = [form for i, form in forms.items() if model._reader.one_token(form) == i and form.isalnum()]
    return typed[-1], typed[0]


def visit(**url: str) -> AppTest:
    return visits.visit("next_word", p="prompts", **({"t": A, "t2": B} | url))


def shown(app: AppTest, file: str) -> tuple[dict[str, Any], np.ndarray]:
    (found,) = (one for one in drawn(app) if one[0]["file"] == f"polysee-{file}")
    return found[0], np.frombuffer(found[1], "<f4")


def patch(model: core.Model, words: tuple[str, str], **more: Any) -> Patching:
    one, other = (computed.written(word) for word in words)
    return model.patch(A, B, answers=(one, other), **more)


def test_the_matrix_has_the_numbers_of_the_model(
    name: str, model: core.Model, words: tuple[str, str]
) -> None:
    app = visit(m=name, wa=words[0], wb=words[1])
    found = patch(model, words)
    header, numbers = shown(app, "patching")
    np.testing.assert_allclose(
        numbers.reshape(len(header["rows"]), -1),
        100 * found.recovered.T[found.differ[0] :],
        rtol=1e-4,
        atol=1e-2,
    )
    assert not found.recovered[:, : found.differ[0]].any()  # nothing is missing in the picture
    assert sum(" / " in row for row in header["rows"]) == 2
    header, numbers = shown(app, "words")
    np.testing.assert_allclose(numbers, 100 * found.recovered_by_word, rtol=1e-4, atol=1e-2)
    assert "Click a cell" in said(app)


def test_a_cell_of_the_link_shows_the_three_runs(
    name: str, model: core.Model, words: tuple[str, str]
) -> None:
    n, first = len(model.read(A).ids), patch(model, words).differ[0]
    app = visit(m=name, wa=words[0], wb=words[1], pc=f"3.{n - 1}")
    for file, text in (("words-a", A), ("words-b", B), ("words-patched", A)):
        _, numbers = shown(app, file)  # after the last layer, the last token's state is all there is
        expected = model.predict(text)[0].probabilities
        np.testing.assert_allclose(numbers[:10], expected, rtol=1e-3, atol=1e-5)
    header, _ = shown(app, "patching")
    assert (header["marked"]["rows"], header["marked"]["columns"]) == ([n - 1 - first], [3])
    before = visit(m=name, wa=words[0], wb=words[1], pc=f"3.{first - 1}")
    assert shown(before, "patching")[0]["marked"]["rows"] == []  # it has no row
    beyond = visit(m=name, wa=words[0], wb=words[1], pc="99.99")
    assert shown(beyond, "patching")[0]["marked"]["rows"] == []


def test_a_click_leads_to_the_run_or_to_the_head(
    name: str, words: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: dict[str, Any] = {}
    with monkeypatch.context() as patched:
        for kind in SessionValue, type(NextWordState.cell):
            patched.setattr(kind, "set", lambda self, value: kept.__setitem__(self.key, value))
        query = Query(name, A, B, words, "position", None)
        view._take(NextWordState(), query, None, Cell(2, 1))
        assert kept == {NextWordState.cell.key: (1, 2)}  # depth, position
        view._take(NextWordState(), query, None, Cell(2, 1), first=3)
        assert kept == {NextWordState.cell.key: (1, 5)}
        kept.clear()
        view._take(NextWordState(), query._replace(by="head"), 4, Cell(2, 5))
    (wanted,) = kept.values()
    assert wanted == {"m": name, "t": A, "l": "3", "h": "6", "r": "head", "q": "5"}
    gone: list[tuple[str, dict[str, str]]] = []
    monkeypatch.setattr(leads, "go", lambda page, query: gone.append((page, query)))
    url = {"m": name, "t": A, "t2": B, "wa": words[0], "wb": words[1]}
    visits.visit("next_word", kept, p="prompts", pb="head", **url)
    assert gone == [("heads", wanted)]


def test_heads_are_put_in_where_one_chooses(
    name: str, model: core.Model, words: tuple[str, str]
) -> None:
    first = patch(model, words).differ[0]
    for at, url in ((-1, {}), (None, {"pa": "-1"}), (first, {"pa": f"{first + 1}"})):
        app = visit(m=name, wa=words[0], wb=words[1], pb="head", **url)
        found = patch(model, words, by="head", at=at)
        _, numbers = shown(app, "patching")
        np.testing.assert_allclose(numbers, 100 * found.recovered.ravel(), rtol=1e-4, atol=1e-2)
    (where,) = (box for box in app.selectbox if box.label == "Where")
    assert where.value == first + 1
    assert any(f"token {first + 1}" in one for one in where.options)


def test_typing_another_prompt_forgets_cell_and_answers(name: str, words: tuple[str, str]) -> None:
    app = visit(m=name, wa=words[0], wb=words[1], pc="1.3")
    text_box(app, "next word second control").set_value("a kip saw the bank").run()
    assert not {"wa", "wb", "pc"} & {*app.query_params}
    assert app.query_params["t2"] == "a kip saw the bank"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ({"t2": A}, "same tokens in both"),
        ({"t2": "a kid saw the big bank"}, "tokens and prompt B"),
        ({"t2": ""}, "Prompt B"),
        ({"t": "  "}, "Prompt A"),
        ({"wa": "several words"}, "single token"),
        ({"wa": "k", "wb": "k"}, "Both answers are"),
        ({"t": "bank " * 600, "t2": "bank " * 600 + "on"}, "more than"),
        ({"t": "<b>שלום</b> 😀", "t2": "bank"}, "tokens"),
        ({"pb": "head", "t2": "a kid saw the big bank"}, "tokens and prompt B"),
    ],
)
def test_what_cannot_be_compared_is_said(name: str, url: dict[str, str], reason: str) -> None:
    app = visit(m=name, **url)
    assert reason in said(app)
    assert not any(header["file"] == "polysee-patching" for header, _ in drawn(app))


def same_answer(model: core.Model) -> tuple[str, str]:
    """Two prompts of equal length that the model answers with one word."""
    seen: dict[tuple[int, int], str] = {}
    for word in ("kid", "kip", "bank", "river", "cat", "old", "the", "saw", "a", "sow"):
        for last in ("bank", "river", "kid"):
            text = f"a {word} saw the {last}"
            (expected,) = model.expects(text)
            key = len(model.read(text)), expected.ids[0]
            if key in seen and seen[key] != text:
                return seen[key], text
            seen.setdefault(key, text)
    raise AssertionError("no two of them")


def test_one_answer_to_both_is_said_and_two_words_are_offered(name: str, model: core.Model) -> None:
    a, b = same_answer(model)
    app = visit(m=name, t=a, t2=b)
    assert "After both prompts the likeliest word is" in said(app)
    assert not app.error
    (button,) = (button for button in app.button if button.label.startswith("Compare “"))
    button.click()
    app = run(app)
    assert not app.error, [one.value for one in app.error]
    _, numbers = shown(app, "patching")
    found = model.patch(a, b, answers=(app.query_params["wa"], app.query_params["wb"]))
    assert found.ids[0] != found.ids[1]
    rows = 100 * found.recovered.T[found.differ[0] :]
    np.testing.assert_allclose(numbers, rows.ravel(), rtol=1e-3, atol=1e-2)


def test_unequal_prompts_are_no_error_and_a_pair_that_fits_is_one_click_away(name: str) -> None:
    app = visit(m=name, t2="a kip sow the big river")
    assert not app.error
    (message,) = (one.value for one in app.info)
    assert "From the first difference to the last" in message
    (button,) = (button for button in app.button if button.label.startswith("Compare “"))
    button.click()
    app = run(app)
    assert not [*app.error, *app.info]
    assert "After A the model says" in said(app) or "Two answers are compared" in said(app)
    header, _ = shown(app, "patching")
    assert len(header["rows"]) > 1


@pytest.mark.parametrize("link", [{"pc": "1"}, {"pc": "x.y"}, {"pa": "-2"}, {"pb": "no"}, {"pa": "77"}])
def test_other_peoples_links_open(name: str, words: tuple[str, str], link: dict[str, str]) -> None:
    by = {"pb": "head"} if "pa" in link else {}
    app = visit(m=name, wa=words[0], wb=words[1], **(by | link))
    assert app.error or shown(app, "patching")


def test_a_model_that_does_not_run_in_ours_says_so(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made("opt, projected")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit(m=folder.name, t="a", t2="b")
    assert "does not run in our own transformer" in said(app)


def test_long_work_is_refused_with_the_length_that_would_do(name: str) -> None:
    text = "a k" + " b" * 25
    query = Query(name, text, "a d" + " b" * 25, ("", ""), "position", None)
    assert 0 < computed.work(query) < computed.MOST
    assert computed.work(query._replace(a="a", b="a b")) == 0


def test_what_would_take_minutes_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch, words: tuple[str, str]
) -> None:
    computed._patching.cache_clear()
    monkeypatch.setattr(computed, "MOST", 20)
    monkeypatch.setattr(computed, "_WIDTH", 36)  # as wide as the model: 6 layers run for one token
    with pytest.raises(TooLarge, match="Above 2, "):
        computed.patching(Query(name, A, B, words, "position", None))


def test_it_is_computed_once_and_goes_on_after_an_interruption(
    name: str, words: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    query = Query(name, A, B, words, "head", None)
    began: list[Patching | None] = []
    inner = Patches.patch

    def counted(self: Patches, *args: Any, **more: Any) -> Patching:
        began.append(more["begun"])
        return inner(self, *args, **more)

    monkeypatch.setattr(Patches, "patch", counted)

    class Left(Exception):
        """A visitor made another choice."""

    def leave(part: Patching) -> None:
        if part.done > 0.5:
            raise Left

    computed._patching.cache_clear()
    with pytest.raises(Left):
        computed.patching(query, leave)
    whole = computed.patching(query)
    assert computed.patching(query, leave) is whole
    assert began[0] is None
    assert began[1] is not None
    assert 0.5 < began[1].done < 1
    assert query not in computed._begun
    assert whole.done == 1


def test_the_same_in_python(name: str, model: core.Model, words: tuple[str, str]) -> None:
    url = {"m": name, "t": A, "t2": B, "p": "prompts", "wa": words[0], "wb": words[1]}
    found = patch(model, words)
    ((answers, recovered, texts, shares),) = given("next_word", pc="2.3", **url)
    assert answers == found.answers
    np.testing.assert_allclose(recovered, found.recovered, atol=1e-5)
    top = model.patched(A, B, 2, [3]).top(10)
    assert texts == top.texts
    np.testing.assert_allclose(shares, top.probabilities, rtol=1e-4)
    ((_, heads),) = given("next_word", pb="head", pa="-1", **url)
    np.testing.assert_allclose(heads, patch(model, words, by="head", at=None).recovered, atol=1e-5)


def test_the_widget(model: core.Model) -> None:
    expected = [one.logits for text in (A, B) for one in model.expects(text)]
    moved = expected[0] - expected[1]
    answers = int(moved.argmax()), int(moved.argmin())
    view = core.patch(A, B, answers=answers, by="head", at=None, model=model)
    found = model.patch(A, B, answers=answers, by="head", at=None)
    np.testing.assert_allclose(
        np.frombuffer(view.picture.payload, "<f4"), 100 * found.recovered.ravel(), atol=1e-2
    )


PAGE = Path(__file__).resolve().parents[4] / "pages" / "next_word" / "page.py"


def of(label: str) -> tuple[dict[str, str], str]:
    """The state that an example sets, and what it says."""
    read = prose.read(str(PAGE), "prompts")
    (item,) = (one for one in (*read.tries, *read.more) if one.label == label)
    return dict(item.state), item.look_for


def found_by(model: core.Model, state: dict[str, str]) -> Patching:
    answers = tuple(computed.written(state.get(key, "")) for key in ("wa", "wb"))
    by: By = "head" if state.get("pb") == "head" else "position"
    return model.patch(state["t"], state["t2"], answers=(answers[0], answers[1]), by=by)


@pytest.mark.check
def test_the_examples_say_what_the_model_does(smollm2: core.Model) -> None:  # noqa: F811
    state, look = of("A capital")
    found = found_by(smollm2, state)
    first, last = holders(found)
    assert (first.last, last.first, last.last) == (23, 24, 30)
    assert "Up to layer 23" in look
    assert "after layer 24" in look
    state, look = of("Which head moves it?")
    heads = found_by(smollm2, state)
    ((layer, head),) = strongest_heads(heads, 1)
    much = 100 * heads.recovered[layer, head]
    assert f"Head {head + 1} of layer {layer + 1} alone brings {much:.0f} % back" in look
    state, look = of("River or money")
    river = found_by(smollm2, state)
    assert river.answers == (" fish", " money")
    assert river.tokens[0][river.differ[0] + 1].endswith("bank")
    assert river.recovered_by_word[river.differ[0]] == pytest.approx(1, abs=1e-4)
    first, last = holders(river)
    assert (first.position, first.last, last.first) == (river.differ[0], 2, 29)
    assert "up to layer 2 " in look
    assert "from layer 29 on the last word" in look
    said = captions.headline(river)
    assert "*bank*" in said
    assert "*catch*" in said
    assert "it is shared by" in said


@pytest.mark.fuzz
@pytest.mark.check
def test_the_other_examples_say_what_the_model_does(smollm2: core.Model) -> None:  # noqa: F811
    state, look = of("The names exchanged")
    found = found_by(smollm2, state)
    assert len(found.differ) == 3
    most = max(found.recovered_by_word)
    assert found.recovered_by_word[found.differ[-1]] == most
    assert f"{100 * most:.0f} %" in look
    state, look = of("The name movers")
    heads = found_by(smollm2, state)
    strongest = strongest_heads(heads, 3)
    layer, head = strongest[0]
    assert (
        f"Head {head + 1} of layer {layer + 1} brings {100 * heads.recovered[layer, head]:.0f} %"
        in look
    )
    assert (24, 4) in strongest
    assert heads.recovered[24, 4] < 0
    assert "Head 5 of layer 25 pulls the other way" in look


def test_each_pair_of_the_list_is_an_example_with_equally_many_tokens(
    smollm2: core.Model,  # noqa: F811
) -> None:
    for a, b, *_ in PAIRS.values():
        assert len(smollm2.read(a).ids) == len(smollm2.read(b).ids)
