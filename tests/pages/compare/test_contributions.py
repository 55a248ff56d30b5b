"""What put the word there, on the Compare page: contributions that add up, cuts, attention, heads."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.examples import PRESETS, Preset, known_ends
from core.measures.contributions.by_word import coordinate_of
from core.records.sense_axis import SenseAxis
from tests.pages.compare.test_page import POEMS, pictures, visit
from tests.pages.reading import text_box
from tests.sentences import numbers, saying
from tests.tiers import some
from tests.visits import run, said
from ui.models import answers

pytestmark = pytest.mark.check

# The printed sum, the measured value, and the difference of the two.
SUMS = r"= ([+−\d]+\.\d\d)(?:; [^.]*)?\. Measured: ([+−\d]+\.\d\d)\D+?(\d·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)\."


def own_axis() -> SenseAxis:
    """The axis between all our ends for “bank”."""
    ends = known_ends("bank", tuple(POEMS.values()))
    assert ends is not None
    return answers.axis("minilm", "bank", ends.low, ends.high)


def rows(app: AppTest, name: str) -> dict[str, float]:
    """Each word of a picture and its number."""
    (shown,) = (of for file, of in pictures(app).items() if file.startswith(f"why-{name}-"))
    header, numbers = shown
    return dict(zip(header["labels"], numbers.ravel().tolist(), strict=True))


def test_the_story_of_bank() -> None:
    app = visit(fw="1", **POEMS)
    told = said(app)
    assert "In A, **bank** stands at **0.86**; alone, without a sentence, at −0.21." in told
    assert (
        "other words +0.75 (**river** +0.33, **fishing** +0.19, **poem** +0.09, remaining +0.14); own "
        "vector +0.40; rest, special tokens and biases, −0.08."
    ) in told
    assert "**river** adds +0.33, and cutting it moves the word by −0.20: the sum keeps" in told
    assert "push back" not in told
    assert "If it no longer attended to **river**, it would stand at **0.66**." in told
    odd = saying(told, "attention is strongest on **\\[CLS\\]**")
    assert {0.60, 0.00, -0.51} <= {*numbers(odd)}
    assert "tokens 0.91 + the model’s biases 0.16 + alone −0.21 = 0.86" in told
    assert [number for number, _, _ in re.findall(SUMS, told)] == ["0.86"]
    own = saying(told, "The row **bank** is the word itself")
    assert round(rows(app, "cuts")["bank"], 2) in numbers(own.partition("itself")[2])
    assert rows(app, "cuts")["river"] == pytest.approx(-0.199, abs=5e-4)
    assert rows(app, "adds")["river"] == pytest.approx(0.334, abs=5e-4)
    assert sum(rows(app, "attention").values()) == pytest.approx(1, abs=1e-5)
    assert {"a", "a (2)", "a (3)"} <= {*rows(app, "attention")}
    app = visit(y="B", **POEMS)
    assert "In B, **bank** stands at **−0.62**" in said(app)
    assert "**poem** +0.18, **withdrawing** −0.15, **money** −0.10" in said(app)
    assert "tokens −0.40 + the model’s biases −0.01 + alone −0.21 = −0.62" in said(app)
    odd = saying(said(app), "disagree", "**\\[SEP\\]** adds −0.23")
    assert "−0.71" in odd.partition("**\\[SEP\\]** adds")[2]


def test_words_that_push_against_the_move_are_said_to() -> None:
    crane = next(p for p in PRESETS if p.word == "crane")
    app = visit(a=crane.text_a, b=crane.text_b, w="crane", y="B")
    told = saying(said(app), "Here the other words push back")
    words, moved = numbers(told)[-2:]
    assert words > 0.1
    assert moved < -0.1


@pytest.mark.parametrize(
    "preset", some([p for p in PRESETS if p.low is not None], 3), ids=lambda p: p.label
)
def test_the_sum_is_the_place_on_every_preset(preset: Preset) -> None:
    for name in ("A", "B"):
        app = visit(a=preset.text_a, b=preset.text_b, w=preset.word, y=name, fw="1")
        (found,) = re.findall(SUMS, said(app))
        assert found[0] == found[1]
        assert numbers(found[2])[0] < 1e-4


def test_the_difference_adds_up() -> None:
    app = visit(y="AB", **POEMS)
    assert "**bank** stands **1.48** nearer to *river* in A than in B." in said(app)
    assert re.search(r"words 1\.31 \+ biases 0\.17 \(.+?\) = 1\.48; \*words\* absorbs", said(app))
    header, numbers = pictures(app)["why-apart"]
    assert header["labels"][-3:] == ["withdrawing (B)", "money (B)", "from (B)"]
    assert {"river (A)", "fishing (A)", "bank"} < set(header["labels"])
    assert numbers.sum() == pytest.approx(1.317, abs=5e-4)
    assert "why-by-head-apart" not in pictures(app)


def test_the_difference_by_layer_and_head() -> None:
    """Each map is A minus B; each row of the sums adds up to the difference of the two positions."""
    shown = {name: pictures(visit(y=name, ya="1", **POEMS)) for name in ("A", "B", "AB")}
    less = shown["AB"]
    for what in ("by-head", "parts"):
        a, b = (shown[name][f"why-{what}-{name}"][1] for name in "AB")
        apart = less[f"why-{what}-apart"][1]
        np.testing.assert_allclose(apart, a - b, atol=1e-6)
        assert np.abs(apart).max() > 0.05
    header, parts = less["why-parts-apart"]
    np.testing.assert_allclose(parts.sum(axis=1), 1.484, atol=5e-4)
    np.testing.assert_allclose(parts[:, 0], less["why-by-head-apart"][1].sum(axis=1), atol=1e-5)
    assert header["columns"] == ["others", "itself", "no head", "biases"]
    header, layers = less["why-layers-apart"]
    assert header["rows"][0] == "embedding"
    assert "withdrawing (B)" in header["columns"]
    np.testing.assert_allclose(layers[0], less["why-apart"][1].ravel(), atol=1e-6)
    assert layers[-1].sum() == pytest.approx(layers[-1].max()) == pytest.approx(1.484, abs=5e-4)
    told = said(visit(y="AB", ya="1", **POEMS))
    measured, error = numbers(saying(told, "Every row", "measured"))
    assert measured == 1.48
    assert error < 1e-4


def test_the_heads_are_asked_for() -> None:
    app = visit(fw="1", **POEMS)
    assert "why-ablated-A" not in pictures(app)
    app.toggle(key="why heads control").set_value(True)
    found = pictures(run(app))
    assert found["why-by-head-A"][1].shape == found["why-ablated-A"][1].shape == (6, 12)
    header, moved = found["why-ablated-A"]
    assert header["rows"][0] == "Layer 1"
    model = core.load("minilm")
    layers = found["why-layers-A"][1]
    assert layers.shape[0] == 7
    # After the last layer, all of it is at the word.
    assert layers[-1].sum() == pytest.approx(layers[-1].max(), abs=1e-5)
    assert np.count_nonzero(np.abs(layers[-1]) > 1e-5) == 1
    axis = own_axis()
    for layer, head in ((0, 0), (5, 11), np.unravel_index(np.abs(moved).argmax(), moved.shape)):
        ran = model.intervene(POEMS["a"], core.Ablate(int(layer), int(head)))
        before, after = (
            coordinate_of(t, t.find("bank").tolist(), axis) for t in (ran.before, ran.after)
        )
        assert moved[layer, head] == pytest.approx(after - before, abs=1e-5)


def test_a_phrase_and_a_place_of_a_word_are_measured() -> None:
    app = visit(a="The bank by the river bank.", o="2", y="A", fw="1")
    header, _ = pictures(app)["why-adds-A"]
    assert header["labels"][header["chosen"]] == "bank (2)"
    assert header["chosen"] == 6
    assert "In A, **bank \\(2\\)** stands at" in said(app)


def test_a_long_text_shows_the_words_that_count() -> None:
    app = visit(a="the river " * 120 + "bank", fw="1")
    header, _ = pictures(app)["why-adds-A"]
    assert len(header["labels"]) == 6
    assert "the other 237 tokens" in said(app)


def test_without_ends_there_is_nothing_to_measure_between() -> None:
    # Our sentences for “bank” cannot be ends for “money”.
    for url in ({"lo": ","}, {"w2": "money"}):
        app = visit(fw="1", fi="1", **POEMS, **url)
        assert said(app).count("name its two meanings") == 2
        assert not [name for name in pictures(app) if name.startswith("why")]
    app = visit(w2="money", lo="cash", hi="water", y="AB", **POEMS)
    assert "**bank** and **money** stand **" in said(app)
    (found,) = re.findall(SUMS, said(app))
    assert found[0] == found[1]


def test_between_proposed_ends_the_sum_is_exact_as_well() -> None:
    app = visit(a="A blue lantern.", b="The lantern of the ship.", w="lantern", fw="1")
    assert "No verdict" in said(app)
    (found,) = re.findall(SUMS, said(app))
    assert found[0] == found[1]


@pytest.mark.parametrize(("kind", "why_none"), [("mpnet", "need our own transformer")])
def test_a_model_that_cannot_be_taken_apart_says_so(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, kind: str, why_none: str
) -> None:
    folder = made(kind)
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit(m=folder.name, fw="1", fi="1")
    assert said(app).count(why_none) == 2
    assert not [name for name in pictures(app) if name.startswith("why")]


def moved(app: AppTest) -> tuple[float, float]:
    """The positions of the word in the unchanged and in the changed run, as the page states them."""
    before, after = numbers(saying(said(app), "stands at", "Without the change"))[-2:]
    return before, after


def test_what_if_begins_with_the_cut_that_does_most() -> None:
    app = visit(fi="1", **POEMS)
    assert app.selectbox(key="why kind control").value == "cut"
    assert moved(app) == (0.86, 0.66)
    app.selectbox(key="why layer control").set_value(6)
    app.selectbox(key="why head control").set_value(11)
    run(app)
    assert app.query_params["yl"] in ("6", ["6"])
    before, after = moved(app)
    ran = core.load("minilm").intervene(POEMS["a"], core.Cut("bank", "river", 5, 10))
    places = [coordinate_of(t, t.find("bank").tolist(), own_axis()) for t in (ran.before, ran.after)]
    np.testing.assert_allclose([before, after], places, atol=0.005)
    assert before != after


def test_replacing_a_word_is_typing_it() -> None:
    number = str(POEMS["a"].removesuffix(".").split().index("river") + 1)
    app = visit(yk="replace", yw=number, yr="snow", **POEMS)
    typed = visit(a=POEMS["a"].replace("river", "snow"), b=POEMS["b"], fi="1")
    assert moved(app)[1] == moved(typed)[0]
    told = said(visit(yk="replace", yw=number, **POEMS))
    assert "The change moves" not in told
    assert "replacement" in told


def test_a_masked_word_and_an_ablated_head() -> None:
    assert moved(visit(yk="mask", yw="8", **POEMS)) == (0.86, 0.83)
    app = visit(yk="silence", yl="6", yh="11", yi="B", **POEMS)
    assert moved(app) == (-0.62, -0.16)
    assert [box.key for box in app.selectbox if str(box.key).startswith("why")] == [
        *("why kind control", "why layer control", "why head control")
    ]


def test_what_is_chosen_outlives_its_boxes() -> None:
    app = visit(yk="silence", yl="6", yh="11", fw="1")
    app.segmented_control(key="why control").set_value("AB")
    assert run(app).query_params["yh"] in ("11", ["11"])
    app.segmented_control(key="why if in control").set_value("B")
    assert run(app).selectbox(key="why head control").value == 11
    text_box(app, "a control").set_value("")
    assert run(app).query_params["yh"] in ("11", ["11"])
    assert run(app).query_params["y"] in ("AB", ["AB"])


def test_a_word_alone_has_no_other_to_cut() -> None:
    assert "no other word" in said(visit(a="bank", yk="cut", fi="1"))


def test_any_text_may_replace_a_word() -> None:
    app = visit(a="river bank", yk="replace", yw="1", yr="<b>x</b> 😀")
    assert moved(app)
    assert not app.error


def test_the_difference_of_long_sentences_adds_up_over_all_words() -> None:
    a = "On a quiet evening my brother and I sat down on the river bank and saw the slow boats go by"
    b = a.replace("sat down on the river bank", "went up to the savings bank").replace("boats", "clerk")
    app = visit(a=a, b=b, y="AB")
    header, _ = pictures(app)["why-apart"]
    assert len(header["labels"]) == 20
    assert "[CLS]" not in [label.partition(" (")[0] for label in header["labels"] if "(" in label]
    (words, left, biases, total, measured) = re.search(
        r"words ([−.\d]+) \+ \d+ other words ([−.\d]+) \+ biases ([−.\d]+) \(.*\) = ([−\d]+\.\d\d)"
        r"(?:; [^.]*)?\. Measured: ([−.\d]+)[,;]",
        said(app),
    ).groups()  # type: ignore[union-attr]
    assert total == measured
    parts = [float(part.replace("−", "-")) for part in (words, left, biases)]
    printed = float(total.replace("−", "-"))
    assert round(sum(parts) - printed, 6) == 0  # as they are printed


def test_a_text_too_long_for_all_heads_says_so() -> None:
    app = visit(a="the river " * 200 + "bank", ya="1")
    assert not app.error
    told = said(app)
    assert "Above 277 tokens" in told
    assert saying(told, "without each head")
    assert {"why-by-head-A", "why-parts-A"} <= {*pictures(app)}  # these need no further run


@pytest.mark.fuzz
def test_every_word_and_every_head_is_ranked() -> None:
    app = visit(a="The boat lay by the bank " + "and a duck swam past it " * 5, ya="1")
    assert len(pictures(app)["why-adds-A"][0]["labels"]) == 20
    assert "**All 110 single changes**" in said(app)  # 36 words, [CLS] and [SEP]; 72 heads
    assert "not cut" not in said(app)
    app = visit(a="the river " * 120 + "bank", ya="1")
    assert "**All 154 single changes**" in said(app)  # 82 runs of 243 tokens are 20,000 tokens
    assert "161 words" in saying(said(app), "not cut")
