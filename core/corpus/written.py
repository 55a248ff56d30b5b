"""An English corpus that comes with Polysee, written by SmolLM2: words of many senses, in short texts.

Each text continues a few words of ours, which hold a word of several meanings, such as *bank*; the rest
is the model's. `tools.written_corpus` made it and kept what can be read. Nobody but a model of 135
million parameters says what stands there: it is English to look at, and no source of facts.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from ..localization import N_
from .whole_file import write_whole

FILE = Path(__file__).with_name("written.tsv.gz")
LAYERS = ("1", "3", "best", "last")  # as of Python's documentation
TITLE = N_("English written by SmolLM2")
NAME = "written-by-smollm2"
VERSION = 3  # of the texts: others are another corpus


def passages() -> Iterator[dict[str, str]]:
    """The texts, each with its topic and its form (story, diary, report, letter)."""
    with gzip.open(FILE, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_MINIMAL)


def write(folder: Path) -> Path:
    """Write the texts as a file that `build` reads, the same each time; returns its path."""
    file = folder / f"{NAME}-{VERSION}.jsonl"
    write_whole(file, "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in passages()))
    return file
