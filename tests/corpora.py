"""Corpora for the tests of pages: small, made without a model, by the code that publishes real ones."""

from __future__ import annotations

from pathlib import Path

from core.corpus import python_docs, written
from core.corpus.storage import manifest
from tests import shared
from tests.corpus.synthetic import Row, publish_rows

MOST = 150
FIRST = "case"  # the word with which the page opens: some of its lines come first
WORDS = (FIRST, "key", "class", "call", "string")
RARE = "'banana'"  # an example of the page is about a word that stands in one line


def cache() -> Path:
    """The folder of `POLYSEE_CACHE` in all tests of a run."""
    return shared.folder() / "cache"


def docs() -> Path:
    """Some of Python's documentation, where the page looks for all of it; made once in a run."""
    folder = cache() / "corpora" / python_docs.NAME
    with shared.alone("docs corpus"):
        if not manifest.exists(folder):
            some = [
                one
                for one in python_docs.passages()
                if len(one["text"]) < 300
                and (RARE in one["text"] or any(f" {word} " in one["text"] for word in WORDS))
                and "Traceback" not in one["text"]  # on a page, tests take it for an error of ours
            ]
            of_first = [one for one in some if f" {FIRST} " in one["text"]][: MOST // 5]
            of_first += [one for one in some if RARE in one["text"]]
            some = [*of_first, *(one for one in some if one not in of_first)]
            rows = [
                Row(
                    one["text"],
                    int(one["chapter"] < "E"),
                    {name: one[name] for name in ("topic", "chapter")},
                )
                for one in some[:MOST]
            ]
            publish_rows(folder, rows, {"topic": "text", "chapter": "text"})
    return folder


OPENS = "watch"  # the word with which the page opens
OTHERS = ("bank", "kind", "match", "small", "little")  # those of its examples
MOST_OF_WORD = 30


def english() -> Path:
    """Some of the English that comes with Polysee, where the page looks for it; made once in a run."""
    folder = cache() / "corpora" / f"{written.NAME}-{written.VERSION}"
    with shared.alone("written corpus"):
        if not manifest.exists(folder):
            rows: list[Row] = []
            for word in (OPENS, *OTHERS):
                some = [one for one in written.passages() if f" {word} " in f" {one['text']} "]
                rows += [
                    Row(
                        one["text"],
                        int(one["topic"] in ("home", "money")),
                        {"topic": one["topic"], "form": one["form"]},
                    )
                    for one in some[:MOST_OF_WORD]
                ]
            publish_rows(folder, rows, {"topic": "text", "form": "text"})
    return folder
