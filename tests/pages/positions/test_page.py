"""The Positions page without a browser: every view, every preset, and links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

import core
from core.transformer import sinusoidal
from tests import visits
from tests.pages.reading import drawn, text_box
from tests.sentences import numbers, saying
from tests.visits import said


def preset_box(app: AppTest) -> Any:
    """The list of common sizes: a new one for other sizes."""
    (found,) = (box for box in app.selectbox if box.label == "Sizes")
    return found


def visit(**url: str) -> AppTest:
    return run(visits.visit("positions", **url))


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception, app.exception
    assert not app.error, app.error
    return app


def pictures(app: AppTest) -> dict[str, tuple[dict[str, Any], bytes]]:
    """Header and payload of each picture, by the name of its file."""
    return {header["file"].removeprefix("polysee-"): (header, sent) for header, sent in drawn(app)}


def sizes(app: AppTest) -> tuple[int, int]:
    header, _ = pictures(app)["sinusoidal"]
    return len(header["rows"]), len(header["columns"])


def curve(app: AppTest, name: str, line: int = 0) -> np.ndarray:
    header, payload = pictures(app)[name]
    return np.frombuffer(payload, "<f4").reshape(-1, len(header["steps"]))[line]


def test_the_page_first_says_why_positions_are_needed() -> None:
    """Two sentences of the same words through MiniLM, by its layers, not by what the page asks."""
    model = core.load("minilm")
    encoder = model.scratch_encoder
    assert encoder is not None
    assert encoder.segments is not None
    assert encoder.positions is not None
    ends = []
    for kept in (1, 0):
        sides = []
        for text in ("the cat ate the mouse", "the mouse ate the cat"):
            ids = torch.tensor([model.read(text).ids])
            with torch.inference_mode():
                x = encoder.tokens(ids) + encoder.segments(torch.zeros_like(ids))
                x = encoder.norm(x + kept * encoder.positions(ids.shape[1]))
                for layer in encoder.layers:
                    x = layer(x).output_BLD
            sides.append(x[0].numpy())
        # "the" at its places, then cat, ate, mouse
        places = [[0, 1, 2, 3, 4, 5, 6], [0, 1, 5, 3, 4, 2, 6]]
        ends.append(np.abs(sides[0][places[0]] - sides[1][places[1]]).max())
    differ, without = ends
    assert without < 1e-5
    assert differ > 0.3
    (line,) = [one.value for one in visit().markdown if one.value.startswith("**Why?**")]
    assert f"**{differ:.2f}**" in line
    assert "10⁻⁶" in line


def test_opens_with_waves_and_three_claims() -> None:
    app = visit()
    assert app.title[0].value == "Where a word stands"
    assert {*pictures(app)} == {
        "sinusoidal",
        "wave",
        "by-distance",
        "bounded",
        "periodic",
        "predictable",
    }
    assert sizes(app) == (20, 16)  # each number can be seen, and a whole wave
    words = said(app)
    assert "All 320 numbers" in words
    assert "repeats after **19.9** positions" in words
    assert app.query_params == {}
    assert not [*app.warning, *app.info]


def test_a_link_without_sizes_shows_a_large_table() -> None:
    app = visit(v="2", pp="10")
    assert sizes(app) == (50, 128)
    words = said(app)
    assert "All 6,400 numbers lie from **−1.000** to **1.000**" in words
    assert "**49**" in saying(words, "Plain counting")
    assert "= **26.5** positions" in words
    assert "gives every number that the table has there" in words
    assert "is 1·10⁻⁶" in saying(words, "Equal means")
    assert "rounding" in saying(words, "the product depends only on the distance")
    assert not [*app.warning, *app.info]


def test_the_five_by_three_table_is_written_out() -> None:
    app = visit(pl="5", pd="3")
    assert preset_box(app).value == "5 × 3"
    (table,) = app.table
    assert table.value.to_numpy().tolist() == [
        ["0", "1", "0"],
        ["0.84", "0.54", "0"],
        ["0.91", "−0.42", "0"],
        ["0.14", "−0.99", "0.01"],
        ["−0.76", "−0.65", "0.01"],
    ]
    assert "no partner" in saying(said(app), "last dimension")
    assert "the width is odd" in said(app)


@pytest.mark.parametrize(
    ("preset", "shape"),
    [
        *(("5 × 3", (5, 3)), ("20 × 16", (20, 16)), ("50 × 128", (50, 128))),
        *(("100 × 400", (100, 400)), ("100 × 512", (100, 512))),
    ],
)
def test_presets(preset: str, shape: tuple[int, int]) -> None:
    app = visit(pl="7", pd="9", pb="100")
    assert preset_box(app).value is None
    preset_box(app).set_value(preset)
    run(app)
    assert sizes(app) == shape
    assert app.number_input(key="positions base control").value == 10_000


@pytest.mark.check
@pytest.mark.parametrize(
    ("length", "width", "base"),
    [(1, 1, 2), (1, 2, 3), (2, 1, 1_000_000), (13, 7, 50), (512, 1024, 10_000), (512, 1023, 1_000_000)],
)
def test_any_size_is_drawn_and_stays_small(length: int, width: int, base: int) -> None:
    app = visit(pl=str(length), pd=str(width), pb=str(base), pp="9999", pi="9999")
    assert sizes(app) == (length, width)
    assert app.number_input(key="positions place control").value == length - 1
    assert app.number_input(key="positions dimension control").value == width - 1
    expected = sinusoidal(length, width, base).numpy()
    np.testing.assert_array_equal(curve(app, "wave"), expected[:, -1])
    assert sum(len(payload) for _, payload in pictures(app).values()) < 200_000


def test_the_curves_are_those_of_the_table() -> None:
    app = visit(pl="40", pd="6", pb="100", pp="4", pi="3", pk="2")
    table = sinusoidal(40, 6, 100).numpy()
    np.testing.assert_array_equal(curve(app, "wave"), table[:, 3])
    here = curve(app, "wave", 1)
    assert here[4] == table[4, 3]
    assert np.isnan(here).sum() == 39
    np.testing.assert_allclose(curve(app, "by-distance", 1)[:36], table[4:] @ table[4], atol=1e-5)
    np.testing.assert_allclose(curve(app, "predictable", 1), table[6], atol=1e-6)
    assert "dimensions 2 and 3" in saying(said(app), "the rotation")


def test_learned_positions_of_minilm(minilm: core.Model) -> None:
    app = visit(p="learned", pp="2", pi="190")
    table = minilm._runner.encoder.positions.table.weight.numpy()  # type: ignore[attr-defined]
    _, payload = pictures(app)["learned-positions"]
    np.testing.assert_array_equal(np.frombuffer(payload, "<f4").reshape(512, 384), table)
    assert len(payload) < 1_200_000
    words = said(app)
    assert "**MiniLM** learned **512 × 384** numbers" in words
    assert "**0.85** at distance 1" in words
    assert "a wave of **170** positions holds **82 %**" in words
    assert "The clearest wave" not in words
    assert numbers(saying(words, "Row 0 has"))[:2] == [0, 2.36]
    rows = table / np.linalg.norm(table, axis=1, keepdims=True)
    similar = rows @ rows.T
    beside = np.diagonal(similar, 1)
    apart = numbers(saying(words, "thin pale line"))
    assert apart[0] == 127 == 2 + ((beside[:-1] + beside[1:]) / 2)[1:-1].argmin()
    assert "after 128 tokens" in words
    header, payload = pictures(app)["learned-similarity"]
    assert header["marked"]["rows"] == [127]  # where one looks for it
    np.testing.assert_allclose(np.frombuffer(payload, "<f4").reshape(512, 512), similar, atol=1e-5)
    mean = curve(app, "by-distance")
    np.testing.assert_allclose(
        mean, [np.diagonal(similar, apart).mean() for apart in range(512)], atol=1e-5
    )
    # What the sentence names is in the picture, and marked there.
    marked = np.flatnonzero(~np.isnan(curve(app, "by-distance", 1)))
    assert numbers(saying(words, "lowest at distance"))[-4:] == pytest.approx(
        [marked[0], mean[marked[0]], mean[marked[1]], marked[1]], abs=0.006
    )
    assert mean[1:].argmin() + 1 == marked[0]


def test_another_dimension_is_named_if_its_wave_is_clearer() -> None:
    assert "dimension **190**: **82 %**, of 170 positions" in said(visit(p="learned", pi="20"))


def test_a_model_without_a_table_is_told(
    tmp_path: Path, made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("llama", "gpt2"):
        (tmp_path / kind).symlink_to(made(kind))
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    app = visit(p="learned", m="llama")
    (info,) = (str(info.value) for info in app.info)
    assert info.startswith("llama has no table of learned positions")
    assert not pictures(app)
    app.selectbox(key="model control").set_value("gpt2")
    run(app)
    assert not app.info
    assert "learned-positions" in pictures(app)
    assert app.query_params["m"] == "gpt2"


def test_a_rotary_model_shows_its_own_angles(
    tmp_path: Path, made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = "llama, llama3 rope"
    (tmp_path / "scaled").symlink_to(made(kind))
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    app = visit(p="rotary", m="scaled", t="the river bank of the bank", l="2", h="3")
    decoder = core.load(str(tmp_path / "scaled")).scratch_decoder
    assert decoder is not None
    layer: Any = decoder.stack.layers[0]
    rotation = layer.attention.rotation
    rates = rotation.angles(torch.tensor([1]), 6)[0].numpy()
    np.testing.assert_allclose(10 ** curve(app, "own-angles", 1), 2 * np.pi / rates, rtol=1e-4)
    # before the scaling, pair i turns by base^(−2i / d_head)
    before = 2 * np.pi * rotation.base ** (np.arange(3) / 3)
    np.testing.assert_allclose(10 ** curve(app, "own-angles", 0), before, rtol=1e-4)
    words = said(app)
    assert f"the base θ = **{rotation.base:,.0f}**" in words
    assert "slowed down" in words
    attention = core.load(str(tmp_path / "scaled")).trace("the river bank of the bank").attention
    assert attention is not None
    weights = attention.weights
    drawn = curve(app, "attention-by-distance", 1)
    assert drawn[0] == pytest.approx(np.diagonal(weights[1, 2])[1:].mean(), abs=1e-6)
    assert np.isnan(drawn[-1])  # only the first token is that far away


def test_a_model_without_rotations_claims_no_angles() -> None:
    found = pictures(visit(p="rotary", m="minilm"))
    assert "own-angles" not in found
    header = found["rotary"][0]
    # the query and the key of a pair have one length: one circle for each of the four pairs
    assert len(header["circles"]) == 4
    assert all(radius == pytest.approx(1, abs=1e-6) for _, _, radius in header["circles"])


def test_a_large_table_shows_its_first_rows() -> None:
    from pages.positions.pictures import learned_picture

    made = learned_picture(np.ones((512, 1024), np.float32), 3, 4)
    assert len(made.payload) < 1_200_000
    assert "the first 256 of 512 positions" in " ".join(made.header["scale"]["notes"])


@pytest.mark.check
def test_rotary_products_depend_on_the_distance() -> None:
    app = visit(p="rotary", rq="1, 2, 3, 4", rk="2, -1, .5, 0", rm="3", rn="7", pl="11", pb="100")
    header, payload = pictures(app)["rotary-products"]
    products = np.frombuffer(payload, "<f4").reshape(11, 11)
    for m, n in ((0, 0), (3, 7), (9, 1)):
        turn = [(m - n) / 100 ** (i / 2) for i in (0, 1)]  # q·k turned: a cos t + b sin t of each pair
        pairs = [((1, 2), (2, -1)), ((3, 4), (0.5, 0))]
        expected = sum(
            (q[0] * k[0] + q[1] * k[1]) * np.cos(t) + (q[0] * k[1] - q[1] * k[0]) * np.sin(t)
            for (q, k), t in zip(pairs, turn, strict=True)
        )
        assert products[m, n] == pytest.approx(expected, abs=1e-4)
    number = f"{products[3, 7]:.4f}".replace("-", "−").replace("0.", ".", 1)
    words = said(app)
    assert f"Query at 3, key at 7: **{number}**. Query at 8, key at 12: **{number}**." in words
    assert (header["marked"]["rows"], header["marked"]["columns"]) == ([3], [7])
    assert saying(words, "diagonal", "products differ")


def test_the_sliders_move_the_marks_and_the_link() -> None:
    app = visit(p="rotary")
    app.slider(key="rotary m control").set_value(20)
    app.slider(key="rotary n control").set_value(24)
    run(app)
    assert "Query at 20, key at 24: **0.3234**. Query at 25, key at 29: **0.3234**." in said(app)
    assert app.query_params == {"v": "2", "p": "rotary", "rm": "20", "rn": "24"}


@pytest.mark.few(5)
@pytest.mark.parametrize(
    "typed", ["", "1", "1, x", "nan, 1", "1, 999", "1, " * 30, "<b>, 1", "1e400, 2", "1_0, 2", "٣, 1"]
)
def test_numbers_that_cannot_be_read_are_told(typed: str) -> None:
    app = visit(p="rotary")
    text_box(app, "rotary query control").set_value(typed)
    run(app)
    assert len(app.warning) == 1
    assert "rotary-products" in pictures(app)


def test_query_and_key_of_two_widths() -> None:
    app = visit(p="rotary", rq="1, 2", rk="1, 2, 3, 4")
    assert "the first 2 numbers of both are shown" in said(app)
    assert "rotary-products" in pictures(app)


@pytest.mark.parametrize("rotary", ["0, 0", "100, -100", "1, 0, 1, 0, 1, 0", "1," * 15 + "1"])
def test_awkward_vectors_are_drawn(rotary: str) -> None:
    assert {*pictures(visit(p="rotary", rq=rotary, rk=rotary, pl="1"))} == {"rotary", "rotary-products"}


@pytest.mark.few(12)
@pytest.mark.check
@pytest.mark.parametrize("wrong", ["-1", "x", "", "1.5", "1e3", "99999999999", "²", "<script>", "0x10"])
@pytest.mark.parametrize("view", ["sinusoidal", "learned", "rotary", "nothing"])
def test_broken_links_fall_back(wrong: str, view: str) -> None:
    keys = ("pl", "pd", "pb", "pp", "pi", "pk", "rq", "rk", "rm", "rn", "j")
    app = visit(p=view, **dict.fromkeys(keys, wrong))
    assert pictures(app)
    assert not app.warning
    large = {"v": "2", "pl": "50", "pd": "128", "pi": "20"}  # as in a link that leaves them out
    opens = view in ("sinusoidal", "nothing")
    assert app.query_params == (large if opens else {"v": "2", "p": view})


def test_one_view_keeps_what_another_has_chosen() -> None:
    app = visit(pl="33", pk="9", rm="5")
    for view in ("rotary", "learned", "sinusoidal"):
        app.segmented_control(key="positions view control").set_value(view)
        run(app)
        run(app)  # what is not on the page is kept in the link alone
        assert {k: app.query_params[k] for k in ("pl", "pk", "rm")} == {
            "pl": "33",
            "pk": "9",
            "rm": "5",
        }
    assert sizes(app)[0] == 33


def test_try_this_sets_the_page() -> None:
    app = visit(pb="77")
    views = []
    for i in range(3):
        app.button(key=f"try {i}").click()
        run(app)
        assert pictures(app)
        assert not [*app.info, *app.warning]
        assert "pb" not in app.query_params
        views.append(app.segmented_control(key="positions view control").value)
    assert views == ["sinusoidal", "learned", "rotary"]


def test_large_type_and_reset() -> None:
    opened = said(visit())
    app = visit(pl="20", pd="5", p="rotary", j="1", rq="1, 2", rk="3, 4")
    (button,) = (b for b in app.button if b.label == "Reset the page")
    before = pictures(visit(p="rotary"))["rotary"][0]["height"]
    larger = pictures(visit(p="rotary", j="1"))["rotary"][0]["height"]
    assert larger == round(1.35 * before)
    button.click()
    run(app)
    assert app.query_params == {}
    assert said(app) == opened


def test_fewer_positions_move_a_place_that_was_set_in_another_view_before() -> None:
    """To Streamlit, a slider with other bounds is a new one, which began with an outdated value."""
    app = visit()
    app.segmented_control(key="positions view control").set_value("rotary")
    run(app)
    app.button(key="try 2").click()
    run(app)
    app.slider(key="rotary n control").set_value(0)
    run(app)
    app.number_input(key="positions length control").set_value(1)
    run(app)
    assert [slider.value for slider in app.slider] == [0, 0]
