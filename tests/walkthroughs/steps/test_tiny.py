"""The tiny model: its arithmetic, the effect of a changed number, and links."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import NotSupported
from core.walkthroughs import tiny
from core.walkthroughs import tiny_numbers as numbers
from core.walkthroughs.steps import ablations

IDS = numbers.read_words("the more the merrier")


def results(edits: numbers.Edits | None = None, **how: object) -> dict[str, np.ndarray]:
    steps = tiny.tiny_steps(IDS, numbers.changed(edits or {}), **how)  # type: ignore[arg-type]
    return {step.name: step.result.values for step in steps}


def test_its_numbers_have_one_decimal_and_fit() -> None:
    sizes = {name: table.shape for name, table in numbers.NUMBERS.items()}
    assert sizes["E"] == (5, 6)
    assert sizes["P"] == (4, 6)
    assert sizes["W_1"] == (6, 8)
    assert sizes["W_2"] == (8, 6)
    assert set(sizes) == set(numbers.NAMES)
    for name, table in numbers.NUMBERS.items():
        np.testing.assert_allclose(table * 10, np.rint(table * 10), atol=1e-5, err_msg=name)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("head", [0, 1])
def test_numpy_comes_to_the_same(head: int, causal: bool) -> None:
    n = {name: table.astype(float) for name, table in numbers.NUMBERS.items()}
    x = n["E"][list(IDS)] + n["P"]
    z = []
    for one in (0, 1):
        q, k, v = (x @ n[w][:, 3 * one : 3 * one + 3] for w in ("W_Q", "W_K", "W_V"))
        scores = q @ k.T / 3**0.5
        if causal:
            scores[np.triu_indices(4, 1)] = -np.inf
        weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        if one == head:
            expected = weights
        z.append(weights @ v)

    def norm(r: np.ndarray, number: int) -> np.ndarray:
        apart = (r - r.mean(axis=1, keepdims=True)) / np.sqrt(r.var(axis=1, keepdims=True) + 1e-5)
        return apart * n[f"g_{number}"] + n[f"s_{number}"]

    middle = norm(x + np.concatenate(z, axis=1) @ n["W_O"], 1)
    fed = np.maximum(middle @ n["W_1"] + n["b_1"], 0) @ n["W_2"] + n["b_2"]
    got = results(head=head, causal=causal)
    np.testing.assert_allclose(got["weights"], expected, atol=1e-6)
    np.testing.assert_allclose(got["norm2"], norm(middle + fed, 2), atol=1e-5)


def test_one_query_by_hand() -> None:
    """x of "the" at position 3 is (.2 −.1 .3 0 .1 −.2) + (.5 −.2 .2 .4 .1 .5); W_Q's first column."""
    assert results()["query"][2, 0] == pytest.approx(0.7 * 1.2 - 0.5 * 0.3 + 0.4 * 0.8 + 0.3 * 0.5)
    assert results()["query"][2, 0] == pytest.approx(1.16)


@pytest.mark.parametrize("causal", [False, True])
def test_every_sum_that_is_written_out_equals_its_cell(causal: bool) -> None:
    for step in tiny.tiny_steps(IDS, numbers.changed({}), causal=causal)[1:]:
        np.testing.assert_allclose(step.again(), step.result.values, atol=2e-6, err_msg=step.name)


@pytest.mark.parametrize(
    ("name", "same", "first"),
    [
        ("W_Q", ["learned", "position", "key", "value"], "query"),
        ("W_V", ["query", "key", "scores", "weights"], "value"),
        ("W_2", ["weights", "norm", "inner", "activation"], "outer"),
        ("g_2", ["residual2"], "norm2"),
        ("E", ["pieces"], "learned"),
        ("P", ["learned"], "position"),
    ],
)
def test_a_changed_number_changes_all_that_follows(name: str, same: list[str], first: str) -> None:
    before, after = results(), results({(name, 0, 1): 7.5})
    for step in same:
        np.testing.assert_array_equal(before[step], after[step])
    for step in (first, "norm2"):
        assert np.abs(before[step] - after[step]).max() > 1e-3


def test_the_largest_numbers_stay_finite() -> None:
    for value in (numbers.MOST, numbers.LEAST):
        edits = {
            (name, *place): value
            for name, table in numbers.NUMBERS.items()
            for place in np.ndindex(*table.shape)
        }
        assert all(np.isfinite(found).all() for found in results(edits).values())


def test_edits_go_into_a_link_and_come_back() -> None:
    edits = {("W_Q", 0, 1): 2.5, ("E", 4, 5): -0.125, ("g_1", 0, 0): 1.0}
    text = numbers.written(edits)
    assert text == "E.4.5.-0.125~W_Q.0.1.2.5"  # γ_1 is 1.0 as it came
    assert numbers.read_edits(text) == {("W_Q", 0, 1): 2.5, ("E", 4, 5): -0.125}
    assert numbers.read_edits("") == {}


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "W_Q.0.1",
        "W_X.0.0.1",
        "W_Q.9.0.1",
        "W_Q.0.-1.1",
        "W_Q.0.0.nan",
        "W_Q.0.0.inf",
        "W_Q.0.0.101",
        "W_Q.٣.0.1",
        "~",
    ],
)
def test_a_hostile_link_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 — of any kind: the page falls back
        numbers.read_edits(text)


def test_words() -> None:
    assert numbers.read_words("The MORE") == (0, 1)
    assert len(numbers.read_words("the " * 600)) == 4
    for text in ("", "   ", "🙂", "the cat"):
        with pytest.raises(NotSupported, match="five words"):
            numbers.read_words(text)


def test_without_the_scale_weights_are_sharper() -> None:
    x, layer = tiny.embedded(IDS, numbers.NUMBERS), tiny.layer(numbers.NUMBERS)
    found = ablations.no_scale(layer, x, numbers.names_of(IDS), head=0)
    scores = results()["scores"].astype(float)
    expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found.step.operands[0].values, results()["weights"], atol=1e-6)
    np.testing.assert_allclose(found.step.result.values, expected, atol=1e-6)
    assert found.after.largest == pytest.approx(expected.max(axis=1).mean(), abs=1e-6)
    assert found.after.largest > found.before.largest
    assert found.after.entropy < found.before.entropy
    rows, of_row = np.arange(len(scores)), found.step.result.values - found.step.operands[0].values
    assert (of_row[rows, scores.argmax(axis=1)] > 0).all()  # as the step says: weight moves from
    assert (of_row[rows, scores.argmin(axis=1)] < 0).all()  # the smallest score to the largest
    change = np.abs(expected @ results()["value"] - results()["mix"]).max()
    assert found.difference == pytest.approx(change, abs=1e-5)


def test_sharpness_of_known_rows() -> None:
    assert ablations.sharpness(np.eye(3)) == pytest.approx((1, 0))
    assert ablations.sharpness(np.full((2, 4), 0.25)) == pytest.approx((0.25, np.log(4)))


def test_one_head_is_as_wide_as_the_model() -> None:
    x = tiny.embedded(IDS, numbers.NUMBERS)
    found = ablations.one_head(tiny.layer(numbers.NUMBERS), x, numbers.names_of(IDS), head=1)
    q, k = (x.numpy() @ numbers.NUMBERS[name] for name in ("W_Q", "W_K"))
    scores = q @ k.T / 6**0.5
    expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found.step.result.values, expected, atol=1e-6)
    np.testing.assert_allclose(found.step.operands[0].values, results(head=1)["weights"], atol=1e-6)
    single_layer = tiny.layer(numbers.NUMBERS)
    attention = single_layer.attention  # the same tables, not cut
    attention.d_head *= attention.n_heads
    attention.n_heads = attention.n_kv_heads = 1
    with torch.inference_mode():
        single = single_layer(x[None]).output_BLD[0].numpy()
    assert found.difference == pytest.approx(np.abs(single - results()["norm2"]).max(), abs=1e-6)
    assert found.difference > 0.1


def test_without_positions_the_order_is_lost() -> None:
    found = ablations.no_positions_tiny(numbers.NUMBERS, IDS, IDS[::-1], numbers.names_of(IDS))
    assert found.positions == (1, 2, 3, 0)
    assert found.without.max() < 1e-5
    assert found.with_positions.max() > 0.5
