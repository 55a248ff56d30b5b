"""Of what the model wrote, the texts that can be read: whole sentences, no loops, no copies."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.corpus import written
from core.dictionary.unshown import is_unshown

LEAST_WORDS = 15  # of a text
MOST_REPEATED = 2  # times that four words in a row may stand in one text
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_END = re.compile(r"[.!?]['\"”’]?(?=\s|$)")
# An assistant that speaks of itself, gaps to be filled in, addresses, lists, code, other scripts.
_UNFIT = re.compile(
    r"as an ai|language model|smollm|i'm sorry|i apologi[sz]e|\[|\]|https?:|www\.|@|```|[{}<>|=_#*]"
    r"|\b(?:user|assistant|prompt|title)\s*:|[^\x20-\x7e–—‘’“”…éèêáàâíóôöúüñçÉ°£€]",
    re.IGNORECASE,
)
# What a first lesson needs no example of; the list of words that a class never sees stands beside it.
_HARSH = re.compile(
    r"\b(?:kill|murder|suicid|rape|raping|racis|nazi|terroris|bomb|corpse|torture|naked|sexual|slave|"
    r"drunk|cocaine|heroin|abus|sex|cigarette|blood|gun\b|guns\b|weapon|jew(?:s|ish)\b|muslim|islam|"
    r"hitler|genocid|prostitut|oppress|lust)\w*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Kept:
    """What was kept, and why the rest was not.

    Attributes:
        rows: (texts,), the columns of each.
        dropped: reason -> how many texts.
    """

    rows: tuple[dict[str, str], ...]
    dropped: dict[str, int]

    def __str__(self) -> str:
        words = sum(len(_WORD.findall(row["text"])) for row in self.rows)
        why = ", ".join(f"{count} {reason}" for reason, count in self.dropped.items())
        return f"{len(self.rows):,} texts of {words:,} words; left out: {why or 'none'}"


def readable(text: str) -> tuple[str, str]:
    """A text up to the end of its last whole sentence, and why it is not kept ("" if it is)."""
    ends = [found.end() for found in _END.finditer(text)]
    whole = " ".join(text[: ends[-1]].split()) if ends else ""
    words = [one.lower() for one in _WORD.findall(whole)]
    if len(words) < LEAST_WORDS:
        return whole, "too short"
    if _UNFIT.search(whole):
        return whole, "no plain text"
    if _HARSH.search(whole) or any(map(is_unshown, words)):
        return whole, "not for a class"
    runs = Counter(zip(*(words[at:] for at in range(4)), strict=False))
    if max(runs.values()) > MOST_REPEATED:
        return whole, "in a loop"
    return whole, ""


def kept(raw: Iterable[dict[str, str]]) -> Kept:
    """The texts that can be read, each sentence once: copies of one that has been met are cut out."""
    rows: list[dict[str, str]] = []
    dropped: Counter[str] = Counter()
    met: set[str] = set()
    for one in raw:
        text, why = readable(one["text"])
        if not why:
            own = [sentence for sentence in _sentences(text) if sentence.lower() not in met]
            met.update(sentence.lower() for sentence in own)
            text = " ".join(own)
            why = "" if len(_WORD.findall(text)) >= LEAST_WORDS else "a copy"
        if why:
            dropped[why] += 1
        else:
            rows.append({"text": text, "topic": one["topic"], "form": one["form"]})
    return Kept(tuple(rows), dict(dropped.most_common()))


def keep(raw: Path, *, adds: bool = False) -> Kept:
    """Write `core.corpus.written.FILE` out of the model's texts; the same bytes each time.

    Args:
        raw: what the model wrote.
        adds: whether the texts that are kept already stay, before these.
    """
    there = [*written.passages()] if adds else []
    found = kept([*there, *(json.loads(line) for line in raw.read_text("utf-8").splitlines())])
    written.FILE.write_bytes(packed(found.rows))
    return found


def packed(rows: Sequence[dict[str, str]]) -> bytes:
    """Rows as compressed tab-separated values."""
    text = io.StringIO()
    table = csv.DictWriter(text, ("text", "topic", "form"), delimiter="\t", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(text.getvalue().encode())
    return out.getvalue()


def _sentences(text: str) -> list[str]:
    cuts = [0, *(found.end() for found in _END.finditer(text))]
    parts = (text[start:end].strip() for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True))
    return [part for part in parts if part]
