"""The closed list of operations, each with its arguments and its result.

The operations of the first part compute from values alone; those of the second part read the records of
the model. All counting starts at 1. Sums are 64-bit; numbers from a record were 32-bit floats there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import NotSupported
from ..measures.attention.patterns import PATTERNS, patterns
from ..measures.similarity import cosine
from ..records.frozen import Array
from ..records.trace import Trace
from .expressions import BadExpression, Kind, Operation, Parameter, Value
from .records import Between, Records, tokens_of

Given = Mapping[str, Any]


def _bad(message: str) -> BadExpression:
    return BadExpression(message)


def _of(*described: str) -> tuple[Parameter, ...]:
    """Parameters as "name: kind", with a "?" after optional ones."""
    made = []
    for one in described:
        name, _, kind = one.partition(": ")
        known: Kind = kind.rstrip("?")  # type: ignore[assignment]
        made.append(Parameter(name, known, not kind.endswith("?")))
    return tuple(made)


# ---- values alone


def _entry(values: tuple[Value, ...], at: float) -> Value:
    if not 1 <= at <= len(values):
        raise _bad(f"The list has {len(values)} entries; there is no entry {at:.0f}.")
    return values[int(at) - 1]


def _some(operation: str, values: tuple[Value, ...]) -> tuple[Any, ...]:
    if not values:
        raise _bad(f"“{operation}” needs at least one entry.")
    return values


def _rank(given: Given) -> float:
    values: tuple[float, ...] = given["of"]
    own = _entry(values, given["at"])
    assert isinstance(own, float)
    return float(1 + sum(one > own for one in values))


def _softmax(values: tuple[float, ...]) -> tuple[float, ...]:
    raised = [math.exp(one - max(values)) for one in _some("softmax", values)]
    return tuple(one / sum(raised) for one in raised)


def _entropy(values: tuple[float, ...]) -> float:
    if any(one < 0 for one in values):
        raise _bad("“entropy” takes shares, none below 0.")
    return -math.fsum(one * math.log(one) for one in values if one > 0)


def _floats(values: Array) -> tuple[float, ...]:
    return tuple(float(one) for one in values)


def _pair(operation: str, given: Given) -> tuple[Array, Array]:
    a, b = (np.array(given[name], np.float64) for name in ("a", "b"))
    if a.shape != b.shape or not a.size:
        raise _bad(f"“{operation}” takes two lists of one length, not {a.size} and {b.size}.")
    return a, b


def _dot(given: Given) -> float:
    a, b = _pair("dot", given)
    return float(a @ b)


def _cosine(given: Given) -> float:
    a, b = _pair("cosine", given)
    return float(cosine(a[None], b[None])[0, 0])


def _distance(given: Given) -> float:
    a, b = _pair("distance", given)
    return float(np.linalg.norm(a - b))


def _number(text: str) -> float:
    if not re.fullmatch(r"[-−]?[0-9]{1,9}(\.[0-9]{1,9})?", text):
        raise _bad(f"“{text[:40]}” is not a number.")
    return float(text.replace("−", "-"))


def _divided(given: Given) -> float:
    if given["by"] == 0:
        raise _bad("Nothing can be divided by 0.")
    return float(given["x"] / given["by"])


def _root(given: Given) -> float:
    if given["x"] < 0:
        raise _bad("A number below 0 has no square root.")
    return math.sqrt(given["x"])


def _exp(given: Given) -> float:
    if given["x"] > 700:
        raise _bad("e to this power is not a finite number.")
    return math.exp(given["x"])


def _rounded(given: Given) -> float:
    factor = 10.0 ** given.get("decimals", 0.0)
    return float(math.floor(given["x"] * factor + 0.5) / factor)


def _angle(position: float, pair: int, width: int, base: float) -> float:
    return float(position / base ** (2 * pair / width))


def _sinusoid(given: Given) -> tuple[float, ...]:
    width, base = _width(given["width"]), given.get("base", 10_000.0)
    if base <= 0:
        raise _bad("The base must be above 0.")
    angles = [_angle(given["place"], i // 2, width, base) for i in range(width)]
    return tuple(math.cos(a) if i % 2 else math.sin(a) for i, a in enumerate(angles))


def _width(width: float) -> int:
    if not 1 <= width <= 4096:
        raise _bad("A vector must have 1 to 4,096 numbers.")
    return int(width)


def _rotated(given: Given) -> tuple[float, ...]:
    vector, base = given["of"], given.get("base", 10_000.0)
    if len(vector) % 2 or not vector or base <= 0:
        raise _bad("Rotary positions turn pairs: the vector must have an even number of entries.")
    turned = list[float]()
    for i in range(0, len(vector), 2):
        angle = _angle(given["place"], i // 2, len(vector), base)
        x, y = vector[i : i + 2]
        turned += [x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)]
    return tuple(turned)


def _compared(name: str, compare: Callable[[float, float], bool]) -> Operation:
    about = f"Whether the first number is {_SIGNS[name]} the second."
    return Operation(
        name,
        _of("x: number", "other: number"),
        about,
        lambda _, given: bool(compare(given["x"], given["other"])),
    )


_SIGNS = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}
_NUMBERS = _of("of: numbers")

_PLAIN = (
    Operation(
        "value", _of("name: string"), "The value that was given this name earlier.", lambda _, g: ""
    ),
    Operation(
        "if",
        _of("condition: truth", "then: any", "else: any"),
        "The second argument if the first is true, otherwise the third; only that one is computed.",
        lambda _, g: "",
    ),
    Operation("list", _of("entry: any"), "A list of its arguments.", lambda _, g: tuple(g.values()), 0),
    Operation(
        "item",
        _of("of: list", "at: whole"),
        "The entry of a list at an index.",
        lambda _, g: _entry(g["of"], g["at"]),
    ),
    Operation(
        "count", _of("of: list"), "The number of entries in a list.", lambda _, g: float(len(g["of"]))
    ),
    Operation("sum", _NUMBERS, "The sum of the entries of a list.", lambda _, g: math.fsum(g["of"])),
    Operation(
        "mean",
        _NUMBERS,
        "The mean of the entries of a list.",
        lambda _, g: math.fsum(_some("mean", g["of"])) / len(g["of"]),
    ),
    Operation("max", _NUMBERS, "The largest entry of a list.", lambda _, g: max(_some("max", g["of"]))),
    Operation(
        "min", _NUMBERS, "The smallest entry of a list.", lambda _, g: min(_some("min", g["of"]))
    ),
    Operation(
        "argmax",
        _NUMBERS,
        "The index of the largest entry of a list; the first if several are equal.",
        lambda _, g: float(1 + max(range(len(_some("argmax", g["of"]))), key=g["of"].__getitem__)),
    ),
    Operation(
        "argmin",
        _NUMBERS,
        "The index of the smallest entry of a list; the first if several are equal.",
        lambda _, g: float(1 + min(range(len(_some("argmin", g["of"]))), key=g["of"].__getitem__)),
    ),
    Operation(
        "rank",
        _of("of: numbers", "at: whole"),
        "The rank of the entry at an index: 1 if no entry is larger.",
        lambda _, g: _rank(g),
    ),
    Operation(
        "+", _of("x: number"), "The sum of its arguments.", lambda _, g: math.fsum(g.values()), 2
    ),
    Operation(
        "-",
        _of("x: number", "less: number"),
        "The first number minus the second.",
        lambda _, g: g["x"] - g["less"],
    ),
    Operation(
        "*", _of("x: number"), "The product of its arguments.", lambda _, g: math.prod(g.values()), 2
    ),
    Operation(
        "/",
        _of("x: number", "by: number"),
        "The first number divided by the second.",
        lambda _, g: _divided(g),
    ),
    Operation("exp", _of("x: number"), "e raised to the power of a number.", lambda _, g: _exp(g)),
    Operation("abs", _of("x: number"), "The absolute value of a number.", lambda _, g: abs(g["x"])),
    Operation("sqrt", _of("x: number"), "The square root of a number.", lambda _, g: _root(g)),
    Operation(
        "round",
        _of("x: number", "decimals: whole?"),
        "A number rounded to d decimals, ⌊number · 10ᵈ + ½⌋ / 10ᵈ; d is 0 if it is left out.",
        lambda _, g: _rounded(g),
    ),
    Operation(
        "=",
        _of("a: any", "b: any"),
        "Whether two values are the same.",
        lambda _, g: _same(g["a"], g["b"]),
    ),
    Operation(
        "!=",
        _of("a: any", "b: any"),
        "Whether two values differ.",
        lambda _, g: not _same(g["a"], g["b"]),
    ),
    _compared("<", float.__lt__),
    _compared("<=", float.__le__),
    _compared(">", float.__gt__),
    _compared(">=", float.__ge__),
    Operation(
        "and",
        _of("condition: truth"),
        "Whether all conditions are true.",
        lambda _, g: all(g.values()),
        2,
    ),
    Operation(
        "or",
        _of("condition: truth"),
        "Whether at least one condition is true.",
        lambda _, g: any(g.values()),
        2,
    ),
    Operation(
        "not",
        _of("condition: truth"),
        "True if the condition is false, and false if it is true.",
        lambda _, g: not g["condition"],
    ),
    Operation(
        "join",
        _of("of: strings", "with: string?"),
        "The strings of a list as one string, with a separator between them; “, ” if it is left out.",
        lambda _, g: g.get("with", ", ").join(g["of"]),
    ),
    Operation(
        "replace",
        _of("text: string", "old: string", "new: string"),
        "The text with every occurrence of one string replaced by another.",
        lambda _, g: g["text"].replace(g["old"], g["new"]) if g["old"] else g["text"],
    ),
    Operation(
        "contains",
        _of("of: strings", "string: string"),
        "Whether a list contains a string.",
        lambda _, g: g["string"] in g["of"],
    ),
    Operation(
        "softmax",
        _NUMBERS,
        "The softmax of a list: e^x of each entry x, divided by the sum over all entries.",
        lambda _, g: _softmax(g["of"]),
    ),
    Operation(
        "entropy",
        _NUMBERS,
        "The entropy of a list of shares, −Σ p·ln p, in nats.",
        lambda _, g: _entropy(g["of"]),
    ),
    Operation(
        "scale",
        _of("of: numbers", "by: number"),
        "The list with each entry multiplied by a number.",
        lambda _, g: tuple(one * g["by"] for one in g["of"]),
    ),
    Operation(
        "number",
        _of("digits: string"),
        "The number that a text of the lesson writes in digits, such as “12” or “−0.5”.",
        lambda _, g: _number(g["digits"]),
    ),
    Operation(
        "products",
        _of("a: numbers", "b: numbers"),
        "The products of two lists, entry by entry.",
        lambda _, g: _floats(np.multiply(*_pair("products", g))),
    ),
    Operation(
        "count above",
        _of("of: numbers", "least: number"),
        "The number of entries that are larger than a number.",
        lambda _, g: float(sum(one > g["least"] for one in g["of"])),
    ),
    Operation(
        "dot", _of("a: numbers", "b: numbers"), "The dot product of two vectors.", lambda _, g: _dot(g)
    ),
    Operation(
        "cosine",
        _of("a: numbers", "b: numbers"),
        "The cosine of two vectors: their dot product divided by both lengths, or 0 if a length is 0.",
        lambda _, g: _cosine(g),
    ),
    Operation(
        "distance",
        _of("a: numbers", "b: numbers"),
        "The Euclidean distance between two vectors.",
        lambda _, g: _distance(g),
    ),
    Operation(
        "length",
        _of("of: numbers"),
        "The Euclidean length of a vector.",
        lambda _, g: float(np.linalg.norm(np.array(g["of"], np.float64))),
    ),
    Operation(
        "sinusoid",
        _of("place: number", "width: whole", "base: number?"),
        "The sinusoidal vector of a position, counted from 0: sine and cosine in turn.",
        lambda _, g: _sinusoid(g),
    ),
    Operation(
        "rotate",
        _of("of: numbers", "place: number", "base: number?"),
        "A vector with each pair of its numbers turned by the angle of a position, counted from 0.",
        lambda _, g: _rotated(g),
    ),
)


def _same(a: Value, b: Value) -> bool:
    """Values of two kinds are never the same: true is not 1."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return type(a) is type(b) and a == b


# ---- the records of a model


def _trace(records: Records, given: Given) -> Trace:
    after = given.get("after")
    return records.trace(given["text"], None if after is None else int(after), given.get("second"))


def _at(records: Records, given: Given) -> Array:
    return tokens_of(_trace(records, given), given["word"])


def _numbered(what: str, number: float, count: int) -> int:
    """A layer or a head, from 0."""
    if not 1 <= number <= count:
        raise NotSupported(f"There is no {what} {number:.0f}: there are {count}.")
    return int(number) - 1


def _layer(trace: Trace, given: Given) -> int:
    return _numbered("layer", given["layer"], trace.grid[0])


def _head(trace: Trace, given: Given) -> int:
    return _numbered("head", given["head"], trace.grid[1])


def _weights(trace: Trace) -> Array:
    """(layers, heads, queries, keys)."""
    if trace.attention is None:
        raise NotSupported(f"“{trace.model}” provides no attention weights.")
    return trace.attention.weights


def _row(records: Records, given: Given) -> Array:
    """(tokens,): the weights of a word in one head, the mean over its tokens."""
    trace = _trace(records, given)
    queries = tokens_of(trace, given["from"])
    rows = _weights(trace)[_layer(trace, given), _head(trace, given), queries]
    mean: Array = rows.mean(axis=0, dtype=np.float64)
    return mean


def _weight(records: Records, given: Given) -> float:
    trace = _trace(records, given)
    return float(_row(records, given)[tokens_of(trace, given["to"])].sum())


def _scores(records: Records, given: Given) -> tuple[float, ...]:
    trace = _trace(records, given)
    values = trace.scores(_layer(trace, given), _head(trace, given)).values
    return _floats(values[tokens_of(trace, given["from"])].mean(axis=0, dtype=np.float64))


def _strongest(trace: Trace, values: Array, layer: float | None) -> tuple[float, float]:
    """(layer, head) of the largest, the first of several; within one layer, if it is given."""
    kept = np.full_like(values, -np.inf)
    rows = slice(None) if layer is None else _numbered("layer", layer, trace.grid[0])
    kept[rows] = np.nan_to_num(values[rows], nan=-np.inf)
    best = int(kept.argmax())
    return float(best // values.shape[1] + 1), float(best % values.shape[1] + 1)


def _strongest_head(records: Records, given: Given) -> tuple[float, float]:
    trace = _trace(records, given)
    queries, keys = (tokens_of(trace, given[name]) for name in ("from", "to"))
    values = _weights(trace)[:, :, queries][:, :, :, keys].mean(axis=2, dtype=np.float64).sum(axis=-1)
    return _strongest(trace, values, given.get("layer"))


def _pattern(given: Given) -> int:
    if given["kind"] not in PATTERNS:
        raise _bad(f"There is no pattern “{given['kind']}”: choose one of {', '.join(PATTERNS)}.")
    return PATTERNS.index(given["kind"])


def _pattern_score(records: Records, given: Given) -> float:
    trace = _trace(records, given)
    kind = _pattern(given)
    return float(patterns(trace).values[_layer(trace, given), _head(trace, given), kind])


def _strongest_pattern(records: Records, given: Given) -> tuple[float, float]:
    trace = _trace(records, given)
    values = patterns(trace).values[:, :, _pattern(given)].astype(np.float64)
    return _strongest(trace, values, given.get("layer"))


def _vector(records: Records, given: Given) -> tuple[float, ...]:
    trace, tokens = _trace(records, given), _at(records, given)
    layer = given.get("layer")
    if layer is None:
        vectors = trace.contextual
    elif layer == 0:
        vectors = trace.embedded
    else:
        if trace.hidden is None:
            raise NotSupported(f"“{trace.model}” provides no vectors between its layers.")
        vectors = trace.hidden[_numbered("layer", layer, len(trace.hidden))]
    return _floats(vectors[tokens].mean(axis=0, dtype=np.float64))


def _of_head(what: str) -> Callable[[Records, Given], tuple[float, ...]]:
    def read(records: Records, given: Given) -> tuple[float, ...]:
        trace = _trace(records, given)
        values = getattr(trace, what)
        if values is None or not trace.products:
            raise NotSupported(f"“{trace.model}” provides no queries, keys and values.")
        own = values[_layer(trace, given), _head(trace, given)]
        return _floats(own[tokens_of(trace, given["word"])].mean(axis=0, dtype=np.float64))

    return read


def _unweighted(records: Records, given: Given) -> tuple[float, ...]:
    trace = _trace(records, given)
    x = trace.embedded.astype(np.float64)
    own = x[tokens_of(trace, given["word"])].mean(axis=0)
    return _softmax(_floats(x @ own / math.sqrt(x.shape[1])))


def _between(records: Records, given: Given) -> Between:
    return records.between(given["word"].partition(":")[0], (given["text"],))


def _coordinates(records: Records, given: Given, trace: Trace) -> Array:
    return _between(records, given).axis.coordinates(trace, tokens_of(trace, given["word"]))


def _on_axis(records: Records, given: Given) -> float:
    along = _coordinates(records, given, _trace(records, given))
    layer = given.get("layer")
    return float(along[-1 if layer is None else _numbered("layer", layer, len(along))])


def _side(records: Records, given: Given) -> str:
    return _between(records, given).names[int(_on_axis(records, given) > 0)]


def _without_head(records: Records, given: Given) -> float:
    layer, head = _layer(_trace(records, given), given), _head(_trace(records, given), given)
    ablated = records.without_head(given["text"], layer, head)
    return float(_coordinates(records, given, ablated)[-1])


def _step(records: Records, given: Given) -> tuple[float, ...]:
    trace = _trace(records, given)
    layer, head = _layer(trace, {"layer": 1.0, **given}), _head(trace, {"head": 1.0, **given})
    values = records.step(given["text"], given["step"], layer, head)
    return _floats(values[tokens_of(trace, given["word"])].mean(axis=0, dtype=np.float64))


def _order(records: Records, given: Given) -> float:
    layer = _numbered("layer", given["layer"], 999)
    found = records.orders(given["text"], given["other"], layer)
    apart = found.with_positions if given["positions"] else found.without
    return float(apart.max())


def _table_row(records: Records, given: Given) -> tuple[float, ...]:
    table = records.position_table()
    if not 0 <= given["place"] < len(table):
        raise NotSupported(f"The table has {len(table)} positions.")
    return _floats(table[int(given["place"])])


def _written_at(records: Records, given: Given) -> tuple[Any, int]:
    found = records.decoding(given["text"])
    return found, _numbered("step", given["step"], len(found.tokens))


def _expected(records: Records, given: Given) -> tuple[str, ...]:
    found, step = _written_at(records, given)
    return tuple(found.expectations[step].top(10).tokens)


def _probability(records: Records, given: Given) -> float:
    found, step = _written_at(records, given)
    expectation = found.expectations[step]
    temperature = given.get("temperature", 1.0)
    if not 0.01 <= temperature <= 100:
        raise _bad("A temperature must be from 0.01 to 100.")
    top = expectation.top(len(expectation.ids), temperature)
    word = given.get("word", found.likeliest(step))
    if word not in top.tokens:
        raise NotSupported(f"“{word}” is not a word that the model can write.")
    return float(top.probabilities[top.tokens.index(word)])


def _attended(block: str) -> Callable[[Records, Given], tuple[float, ...]]:
    def read(records: Records, given: Given) -> tuple[float, ...]:
        found, step = _written_at(records, given)
        attention = found.trace.cross if block == "cross" else found.trace.decoder.attention
        weights = attention.weights
        layer = _numbered("layer", given["layer"], weights.shape[0])
        head = _numbered("head", given["head"], weights.shape[1])
        return _floats(weights[layer, head, step])

    return read


def _of_training(what: str) -> Callable[[Records, Given], float]:
    return lambda records, given: float(getattr(records.snapshot(int(given["after"])), what))


_TEXT, _AFTER, _SECOND = "text: string", "after: whole?", "second: string?"
_IN_HEAD = ("layer: whole", "head: whole")
_RECORDS = (
    Operation(
        "tokens",
        _of(_TEXT, _AFTER),
        "The tokens of a text, including [CLS] and [SEP].",
        lambda r, g: _trace(r, g).tokens,
    ),
    Operation(
        "ids",
        _of(_TEXT),
        "The ids of the tokens of a text. An id is the number of a row of the table, counted from 0.",
        lambda r, g: tuple(float(one) for one in r.ids(g["text"])),
    ),
    Operation(
        "pieces",
        _of(_TEXT, "word: word"),
        "The tokens that a word consists of.",
        lambda r, g: tuple(_trace(r, g).tokens[i] for i in _at(r, g)),
    ),
    Operation(
        "position",
        _of(_TEXT, "word: word"),
        "The position of a word’s first token in the text.",
        lambda r, g: float(_at(r, g)[0] + 1),
    ),
    Operation(
        "layers",
        _of(_TEXT),
        "The number of layers in the model.",
        lambda r, g: float(_trace(r, g).grid[0]),
    ),
    Operation(
        "heads",
        _of(_TEXT),
        "The number of heads in each layer.",
        lambda r, g: float(_trace(r, g).grid[1]),
    ),
    Operation(
        "vocabulary",
        (),
        "The number of rows in the table of learned vectors.",
        lambda r, g: float(r.n_vocabulary()),
    ),
    Operation(
        "learned",
        _of(_TEXT, "word: word", _AFTER),
        "The learned vector of a word: its row of the table, or the mean over the rows of its pieces.",
        lambda r, g: _floats(_trace(r, g).learned[_at(r, g)].mean(axis=0, dtype=np.float64)),
    ),
    Operation(
        "vector",
        _of(_TEXT, "word: word", "layer: whole?", _AFTER),
        "The vector of a word after a layer: 0 for the input of layer 1; the last layer by default.",
        _vector,
    ),
    Operation(
        "sentence",
        _of(_TEXT),
        "The vector of a text: the mean of the final vectors of all its tokens.",
        lambda r, g: _floats(_trace(r, g).contextual.mean(axis=0, dtype=np.float64)),
    ),
    Operation(
        "nearest",
        _of("of: numbers", "most: whole"),
        "The words whose learned vectors are nearest to a vector, by cosine.",
        lambda r, g: r.nearest(np.array(g["of"], np.float32), _width(g["most"])),
    ),
    Operation(
        "query",
        _of(_TEXT, "word: word", *_IN_HEAD),
        "The query of a word in one head.",
        _of_head("query"),
    ),
    Operation(
        "key", _of(_TEXT, "word: word", *_IN_HEAD), "The key of a word in one head.", _of_head("key")
    ),
    Operation(
        "value vector",
        _of(_TEXT, "word: word", *_IN_HEAD),
        "The value of a word in one head.",
        _of_head("value"),
    ),
    Operation(
        "scores",
        _of(_TEXT, "from: word", *_IN_HEAD),
        "The scores of a word in one head, scaled, before softmax; one for each token.",
        _scores,
    ),
    Operation(
        "weights",
        _of(_TEXT, "from: word", *_IN_HEAD, _AFTER, _SECOND),
        "The attention weights of a word in one head, one for each token.",
        lambda r, g: _floats(_row(r, g)),
    ),
    Operation(
        "weight",
        _of(_TEXT, "from: word", "to: word", *_IN_HEAD, _AFTER, _SECOND),
        "The weight from one word to another: the mean over its pieces, the sum over the other’s.",
        _weight,
    ),
    Operation(
        "strongest head",
        _of(_TEXT, "from: word", "to: word", "layer: whole?", _SECOND),
        "The [layer, head] with the largest weight from one word to another, in all layers or in one.",
        _strongest_head,
    ),
    Operation(
        "pattern",
        _of(_TEXT, "kind: string", *_IN_HEAD),
        f"How closely a head follows a pattern, from 0 to 1: {', '.join(PATTERNS)}.",
        _pattern_score,
    ),
    Operation(
        "strongest pattern",
        _of(_TEXT, "kind: string", "layer: whole?"),
        "The [layer, head] that follows a pattern most closely, in all layers or in one.",
        _strongest_pattern,
    ),
    Operation(
        "unweighted",
        _of(_TEXT, "word: word"),
        "Attention without learned weights: the softmax of x·Xᵀ / √d_model over the input of layer 1.",
        _unweighted,
    ),
    Operation(
        "on axis",
        _of(_TEXT, "word: word", "layer: whole?"),
        "The position of one of the app’s ambiguous words between its two senses, at −1 and +1.",
        _on_axis,
    ),
    Operation(
        "side",
        _of(_TEXT, "word: word", "layer: whole?"),
        "The name of the sense on whose side of the middle the word is.",
        _side,
    ),
    Operation(
        "verdict",
        _of("word: string", "a: string", "b: string"),
        "The app’s verdict: “one meaning”, “two meanings”, “not clear” or “no verdict”.",
        lambda r, g: r.verdict(g["word"], g["a"], g["b"]),
    ),
    Operation(
        "without head",
        _of(_TEXT, "word: word", *_IN_HEAD),
        "The position of the word between its two senses when one head is ablated.",
        _without_head,
    ),
    Operation(
        "step row",
        _of(_TEXT, "step: string", "word: word", "layer: whole?", "head: whole?"),
        "The row of a word in a step of Step by step, as a link names it; layer and head 1 by default.",
        _step,
    ),
    Operation(
        "order",
        _of(_TEXT, "other: string", "layer: whole", "positions: truth"),
        "The largest difference that word order makes to the same tokens’ vectors, after a layer.",
        _order,
    ),
    Operation(
        "position row",
        _of("place: whole"),
        "A row of the model’s table of learned positions, counted from 0.",
        _table_row,
    ),
    Operation(
        "translation",
        _of(_TEXT),
        "The words that the translator writes, without its end sign.",
        lambda r, g: tuple(r.decoding(g["text"]).words),
    ),
    Operation(
        "source",
        _of(_TEXT),
        "The words that the translator’s encoder reads.",
        lambda r, g: r.decoding(g["text"]).trace.encoder.tokens,
    ),
    Operation(
        "reads",
        _of(_TEXT),
        "The words that the translator’s decoder reads, one for each step; the start sign first.",
        lambda r, g: r.decoding(g["text"]).trace.decoder.tokens,
    ),
    Operation(
        "expected",
        _of(_TEXT, "step: whole"),
        "The ten most probable words at a step, the most probable first.",
        _expected,
    ),
    Operation(
        "probability",
        _of(_TEXT, "step: whole", "word: string?", "temperature: number?"),
        "The probability of a word at a step; by default, of the most probable word, at temperature 1.",
        _probability,
    ),
    Operation(
        "cross weights",
        _of(_TEXT, "step: whole", *_IN_HEAD),
        "The attention weights from a step to the words of the source.",
        _attended("cross"),
    ),
    Operation(
        "decoder weights",
        _of(_TEXT, "step: whole", *_IN_HEAD),
        "The attention weights from a step to the words that the decoder has read; 0 where masked.",
        _attended("decoder"),
    ),
    Operation(
        "loss", _of("after: whole"), "The loss after this many steps of training.", _of_training("loss")
    ),
    Operation(
        "accuracy",
        _of("after: whole"),
        "The accuracy after this many steps of training.",
        _of_training("accuracy"),
    ),
    Operation(
        "found",
        _of("after: whole"),
        "The share of rows whose attention goes where the task needs it, after this many steps.",
        _of_training("pattern"),
    ),
    Operation(
        "fills",
        _of(_TEXT, _AFTER),
        "The ten most probable words at the first [MASK] of a text.",
        lambda r, g: r.fills(g["text"], None if g.get("after") is None else int(g["after"]))[:10],
    ),
)

OPERATIONS: Mapping[str, Operation] = {one.name: one for one in (*_PLAIN, *_RECORDS)}
