"""CoNLL-U: its sentences, as "# text" gives them, or put together from their tokens."""

from __future__ import annotations

from collections.abc import Iterator

from ..files import Lines
from ..understood import Passage

MOST_TOKENS = 10_000  # of a sentence


def passages(lines: Lines) -> Iterator[Passage]:
    """The sentences of a treebank; a multiword token counts as it is written."""
    tokens: list[str] = []
    text, where, until = "", "", 0
    for line in lines:
        row = line.rstrip("\r\n")
        if not row.strip():
            if sentence := text or "".join(tokens).strip():
                yield Passage(" ".join(sentence.split()), {}, where)
            text, where, tokens, until = "", "", [], 0
            continue
        where = where or lines.where
        if row.startswith("#"):
            name, equals, value = row[1:].partition("=")
            if equals and name.strip() == "text":
                text = value.strip()
            continue
        cells = row.split("\t")
        number = cells[0]
        if len(cells) != 10:
            lines.leave_out(f"it has {len(cells)} columns, not 10")
        elif "." not in number and len(tokens) < MOST_TOKENS:
            first, dash, last = number.partition("-")
            if not first.isdecimal() or (dash and not last.isdecimal()):
                lines.leave_out("its first column is no number")
            elif dash or int(first[:9]) > until:
                until = int(last[:9]) if dash else until
                spaced = "SpaceAfter=No" not in cells[9].split("|")
                tokens.append(cells[1] + " " * spaced)
    if sentence := text or "".join(tokens).strip():
        yield Passage(" ".join(sentence.split()), {}, where)
