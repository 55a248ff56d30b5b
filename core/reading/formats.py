"""What a file is, told by its content; its name decides only between texts that look alike.

A file that is no text, or one that its name promises and its content is not, is refused in a sentence.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Mapping
from typing import IO

from .understood import Refused

HEAD = 65_536  # bytes that tell the format
# The key of a format -> its name on the screen.
NAMES: Mapping[str, str] = {
    "text": "plain text",
    "delimited": "a table (CSV)",
    "json": "JSON",
    "jsonl": "JSON lines",
    "xlsx": "Excel (.xlsx)",
    "parquet": "Parquet",
    "arrow": "Arrow (Feather)",
    "arrows": "Arrow (a stream)",
    "feather": "Feather (version 1)",
    "docx": "Word (.docx)",
    "pdf": "PDF",
    "html": "HTML",
    "table": "a table (HTML)",
    "xml": "XML (TEI)",
    "epub": "EPUB",
    "markdown": "Markdown",
    "srt": "subtitles (SubRip)",
    "vtt": "subtitles (WebVTT)",
    "conllu": "CoNLL-U",
}
# Endings by which a file in a folder is taken for a text.
ENDINGS = (
    *(".txt", ".text", ".csv", ".tsv", ".tab", ".psv", ".json", ".jsonl", ".ndjson", ".xlsx", ".xls"),
    *(
        ".parquet",
        ".feather",
        ".arrow",
        ".ipc",
        ".arrows",
        ".docx",
        ".pdf",
        ".html",
        ".htm",
        ".xhtml",
        ".xml",
    ),
    *(".tei", ".epub", ".md", ".markdown", ".srt", ".vtt", ".conllu", ".conll"),
)
PACKED = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz"}
TABLES = ("delimited", "json", "jsonl", "xlsx", "parquet", "arrow", "arrows", "feather", "table")
SHEETS = ("xlsx", "table")  # whose header the reader finds as it reads them
# A name that promises one of these is held to it: what else came under it is a failed download.
_PROMISED = {
    **{".docx": "docx", ".pdf": "pdf", ".xlsx": "xlsx", ".epub": "epub"},
    **{".parquet": "parquet", ".gz": "gzip", ".bz2": "bzip2", ".xz": "xz"},
}
_PROMISES = {
    **{"docx": "a Word document", "pdf": "a PDF", "xlsx": "an Excel file", "epub": "an EPUB"},
    **{"parquet": "a Parquet file", "gzip": "gzipped", "bzip2": "a bzip2 file", "xz": "an xz file"},
}
_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"FEA1", "feather"),
)
_FOREIGN: tuple[tuple[bytes, str], ...] = (
    (b"MZ", "a program for Windows"),
    (b"\x7fELF", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"II*\x00", "a picture"),
    (b"MM\x00*", "a picture"),
    (b"8BPS", "a picture"),
    (b"RIFF", "a sound, a picture or a film"),
    (b"OggS", "a sound"),
    (b"ID3", "a sound"),
    (b"fLaC", "a sound"),
    (b"\x1aE\xdf\xa3", "a film"),
    (b"SQLite format 3", "a database (SQLite): export the table as CSV"),
    (b"{\\rtf", "a rich text (RTF): save it as .docx or .txt"),
    (b"7z\xbc\xaf\x27\x1c", "an archive (7z): unpack it"),
    (b"Rar!", "an archive (RAR): unpack it"),
    (b"\x28\xb5\x2f\xfd", "packed by zstd: unpack it"),
    (b"\x80\x04\x95", "a pickle, which Polysee never opens: save the table as CSV or Parquet"),
    (b"\x93NUMPY", "an array of NumPy, which holds no text"),
    (b"\x89HDF", "an HDF5 file: export the table as CSV or Parquet"),
    (b"wOF", "a font"),
)
# An Arrow stream begins with its schema: a mark, its length (a multiple of 8), then a FlatBuffer.
_STREAM = re.compile(rb"\xff{4}[\x00-\xff][\x00-\xff][\x00-\x0f]\x00[\x04-\x40]\x00{3}", re.DOTALL)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_TIMES = re.compile(
    r"\d{1,9}[ \t]*\r?\n?[ \t]*\d{1,2}:\d\d:\d\d[,.]\d{1,3} *--> *\d{1,2}:\d\d:\d\d", re.ASCII
)
# The first token of a sentence: its number, form, lemma, part of speech, …, head, relation, two more.
_TOKEN_LINE = re.compile(
    r"^1(?:-\d+)?\t[^\t\r\n]+\t[^\t\r\n]*\t[A-Z_]+\t(?:[^\t\r\n]*\t){2}(?:\d+|_)\t(?:[^\t\r\n]*\t){2}"
    r"[^\t\r\n]*\r?$",
    re.MULTILINE | re.ASCII,
)
_ROOT = re.compile(r"<(?![?!])(?:[\w.-]{1,50}:)?([\w.-]{1,50})")
_HTML = re.compile(r"\s*(?:<!--.{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)


def packed(head: bytes) -> str:
    """How a file is compressed, told by its first bytes; "" if it is not."""
    starts = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"))
    return next((name for start, name in starts if head.startswith(start)), "")


def ending(name: str) -> str:
    """The ending of a file's name, in lower case, without that of a compressed file: ".csv"."""
    name = name.lower()
    for last in PACKED:
        name = name.removesuffix(last)
    base, dot, last = name.rpartition(".")
    return f".{last}" if dot and base and "/" not in last else ""


def of_bytes(name: str, head: bytes, whole: Callable[[], IO[bytes]] | None = None) -> str | None:
    """The format of a file that is told by bytes; None if its letters must be read first.

    Args:
        name: the name of the file.
        head: its first bytes, unpacked.
        whole: opens all of it, to look into a zip file; None where it lies packed in another file.

    Raises:
        Refused: it is no text, or not what its name promises.
    """
    found = _by_start(head, whole)
    promised = _PROMISED.get(ending(name))
    if promised is not None and found != promised and not (found is None and not head.strip()):
        what = "" if found is None else f"; it looks like {NAMES[found]}"
        raise Refused(f"its name ends in {ending(name)}, but it is not {_PROMISES[promised]}{what}")
    return found


def check_packing(name: str, head: bytes) -> None:
    """Raise `Refused` if a name promises a compressed file that this is not."""
    for last, kind in PACKED.items():
        if name.lower().endswith(last) and packed(head) != kind and head:
            raise Refused(f"its name ends in {last}, but it is not {_PROMISES[kind]}")


def _by_start(head: bytes, whole: Callable[[], IO[bytes]] | None) -> str | None:
    if head.startswith(b"PK\x03\x04") or head.startswith(b"PK\x05\x06"):
        return _zipped(whole)
    if b"%PDF-" in head[:1024] and not head[:1].isalpha():
        return "pdf"
    for start, found in _STARTS:
        if head.startswith(start):
            return found
    if _STREAM.match(head):
        return "arrows"
    if head.startswith(_OLE):
        if b"E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d" in head:
            raise Refused("it is encrypted: save a copy of it without a password")
        raise Refused(
            "it is a file of an older Office (.doc, .xls), or one with a password: save it as .docx, "
            ".xlsx or CSV, without a password"
        )
    for start, what in _FOREIGN:
        if head.startswith(start) and not (start.isalnum() and _reads_as_text(head)):
            raise Refused(f"it is {what}")
    if head[4:8] == b"ftyp":
        raise Refused("it is a film or a sound")
    return None


def _reads_as_text(head: bytes) -> bool:
    """Whether bytes that begin like a file of another kind are a text ("MZ is …", "RIFF …")."""
    return _CONTROL.search(head[:4_000]) is None


def _zipped(whole: Callable[[], IO[bytes]] | None) -> str:
    if whole is None:
        raise Refused("it is an archive (zip): unpack it")
    try:
        with whole() as stream, zipfile.ZipFile(stream) as archive:
            names = set(archive.namelist())
            mime = ""
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                mime = archive.read("mimetype").decode("ascii", "replace").strip()
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        raise Refused(
            "it is damaged: it begins like a zip file (.docx, .xlsx, .epub), and its end is missing"
        ) from error
    if mime == "application/epub+zip" or "META-INF/container.xml" in names:
        return "epub"
    if "word/document.xml" in names or any(re.fullmatch(r"word/document\d*\.xml", n) for n in names):
        return "docx"
    if "xl/workbook.xml" in names:
        return "xlsx"
    if "xl/workbook.bin" in names:
        raise Refused("it is a binary Excel file (.xlsb): save it as .xlsx or CSV")
    if any(one.startswith("ppt/") for one in names):
        raise Refused("it is a presentation (.pptx): save it as PDF")
    if mime.startswith("application/vnd.oasis.opendocument"):
        raise Refused("it is an OpenDocument file: save it as .docx, .xlsx or CSV")
    raise Refused("it is an archive (zip): unpack it")


def check_text(head: bytes) -> None:
    """Raise `Refused` if these bytes of a file, in an encoding without zeros, are no text."""
    part = head[:HEAD]
    odd = len(_CONTROL.findall(part))
    if odd > max(2, len(part) // 500):
        raise Refused("it is no text: it has signs that no text has (zeros, control signs)")


def of_text(name: str, text: str) -> str:
    """The format of a text: "text" also for a delimited table, which `tables.delimited` looks for.

    Args:
        name: the name of the file.
        text: its beginning.
    """
    start = text.lstrip("\ufeff \t\r\n")
    last = ending(name)
    if start.startswith("WEBVTT"):
        return "vtt"
    if _TIMES.match(start):
        return "srt"
    if start.startswith("<"):
        if _HTML.match(start):
            return "html"
        if start.startswith(("<?xml", "<!DOCTYPE", "<TEI", "<teiCorpus")) or last in (".xml", ".tei"):
            root = _ROOT.search(start)
            return "html" if root and root.group(1).lower() == "html" else "xml"
    if last in (".html", ".htm", ".xhtml"):
        return "html"
    if last in (".xml", ".tei"):
        return "xml"
    if last == ".conllu" or _TOKEN_LINE.search(start):
        return "conllu"
    if start[:1] in ("{", "["):
        return _json(start, last) or ("json" if last in (".json", ".jsonl", ".ndjson") else "text")
    if last in (".json", ".jsonl", ".ndjson"):
        return "json" if last == ".json" else "jsonl"
    return "markdown" if last in (".md", ".markdown") else "text"


def _json(start: str, last: str) -> str | None:
    """JSON of one value, or one value a line; None if it is neither."""
    line, end, rest = start.partition("\n")
    try:
        value = json.loads(line)
    except RecursionError:
        return "jsonl" if last in (".jsonl", ".ndjson") else "json"
    except ValueError:
        if last in (".jsonl", ".ndjson"):
            return "jsonl"
        looks = re.match(r'[\[{]\s*(?:[\]}"\[{\-\d]|true|false|null)', start)
        # "[Music] They left." is a text; so is a line that begins with a bracket and a number.
        return "json" if looks and re.match(r'[\[{]\s*["\[{]', start) else None
    if isinstance(value, dict | list) and end and rest.strip()[:1] in ("{", "["):
        return "jsonl"
    return "jsonl" if last in (".jsonl", ".ndjson") else "json"
