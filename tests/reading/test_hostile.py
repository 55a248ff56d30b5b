"""Files that are made to take all memory or time: each gives a sentence, soon."""

from __future__ import annotations

import contextlib
import io
import time
import zipfile
from pathlib import Path

import pytest

from core.errors import NotSupported
from core.reading import Choices, File, collect, isolated, passages, sources, understand
from core.reading.understood import UPLOAD, Limits, Refused
from tests.reading.test_documents import BOOK, pdf, sheet, word, zipped

pytestmark = pytest.mark.check  # most start a process of their own


def refused(name: str, content: bytes) -> str:
    begin = time.monotonic()
    with pytest.raises(NotSupported) as told:
        collect(File(name, content=content))
    assert time.monotonic() - begin < 60
    return str(told.value)


def packed(content: bytes, name: str, size: int) -> bytes:
    """A zip file with one part of so many spaces more."""
    out = io.BytesIO(content)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, b" " * size)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["docx", "xlsx", "epub"])
def test_zip_bombs(kind: str) -> None:
    if kind == "epub":
        content = zipped({**BOOK, "O/a.xhtml": b"<p>" + b" " * 50_000_000})
    else:
        content = packed(word() if kind == "docx" else sheet(), "more.xml", 50_000_000)
    assert len(content) < 200_000
    assert "MB" in refused(f"a.{kind}", content)


def test_entities_that_grow_without_end() -> None:
    lol = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    bomb = f'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lollollol">{lol}]><TEI><p>&l11;</p></TEI>'
    assert "entities" in refused("a.xml", bomb.encode())
    part = zipped({**BOOK, "META-INF/container.xml": bomb})
    assert refused("a.epub", part)
    # A file of the server is never fetched.
    outside = b'<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><TEI><p>a &x; b</p></TEI>'
    try:
        found = collect(File("a.xml", content=b'<?xml version="1.0"?>' + outside))
        assert not any("root" in one.text for one in found.sentences)
    except NotSupported:
        pass


def test_html_that_is_nested_or_never_closed() -> None:
    begin = time.monotonic()
    for content in (b"<div>" * 100_000 + b"bank", b"<p>bank" + b"<a " * 100_000, b"<!--" * 100_000):
        with contextlib.suppress(NotSupported):
            collect(File("a.html", content=b"<!doctype html>" + content))
    assert time.monotonic() - begin < 60


def test_html_of_which_each_tag_looks_through_all_that_are_open() -> None:
    begin = time.monotonic()
    with pytest.raises(NotSupported, match="inside each other"):
        collect(File("a.html", content=b"<!doctype html>" + b"<b>" * 100_000 + b"</a>" * 100_000))
    assert time.monotonic() - begin < 20
    # A page of an earlier time, in which nobody closes anything, is read.
    page = b"<!doctype html>" + b"<font size=2>" * 900 + b"<p>A bank." * 3_000
    assert len(collect(File("a.html", content=page)).sentences) == 3_000


def test_a_process_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    soon = Limits(UPLOAD.packed, UPLOAD.unpacked, UPLOAD.text, 0.01, UPLOAD.isolated)
    file = File("a.pdf", content=pdf([["A bank."]]))
    with pytest.raises((Refused, NotSupported), match="takes more than"):
        list(isolated.read_isolated(file, "pdf", soon, None, ()))


def test_a_huge_file_without_letters_takes_no_memory(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    with file.open("wb") as stream:
        stream.truncate(3_000_000_000)
    begin = time.monotonic()
    with pytest.raises(Refused, match="no text"):
        understand(File("a.txt", file))
    assert time.monotonic() - begin < 10


def test_zeros_in_a_text_cost_their_line_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"A bank.\n" * 3_000 + b"Bro\0ken.\n" + b"The end.\n")
    (source,), _ = sources([file])
    found = understand(source.file, Choices(running=False))
    every = list(passages(source.file, found))
    assert (len(every), [one.where for one in every if hasattr(one, "why")]) == (3_002, ["line 3001"])
