"""Expressions: parsed, refused, and evaluated on values that can be checked by hand."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from core.lessons import BadExpression, Records, Value, evaluate, parse
from core.lessons.expressions import filled, names_in, used_in, written
from core.lessons.operations import OPERATIONS
from core.records.attention import Attention
from core.records.trace import Trace

TOKENS = ("[CLS]", "the", "cat", "sat", "[SEP]")
# Two layers of three heads, and of 5 tokens: weights that are 1 from row i to one column.
GOES_TO = np.array([[[0, 1, 2, 3, 4], [0, 0, 1, 2, 3], [4, 4, 4, 4, 4]], [[1, 2, 3, 4, 0]] * 3])


def small_trace(text: str) -> Trace:
    """A text of three words, with numbers that can be checked by hand."""
    weights = np.eye(5, dtype=np.float32)[GOES_TO]
    learned = np.arange(10, dtype=np.float32).reshape(5, 2)
    vectors = np.arange(60, dtype=np.float32).reshape(2, 3, 5, 2)
    return Trace(
        tokens=TOKENS,
        word_ids=(None, 0, 1, 2, None),
        segments=(0,) * 5,
        offsets=((0, 0), (0, 3), (4, 7), (8, 11), (0, 0)),
        special=(True, False, False, False, True),
        left_out=None,
        learned=learned,
        embedded=learned + 1,
        hidden=np.stack([learned * 2, learned * 3]),
        final=None,
        attention=Attention(TOKENS, TOKENS, weights),
        query=vectors,
        key=vectors + 1,
        value=vectors + 2,
        model="small",
        texts=(text,),
        left_out_by_text=(None,),
        cased=False,
    )


class Small:
    """Records of this text alone."""

    name = "small"

    def trace(self, text: str, after: int | None = None, second: str | None = None) -> Trace:
        return small_trace(text)

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


def value(tree: object, **names: Value) -> Value:
    records: Records = Small()
    return evaluate(parse(json.dumps(tree)), records, names)


TEXT = "the cat sat"


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (3, 3.0),
        (True, True),
        ("bank", "bank"),
        ({"list": [1, "a", True]}, (1.0, "a", True)),
        ({"item": [{"list": ["a", "b"]}, 2]}, "b"),
        ({"count": {"list": [1, 2, 3]}}, 3.0),
        ({"sum": {"list": [1, 2.5]}}, 3.5),
        ({"mean": {"list": [1, 2, 6]}}, 3.0),
        ({"max": {"list": [1, 5, 2]}}, 5.0),
        ({"min": {"list": [4, 1, 2]}}, 1.0),
        ({"argmax": {"list": [1, 5, 5]}}, 2.0),
        ({"argmin": {"list": [4, 1, 1]}}, 2.0),
        ({"rank": [{"list": [1, 5, 2]}, 3]}, 2.0),
        ({"+": [1, 2, 3]}, 6.0),
        ({"-": [1, 3]}, -2.0),
        ({"*": [2, 3, 4]}, 24.0),
        ({"/": [1, 4]}, 0.25),
        ({"abs": -2}, 2.0),
        ({"sqrt": 9}, 3.0),
        ({"exp": 0}, 1.0),
        ({"round": 2.5}, 3.0),
        ({"round": -2.5}, -2.0),
        ({"round": [1.25, 1]}, 1.3),
        ({"=": [1, 1]}, True),
        ({"=": [1, True]}, False),
        ({"=": ["1", 1]}, False),
        ({"=": [{"list": [1, 2]}, {"list": [1, 2]}]}, True),
        ({"!=": ["a", "b"]}, True),
        ({"<": [1, 2]}, True),
        ({">=": [2, 2]}, True),
        ({"and": [True, False]}, False),
        ({"or": [True, False]}, True),
        ({"not": True}, False),
        ({"if": [{">": [2, 1]}, "yes", {"/": [1, 0]}]}, "yes"),
        ({"if": {"condition": False, "then": 1, "else": 2}}, 2.0),
        ({"join": {"list": ["a", "b"]}}, "a, b"),
        ({"join": [{"list": ["a", "b"]}, "-"]}, "a-b"),
        ({"replace": ["the cat", "cat", "dog"]}, "the dog"),
        ({"contains": [{"list": ["a", "b"]}, "b"]}, True),
        ({"softmax": {"list": [0, 0]}}, (0.5, 0.5)),
        ({"entropy": {"list": [0.5, 0.5, 0]}}, math.log(2)),
        ({"scale": [{"list": [1, 2]}, 3]}, (3.0, 6.0)),
        ({"dot": [{"list": [1, 2]}, {"list": [3, 4]}]}, 11.0),
        ({"cosine": [{"list": [1, 0]}, {"list": [0, 2]}]}, 0.0),
        ({"distance": [{"list": [0, 3]}, {"list": [4, 0]}]}, 5.0),
        ({"length": {"list": [3, 4]}}, 5.0),
        ({"number": "−0.5"}, -0.5),
        ({"products": [{"list": [1, 2]}, {"list": [3, 4]}]}, (3.0, 8.0)),
        ({"count above": [{"list": [1, 2, 3]}, 1]}, 2.0),
    ],
    ids=str,
)
def test_values_alone(tree: object, expected: Value) -> None:
    assert value(tree) == expected


def test_positions_by_formula() -> None:
    made = value({"sinusoid": [3, 3]})
    # The published table, row 4: .14 −.99 .01
    assert isinstance(made, tuple)
    assert [round(one, 2) for one in made if isinstance(one, float)] == [0.14, -0.99, 0.01]
    turned = value({"rotate": [{"list": [1, 0]}, math.pi / 2]})
    assert isinstance(turned, tuple)
    assert np.allclose(np.array(turned, float), [0, 1])


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"tokens": TEXT}, TOKENS),
        ({"pieces": [TEXT, "cat"]}, ("cat",)),
        ({"position": [TEXT, "cat"]}, 3.0),
        ({"layers": TEXT}, 2.0),
        ({"heads": TEXT}, 3.0),
        ({"learned": [TEXT, "cat"]}, (4.0, 5.0)),
        ({"vector": {"text": TEXT, "word": "cat", "layer": 0}}, (5.0, 6.0)),
        ({"vector": {"text": TEXT, "word": "cat", "layer": 1}}, (8.0, 10.0)),
        ({"vector": [TEXT, "cat"]}, (12.0, 15.0)),
        ({"sentence": TEXT}, (12.0, 15.0)),
        ({"query": [TEXT, "cat", 1, 2]}, (14.0, 15.0)),
        ({"key": [TEXT, "cat", 1, 2]}, (15.0, 16.0)),
        ({"value vector": [TEXT, 3, 1, 2]}, (16.0, 17.0)),
        ({"weights": [TEXT, "cat", 1, 2]}, (0.0, 1.0, 0.0, 0.0, 0.0)),
        ({"weight": {"text": TEXT, "from": "cat", "to": "the", "layer": 1, "head": 2}}, 1.0),
        ({"weight": {"text": TEXT, "from": 3, "to": 2, "layer": 1, "head": 1}}, 0.0),
        ({"strongest head": [TEXT, "cat", "the"]}, (1.0, 2.0)),
        ({"strongest head": [TEXT, "cat", "sat"]}, (2.0, 1.0)),
        ({"strongest head": [TEXT, "cat", "sat", 1]}, (1.0, 1.0)),
        ({"strongest pattern": [TEXT, "previous"]}, (1.0, 2.0)),
        ({"strongest pattern": [TEXT, "itself"]}, (1.0, 1.0)),
        ({"pattern": [TEXT, "previous", 1, 2]}, 1.0),
    ],
    ids=str,
)
def test_records(tree: object, expected: Value) -> None:
    assert value(tree) == expected


def test_attention_without_weights_and_scores() -> None:
    x = small_trace(TEXT).embedded.astype(float)
    raised = np.exp(x @ x[1] / math.sqrt(2))
    assert np.allclose(np.array(value({"unweighted": [TEXT, "the"]}), float), raised / raised.sum())
    scores = np.array(value({"scores": [TEXT, "the", 2, 1]}), float)
    assert np.allclose(scores, small_trace(TEXT).scores(1, 0).values[1])


def test_texts_are_filled_into_strings_and_values_are_found_by_name() -> None:
    assert value("{a} and {b}", a="one", b="two") == "one and two"
    assert value({"+": [{"value": "x"}, 1]}, x=2.0) == 3.0
    made = parse('{"if": [{"=": ["{a}", "b"]}, {"value": "x"}, 1]}')
    assert names_in(made) == {"a", "x"}
    with pytest.raises(BadExpression, match="nobody"):
        value({"value": "nobody"})


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{", "JSON"),
        ('{"max": [1, 2]', "bracket"),
        ("{“value”: “a”}", "straight quotes"),
        ("NaN", "NaN"),
        ("[1, 2]", "list"),
        ("null", "operation"),
        ("{}", "operation"),
        ('{"max": [1], "min": [1]}', "operation"),
        ('{"eval": "1"}', "eval"),
        ('{"__import__": "os"}', "__import__"),
        ('{"weight": {"text": "a", "nobody": 1}}', "nobody"),
        ('{"weight": {"text": "a"}}', "from"),
        ('{"-": [1, 2, 3]}', "-"),
        ('{"+": [1]}', "+"),
        ('{"max": {"list": [1]}, "max": {"list": [2]}}', "max"),
        ('{"value": 1}', "value"),
        ('{"not": ' * 30 + "true" + "}" * 30, "deep"),
        ("[" * 100_000, "JSON"),
    ],
)
def test_what_is_no_expression_is_refused(text: str, named: str) -> None:
    with pytest.raises(BadExpression, match=named.replace("+", r"\+").replace("(", r"\(")):
        parse(text)


@pytest.mark.parametrize(
    ("tree", "named"),
    [
        ({"max": "a"}, "max"),
        ({"max": {"list": []}}, "entry"),
        ({"max": {"list": ["a"]}}, "max"),
        ({"+": [1, "2"]}, "number"),
        ({"+": [1, True]}, "number"),
        ({"item": [{"list": [1]}, 2]}, "2"),
        ({"item": [{"list": [1]}, 0]}, "0"),
        ({"item": [{"list": [1]}, 1.5]}, "whole"),
        ({"/": [1, 0]}, "0"),
        ({"sqrt": -1}, "root"),
        ({"exp": 1000}, "finite"),
        ({"number": "1_0"}, "1_0"),
        ({"number": "1e5"}, "1e5"),
        ({"if": [1, 2, 3]}, "true or false"),
        ({"entropy": {"list": [-1]}}, "below 0"),
        ({"dot": [{"list": [1]}, {"list": [1, 2]}]}, "length"),
        ({"*": [1e300, 1e300]}, "finite"),
        ({"weights": [TEXT, "cat", 3, 1]}, "layer 3"),
        ({"weights": [TEXT, "cat", 1, 4]}, "head 4"),
        ({"weights": [TEXT, "dog", 1, 1]}, "dog"),
        ({"weights": [TEXT, 6, 1, 1]}, "token 6"),
        ({"pattern": [TEXT, "zigzag", 1, 1]}, "zigzag"),
        ({"on axis": [TEXT, "nonsense"]}, "between"),
    ],
    ids=str,
)
def test_what_cannot_be_computed_is_told(tree: object, named: str) -> None:
    if tree == {"on axis": [TEXT, "nonsense"]}:
        with pytest.raises(AssertionError, match=named):  # these records have none
            value(tree)
        return
    with pytest.raises((BadExpression, ValueError, LookupError), match=named):
        value(tree)


def test_numbers_in_sentences() -> None:
    names: dict[str, Value] = {
        "a": 0.125,
        "n": 3.0,
        "m": -0.004,
        "w": "bank",
        "t": True,
        "l": (1.0, "x"),
    }
    assert filled("{a} {a:3} {a%} {n} {m} {w} {t} {l}", names) == "0.13 0.125 13 % 3 0.00 bank yes 1, x"
    assert filled("{n:1}", {"n": -3.25}) == "−3.3"
    assert filled("a={w}", names, lambda text: f"<{text}>") == "a=<bank>"
    assert used_in("{a} {b%} {A} { c }") == {"a", "b"}
    assert written(1e300).startswith("1")
    for wrong in ("{w%}", "{t:2}", "{nobody}"):
        with pytest.raises(BadExpression):
            filled(wrong, names)


def test_each_operation_says_what_it_gives() -> None:
    for name, operation in OPERATIONS.items():
        assert operation.name == name
        assert operation.about.endswith((".", "”."))
        names = [one.name for one in operation.parameters]
        assert not {*names} & {*OPERATIONS}, name  # an argument by name is no operation
        assert len({*names}) == len(names)
        needed = [one.needed for one in operation.parameters]
        assert needed == sorted(needed, reverse=True), name  # by order, those that may be left out last
