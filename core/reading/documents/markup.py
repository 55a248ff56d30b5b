"""HTML and XML: the paragraphs between the tags, by lxml, without building a tree of all of it.

HTML gives what a reader of the page would read in its middle: no scripts, styles, navigation, footers
and forms. XML gives the body of TEI and of corpora that are marked like it: no header, notes, running
heads or deleted words; of two readings of a word (`choice`) the regular one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import IO

from lxml import etree

from ..understood import Passage, Refused
from .report import Report

_CHUNK = 65_536
# For each tag, the parser of HTML may look through all elements that are open.
_DEEP = 512  # more of them than any page has that a browser shows: it opens no more
_MOST_STEPS = 10**8  # beyond these, for all tags together: 3 seconds
_PIECE = 16_384  # characters of a page between two looks at its depth


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_HTML_BLOCKS = _set(
    "address article blockquote body caption center dd details dialog div dl dt fieldset "
    "figcaption figure h1 h2 h3 h4 h5 h6 header hgroup hr html li main ol p pre section summary "
    "table tbody td tfoot th thead tr ul title"
)
_HTML_DROPPED = {
    **dict.fromkeys(
        ("script", "style", "template", "noscript"), ("script or style", "scripts and styles")
    ),
    **dict.fromkeys(("nav", "menu"), ("navigation", "navigations")),
    "footer": ("footer", "footers"),
    "aside": ("margin note", "margin notes"),
    **dict.fromkeys(("form", "button", "select", "textarea"), ("form", "forms")),
    **dict.fromkeys(
        ("svg", "math", "iframe", "object", "canvas", "audio", "video"), ("picture", "pictures")
    ),
}
_HTML_SILENT = frozenset({"head"})

_XML_BLOCKS = _set(
    "p s l ab head u seg item cell label speaker stage trailer title opener closer salute "
    "signed quote text body div div1 div2 div3 front back lg sp list table row tu tuv utt verse "
    "para paragraph sent sentence doc document abstract body.content block sentence-text"
)
_XML_DROPPED = {
    **dict.fromkeys(("teiheader", "cesheader", "header", "fileheader", "metadata"), None),
    **dict.fromkeys(("note", "notes", "footnote", "fn"), ("note", "notes")),
    "fw": ("running head", "running heads"),
    **dict.fromkeys(("del", "sic", "orig", "abbr", "surplus"), None),
    **dict.fromkeys(
        ("figdesc", "formula", "graphic", "binaryobject"),
        ("picture or formula", "pictures and formulas"),
    ),
}
# Of these a word is left out only where the other reading stands beside it.
_IN_CHOICE = frozenset({"sic", "orig", "abbr"})


# One word each: of TEI, and of corpora of senses (SemEval, UFSAC), which write nothing between them.
_WORDS = _set("w tok token wf word instance")
_CLOSING = frozenset(".,;:!?…)]}”’»%。，、！？")


class _Target:
    """What lxml tells while it parses; paragraphs collect in `done`."""

    def __init__(self, report: Report) -> None:
        self.done: list[str] = []
        self.report = report
        self._text: list[str] = []
        self._skipping = 0  # how deep inside something that is left out
        self.depth = 0  # how many elements are open

    def flush(self) -> None:
        text = " ".join("".join(self._text).split())
        self._text.clear()
        if text:
            self.done.append(text)

    def data(self, text: str) -> None:
        if not self._skipping:
            self._text.append(text)

    def comment(self, text: str) -> None:
        """Comments are no text."""

    def close(self) -> None:
        self.flush()


class _Html(_Target):
    _codes = 0
    _sup = -1  # where in `_text` a raised text began

    def start(self, tag: str, attributes: object = None) -> None:
        self.depth += 1
        if self._skipping:
            self._skipping += tag not in VOID
            return
        if tag in _HTML_DROPPED or tag in _HTML_SILENT:
            self.flush()
            self._skipping = 1
            if tag in _HTML_DROPPED:
                self.report.add(*_HTML_DROPPED[tag])
        elif tag in _HTML_BLOCKS:
            self.flush()
        elif tag == "br":
            self._text.append("\n")
        elif tag == "wbr":
            pass
        elif tag == "sup":
            self._sup = len(self._text)

    def end(self, tag: str) -> None:
        self.depth -= 1
        if self._skipping:
            self._skipping -= tag not in VOID
        elif tag in _HTML_BLOCKS:
            self.flush()
        elif tag == "sup" and self._sup >= 0:
            # The number of a footnote is no part of the word before it.
            if re.fullmatch(r"\s*\[[\w ]{1,12}\]\s*", "".join(self._text[self._sup :])):
                del self._text[self._sup :]
                self.report.add("number of a footnote", "numbers of footnotes")
            self._sup = -1


VOID = _set("area base br col embed hr img input link meta source track wbr")


class _Xml(_Target):
    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self._choice = 0
        self._body = 0
        self._loose = 0
        self._apart = ""  # the element of a word that begins right behind another one
        self.blocks = 0

    def start(self, tag: str, attributes: object = None) -> None:
        tag = _local(tag)
        if self._skipping:
            self._skipping += 1
            return
        if tag == "choice":
            self._choice += 1
        if tag in _XML_DROPPED and (tag not in _IN_CHOICE or self._choice):
            if (kind := _XML_DROPPED[tag]) is not None:
                self.report.add(*kind)
            self._skipping = 1
        elif tag in _XML_BLOCKS:
            self.flush()
            self.blocks += 1
        elif tag in ("lb", "pb", "cb", "br"):
            broken = isinstance(attributes, dict) and attributes.get("break") == "no"
            if broken and self._text:
                self._text[-1] = self._text[-1].rstrip().removesuffix("-")
                self._loose = 1
            elif not broken:
                self._text.append(" ")
        elif tag in _WORDS and self._text and not self._text[-1][-1:].isspace():
            self._apart = tag
        if tag == "word" and isinstance(attributes, dict) and (form := attributes.get("surface_form")):
            # UFSAC writes words as attributes.
            self._text.append(form if form[0] in _CLOSING else f" {form.replace('_', ' ')}")

    def data(self, text: str) -> None:
        if self._loose:
            text, self._loose = text.lstrip(), 0
        if self._apart and text and not self._skipping:
            # Between the elements of two words, but not before a full stop.
            if self._apart == "w" or text.lstrip()[:1] not in _CLOSING:
                self._text.append(" ")
            self._apart = ""
        super().data(text)

    def end(self, tag: str) -> None:
        tag = _local(tag)
        if self._skipping:
            self._skipping -= 1
            return
        if tag == "choice":
            self._choice = max(0, self._choice - 1)
        if tag in _XML_BLOCKS:
            self.flush()


def _local(tag: str) -> str:
    return tag.rpartition("}")[2].lower()


def html_paragraphs(chunks: Iterable[str], report: Report) -> Iterator[str]:
    """The paragraphs of a page.

    Args:
        chunks: its text, piece by piece.
        report: counts what is left out.

    Raises:
        Refused: it is nested too deeply.
    """
    target = _Html(report)
    parser = etree.HTMLParser(target=target, recover=True, no_network=True)
    yield from _fed(parser, target, _bounded(chunks, target))


def _bounded(chunks: Iterable[str], target: _Target) -> Iterator[str]:
    """A page in small pieces, as long as its elements are not too deep for as many tags."""
    steps = 0
    for chunk in chunks:
        for at in range(0, len(chunk), _PIECE):
            piece = chunk[at : at + _PIECE]
            yield piece
            steps += max(0, target.depth - _DEEP) * piece.count("<")
            if steps > _MOST_STEPS:
                raise Refused(f"{target.depth:,} of its elements stand inside each other")


def xml_paragraphs(stream: IO[bytes], report: Report, encoding: str | None) -> Iterator[str]:
    """The paragraphs of an XML file.

    Args:
        stream: its bytes. Entities that it declares are bounded, and none is fetched.
        report: counts what is left out.
        encoding: if it is not the one that the file declares.

    Raises:
        Refused: it is broken, declares entities without end, or has nothing that is like a paragraph.
    """
    target = _Xml(report)
    parser = etree.XMLParser(
        target=target,
        encoding=encoding,
        resolve_entities="internal",
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    count = 0
    try:
        for text in _fed(parser, target, iter(lambda: stream.read(_CHUNK), b"")):
            count += 1
            yield text
    except etree.XMLSyntaxError as error:
        why = " ".join(str(error.msg).split())[:120]
        if "ntity" in why or "amplification" in why:
            raise Refused(
                "it declares entities that grow without end, or that it does not have"
            ) from None
        raise Refused(f"the rest is no XML: {why}") from None
    if not count or not target.blocks:
        raise Refused("it has no paragraphs or sentences that are marked as in TEI (p, s, l, u, seg)")


def _fed(parser: etree.XMLParser, target: _Target, chunks: Iterable[str | bytes]) -> Iterator[str]:
    for chunk in chunks:
        parser.feed(chunk)
        yield from target.done
        target.done.clear()
    try:
        parser.close()
    except etree.XMLSyntaxError:
        if isinstance(target, _Xml):
            raise
    target.flush()
    yield from target.done
    target.done.clear()


def declared(head: bytes) -> str | None:
    """The encoding that a page declares of itself."""
    found = re.search(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{2,40})", head[:4_096], re.I)
    return found.group(1).decode("ascii", "replace") if found else None


def as_passages(texts: Iterable[str]) -> Iterator[Passage]:
    """Paragraphs with their numbers."""
    for number, text in enumerate(texts, 1):
        yield Passage(text, {}, f"paragraph {number}")
