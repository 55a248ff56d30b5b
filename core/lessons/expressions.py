"""A small expression language in JSON, in which lessons query a model; nothing in it runs as code.

An expression is a number, a string, true or false; or an object with one key, the name of an operation,
whose value holds the arguments: an object by name, an array by order, or the only argument itself.

    {"weight": {"text": "{a}", "from": "it", "to": "cat", "layer": 4, "head": 11}}
    {"if": [{">": [{"value": "share"}, 0.5]}, "more than half", "less"]}

A string may name the lesson's texts in braces ("{a}"), and {"value": "share"} is the value that an
earlier line of the lesson named "share". Everything counts from 1, as on the screen and in links. There
are four kinds of values: numbers (64-bit floats; a whole number is one without a fraction), strings,
true and false, and lists of values. No kind is converted into another. `operations` has the closed list
of operations with their results; JavaScript could compute each of them equally.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from .. import untrusted
from ..errors import PolyseeError
from ..localization import ENGLISH, _, decimal, spoken
from ..sentences import percent

if TYPE_CHECKING:
    from .model_records import Records

Value: TypeAlias = float | str | bool | tuple["Value", ...]
Kind = Literal["number", "whole", "string", "truth", "list", "numbers", "strings", "word", "any"]
_LITTLE = 0.005  # a share below it, or so near to 1, has a decimal in a percentage
DECIMALS = 2  # of a number in a sentence that does not specify them
MOST_DIGITS = 330  # of a 64-bit float, with its decimals
MOST_DEPTH = 24  # of a tree: a file must not exhaust the stack
_BRACES = re.compile(r"\{([a-z][a-z0-9_]*)(%|:[0-9,])?\}")
NAME = re.compile(r"[a-z][a-z0-9_]*")


class BadExpression(PolyseeError, ValueError):
    """An expression cannot be read or computed; the message names the operation."""


@dataclass(frozen=True)
class Literally:
    """A value that is written in the file."""

    value: Value


@dataclass(frozen=True)
class Call:
    """An operation with its arguments by name, or by number if it takes any number of them."""

    operation: str
    arguments: tuple[tuple[str, Expression], ...]


Expression: TypeAlias = Literally | Call


@dataclass(frozen=True)
class Parameter:
    """A parameter of an operation.

    Attributes:
        name: its name in the file.
        kind: the kind of value that it accepts. "word" is a word of a text ("bank", the second one
            "bank:2") or the number of a token; "numbers" and "strings" are lists of these alone.
        needed: whether it is required.
    """

    name: str
    kind: Kind
    needed: bool = True


@dataclass(frozen=True)
class Operation:
    """One entry of the closed list.

    Attributes:
        name: its name in the file.
        parameters: in order; if it takes `many`, all arguments have the kind of the first.
        about: its result, in a sentence.
        compute: takes the records of a model, and the arguments by name.
        many: the least number of arguments, if it takes any number of them; None otherwise.
    """

    name: str
    parameters: tuple[Parameter, ...]
    about: str
    compute: Callable[[Records, Mapping[str, Any]], Value]
    many: int | None = None


def parse(text: str) -> Expression:
    """Read an expression.

    Raises:
        BadExpression: it is not JSON; or it names an operation or an argument that does not exist.
    """
    try:
        tree = untrusted.parse(text, unique=True)
    except untrusted.NotJson as error:
        cause = error.__cause__
        if not isinstance(cause, json.JSONDecodeError):
            raise BadExpression(f"This JSON cannot be read: {error}.") from error
        if "“" in text or "”" in text:
            raise BadExpression(
                'This is not JSON: it needs straight quotes ("), not “curly” ones.'
            ) from error
        raise BadExpression(
            f"This is not JSON: after “{text[: cause.pos][-20:]}”, something is missing or too much, "
            "such as a comma, a quote or a bracket. A continued line begins with two spaces."
        ) from error
    return _read(tree, 0)


def _read(tree: object, depth: int) -> Expression:
    from .operations import OPERATIONS

    if depth > MOST_DEPTH:
        raise BadExpression(f"An expression is at most {MOST_DEPTH} operations deep.")
    if isinstance(tree, bool | str):
        return Literally(tree)
    if isinstance(tree, int | float):
        try:
            return Literally(float(tree))
        except OverflowError:  # a whole number of JSON may have any length
            raise BadExpression(f"{str(tree)[:20]}… is not a number: it is too large.") from None
    if not isinstance(tree, dict) or len(tree) != 1:
        raise BadExpression(
            "An expression is a number, a string, true, false, or an object with one operation; a list "
            'is {"list": […]}.'
        )
    ((name, given),) = tree.items()
    if name == "value":
        if not isinstance(given, str) or not NAME.fullmatch(given):
            raise BadExpression("“value” takes a name that was given before.")
        return Call("value", (("name", Literally(given)),))
    operation = OPERATIONS.get(name)
    if operation is None:
        raise BadExpression(f"There is no operation “{name}”.")
    named = _named(operation, given)
    return Call(name, tuple((key, _read(one, depth + 1)) for key, one in named.items()))


def _named(operation: Operation, given: object) -> dict[str, object]:
    """The arguments by name, in whichever form the file has them."""
    parameters = operation.parameters
    if operation.many is not None:
        parts = given if isinstance(given, list) else [given]
        if len(parts) < operation.many:
            raise BadExpression(f"“{operation.name}” takes at least {operation.many} arguments.")
        return {str(i + 1): one for i, one in enumerate(parts)}
    names = [one.name for one in parameters]
    if isinstance(given, dict) and (not given or set(given) & set(names)):
        named = dict(given)
    else:
        parts = given if isinstance(given, list) else [given]
        if len(parts) > len(names):
            raise BadExpression(f"“{operation.name}” takes {len(names)} arguments, not {len(parts)}.")
        named = dict(zip(names, parts, strict=False))
    if unknown := [name for name in named if name not in names]:
        raise BadExpression(f"“{operation.name}” has no argument “{unknown[0]}”.")
    if missing := [one.name for one in parameters if one.needed and one.name not in named]:
        raise BadExpression(f"“{operation.name}” needs “{missing[0]}”.")
    return named


def names_in(expression: Expression) -> set[str]:
    """The names that an expression uses: values defined before, and texts in braces."""
    if isinstance(expression, Literally):
        return used_in(expression.value) if isinstance(expression.value, str) else set()
    if expression.operation == "value":
        (_, name) = expression.arguments[0]
        assert isinstance(name, Literally)
        return {str(name.value)}
    return set().union(*(names_in(one) for _, one in expression.arguments))


def evaluate(expression: Expression, records: Records, names: Mapping[str, Value]) -> Value:
    """The value of an expression.

    Args:
        expression: as `parse` read it.
        records: the records of the model.
        names: the lesson's texts, and the values defined before.

    Raises:
        BadExpression: an argument has a kind that its operation does not accept, or is out of range.
        PolyseeError: an error of the model, such as WordNotFound.
    """
    if isinstance(expression, Literally):
        value = expression.value
        return filled(value, names) if isinstance(value, str) else value
    name = expression.operation
    arguments = dict(expression.arguments)
    if name == "value":
        return _looked_up(str(arguments["name"].value), names)  # type: ignore[union-attr]
    if name == "if":  # the only operation that leaves an argument unevaluated
        condition = evaluate(arguments["condition"], records, names)
        if not isinstance(condition, bool):
            raise _wrong("if", "condition", "truth", condition)
        return evaluate(arguments["then" if condition else "else"], records, names)
    from .operations import OPERATIONS

    operation = OPERATIONS[name]
    kinds = {one.name: one.kind for one in operation.parameters}
    given: dict[str, Any] = {}
    for key, one in arguments.items():
        kind = operation.parameters[0].kind if operation.many is not None else kinds[key]
        given[key] = checked(name, key, kind, evaluate(one, records, names))
    value = operation.compute(records, given)
    if isinstance(value, float) and not isfinite(value):
        raise BadExpression(f"“{name}” does not give a finite number here.")
    return value


def _looked_up(name: str, names: Mapping[str, Value]) -> Value:
    if name not in names:
        raise BadExpression(f"There is no “{name}” here.")
    return names[name]


def checked(operation: str, name: str, kind: Kind, value: Value) -> Value:
    """The value, if it is of this kind; raises BadExpression otherwise."""
    if not _fits(kind, value):
        raise _wrong(operation, name, kind, value)
    return value


def is_whole(value: object) -> bool:
    """Whether this is a number without a fraction."""
    return isinstance(value, float) and value.is_integer()


def _fits(kind: Kind, value: Value) -> bool:
    if kind == "any":
        return True
    if kind == "whole":
        return is_whole(value)
    if kind == "word":
        return isinstance(value, str) or is_whole(value)
    if kind in ("numbers", "strings"):
        wanted: type = float if kind == "numbers" else str
        return isinstance(value, tuple) and all(isinstance(one, wanted) for one in value)
    types: dict[str, type] = {"number": float, "string": str, "truth": bool, "list": tuple}
    return isinstance(value, types[kind])


_KIND_NAMES = {
    "number": "a number",
    "whole": "a whole number",
    "string": "a string",
    "truth": "true or false",
    "list": "a list",
    "numbers": "a list of numbers",
    "strings": "a list of strings",
    "word": "a word or the number of a token",
}


def _wrong(operation: str, name: str, kind: Kind, value: Value) -> BadExpression:
    shown = written(value)
    shown = shown if len(shown) <= 40 else shown[:39] + "…"
    return BadExpression(f"“{operation}” needs {_KIND_NAMES[kind]} as “{name}”, not “{shown}”.")


def used_in(template: str) -> set[str]:
    """The names in braces."""
    return {match[1] for match in _BRACES.finditer(template)}


def filled(
    template: str, names: Mapping[str, Value], encode: Callable[[str], str] | None = None
) -> str:
    """A sentence with its names filled in.

    "{share}" has two decimals, "{share:3}" three, "{share%}" is a percentage without decimals; whole
    numbers have none, and strings stay as they are. "{count:,}" is a whole number in groups of three
    digits, as every page writes a count. Numbers are written as the language of the context does.

    Args:
        template: the sentence.
        names: name -> value.
        encode: applied to each filled-in value, for example for a link.

    Raises:
        BadExpression: a name is unknown, or its value is not a number although one is needed.
    """

    def fill(match: re.Match[str]) -> str:
        name, style = match[1], match[2] or ""
        value = _looked_up(name, names)
        if style and (isinstance(value, bool) or not isinstance(value, float)):
            raise BadExpression(f"“{name}” is not a number, and cannot be written as {match[0]}.")
        text = shown(value, style)
        return text if encode is None else encode(text)

    return _BRACES.sub(fill, template)


def written(value: Value, style: str = "") -> str:
    """A value in a sentence; a half is rounded away from zero, as JavaScript's `toFixed` does."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ", ".join(written(one) for one in value)
    if style == "%" and (0 < value < _LITTLE or 1 - _LITTLE < value < 1):
        return percent(value)  # what is not nothing is not 0 %, nor what is not all 100 %
    if style == "%":
        return f"{_fixed(100 * value, 0)} %"
    if style == ":,":
        return _fixed(value, 0, ",")
    if style:
        return _fixed(value, int(style[1:]))
    return _fixed(value, 0 if value.is_integer() else DECIMALS)


def shown(value: Value, style: str = "") -> str:
    """A value as `written`; a number as the language of the context writes it."""
    with spoken(ENGLISH):
        text = written(value, style)
    if isinstance(value, bool) or not isinstance(value, float):
        return text
    in_words = {"less than 0.1 %": _("less than 0.1 %"), "more than 99.9 %": _("more than 99.9 %")}
    return in_words.get(text) or decimal(text)


def counted(value: Value) -> str:
    """A value as `shown`; a whole number in groups of three digits, as every page writes a count."""
    whole = isinstance(value, float) and value.is_integer()
    return shown(value, ":,") if whole else shown(value)


def _fixed(value: float, decimals: int, groups: str = "") -> str:
    with localcontext(prec=MOST_DIGITS):
        rounded = Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    text = f"{abs(rounded):{groups}.{decimals}f}"
    return f"−{text}" if rounded < 0 else text
