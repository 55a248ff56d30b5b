"""What a picture has to choose from: how many heads, tokens, layers, points.

The schema says which choices any picture may have; the header of a picture, how far its own go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import schema
from .picture import Picture

Header = Mapping[str, Any]
_Counts = Callable[[Header], Mapping[str, int]]


def _of_layer(header: Header) -> dict[str, int]:
    heads = int(header["heads"])
    return {
        "head": heads,
        "on": heads,
        "query": len(header["queries"]),
        "key": len(header["keys"]),
    }


def _of_overview(header: Header) -> dict[str, int]:
    patterns = header["patterns"]
    return {
        "token": max(len(header["tokens"]), len(header["queryTokens"] or ())),
        "pattern": 0 if patterns is None else len(patterns["names"]),
    }


def _of_step(header: Header) -> dict[str, int]:
    shapes = [(len(one["rows"]), len(one["columns"])) for one in header["matrices"]]
    shapes += [one["whole"] for one in header["matrices"] if one["whole"]]
    for block in header.get("blocks", ()):
        shapes.append((len(block["result"]["rows"]), block["columns"]))
    return {
        "step": max(1, len(header["titles"])),
        "row": max((rows for rows, _ in shapes), default=1),
        "column": max((columns for _, columns in shapes), default=1),
    }


def _of_points(header: Header) -> dict[str, int]:
    return {"depth": len(header["steps"]), "chosen": len(header.get("texts", ()))}


def _of_lines(header: Header) -> dict[str, int]:
    return {
        "chosen": int(header["lines"]),
        "group": len(header["groups"]),
        "column": max(1, len(header["columns"])),
    }


# For each kind of picture, how many there are of what its whole numbers count.
_COUNTS: Mapping[str, _Counts] = {
    "layer": _of_layer,
    "overview": _of_overview,
    "steps": _of_step,
    "forward": _of_step,
    "cloud": _of_points,
    "plane": _of_points,
    "space": _of_points,
    "trajectory": lambda header: {"depth": int(header["layers"]) + 1},
    "concordance": _of_lines,
    "wordmap": lambda header: {"chosen": len(header["words"]), "side": len(header["sides"])},
    "nextword": lambda header: {"topK": int(schema.state("nextword")["topK"]["maximum"]) + 1},
}


def count(picture: Picture, name: str) -> int | None:
    """How many there are of what a choice counts, from 0; None if it counts nothing."""
    return _COUNTS[picture.module](picture.header).get(name) if picture.module in _COUNTS else None


def within(picture: Picture, name: str, value: Any) -> bool:
    """Whether a value that fits the schema is one that this picture has."""
    most = count(picture, name)
    items = value if isinstance(value, list | tuple) else [value]
    return most is None or all(one is None or one < most for one in items)


def options(picture: Picture, name: str, fits: Callable[[Any], bool]) -> str:
    """What a choice takes, in words, counted as in Python, from 0.

    Args:
        picture: the picture.
        name: the name of the choice.
        fits: whether the picture has a value.
    """
    field = schema.whole(schema.state(picture.module)[name])
    words = _options(picture, name, field, fits)
    if not field.get("nullable"):
        return words or "no value in this picture"
    return f"{words}, or None" if words else "only None in this picture"


def _options(picture: Picture, name: str, field: schema.Field, fits: Callable[[Any], bool]) -> str:
    if "enum" in field:
        names = [f"“{one}”" for one in field["enum"] if fits(one)]
        return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else ""
    if field["type"] == "array":
        item = schema.whole(field["items"])
        if "minItems" in field:
            few, most = field["minItems"], field.get("maxItems", field["minItems"])
            count = f"{few}" if few == most else f"{few} to {most}"
            return f"{count} numbers from {_signed(item)}"
        return f"a list of heads, each {_numbers(picture, name, item, lambda one: fits([one]))}"
    if field["type"] == "boolean":
        return "True or False"
    if field["type"] == "string":
        return f"a text of at most {field['maxLength']} letters"
    if field["type"] == "number":
        return f"a number from {_signed(field)}"
    return _numbers(picture, name, field, fits)


def _numbers(picture: Picture, name: str, field: schema.Field, fits: Callable[[Any], bool]) -> str:
    most = count(picture, name)
    if most is None:
        return f"a whole number from {_signed(field)}"
    if most < 1:
        return ""
    mean = " (−1 for the mean of all)" if field["minimum"] < 0 and fits(field["minimum"]) else ""
    lost = [i for i in range(most) if not fits(i)] if mean or name in ("head", "on") else []
    but = f" but {', '.join(map(str, lost[:5]))}" if lost and len(lost) < most else ""
    return f"a whole number from 0 to {most - 1}{but}{mean}"


def _signed(field: schema.Field) -> str:
    return f"{field['minimum']} to {field['maximum']}".replace("-", "−")
