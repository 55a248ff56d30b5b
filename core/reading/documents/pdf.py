"""PDF: the text of its pages, by pypdf, put together from printed lines.

A page knows lines, and no paragraphs. Lines are joined, words that were divided at the end of a line
are put together, and what comes again at the top or bottom of most pages (a title, a number) is left
out. A PDF of scanned pages is pictures: it has no text until a program for text recognition (OCR) adds
one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import IO

from ..extra import require
from ..sentences import is_end
from ..understood import Passage, Refused, Skipped
from ..units import dehyphenated
from .report import Report

MOST_PAGES = 20_000
_EDGE = 2  # lines at the top and the bottom of a page that may be a running head
_NUMBER = re.compile(
    r"[\d\s–—-]*\d[\d\s–—-]*|[ivxlcdm]{1,8}|(?:page|seite|p\.|s\.) ?\d+(?: ?(?:of|/|von) ?\d+)?", re.I
)


def passages(stream: IO[bytes], source: str, report: Report) -> Iterator[Passage | Skipped]:
    """The paragraphs of a document, as far as they can be told, and pages that have no text.

    Raises:
        Refused: it is encrypted, damaged, or has no text at all.
    """
    pypdf = require("pypdf")
    pages: list[list[str]] = []
    empty: list[int] = []
    try:
        reader = pypdf.PdfReader(stream)
        if reader.is_encrypted:
            _decrypt(reader)
        count = len(reader.pages)
        if count > MOST_PAGES:
            raise Refused(f"it has {count:,} pages; at most {MOST_PAGES:,} are read")
        for number in range(count):
            try:
                text = reader.pages[number].extract_text()
            except Refused:
                raise
            except Exception as error:  # one broken page does not take the others with it
                yield Skipped(source, f"page {number + 1}", f"it is damaged ({type(error).__name__})")
                text = ""
                pages.append([])
                continue
            lines = [" ".join(line.split()) for line in text.splitlines()]
            pages.append(lines)
            if not any(lines):
                empty.append(number + 1)
    except Refused:
        raise
    except Exception as error:  # pypdf passes on whatever a damaged file makes it do
        raise Refused(f"it is damaged ({type(error).__name__})") from error
    if not any(map(any, pages)):
        one = "its one page has" if len(pages) == 1 else f"its {len(pages):,} pages have"
        raise Refused(
            f"{one} no text: they are pictures, such as scans. A program for text recognition (OCR) "
            "adds the text"
        )
    for number in empty:
        yield Skipped(source, f"page {number}", "it has no text: it is empty, or a picture")
    running = _running_heads(pages)
    words = frozenset(
        word.lower()
        for page in pages
        for line in page
        for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", line)
    )
    widths = sorted(len(line) for page in pages for line in page if line)
    usual = widths[int(0.8 * (len(widths) - 1))]
    paragraph: list[str] = []
    where = ""
    for number, page in enumerate(pages, 1):
        kept = []
        edges = _edges(page)
        for i, line in enumerate(page):
            edge = i in edges
            number_alone = len(line) < 40 and _NUMBER.fullmatch(line) is not None
            if line and edge and (_key(line) in running or number_alone):
                report.add("running head or page number", "running heads and page numbers")
            else:
                kept.append(line)
        for line in kept:
            if not line:
                if paragraph and is_end(paragraph[-1]):
                    yield Passage(dehyphenated(paragraph, words), {}, where)
                    paragraph = []
                continue
            if not paragraph:
                where = f"page {number}"
            paragraph.append(line)
            # The last line of a paragraph is shorter, and ends as a sentence ends.
            if (is_end(line) and len(line) < 0.85 * usual) or len(paragraph) > 500:
                yield Passage(dehyphenated(paragraph, words), {}, where)
                paragraph = []
    if paragraph:
        yield Passage(dehyphenated(paragraph, words), {}, where)


def _decrypt(reader: object) -> None:
    """Open a PDF that asks for no password to be read, though its owner encrypted it."""
    try:
        opened = reader.decrypt("")  # type: ignore[attr-defined]
    except Exception as error:  # pypdf names the package that it lacks for this kind
        raise Refused("it is encrypted: save a copy of it without a password") from error
    if not opened:
        raise Refused("it has a password: save a copy of it without one")


def _edges(page: list[str]) -> frozenset[int]:
    """The first and the last lines of a page."""
    there = [at for at, line in enumerate(page) if line]
    return frozenset((*there[:_EDGE], *there[-_EDGE:]))


def _key(line: str) -> str:
    return re.sub(r"\d+", "#", line).casefold()


def _running_heads(pages: list[list[str]]) -> set[str]:
    """Lines that come again at the top or bottom of at least a third of the pages, numbers aside."""
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({_key(page[i]) for i in _edges(page)})
    there = sum(map(any, pages))
    return {key for key, count in counts.items() if count >= 3 and count * 3 >= there}
