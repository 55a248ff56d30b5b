"""A visitor's own T5 or Marian, from a folder, on the encoder–decoder page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.figures.style import token_name
from core.measures.attention.token_names import names
from pages.encoder_decoder import published, sources, steps, translator
from pages.encoder_decoder.state import TranslationState
from tests.generated import written_ids
from tests.pages.reading import text_box
from tests.pages.translation_reading import pictures, visit, words
from tests.pretrained.small_models import save
from tests.visits import link, press, run, said
from ui.models import model_cache
from ui.text import token_text

TEXT = "the bank of the river"
FORMS = {"t5": "ForConditionalGeneration", "marian": "MTModel"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, fill_randomly: Callable[..., None]) -> Path:
    """My models: a T5 and a Marian that predict, a T5 without its head, and no encoder–decoder."""
    made = tmp_path_factory.mktemp("mine")
    for shape, head in (*FORMS.items(), ("gpt2", "LMHeadModel")):
        save(made / f"my-{shape}", shape, fill_randomly, head)
    save(made / "my-bare", "t5, gated", fill_randomly)
    return made


@pytest.fixture(autouse=True)
def mine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("POLYSEE_MODELS", str(folder))
    yield
    for key in [*model_cache._slots]:
        if key[0].startswith("my-"):
            del model_cache._slots[key]


def opened(shape: str, **url: str) -> AppTest:
    app = visit(tm=f"my-{shape}", t=TEXT, **url)
    assert not [*app.error, *app.warning, *app.info, *app.exception]
    return app


def bars_of(app: AppTest) -> dict[str, Any]:
    return next(header for name, (header, _) in pictures(app).items() if name.startswith("word-"))


@pytest.mark.check
@pytest.mark.parametrize("shape", FORMS)
def test_its_steps_bars_and_attention_are_the_models_own(folder: Path, shape: str) -> None:
    app = opened(shape, st="2")
    own = core.load(str(folder / f"my-{shape}"))
    ids = written_ids(own, TEXT, second="", n=translator.MOST_WRITTEN, temperature=0.0)
    trace = own.trace(TEXT, "", more=ids[:-1])
    assert isinstance(trace, core.Seq2SeqTrace)
    assert len(words(app)) == len(ids)
    reader = own._reader
    spelled = [token_text(reader.surface_form(number), reader.name(number)) for number in ids]
    spelled = [*map(token_name, spelled)]
    assert words(app) == spelled
    assert not [one for one in words(app) if "▁" in one]
    bars, shares = pictures(app)["word-2"]
    (best,) = own.predict(TEXT, "", more=ids[:1], top_k=steps.SHOWN)
    assert bars["labels"] == [*map(token_name, map(token_text, best.texts, best.tokens))]
    assert bars["labels"][bars["chosen"]] == words(app)[1]
    np.testing.assert_allclose(shares, best.probabilities, atol=1e-6)
    layer, _ = pictures(app)["cross-layer-1"]
    assert layer["keys"] == [
        token_name(one) if one.strip() else "(space)" for one in names(trace.encoder)
    ]
    assert len(layer["queries"]) == len(ids)
    assert layer["queries"][1].startswith("▸ ")


@pytest.mark.few(2)
@pytest.mark.check
@pytest.mark.parametrize("shape", FORMS)
@pytest.mark.parametrize("block", ["encoder", "decoder", "cross"])
def test_the_softmax_is_that_of_its_own_scores(folder: Path, shape: str, block: str) -> None:
    app = opened(shape, e=block, p="softmax", h="2")
    header, _ = pictures(app)[f"{block}-softmax"]
    formula = next(one.value for one in app.markdown if "softmax" in one.value)
    t5 = shape == "t5"
    assert ("sqrt" in formula) == (not t5)  # T5 does not divide
    assert (" + B" in formula) == (t5 and block != "cross")
    assert (" + M" in formula) == (block == "decoder")
    assert header["kind"] == "softmax"


@pytest.mark.check
def test_what_it_lacks_is_said_and_nothing_of_the_small_language_is_offered() -> None:
    app = opened("t5")
    text = said(app).replace("\\", "")
    assert "Whether the translation is right cannot be checked here" in text
    assert "“my-t5” has 3 encoder layers with 5 heads each and 2 decoder layers" in text
    assert "no grammar says which that is" in text
    assert "translate English to French: " in text
    assert not [one for one in app.expander if "words that the model knows" in one.label]
    assert "translate another" not in {one.key for one in app.button}
    assert "exactly what the grammar says" not in text


@pytest.mark.check
def test_another_token_is_written_by_its_id_and_taken_back() -> None:
    app = opened("marian", st="1")
    model = published.model("my-marian")
    before = words(app)
    other = next(n for n in range(20, 40) if model.loaded._reader.surface_form(n)[1:].isalpha())
    app = opened("marian", st="1", fw=f"2.{published.code(other)}")
    reader = model.loaded._reader
    assert (
        words(app)[1] == f"✎ {token_name(token_text(reader.surface_form(other), reader.name(other)))}"
    )
    assert bars_of(app)["chosen"] is not None
    assert words(app)[0] == before[0]
    press(app, "translate undo")
    assert "fw" not in link(app)
    assert words(app) == before
    # What is no token of this model is forgotten, and so is a word of the small language.
    for wrong in ("2.#99999", "2.river", "2.#", "2.#-1", "2.#٣"):
        assert "fw" not in link(opened("marian", st="1", fw=wrong))


@pytest.mark.check
def test_a_bar_writes_its_token_and_samples_can_be_undone() -> None:
    app = opened("t5", st="1")
    query = translator.TranslationQuery("my-t5", TEXT)
    decoding = translator.decoding(query)
    second = decoding.expectations[0].ids[1]
    changed = translator.decoding(query._replace(forced=((0, published.code(second)),)))
    assert changed.ids[0] == second
    assert steps.by_hand(changed) == (0,)
    assert steps._code(query, second, "x") == f"#{second}"
    app.session_state[TranslationState.temperature.key] = 3.0
    press(app, "translate draw all")
    assert len(words(app)) >= 1
    press(app, "translate own")
    assert words(app) == list(decoding.tokens)


def test_a_model_that_cannot_translate_is_refused_in_a_sentence() -> None:
    for name, why in (
        ("my-gpt2", "is not an encoder–decoder"),
        ("my-nobody", "no translator named"),
    ):
        app = visit(tm=name, t="I am a student")
        found = [one.value for one in (*app.error, *app.warning)]
        assert len(found) == 1
        assert why in found[0].replace("\\", "")
        assert name in app.info[0].value.replace("\\", "")  # as it is, with no capital letter
        assert words(app)[0] == "je"
        assert link(app)["tm"] == name


def test_the_list_names_each_encoder_decoder_and_no_other_model() -> None:
    app = visit()
    (listed,) = [one for one in app.selectbox if one.label == "Model"]
    names = " ".join(listed.options)
    assert "my-t5" in names
    assert "my-marian" in names
    assert "my-gpt2" not in names
    assert "MiniLM" not in names


@pytest.mark.few(3)
@pytest.mark.parametrize("typed", ["", "   ", "🙂 🙂", "שלום עולם", "<b>bold</b>", "word " * 600])
def test_any_text_is_read_or_refused_in_a_sentence(typed: str) -> None:
    app = opened("t5")
    text_box(app, "translate text control").set_value(typed)
    run(app)
    assert not app.exception
    if not typed.strip():
        assert app.info
    else:
        assert words(app) or app.error


@pytest.mark.check
def test_the_code_beside_it_gives_the_same_bars(folder: Path) -> None:
    from pages.encoder_decoder import python

    query = translator.TranslationQuery("my-t5", TEXT, ((1, "#7"),))
    code = python.lines(query, 1, 1.0)["Python"].replace("'my-t5'", json.dumps(str(folder / "my-t5")))
    space: dict[str, Any] = {}
    *first, last = code.splitlines()
    exec("\n".join(first), space)
    found = eval(last, space)
    decoding = translator.decoding(query)
    best = decoding.expectations[1].top(steps.SHOWN)
    np.testing.assert_array_equal([*found.values()], best.probabilities)
    assert decoding.ids[1] == 7


@pytest.mark.check
def test_its_lens_and_another_source(folder: Path) -> None:
    app = opened("marian", st="1", ln="1", pa="1", t2="a bank of the river")
    own = core.load(str(folder / "my-marian"))
    query = translator.TranslationQuery("my-marian", TEXT)
    decoding = translator.decoding(query)
    grid = own.pair_lens(TEXT, "", more=decoding.ids[:-1])  # type: ignore[attr-defined]
    shares = pictures(app)["decoder-layers"][1]
    np.testing.assert_allclose(shares, grid.probabilities[::-1, :, 0].ravel(), atol=1e-6)
    found = pictures(app)
    if "patching" in found:
        other = sources.behind(query, "a bank of the river")[0].ids[0]
        answers = (decoding.ids[0], other)
        patched = own.patch_pair(TEXT, "a bank of the river", answers=answers)  # type: ignore[attr-defined]
        np.testing.assert_allclose(found["patching"][1], 100 * patched.recovered.T.ravel(), atol=1e-2)
    else:
        assert "both sentences" in said(app)
