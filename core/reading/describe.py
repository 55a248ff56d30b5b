"""How a file was read, in words: for the screen, the command line and the manifest of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from . import encodings, formats
from .tables.delimited import DELIMITERS
from .understood import Skipped, Understood

_WITH_UNITS = {
    **dict.fromkeys(formats.TABLES, "row"),
    **dict.fromkeys(("text",), "line"),
    **dict.fromkeys(("srt", "vtt"), "cue"),
    "conllu": "sentence",
}


def unit(found: Understood) -> str:
    """What a file consists of: "row", "line", "paragraph", "cue" or "sentence"."""
    return _WITH_UNITS.get(found.format, "paragraph")


def parts(found: Understood) -> list[tuple[str, str]]:
    """What a file was read as: (what is said, its value), in the order in which it was found out."""
    made = [("format", formats.NAMES[found.format] + (f", {found.packed}" if found.packed else ""))]
    if found.encoding:
        made.append(("encoding", encodings.NAMES.get(found.encoding, found.encoding)))
    if found.dialect is not None:
        sign = found.dialect.delimiter
        named = DELIMITERS.get(sign, sign)
        made.append(("columns", f"separated by {named}s" if sign else "one, without a separator"))
    if found.columns and not (found.dialect is not None and found.dialect.marked):
        if found.header is not None:
            made.append(("header", "the first row" if found.header else "none"))
        made.append(("texts", f"“{found.text}”"))
        made.append(("labels", f"“{found.label}”" if found.label else "none"))
    made.append(("units", units(found)))
    return made


def units(found: Understood) -> str:
    """Whether its texts are split, as a clause."""
    if found.running:
        return "running text, split into sentences"
    if found.format == "conllu":
        return "divided into sentences"
    return f"one sentence a {unit(found)}"


def summary(found: Understood) -> str:
    """How a file was read, in one line."""
    told = dict(parts(found))
    said = [told["format"]]
    if found.encoding:
        said.append(told["encoding"])
    if "columns" in told:
        said.append(f"columns {told['columns']}")
    if "header" in told:
        said.append("with a header" if found.header else "without a header")
    if "texts" in told:
        said.append(f"texts in {told['texts']}")
    if found.label:
        said.append(f"labels in {told['labels']}" if "labels" in told else "labels before a bar")
    return f"{'; '.join([*said, told['units']])}"


def reasons(skipped: Iterable[Skipped]) -> list[tuple[str, list[str]]]:
    """What was left out, by its reason, the commonest first: each reason with its places."""
    places: dict[str, list[str]] = {}
    for one in skipped:
        places.setdefault(one.why, []).append(one.where)
    counts = Counter({why: len(at) for why, at in places.items()})
    return [(why, places[why]) for why, _ in counts.most_common()]
