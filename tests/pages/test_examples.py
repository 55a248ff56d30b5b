"""The examples below "Try this": each opens, and states the model's numbers."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import core
from core.measures import Similarity, pairwise_similarity, sentence_vector
from core.records.frozen import Array
from tests import visits
from ui.page import prose
from ui.page.prose import Try

PAGES = Path(__file__).resolve().parents[2] / "pages"
MORE = [
    pytest.param(
        page,
        item,
        id=f"{page.parent.name}-{item.label}",
        marks=[pytest.mark.check] * (dict(item.state).get("p") == "trained"),  # which trains one
    )
    for page in sorted(PAGES.glob("*/page.py"))
    for item in prose.read(str(page)).more
] + [
    pytest.param(PAGES / "step_by_step" / "page.py", item, id=f"step_by_step {item.label}")
    for view in ("plain", "what-if", "tokens")
    for item in (
        *prose.read(str(PAGES / "step_by_step" / "page.py"), view).tries,
        *prose.read(str(PAGES / "step_by_step" / "page.py"), view).more,
    )
]


def of(page: str, variant: str = "") -> dict[str, Try]:
    read = prose.read(str(PAGES / page / "page.py"), variant)
    return {item.label: item for item in (*read.tries, *read.more)}


def numbers(item: Try) -> list[float]:
    """The numbers with a decimal point, in the order of the sentence."""
    return [float(one) for one in re.findall(r"(?<!\w)\d*\.\d+", item.look_for)]


@pytest.mark.few(18)
@pytest.mark.parametrize(("page", "item"), MORE)
def test_each_example_opens(page: Path, item: Try) -> None:
    app = visits.visit(page.parent.name, **{"v": "2", **dict(item.state)})
    assert not [one.value for one in (*app.error, *app.warning, *app.info)]


def test_a_button_sets_what_the_example_says() -> None:
    app = visits.visit("heads")
    (river,) = (one for one in app.button if one.label == "Two heads, two nouns")
    river.click()
    visits.run(app)
    assert app.session_state["heads text"] == "On the bank of the river"
    assert app.session_state["heads layer"] == "3"


@pytest.mark.fuzz
@pytest.mark.check
def test_step_by_step_without_a_part() -> None:
    from core.walkthroughs import depth
    from pages.step_by_step.depth import captions
    from tests import sentences

    page, said = of("step_by_step", "what-if"), {}
    for label in ("Without residual connections", "Without layer norm"):
        app = visits.visit("step_by_step", **{"v": "2", **dict(page[label].state)})
        said[label] = "\n".join(str(one.value) for one in app.markdown)
    collapsed = sentences.saying(said["Without residual connections"], "one vector")
    assert (
        f"layer {sentences.numbers(collapsed)[0]:.0f}" in page["Without residual connections"].look_for
    )
    assert "neither vanishes" in said["Without residual connections"]
    assert sentences.numbers(
        sentences.saying(said["Without residual connections"], "too, at layer")
    ) == [8]
    assert "explodes" in said["Without layer norm"]
    ids = core.load("minilm").read("the cat ate the mouse").ids
    assert depth.fresh(ids, 12, depth.Without(norm=True)).gradient[1] > 100_000
    both = depth.fresh(ids, 12, depth.Without(residual=True, norm=True))
    assert both.gradient[1] < captions.VANISHED
    assert depth.fresh(ids, 24, depth.Without(), norm_first=True).similarity[-1] < captions.COLLAPSED


def test_without_weights_a_word_finds_itself_and_its_like() -> None:
    from pages.step_by_step import computed

    page = of("step_by_step", "plain")
    for label, which, told in (
        ("A sentence of your own", "embedded", [0.98]),
        ("Learned vectors", "learned", [0.131, 0.125]),
    ):
        state = dict(page[label].state)
        read = computed.sentence("minilm", state["t"])
        first, second = int(state["q"]), int(state["k"])
        assert read.tokens[first] == read.tokens[second] == "crane"
        steps = computed.plain(computed.vectors("minilm", read, which), first)
        row = next(one for one in steps if one.name == "plain-weights").result.values[-1]
        assert numbers(page[label]) == told
        if which == "embedded":
            assert round(float(row[first] + row[second]), 2) == told[0]
        else:
            assert round(float(row[first]), 3) == round(float(row[second]), 3) == told[0]
            assert told[1] == 1 / len(read.tokens)
            assert np.abs(row - told[1]).max() < 0.01


def attention(model: core.Model, item: Try) -> Array:
    """(layers, heads, queries, keys) of the texts of an example."""
    state = dict(item.state)
    found = model.trace(*(state[text] for text in ("t", "t2") if text in state)).attention
    assert found is not None
    return found.weights


def weight(model: core.Model, item: Try, query: int, key: int, head: int) -> float:
    """A weight in the layer of the example; positions and head from 1."""
    return float(attention(model, item)[int(dict(item.state)["l"]) - 1, head - 1, query - 1, key - 1])


def test_two_heads_prefer_two_nouns(minilm: core.Model) -> None:
    item = of("heads")["Two heads, two nouns"]
    tokens = minilm.trace(dict(item.state)["t"]).tokens
    assert (tokens[5], tokens[3], tokens[6]) == ("the", "bank", "river")
    found = [weight(minilm, item, 6, key, head) for head, key in ((1, 4), (1, 7), (9, 7), (9, 4))]
    assert [round(one, 2) for one in found] == numbers(item) == [0.39, 0.02, 0.77, 0.01]
    assert dict(item.state)["on"] == "1.9"


def test_the_other_examples_of_heads_have_their_weights(minilm: core.Model) -> None:
    every = of("heads")
    for label, cells in {
        "The other bank": [("the", "river", 9), ("the", "bank", 9)],
        "Who ate what?": [("ate", "cake", 12)],
        "Two pangrams": [("quickly", "quick", 10), ("jumping", "jumps", 10)],
        "A fox and a zebra": [("fox", "zebra", 11)],
    }.items():
        item = every[label]
        state = dict(item.state)
        tokens = minilm.trace(*(state[text] for text in ("t", "t2") if text in state)).tokens
        found = [
            weight(minilm, item, tokens.index(query) + 1, tokens.index(key) + 1, head)
            for query, key, head in cells
        ]
        assert [round(one, 2) for one in found] == numbers(item), label
        assert int(state["h"]) == cells[0][2]


def test_no_head_connects_ate_with_all_three(minilm: core.Model) -> None:
    item = of("heads")["Who ate what?"]
    trace = minilm.trace(dict(item.state)["t"])
    ate, *others = (trace.tokens.index(word) for word in ("ate", "i", "bob", "cake"))
    rows = attention(minilm, item)[:, :, ate][:, :, others]
    assert rows.min(axis=-1).max() < 0.1
    assert rows[..., 0].argmax() == 0 * 12 + 2  # layer 1, head 3
    assert rows[..., 1].argmax() == 5 * 12 + 3  # layer 6, head 4


def test_the_head_of_the_pangram_finds_the_same_word(minilm: core.Model) -> None:
    item = of("heads")["A pangram"]
    trace = minilm.trace(dict(item.state)["t"])
    first, second = (i for i, token in enumerate(trace.tokens) if token == "the")
    rows = attention(minilm, item)[0, 8]
    assert numbers(item) == pytest.approx([rows[first, second], rows[second, first]], abs=0.006)


def compared(model: core.Model, item: Try) -> Similarity:
    lines = dict(item.state)["ln"].split("\n")
    return pairwise_similarity(np.stack([sentence_vector(model.trace(line)) for line in lines]))


def test_cosine_and_distance_disagree(minilm: core.Model) -> None:
    item = of("embeddings", "sentences")["Cosine and distance disagree"]
    found = compared(minilm, item)
    assert found.cosine[0, 1] > found.cosine[0, 2]
    assert found.distance[0, 1] > found.distance[0, 2]
    assert found.lengths.argmax() == 1
    stated = found.cosine[0, 1], found.cosine[0, 2], found.distance[0, 1], found.distance[0, 2]
    assert numbers(item) == pytest.approx(stated, abs=0.006)


def test_one_sentence_in_three_languages(minilm: core.Model) -> None:
    item = of("embeddings", "sentences")["One sentence, three languages"]
    cosine = compared(minilm, item).cosine
    assert numbers(item) == pytest.approx([cosine[1, 2], cosine[0, 1], cosine[0, 2]], abs=0.006)


def test_the_mask_of_the_papers_size_hides_later_tokens() -> None:
    from tests.pages.steps_reading import result, visit

    masked = {label: item for label, item in of("step_by_step").items() if ("c", "1") in item.state}
    assert len(masked) == 3
    for label, item in masked.items():
        state = dict(item.state)
        shown = result(visit(**state))
        above = np.triu(np.ones(shown.shape, bool), 1)
        if state["st"] == "weights":
            assert (shown[above] == 0).all(), label
            np.testing.assert_allclose(shown.sum(axis=1), 1, atol=1e-6)
            free = result(visit(**(state | {"c": "0"})))
            assert (free[above] > 0).all()
            np.testing.assert_allclose(free.sum(axis=1), 1, atol=1e-6)
