"""The Embeddings page without a browser: its numbers, its links, what it refuses."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.measures import likeness, sentence_vector
from ui.embeddings_state import OPENING, SENTENCES

SQUARES = ("cosine-similarity", "distance", "dot-product")
ROOT = Path(__file__).resolve().parents[2]


def visit(**url: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages/embeddings.py"), default_timeout=120)
    app.query_params.update(url)
    return run(app)


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception, app.exception
    return app


def said(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def pictures(app: AppTest) -> dict[str, tuple[dict[str, Any], np.ndarray]]:
    """Header and numbers of each picture, by the name of its file."""
    found = {}
    for element in app.get("bidi_component"):
        sent = element.proto.bytes
        (size,) = struct.unpack_from("<I", sent)
        header = json.loads(sent[4 : 4 + size])
        numbers = np.frombuffer(sent[4 + size :], "<f4")
        numbers = numbers.reshape(len(header["rows"]), -1)
        found[header["file"].removeprefix("polysee-")] = header, numbers
    return found


def state(app: AppTest) -> dict[str, str]:
    return {key: values[0] for key, values in app.query_params.items()}


def box(app: AppTest, label: str) -> Any:
    (found,) = (one for one in app.selectbox if one.label == label)
    return found


def test_it_opens_on_two_banks_that_are_one_vector(minilm: core.Model) -> None:
    app = visit()
    shown = pictures(app)
    assert set(shown) == {*SQUARES, "token-vectors"}
    header, cosine = shown["cosine-similarity"]
    assert header["rows"] == OPENING.lower().split()
    assert header["scale"]["bound"] == 1
    first, second = (i for i, word in enumerate(header["rows"]) if word == "bank")
    assert cosine[first, second] == pytest.approx(1, abs=1e-6)
    assert shown["distance"][1][first, second] == 0
    assert header["marked"]["rows"] == [first]
    trace = minilm.trace(OPENING)
    np.testing.assert_allclose(
        shown["dot-product"][1], likeness(trace.learned[1:-1]).dot, rtol=1e-6, atol=1e-6
    )
    assert "cosine 1.000" in said(app)
    assert not state(app)


@pytest.mark.parametrize("depth", ["0", "3", "6"])
def test_every_layer_has_its_own_numbers(minilm: core.Model, depth: str) -> None:
    shown = pictures(visit(l=depth, sp="1"))
    trace = minilm.trace(OPENING)
    assert trace.hidden is not None
    vectors = trace.hidden[int(depth) - 1] if depth != "0" else trace.embedded
    found = likeness(vectors)
    for name, values in (
        ("dot-product", found.dot),
        ("cosine-similarity", found.cosine),
        ("distance", found.distance),
    ):
        header, numbers = shown[name]
        assert len(header["rows"]) == len(trace.tokens)
        np.testing.assert_allclose(numbers, values, rtol=1e-5, atol=1e-5)


def test_the_written_sums_come_out() -> None:
    app = visit(l="6")
    text = next(m.value for m in app.markdown if "= √(" in m.value).replace("−", "-")
    x = float(text.split("$|x|$ = ")[1].split(")")[0])
    y = float(text.split("$|y|$ = ")[1].split(")")[0])
    dot = float(text.split("dot product ")[1].split(";")[0])
    cosine = float(text.split("cosine ")[1].split(" =")[0])
    distance = float(text.split("distance ")[1].split(" =")[0])
    assert dot / (x * y) == pytest.approx(cosine, abs=2e-3)
    assert np.sqrt(x**2 + y**2 - 2 * dot) == pytest.approx(distance, abs=2e-3)


def test_a_chosen_word_stays_when_special_tokens_come() -> None:
    app = visit(q="4")
    assert pictures(app)["distance"][0]["marked"]["rows"] == [3]
    app.toggle(key="embeddings special").set_value(True)
    run(app)
    header, _ = pictures(app)["distance"]
    assert header["rows"][0] == "[CLS]"
    assert header["marked"]["rows"] == [4]
    assert state(app)["sp"] == "1"
    box(app, "Word").set_value(0)
    run(app)
    assert state(app)["q"] == "0"
    app.toggle(key="embeddings special").set_value(False)
    assert pictures(run(app))["distance"][0]["marked"]["rows"] == [0]


def test_sentences_are_compared_as_wholes(minilm: core.Model) -> None:
    app = visit(p="sentences", q="0", k="1")
    header, cosine = pictures(app)["cosine-similarity"]
    assert len(header["rows"]) == len(SENTENCES)
    wanted = likeness(np.stack([sentence_vector(minilm.trace(line)) for line in SENTENCES]))
    np.testing.assert_allclose(cosine, wanted.cosine, atol=1e-6)
    assert cosine[0, 1] > cosine[0, 2] > cosine[0, 4]  # money, then a bank, then a cat
    app.text_area[0].set_value("one\n\n  \none\n<b>two</b>")
    header, cosine = pictures(run(app))["cosine-similarity"]
    assert cosine.shape == (3, 3)
    assert cosine[0, 1] == pytest.approx(1, abs=1e-6)
    assert "<b>" not in said(app)


def test_what_is_typed_in_one_view_waits_for_it() -> None:
    app = visit(t="a cat", p="sentences", ln="one\ntwo")
    app.segmented_control[0].set_value("words")
    run(app)
    assert app.text_input[0].value == "a cat"
    app.segmented_control[0].set_value("sentences")
    assert run(app).text_area[0].value == "one\ntwo"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ({"t": " "}, "The text is empty"),
        ({"t": "🙂"}, "🙂"),
        ({"p": "sentences", "ln": "\n"}, "There is no sentence"),
        ({"p": "sentences", "ln": "a\n" * 40}, "at most 30 sentences"),
        ({"l": "99"}, "What layer 6 returns"),
        ({"l": "-1"}, "Learned vectors"),
        ({"q": "999", "k": "998"}, "dot product"),
        ({"t": "bank"}, "There is no other"),
        ({"t": "עברית שלום"}, "dot product"),
        ({"t": "<script>alert(1)</script>"}, "dot product"),
    ],
)
def test_odd_links_open_with_a_sentence(url: dict[str, str], words: str) -> None:
    app = visit(**url)
    assert words in said(app) + app.session_state["embeddings text"]


@pytest.mark.parametrize("kind", ["gpt2", "albert", "t5"])
def test_models_of_other_shapes(
    kind: str, made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    shutil.copytree(made(kind), tmp_path / "own")
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    for depth in ("learned", "0", "1"):
        app = visit(m="own", l=depth, t="a bank by the river")
        assert set(pictures(app)) == {*SQUARES, "token-vectors"}, said(app)
    app = visit(m="own", p="sentences")
    assert set(pictures(app)) == set(SQUARES), said(app)


def test_the_vocabulary_s_nearest_words_and_the_vectors_themselves(minilm: core.Model) -> None:
    app = visit()
    assert "**Nearest words of the vocabulary** to **bank**" in said(app)
    assert "*largest cosine similarity*: bank 1.00 · banks " in said(app)
    assert "*smallest distance*: bank .00 · " in said(app)
    header, numbers = pictures(app)["token-vectors"]
    trace = minilm.trace(OPENING)
    np.testing.assert_allclose(numbers, trace.learned[1:-1], atol=1e-6)
    length = float(np.linalg.norm(trace.learned[1]))
    assert header["rows"][0] == f"1. she, {length:.2f}"
    app = visit(l="6")
    (place,) = trace.find("bank", 0)
    near = minilm.nearest_words(trace.contextual[place], k=8)
    assert f"*largest cosine similarity*: {near[0].token} " in said(app)
    assert "has moved" in said(app) or "have moved" in said(app)
