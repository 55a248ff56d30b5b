"""EPUB: its chapters in the order of reading, each a page of HTML in a zip file."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from typing import IO
from urllib.parse import unquote

from lxml import etree

from .. import encodings
from ..understood import Limits, Refused
from .archive import check_size, part
from .markup import declared, html_paragraphs
from .report import Report


def paragraphs(stream: IO[bytes], limits: Limits, report: Report) -> Iterator[str]:
    """The paragraphs of a book.

    Raises:
        Refused: it is encrypted, broken or too large.
    """
    with zipfile.ZipFile(stream) as archive:
        if "META-INF/encryption.xml" in archive.namelist() and _is_encrypted(archive, limits):
            raise Refused("it is encrypted (DRM): only its own program can read it")
        chapters = _chapters(archive, limits)
        check_size(archive, chapters, limits)
        for name in chapters:
            content = part(archive, name, limits)
            encoding = encodings.guess(content[:65_536], content, declared(content))
            yield from html_paragraphs([content.decode(encoding, "replace")], report)


def _is_encrypted(archive: zipfile.ZipFile, limits: Limits) -> bool:
    """Whether more than fonts is encrypted, which is done against copying them alone."""
    names = re.findall(
        rb"URI\s*=\s*[\"']([^\"']{1,500})", part(archive, "META-INF/encryption.xml", limits)
    )
    return any(not name.lower().endswith((b".ttf", b".otf", b".woff", b".woff2")) for name in names)


def _chapters(archive: zipfile.ZipFile, limits: Limits) -> list[str]:
    container = _tree(part(archive, "META-INF/container.xml", limits))
    roots = container.xpath("//*[local-name()='rootfile']/@full-path")
    if not roots:
        raise Refused("it is damaged: it does not say where its text is")
    package = _tree(part(archive, roots[0], limits))
    folder = posixpath.dirname(roots[0])
    names, navigation = {}, set()
    for item in package.xpath("//*[local-name()='item']"):
        names[item.get("id")] = item.get("href") or ""
        if "nav" in (item.get("properties") or "").split():
            navigation.add(item.get("id"))
    found = []
    for one in package.xpath("//*[local-name()='itemref']/@idref"):
        if one in names and one not in navigation:
            name = posixpath.normpath(posixpath.join(folder, unquote(names[one].partition("#")[0])))
            if name in archive.NameToInfo and name not in found:
                found.append(name)
    if not found:
        raise Refused("it is damaged: it names no chapters")
    return found


def _tree(content: bytes) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise Refused("it is damaged: its table of contents is no XML") from error
