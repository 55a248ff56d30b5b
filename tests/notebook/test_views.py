"""Notebook views: choices as traits, files, records displayed as pictures; without a browser."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import traitlets

import core
from core.errors import NotSupported
from core.figures.web import bundle
from core.language import uniform
from core.notebook import browser, views
from core.notebook.picture_view import PictureView, StillView
from core.web import built, inside
from pages.next_word.state import NextWordState

FISHING = "Write a poem about a man fishing on a river bank."
MONEY = "Write a poem about withdrawing money from the bank."
WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(4), (2, 5, 3)).astype("f4")
OWN = core.Attention(("a", "b", "c"), ("t", "u", "v", "w"), WEIGHTS)


@pytest.fixture(scope="module")
def trace(minilm: core.Model) -> core.Trace:
    return minilm.trace(FISHING)


@pytest.fixture(params=["anywidget", "without"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With anywidget, and without it."""
    if request.param == "without":
        monkeypatch.setattr(views, "_INSTALLED", "no_such_package_is_installed")
    return str(request.param)


def every_view(trace: core.Trace, minilm: core.Model) -> dict[str, PictureView]:
    return {
        "heads": core.heads(trace),
        "layer": core.layer(trace, 2),
        "head": core.head(trace, 2, 5),
        "compare": core.compare(FISHING, MONEY, "bank", model=minilm),
        "path": core.path([FISHING, MONEY], "bank", model=minilm),
        "senses": core.senses("bank", model=minilm),
    }


@pytest.mark.few(1)
def test_each_shows_and_becomes_html(
    kind: str, trace: core.Trace, minilm: core.Model, tmp_path: Path
) -> None:
    for name, view in every_view(trace, minilm).items():
        assert isinstance(view, StillView) == (kind == "without")
        page = view.save(tmp_path / f"{name}.html").read_text("utf-8")
        assert page == view.to_html()
        assert page.startswith("<!DOCTYPE html>")
        assert "data-polysee" in view._repr_html_()
        assert view.picture.sentence in repr(view)


def test_a_choice_is_an_attribute(kind: str, trace: core.Trace) -> None:
    view: Any = core.head(trace, 2, 5)
    assert (view.layer, view.head, view.level) == (2, 5, "head")
    view.head = np.int64(3)
    assert view.picture.state["head"] == 3
    view.query = 1
    view.on = [np.int32(3), 4]
    view.layer = np.int64(4)  # the numbers are others, the choices stay
    assert (view.layer, view.head, view.query, view.level) == (4, 3, 1, "head")
    assert type(view.layer) is int
    assert view.picture.payload == core.layer(trace, 4).picture.payload


@pytest.mark.parametrize(
    ("name", "value"), [("head", 99), ("head", "x"), ("level", "x"), ("query", 99)]
)
def test_what_a_picture_does_not_have_is_refused_in_words(
    kind: str, trace: core.Trace, name: str, value: object
) -> None:
    view = core.head(trace, 2, 5)
    wrong = traitlets.TraitError if kind == "anywidget" else ValueError
    with pytest.raises(wrong, match=f"{name} = "):
        setattr(view, name, value)
    assert view.picture.state["head"] == 5
    assert view.picture.state["level"] == "head"


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("head", "0 to 11"),
        ("on", "0 to 11"),
        ("query", "0 to 13"),
        ("key", "0 to 13"),
        ("threshold", "0 to 1"),
        ("level", "“product”"),
        ("special", "True or False"),
        ("pin", "None"),
        ("layer", "6 layers, counted from 0"),
    ],
)
def test_the_message_says_what_this_picture_has(
    kind: str, trace: core.Trace, name: str, says: str
) -> None:
    """Of twelve heads and fourteen tokens, as the caller counts: from 0."""
    view = core.head(trace, 2, 5)
    wrong = traitlets.TraitError if kind == "anywidget" else ValueError
    before = dict(view.picture.state)
    for value in (-2, 14, "x", 10**9):
        if name == "layer" and value == "x":
            continue
        with pytest.raises(wrong) as said:
            setattr(view, name, value)
        assert says in str(said.value)
        assert "99" not in str(said.value)
    assert dict(view.picture.state) == before
    assert view.layer == 2  # type: ignore[attr-defined]
    for none in ("x", True, 1.5):  # nor does a layer that is no number change anything
        with pytest.raises(wrong, match="whole number"):
            view.layer = none  # type: ignore[attr-defined]


def test_there_is_no_layer_or_head_beyond_the_last(kind: str, trace: core.Trace) -> None:
    for wrong in (lambda: core.layer(trace, 6), lambda: core.head(trace, 0, 12)):
        with pytest.raises(IndexError, match="counted from 0"):
            wrong()


def test_a_choice_is_observed(trace: core.Trace) -> None:
    view: Any = core.heads(trace)
    seen: list[Any] = []
    view.observe(lambda change: seen.append((change.name, change.new)), ["token", "direction"])
    view.token = 3
    view.direction = "from"
    assert seen == [("token", 3), ("direction", "from")]


def test_what_the_picture_tells_sets_traits_at_once(trace: core.Trace) -> None:
    view: Any = core.head(trace, 2, 5)
    told = {**view.picture.state, "head": -1, "on": [-1]}
    view.set_state(json.loads(json.dumps(told, default=list)))  # as a message of the browser does
    assert (view.head, view.on) == (-1, [-1])


def test_without_anywidget_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, trace: core.Trace
) -> None:
    monkeypatch.setattr(views, "_INSTALLED", "no_such_package_is_installed")
    view: Any = core.heads(trace)
    with pytest.raises(core.NotSupported, match="pip install"):
        view.observe(print)
    with pytest.raises(AttributeError, match="It has: token, direction"):
        view.depth = 3


@pytest.mark.check
def test_another_layer_does_not_load_anywidget_where_it_is_not() -> None:
    code = """
import sys
sys.modules["anywidget"] = None
import core, numpy as np
view = core.heads(core.Attention(("a",), ("b", "c"), np.full((2, 2, 1, 2), .5)))
print(type(view).__name__, len(view._repr_html_()) > 1000)
"""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.stdout.split() == ["StillView", "True"], done.stderr


def test_an_attention_shows_itself(kind: str) -> None:
    shown: Any = OWN._repr_mimebundle_()
    if kind == "without":
        assert 'data-polysee="overview"' in shown["text/html"]
    else:
        data, *_ = shown
        assert "application/vnd.jupyter.widget-view+json" in data
    assert "all 2 × 5 heads" in OWN._display_().picture.sentence.lower()
    one = core.Attention(OWN.queries, OWN.keys, WEIGHTS[0])
    assert one._display_().picture.module == "layer"


def test_its_code_is_that_of_the_app(trace: core.Trace) -> None:
    view: Any = core.heads(trace)
    assert bundle.code("overview") in view._esm
    assert version("anywidget")


def test_own_ends_and_own_names(minilm: core.Model) -> None:
    ends = ["cash"], ["shore"]
    view = core.path({"one": FISHING, "two": MONEY}, "bank", ends=ends, model=minilm)
    assert [line["name"] for line in view.picture.header["lines"]] == ["one", "two"]
    axis = minilm.sense_axis("bank", *ends)
    fishing = minilm.trace(FISHING)
    values = np.frombuffer(view.picture.payload, "<f4").reshape(2, -1)
    np.testing.assert_allclose(values[0], axis.coordinates(fishing, fishing.find("bank")))
    with pytest.raises(core.NotSupported, match="ends="):
        core.path(FISHING, "poem", model=minilm)


@pytest.mark.check
def test_the_comparison_is_that_of_the_app(minilm: core.Model) -> None:
    from core.comparison import Chosen, Question
    from ui.comparison import between, picture
    from ui.models import model_cache
    from ui.sense_ends import ends_for

    model_cache.wait_for("minilm")
    own = core.compare(FISHING, MONEY, "bank", model=minilm).picture
    ends = ends_for("minilm", "bank", [FISHING, MONEY])
    question = Question("minilm", Chosen(FISHING, "bank", 0), Chosen(MONEY, "bank", 0), ends)
    comparison = between(question)
    assert comparison is not None
    of_app = picture(comparison, depth=6, adds=True)
    for mine, theirs in zip(own.header["sides"], of_app.header["sides"], strict=True):
        np.testing.assert_allclose(mine["position"], theirs["position"], atol=1e-5)
        assert mine["parts"] == theirs["parts"]
        np.testing.assert_allclose(
            np.array(mine["adds"]["parts"], float), np.array(theirs["adds"]["parts"], float), atol=1e-5
        )
    for mine, theirs in zip(own.header["map"]["points"], of_app.header["map"]["points"], strict=True):
        assert mine["name"] == theirs["name"]
        np.testing.assert_allclose(mine["along"], theirs["along"], atol=1e-5)


def test_senses_are_coloured_by_their_names(minilm: core.Model) -> None:
    texts = {"money": [MONEY, "The bank lends money."], "river": [FISHING]}
    view = core.senses("bank", texts, model=minilm)
    assert [group["name"] for group in view.picture.header["groups"]] == ["money", "river"]
    assert view.picture.payload[-3:] == bytes([0, 0, 1])
    with pytest.raises(core.NotSupported, match="pass your own"):
        core.senses("poem", model=minilm)


def test_without_a_browser_the_error_names_what_needs_none(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, trace: core.Trace
) -> None:
    monkeypatch.setattr(browser, "find", lambda: None)
    with pytest.raises(core.NotSupported, match=r'`\.save\("x\.html"\)` needs none, and `core\.plot`'):
        core.heads(trace).save(tmp_path / "x.svg")
    with pytest.raises(core.NotSupported, match=r"\.html, \.svg or \.png"):
        core.heads(trace).save(tmp_path / "x.pdf")
    assert not (tmp_path / "x.svg").exists()


@pytest.mark.check
def test_a_browser_that_ends_or_fails_is_named(tmp_path: Path, trace: core.Trace) -> None:
    with pytest.raises(core.NotSupported, match="true ended"):
        browser.drawn(core.heads(trace).picture, "SVG", "/bin/true")
    with pytest.raises(core.NotSupported, match="did not start"):
        browser.drawn(core.heads(trace).picture, "SVG", str(tmp_path))


@pytest.mark.check
def test_a_browser_that_breaks_off_is_no_error(capfd: pytest.CaptureFixture[str]) -> None:
    """It is ended as soon as the file has come, whatever it is still asking for."""
    answer = browser._Answer(b"x" * 500_000)
    host, _, rest = answer.address.removeprefix("http://").partition(":")
    port, _, path = rest.partition("/")
    requests = [f"GET /{path} HTTP/1.0\r\n\r\n", "GET /favicon.ico HTTP/1.0\r\n\r\n"]
    requests += [f"POST /{path} HTTP/1.0\r\nContent-Length: 9\r\n\r\nabc", "GET /"]
    for request in requests * 3:
        with socket.create_connection((host, int(port))) as broken:
            broken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            broken.sendall(request.encode())  # and at once a reset
    answer.close()
    assert capfd.readouterr().err == ""


def test_the_next_word_after_a_text_and_after_a_conversation(
    kind: str, made: Callable[..., Path], minilm: core.Model
) -> None:
    model = core.load(str(made("llama")))
    view: Any = core.next_word(FISHING, model=model, seed=3)
    (expected,) = model.expects(FISHING)
    assert view.picture.header["number"] == uniform(3, expected.position + 1)
    np.testing.assert_allclose(
        np.frombuffer(view.picture.payload, "<f4"), np.sort(expected.logits)[::-1], rtol=1e-5, atol=1e-6
    )
    view.temperature = 0.5
    assert view.picture.state["temperature"] == 0.5
    assert "likeliest" in view.to_html()
    chat = model.plain_chat(FISHING)
    assert core.next_word(chat, model=model).picture.payload == view.picture.payload
    (one,) = model.generate(FISHING, 1, temperature=0)
    assert core.next_word(FISHING, model=model, more=[one.id]).picture.payload != view.picture.payload
    with pytest.raises(NotSupported, match="predicts words"):
        core.next_word(FISHING, model=minilm)


def test_only_a_model_that_a_browser_runs_is_saved_with_its_picture(
    made: Callable[..., Path], tmp_path: Path, trace: core.Trace
) -> None:
    view: Any = core.next_word(FISHING, model=core.load(str(made("llama"))))
    with pytest.raises(NotSupported, match="SmolLM2"):
        view.save(tmp_path / "x.html", model=True)
    with pytest.raises(NotSupported, match=r"into \.html"):
        view.save(tmp_path / "x.svg", model=True)
    with pytest.raises(NotSupported, match="next_word"):
        core.head(trace, 1, 2).save(tmp_path / "x.html", model=True)
    assert not list(tmp_path.iterdir())


def test_a_page_with_the_model_opens_with_the_choices_of_the_view(
    made: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its keys are those of a link to the page, by which the script inside reads them."""
    model = core.load(str(made("llama")))
    monkeypatch.setattr(views, "SPEAKER", model.name)
    licence = tmp_path / built.LICENCE
    licence.write_text("An <open> licence.")
    own = built.Built({}, {built.LICENCE: licence}, {})
    monkeypatch.setattr(inside, "speaking", lambda: own)
    put: list[Any] = []

    def with_model(*given: Any) -> list[str]:
        put.append(given)
        return ["<html>"]

    monkeypatch.setattr(inside, "with_model", with_model)
    (one,) = model.generate(FISHING, 1, temperature=0)
    view: Any = core.next_word(FISHING, model=model, more=[one.id], seed=3)
    view.temperature, view.topK = 0.5, 7
    assert view.save(tmp_path / "x.html", model=True).read_text() == "<html>"
    ((page, link, _),) = put
    assert "An &lt;open&gt; licence." in page
    fields = {field.url: field for field in NextWordState.link()}
    got = {fields[url].key: fields[url].parse(text) for url, text in link.items()}
    state = NextWordState
    assert got[state.text.key] == FISHING
    assert got[state.written.key] == (one.id,)
    assert got[state.tried.key] == ((one.id,),)
    assert got[state.temperature.key] == 0.5
    assert got[state.top_k.key] == 7
    assert got[state.seed.key] == 3
