"""A file as the reader sees it: opened, unpacked, decoded, line by line, within bounds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from . import encodings, formats
from .understood import Limits, Refused, Skipped

MOST_LINE = 16_000_000  # characters: a longer line is no text
CHUNK = 2**18
# What a damaged file raises while it is unpacked and read.
BROKEN = (OSError, EOFError, UnicodeError, zlib.error, lzma.LZMAError)


@dataclass(frozen=True)
class File:
    """A file on the disk, or the content of an uploaded one.

    Attributes:
        name: the name under which it is spoken of.
        path: where it lies; None for an upload.
        content: its bytes, if it is an upload.
        kept: what a slow format gave when it was last read, by how it was read: a file is looked at
            several times.
    """

    name: str
    path: Path | None = None
    content: bytes | None = None
    kept: dict[Any, list[Any]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def size(self) -> int:
        """Its bytes, packed."""
        return len(self.content) if self.content is not None else cast(Path, self.path).stat().st_size

    def open(self) -> IO[bytes]:
        """Its bytes as they lie there."""
        if self.content is not None:
            return io.BytesIO(self.content)
        return cast(Path, self.path).open("rb")

    def packed(self) -> str:
        """How it is compressed, or "".

        Raises:
            Refused: its name promises that it is, and it is not.
        """
        with self.open() as stream:
            head = stream.read(16)
        formats.check_packing(self.name, head)
        return formats.packed(head)

    def unpacked(self, packed: str, limits: Limits) -> IO[bytes]:
        """Its bytes, decompressed while they are read, and no more of them than the limits allow."""
        if not packed:
            return self.open()
        stream = self.open()
        if packed == "gzip":
            opened: Any = gzip.GzipFile(fileobj=stream)
        else:
            # `_Bounded` closes it.
            opened = bz2.BZ2File(stream) if packed == "bzip2" else lzma.LZMAFile(stream)  # noqa: SIM115
        most = limits.text if self.content is not None else 2**62
        return io.BufferedReader(_Bounded(opened, stream, most), CHUNK)

    def head(self, packed: str, limits: Limits, size: int = formats.HEAD) -> bytes:
        """Its first bytes, unpacked. Of a damaged file, as many as there are."""
        parts: list[bytes] = []
        try:
            with self.unpacked(packed, limits) as stream:
                # `read` would lose all of a damaged file that ends in the middle.
                while size > 0 and (part := cast(io.BufferedReader, stream).read1(min(size, CHUNK))):
                    parts.append(part)
                    size -= len(part)
        except BROKEN:
            if not parts:
                raise
        return b"".join(parts)

    def whole(self, packed: str, limits: Limits) -> bytes:
        """All of its bytes, unpacked.

        Raises:
            Refused: they are too many to be read as one.
        """
        with self.unpacked(packed, limits) as stream:
            content = stream.read(limits.unpacked + 1)
        if len(content) > limits.unpacked:
            raise Refused(
                f"it takes up more than {limits.unpacked / 1e6:,.0f} MB, and its format must be read "
                "as one: divide it"
            )
        return content

    def encoding(self, packed: str, limits: Limits, declared: str | None = None) -> str:
        """The encoding of its letters, guessed (`encodings.guess`)."""
        head = self.head(packed, limits)

        def chunks() -> Iterator[bytes]:
            try:
                with self.unpacked(packed, limits) as stream:
                    while chunk := stream.read(CHUNK):
                        yield chunk
            except BROKEN:
                return

        return encodings.guess(head, encodings.sample(chunks()), declared)


def damage(error: BaseException) -> str:
    """What a failure to unpack or read a file means, as a clause, without the words of its library."""
    if isinstance(error, TooLong):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"it cannot be read: {error.strerror}"
    return "it is damaged, or cut off"


class TooLong(OSError):
    """A file unpacks to more than it may."""


class _Bounded(io.RawIOBase):
    """A stream that ends in an error after so many bytes: a small file may unpack to a huge one."""

    def __init__(self, stream: IO[bytes], packed: IO[bytes], most: int) -> None:
        self._stream, self._packed, self._left, self._most = stream, packed, most, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        part = self._stream.read(min(len(buffer), CHUNK))
        self._left -= len(part)
        if self._left < 0:
            raise TooLong(f"it unpacks to more than {self._most / 1e6:,.0f} MB")
        buffer[: len(part)] = part
        return len(part)

    def close(self) -> None:
        self._stream.close()
        self._packed.close()
        super().close()


class Lines:
    """The lines of a file, decoded, with their ends; what is left out of them is in `reports`.

    Attributes:
        number: of the line that was read last, from 1.
    """

    def __init__(
        self, file: File, packed: str, encoding: str, limits: Limits, *, damaged: bool = False
    ) -> None:
        """`damaged` keeps lines that are no text: they may be parts of rows, to be left out whole."""
        self._file, self._packed, self._encoding, self._limits = file, packed, encoding, limits
        self._damaged = damaged
        self.number = 0
        self._reports: list[Skipped] = []

    @property
    def where(self) -> str:
        """The place of the line that was read last."""
        return f"line {self.number}" if self.number else ""

    def __iter__(self) -> Iterator[str]:
        with self._file.unpacked(self._packed, self._limits) as stream:
            # Ends of lines stay as they are: a table may have one inside a cell.
            text = io.TextIOWrapper(stream, self._encoding, encodings.ON_ERROR, newline="")
            while line := text.readline(MOST_LINE):
                self.number += 1
                if self.number == 1:
                    line = line.removeprefix("\ufeff")
                if len(line) == MOST_LINE and not line.endswith(("\n", "\r")):
                    while (rest := text.readline(MOST_LINE)) and not rest.endswith(("\n", "\r")):
                        pass
                    self.leave_out(f"the line is longer than {MOST_LINE:,} characters")
                    continue
                if not self._damaged and (why := not_clean(line, self._encoding)):
                    self.leave_out(why)
                    continue
                yield line

    def leave_out(self, why: str, where: str = "") -> None:
        """Note that something, by default the line that was read last, is left out."""
        self._reports.append(Skipped(self._file.name, where or self.where, why))

    def reports(self) -> Iterator[Skipped]:
        """What was left out since the last call."""
        yield from self._reports
        self._reports.clear()


def not_clean(text: str, encoding: str = "") -> str:
    """Why a line or a cell is no text, as a clause; "" if it is one."""
    if text.isascii():
        return "it has zeros, which no text has" if "\0" in text else ""
    if encodings.BROKEN in text and encoding:
        return f"it is not {encodings.NAMES.get(encoding, encoding)}"
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        return "it has half of a sign (a lone surrogate)"
    return "it has zeros, which no text has" if "\0" in text else ""
