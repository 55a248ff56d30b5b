"""What a page that runs without a browser would show: labels, sentences, choices, also of pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message  # type: ignore[import-untyped]
from streamlit.testing.v1 import AppTest

from tests.localization import pseudo
from tests.pages import reading

# Of Streamlit's messages, the fields that a visitor reads or hears. A page is not told the rest.
_READ = frozenset(
    (
        "body",
        "label",
        "help",
        "options",
        "placeholder",
        "caption",
        "title",
        "tooltip",
        "text",
        "content",
    )
)
# Formulas, code, tags, icons and targets of links are the same in every language.
_SAME = re.compile(
    r"\$\$.*?\$\$|\$[^$]*\$|```.*?```|`[^`]*`|<style>.*?</style>|<[^>]*>|\]\([^)]*\)|:\w+/\w+:",
    re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_]{3,}")
# Of a picture, what it was made of: tokens, lines of a text, words of somebody's.
_READ_TEXTS = frozenset(
    (
        *("rows", "columns", "tokens", "labels", "pieces", "words", "names", "texts", "text", "parts"),
        *("word", "name", "marks", "labelled"),
    )
)
# Names that nobody reads: of files, choices, pages, pictures, visits.
_NAMED = (".file", ".key", "/rules.blank", "/page", "/picture", "/visit", ".visit")
_NAMES = frozenset(
    [
        "English",
        "Deutsch",
        "MiniLM",
        "DistilBERT",
        "BERT",
        "base",
        "PCA",
        "UMAP",
        "SNE",
        "Parquet",
        "model",
    ]
)


def english(app: AppTest) -> list[tuple[str, str]]:
    """What is in no bracket: where it stands, and the words.

    A picture's codes are single words; of it, several in a row count.
    """
    every = list(_texts(app))
    known = {word.casefold() for word in _NAMES}
    for where, text in every:
        if where.partition("/")[2].rpartition(".")[2] in _READ_TEXTS:
            known |= {word.casefold() for word in _WORD.findall(text)}
    found = []
    for where, text in every:
        # A quotation is a line of a corpus.
        own = re.sub(r"^> .*|“[^”]*”", " ", pseudo.outside(text), flags=re.MULTILINE)
        words = [one for one in _WORD.findall(_SAME.sub(" ", own)) if one.casefold() not in known]
        if len(words) > ("/" in where) and not where.endswith(_NAMED):
            found.append((where, " ".join(own.split())[:200]))
    return found


def _texts(app: AppTest) -> Iterator[tuple[str, str]]:
    """Where each text stands; of a picture, its module, "/", and the names that lead to it."""
    for element in _elements(app._tree):
        proto = element.proto
        if element.type != "bidi_component":
            for name, text in _strings(proto):
                if name in _READ:
                    yield f"{element.type}.{name}", text
            continue
        sent = json.loads(proto.json or proto.mixed.json or "{}")
        sent.pop("name", None)
        if "numbers" in sent and "bytes" in sent:
            header, _ = reading.unpacked(sent)
            sent = {"header": header, "files": sent["files"]}
        name = proto.component_name.removeprefix("polysee_")
        yield from ((f"{name}/{path}", text) for path, text in _inside(sent))


def _elements(block: Any) -> Iterator[Any]:
    for child in getattr(block, "children", {}).values():
        if getattr(child, "proto", None) is not None:
            yield child
        yield from _elements(child)


def _strings(message: Message) -> Iterator[tuple[str, str]]:
    for field, value in message.ListFields():
        several = [value] if isinstance(value, str | Message) else value
        if field.type == field.TYPE_STRING:
            yield from ((field.name, one) for one in several)
        elif field.type == field.TYPE_MESSAGE:
            for one in several:
                if isinstance(one, Message):
                    yield from _strings(one)


def _inside(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _inside(one, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for one in value:
            yield from _inside(one, path)
    elif isinstance(value, str):
        yield path, value
