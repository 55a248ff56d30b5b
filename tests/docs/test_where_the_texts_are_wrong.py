"""The page on mistakes in the source texts: each link opens the stated view, each number is right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

import core
from core.examples.first_texts import POEM
from core.transformer import sinusoidal
from tests import visits
from tests.pages.reading import drawn

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/where_the_texts_are_wrong.md").read_text("utf-8")
FLAT = " ".join(TEXT.split())
LINKS = dict(re.findall(r"\[([^\]]+)\]\((/[^)]+)\)", TEXT))


def opened(label: str) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The first picture of a linked page, and its numbers, matrix by matrix."""
    address = urlsplit(LINKS[label])
    asked = dict(parse_qsl(address.query))
    app = visits.visit(address.path.strip("/").replace("-", "_"), **asked)
    assert not [*app.error, *app.warning, *app.info]
    every = drawn(app)
    header, sent = next((one for one in every if {"matrices", "queries"} & one[0].keys()), every[0])
    numbers, matrices = np.frombuffer(sent, "<f4"), []
    for one in header.get("matrices", ()):
        shape = len(one["rows"]), len(one["columns"])
        matrices.append(numbers[: np.prod(shape)].reshape(shape))
        numbers = numbers[np.prod(shape) :]
    return header, matrices


def softmax(scores: np.ndarray) -> np.ndarray:
    weights: np.ndarray = np.exp(scores - scores.max())
    return weights / weights.sum()


def test_all_links_are_found_and_stated_mistakes_are_five() -> None:
    assert len(LINKS) == TEXT.count("](/") == 7
    assert TEXT.count("*Printed*") == TEXT.count("*Right*") == TEXT.count("*See it*") == 5


@pytest.mark.check
@pytest.mark.parametrize("label", LINKS)
def test_each_link_opens(label: str) -> None:
    header, _ = opened(label)
    assert header["sentence"]


def test_the_rows_of_a_softmax() -> None:
    printed = np.array(
        [[0.7, 0.1, 0.1, 0.1], [0.2, 0.9, 0.5, 0.4], [0.4, 0.1, 0.8, 0.3], [0.3, 0.4, 0.3, 0.8]]
    )
    np.testing.assert_allclose(printed.sum(axis=1), [1, 2.0, 1.6, 1.8])
    right = softmax(np.array([33.0, 96, 64, 61]) / 8)
    assert ", ".join(f"{weight:.3f}" for weight in right) in FLAT
    _, (*_, weights) = opened("every row adds up to 1")
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)
    assert (weights > 0).all()


def test_the_mask_before_the_softmax() -> None:
    header, (*_, scores) = opened("the scores with the mask")
    assert header["kind"] == "mask"
    later = np.triu(np.ones(scores.shape, bool), 1)
    _, (*_, weights) = opened("the weights that follow")
    assert (weights[later] == 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)
    assert weights[0].tolist() == [1, 0, 0, 0, 0, 0]  # [CLS] and [SEP] stand around the four words
    np.testing.assert_allclose(weights[2, :3], softmax(scores[2, :3]), atol=1e-6)


def test_the_dimensions_of_positions() -> None:
    table = sinusoidal(100, 512).numpy()
    first = ", ".join(f"{number:.2f}".replace("-", "−") for number in table[:5, 0])
    assert first == "0.00, 0.84, 0.91, 0.14, −0.76"
    assert first.removeprefix("0.00") in FLAT
    np.testing.assert_allclose(table[:, 256], np.sin(np.arange(100) / 100), atol=1e-6)
    assert (round(float(table[50, 256]), 2), round(float(table[99, 256]), 2)) == (0.48, 0.84)
    for label, dimension in (("dimension 0", 0), ("dimension 256", 256)):
        header, _ = opened(label)
        assert (len(header["rows"]), len(header["columns"])) == (100, 512)
        assert dict(parse_qsl(LINKS[label]))["pi"] == str(dimension)


def test_queries_are_french_and_keys_english() -> None:
    from core.tasks import shipped

    found = shipped().decode("I am a student")
    assert found.words == ("je", "suis", "étudiant")
    assert found.trace.cross is not None
    assert found.trace.cross.weights.shape[-2:] == (4, 4)
    assert found.trace.cross.keys == found.trace.encoder.tokens
    header, _ = opened("rows in French, columns in English")
    assert [*header["keys"]] == ["i", "am", "a", "student"]
    assert [row.split()[0] for row in header["queries"][1:]] == ["suis", "étudiant", "[END]"]


@pytest.mark.check
def test_whom_bank_attends_to_without_weights() -> None:
    from core.walkthroughs.steps.own_share import own_share

    header, (*_, shown) = opened("what bank keeps for itself")
    columns = [*header["matrices"][-1]["columns"]]
    bank = columns.index("bank")
    assert header["state"]["column"] == bank == 11
    weights = dict(zip(columns, shown[0].tolist(), strict=True))
    order = sorted((word for word in columns if word != "bank"), key=lambda word: -weights[word])
    assert order[:4] == ["river", "write", "poem", "fishing"]
    assert f"{weights['bank']:.2f}"[1:] in FLAT
    for word in (*order[:4], "a"):
        assert f"{weights[word]:.4f}"[1:] in FLAT
    found = own_share(core.load("minilm").trace(POEM).embedded, bank)
    assert f"‖x‖² = {found.squared_length:.0f}. " in FLAT
    assert f"‖x‖²/√d = {found.spread:.1f} in d = {found.width}" in FLAT
    assert f"{found.times(found.others[0]):.0f} times" in FLAT
