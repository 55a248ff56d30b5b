"""Word (.docx): its paragraphs and the cells of its tables, in their order, by python-docx.

Headings are paragraphs. Headers, footers, footnotes, comments and deleted words are no running text.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import IO

from ..extra import require
from ..understood import Limits, Refused
from .archive import check_size
from .report import Report

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


def paragraphs(stream: IO[bytes], limits: Limits, report: Report) -> Iterator[str]:
    """The paragraphs of a document.

    Raises:
        Refused: it is damaged or too large, or python-docx is not installed.
    """
    docx = require("docx")
    with zipfile.ZipFile(stream) as archive:
        names = [one.filename for one in archive.filelist if one.filename.endswith((".xml", ".rels"))]
        check_size(archive, names, limits)
        names = archive.namelist()
    stream.seek(0)
    try:
        body = docx.Document(stream).element.body
    except Exception as error:  # python-docx passes on what zipfile, lxml and its own code raise
        raise Refused("it is damaged: Word could perhaps repair it, and save it again") from error
    for name, one, several in (
        ("footnotes", "footnote", "footnotes"),
        ("endnotes", "endnote", "endnotes"),
        ("comments", "comment", "comments"),
    ):
        count = sum(1 for _ in body.iter(f"{_W}{name[:-1]}Reference"))
        report.add(one, several, count)
    parts = ("word/header", "word/footer")
    report.add("header or footer", "headers and footers", sum(name.startswith(parts) for name in names))
    report.add("deleted passage", "deleted passages", sum(1 for _ in body.iter(f"{_W}del")))
    # Text boxes and older versions of them (Fallback) would otherwise be read twice.
    for paragraph in body.iter(f"{_W}p"):
        if text := " ".join("".join(_runs(paragraph)).split()):
            yield text


def _runs(paragraph: object) -> Iterator[str]:
    """The pieces of a paragraph, without what a deletion, a fallback or a paragraph inside it holds."""
    stack = [paragraph]
    while stack:
        node = stack.pop()
        tag = node.tag  # type: ignore[attr-defined]
        if tag == f"{_W}t":
            yield node.text or ""  # type: ignore[attr-defined]
        elif tag in (f"{_W}tab", f"{_W}br", f"{_W}cr"):
            yield " "
        elif tag == f"{_W}noBreakHyphen":
            yield "-"
        elif node is paragraph or tag not in (
            f"{_W}p",
            f"{_W}del",
            f"{_W}pPr",
            f"{_W}rPr",
            f"{_MC}Fallback",
        ):
            stack.extend(reversed(node))  # type: ignore[call-overload]
