"""`polysee trace`: its numbers are those of `core`, and its JSON follows the schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.cli import trace as command
from core.cli.main import main

TEXT = "fishing on a river bank"
SCHEMA = json.loads(Path(command.__file__).with_name("trace.schema.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def schema() -> Any:
    """Its library reads forty grammars for two seconds: not in each process that reads this file."""
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(SCHEMA)
    return Draft202012Validator(SCHEMA)


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]):
    def run(*arguments: str):
        assert main(["trace", *arguments]) == 0
        out, said = capsys.readouterr()
        assert said == ""
        return out

    return run


def cosine(a, b) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.mark.check
def test_json_holds_the_numbers_of_a_trace(printed, schema: Any, minilm: core.Model) -> None:
    shown = json.loads(printed(TEXT, "--word", "bank", "--json"))
    schema.validate(shown)
    trace = minilm.trace(TEXT)
    (at,) = trace.find("bank")
    assert shown["polysee"] == core.__version__
    assert shown["model"] == {"name": "minilm", "layers": 6, "heads": 12, "d_model": 384}
    assert [one["token"] for one in shown["tokens"]] == [*trace.tokens]
    assert TEXT[shown["tokens"][at]["start"] : shown["tokens"][at]["end"]] == "bank"
    assert [one["special"] for one in shown["tokens"]] == [True, *[False] * 5, True]
    assert trace.hidden is not None
    assert trace.attention is not None
    word = shown["word"]
    assert word["tokens"] == [at]
    np.testing.assert_allclose(word["learned"], trace.learned[at], atol=1e-6)
    for layer, one in enumerate(word["layers"]):
        assert one["layer"] == layer + 1
        np.testing.assert_allclose(one["vector"], trace.hidden[layer, at], atol=1e-5)
        np.testing.assert_allclose(one["attention"], trace.attention.weights[layer, :, at], atol=1e-5)
        assert one["cosine"] == pytest.approx(
            cosine(trace.learned[at], trace.hidden[layer, at]), abs=1e-5
        )
    last = shown["tokens"][at]["cosine"]
    assert last == pytest.approx(word["layers"][-1]["cosine"], abs=1e-6)


def test_an_occurrence_of_no_word_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "a bank", "--occurrence", "2"]) != 0
    assert "--word" in capsys.readouterr().err


@pytest.mark.fuzz
@pytest.mark.check
def test_a_word_of_several_tokens_is_their_mean(printed, schema: Any, minilm: core.Model) -> None:
    text = "the riverbanks flooded the riverbanks"
    shown = json.loads(printed(text, "--word", "riverbanks", "--occurrence", "2", "--json"))
    schema.validate(shown)
    trace = minilm.trace(text)
    at = trace.find("riverbanks", 1)
    assert len(at) > 1
    assert trace.hidden is not None
    assert shown["word"]["tokens"] == at.tolist()
    np.testing.assert_allclose(
        shown["word"]["layers"][2]["vector"], trace.hidden[2, at].mean(0), atol=1e-5
    )
    np.testing.assert_allclose(np.sum(shown["word"]["layers"][4]["attention"], axis=1), 1, atol=1e-4)


def test_json_without_a_word(printed, schema: Any) -> None:
    shown = json.loads(printed(TEXT, "--json"))
    schema.validate(shown)
    assert shown["word"] is None


@pytest.mark.check
def test_the_table_has_a_row_a_layer_with_the_same_numbers(printed) -> None:
    layers = json.loads(printed(TEXT, "--word", "bank", "--json"))["word"]["layers"]
    table = printed(TEXT, "--word", "bank")
    rows = [line.split() for line in table.splitlines() if line[:1].isdigit()]
    assert [row[:2] for row in rows] == [[str(one["layer"]), f"{one['cosine']:.2f}"] for one in layers]
    mean = np.mean(layers[0]["attention"], axis=0)
    assert float(rows[0][3].strip(",")) == pytest.approx(mean.max(), abs=0.006)


def test_the_table_without_a_word_has_a_row_a_token(printed, minilm: core.Model) -> None:
    rows = [line.split() for line in printed(TEXT).splitlines() if line[:1].isdigit()]
    assert [row[1] for row in rows] == [*minilm.trace(TEXT).tokens]


def test_a_missing_head_and_two_widths_are_null() -> None:
    with np.errstate(all="raise"):
        assert command._numbers(np.array([[0.25, 0.75], [np.nan, np.nan]])) == [[0.25, 0.75], None]
        assert command._cosine(np.ones(3), np.ones(5)) is None
        assert command._cosine(np.zeros(3), np.ones(3)) is None
        assert command._cosine(np.array([3.0, 4.0]), np.array([4.0, 3.0])) == pytest.approx(0.96)


@pytest.mark.check
def test_a_star_says_which_words_it_fits(printed, schema: Any) -> None:
    text = "The riverbank and the bank: a Bank."
    shown = json.loads(printed(text, "--word", "*bank", "--occurrence", "2", "--json"))
    schema.validate(shown)
    word = shown["word"]
    assert (word["word"], word["found"], word["words"]) == (
        "*bank",
        "bank",
        {"riverbank": 1, "bank": 2},
    )
    table = printed(text, "--word", "*bank")
    assert "“riverbank”, token 3, 4 of" in table
    assert "riverbank (1), bank (2)" in table


@pytest.mark.fuzz
@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize(("text", "word"), [("I ❤ you", "❤"), ("ไปธนาคาร ok", "ธนาคาร")])
def test_a_word_that_the_model_does_not_know(printed, schema: Any, text: str, word: str) -> None:
    shown = json.loads(printed(text, "--word", word, "--json"))
    schema.validate(shown)
    assert shown["word"]["unknown"] is True
    for arguments in ((text, "--word", word), (text,)):
        assert "one and the same token for everything unknown" in printed(*arguments)
    assert "does not know" not in printed("a bank", "--word", "bank")


@pytest.mark.check
def test_all_forms_of_a_word_are_named(printed, schema: Any) -> None:
    shown = json.loads(printed("fine and ﬁne", "--word", "fine", "--occurrence", "2", "--json"))
    schema.validate(shown)
    assert shown["word"]["found"] == "ﬁne"
    assert shown["word"]["words"] == {"fine": 1, "ﬁne": 1}
    assert "2 different words: fine (1), ﬁne (1)" in printed("fine and ﬁne", "--word", "fine")
