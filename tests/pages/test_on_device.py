"""What Compare and Heads tell a visitor's own device, without a browser; where there is no switch."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import web
from tests.pages.reading import text_boxes
from tests.visits import visit
from ui import device
from ui.device import parts
from ui.serving import device_files

ROOT = Path(__file__).resolve().parents[2]
BUILT = web.Built(
    {"files": {"weights": {"bytes": 105_000_000}}, "stored": ["weights"], "memory": 1},
    {},
    {"files": {"gguf": {"bytes": 98_000_000}}, "stored": ["gguf"], "memory": 2},
)


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_files, "built", lambda: BUILT)
    monkeypatch.setattr(device_files, "base", lambda: "/device/0123456789abcdef/")


def sent(app: AppTest, component: str) -> list[dict[str, Any]]:
    """The messages to the components of a name."""
    found = app.get("bidi_component")
    every = [one.proto for one in found if one.proto.component_name == component]
    return [json.loads(one.json or one.mixed.json or "{}") for one in every]


def part(app: AppTest, name: str) -> dict[str, Any] | None:
    """What a part of the device is sent; None without it."""
    parts = [one for one in sent(app, "polysee_device") if one["part"] == name]
    assert len(parts) < 2
    return parts[0] if parts else None


@pytest.mark.usefixtures("offered")
def test_compare_tells_its_texts_its_word_and_its_ends() -> None:
    app = visit("compare", a="The bank by the sea.", w="bank", o="1", lo="money")
    line, switch = part(app, "line"), part(app, "switch")
    assert line is not None
    assert switch is not None
    assert (switch["base"], switch["size"]) == ("/device/0123456789abcdef/", 105_000_000)
    context = line["context"]
    boxes = {box.key: box.value for box in text_boxes(app)}
    for text in context["texts"].values():
        assert boxes[text["box"]] == text["text"]
    assert {text["key"] for text in context["texts"].values()} == {"a", "b"}
    told = context["inputs"]
    assert (told["w"], told["o"], told["lo"], told["hi"]) == ("bank", 1, "money", "")
    texts = [context["texts"][name]["text"] for name in context["about"]]
    (moving,) = (one for one in sent(app, "polysee_trajectory"))
    assert (moving["of"], moving["name"]) == (texts, "trajectory")


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize(
    ("url", "layer", "follows"),
    [
        ({"t": "A seal barked."}, None, True),
        ({"t": "A seal barked.", "l": "3"}, 2, True),
        ({"t": "A seal barked.", "l": "mean"}, "mean", True),
        ({"t": "A seal barked.", "t2": "It swam."}, None, False),
        ({"t": "A seal barked.", "u": "1"}, None, False),
        ({"t": "A seal barked.", "c": "1"}, None, False),
    ],
)
def test_heads_tells_what_it_shows_or_why_only_the_server_can(
    url: dict[str, str], layer: object, follows: bool
) -> None:
    line = part(app := visit("heads", **url), "line")
    assert line is not None
    context = line["context"]
    assert bool(context["why"]) != follows
    assert context["inputs"]["layer"] == layer
    module = "overview" if layer is None else "layer"
    (shown,) = (one for one in sent(app, f"polysee_{module}"))
    assert (shown["name"], shown["of"]) == (context["inputs"]["picture"], ["A seal barked."])


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize(
    ("url", "follows"),
    [({"t": "A seal barked.", "l": "2"}, True), ({"t": "A seal barked.", "c": "1"}, False)],
)
def test_step_by_step_tells_which_layer_it_shows(url: dict[str, str], follows: bool) -> None:
    line = part(app := visit("step_by_step", **url), "line")
    assert line is not None
    context = line["context"]
    assert bool(context["why"]) != follows
    told = context["inputs"]
    assert (told["kind"], told["layer"]) == ("encoder", int(url.get("l", "1")))
    (shown,) = sent(app, "polysee_forward")
    assert (shown["name"], shown["of"]) == (told["picture"], ["A seal barked."])


@pytest.mark.usefixtures("offered")
def test_the_tiny_model_needs_no_device() -> None:
    app = visit("step_by_step")
    assert part(app, "line") is None
    assert part(app, "switch") is None


def test_without_a_build_nothing_is_said_to_a_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_files, "built", lambda: None)
    app = visit("heads", t="A seal barked.")
    assert sent(app, "polysee_device") == []
    assert not any("device" in caption.value for caption in app.sidebar.caption)


def test_the_model_that_speaks_has_a_switch_where_a_page_computes_with_it(
    offered: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[dict[str, Any]] = []
    said: list[str] = []
    monkeypatch.setattr(parts, "_COMPONENT", lambda *, key, data, height: drawn.append(data))
    monkeypatch.setattr("streamlit.caption", said.append)
    parts.switch("smollm2", device.BOTH)
    (found,) = drawn
    assert (found["title"], found["manifest"], found["memory"]) == ("SmolLM2 135M", "smollm2.json", 2)
    assert found["size"] == 98_000_000
    assert not said
    parts.switch("smollm2")
    parts.switch("bert", device.BOTH)
    assert said == [
        "**Compute on this device** works with MiniLM alone.",
        "**Compute on this device** works with MiniLM and SmolLM2 135M alone.",
    ]
    monkeypatch.setattr(device_files, "built", lambda: replace(BUILT, language=None))
    parts.switch("smollm2", device.BOTH)
    assert said[2] == said[0]
    assert len(drawn) == 1
