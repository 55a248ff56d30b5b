"""The header of a GGUF file, walked before any library reads it: no length in it is believed.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. The package that reads the file
takes its counts for true: a header of thirty bytes could keep it busy for years, and tensors that lie
over one another could become a thousand times the file.
"""

from __future__ import annotations

import mmap
import os
import struct
from math import prod
from pathlib import Path
from typing import NamedTuple

MAGIC = b"GGUF"
VERSIONS = (2, 3)
# The largest vocabularies have 260,000 tokens: their texts, kinds and scores, and twice as many merges.
MOST_ITEMS = 3_000_000
MOST_KEYS = 4_000
MOST_TENSORS = 20_000  # a mixture of experts of a thousand billion weights has 1,100
MOST_NAME = 1_000  # bytes of a key's or tensor's name; the format allows 65,535 and 64
MOST_TEXT = 10_000_000  # bytes of one text: a chat template has 20,000
MOST_DIMENSIONS = 4
MOST_NUMBERS = 10**12  # in one tensor
# Of each type of value: its bytes. 8 is a text, 9 an array.
_WIDTHS = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_TEXT, _ARRAY = 8, 9


class Lie(ValueError):
    """What a header says that cannot be; a sentence goes on with it after "The file of the model"."""


class _Tensor(NamedTuple):
    """What the header says of a tensor: its numbers, the length of a row, its type, where it begins."""

    numbers: int
    row: int
    kind: int
    offset: int


class _Walk:
    """A place in the header that only moves forward, inside the file."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data, self.at, self.items = data, 0, 0

    def number(self, form: str) -> int:
        size = struct.calcsize(form)
        start = self.at
        self.skip(size)
        (value,) = struct.unpack_from(form, self.data, start)
        return int(value)

    def skip(self, length: int) -> None:
        if length > len(self.data) - self.at:
            raise Lie("ends in the middle of its own list of contents")
        self.at += length

    def text(self, most: int) -> bytes:
        length = self.number("<Q")
        if length > most:
            raise Lie(f"has a text of {length:,} bytes where {most:,} are the most")
        start = self.at
        self.skip(length)
        return bytes(self.data[start : self.at])

    def value(self, kind: int) -> None:
        if kind == _TEXT:
            self.text(MOST_TEXT)
        elif kind == _ARRAY:
            self.array()
        elif kind in _WIDTHS:
            self.skip(_WIDTHS[kind])
        else:
            raise Lie(f"has a value of the type {kind}, which the format does not know")

    def array(self) -> None:
        kind, count = self.number("<I"), self.number("<Q")
        self.items += count
        if self.items > MOST_ITEMS:
            raise Lie(f"lists more than {MOST_ITEMS:,} values")
        if kind in _WIDTHS:
            self.skip(count * _WIDTHS[kind])
        elif kind == _TEXT:
            for _ in range(count):
                self.text(MOST_TEXT)
        else:  # the format allows lists of lists; no model has any, and each level could multiply
            raise Lie("has a list of lists")


def check(path: Path, *, part: bool = False) -> None:
    """Walk the header of a file, in milliseconds to a second; nothing of it is kept.

    `part`: whether it is one of several files, of which the first may hold no tensor.

    Raises:
        Lie: the file is no GGUF, its header points out of it, or promises more than any model has.
        OSError: it cannot be read.
    """
    if path.stat().st_size < 24:
        raise Lie("is too short to be a GGUF file")
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        _check(_Walk(data), os.fstat(stream.fileno()).st_size, least=0 if part else 1)


def _check(walk: _Walk, size: int, *, least: int) -> None:
    walk.skip(4)
    if walk.data[:4] != MAGIC:
        raise Lie("is no GGUF file: it does not begin with these four letters")
    version = walk.number("<I")
    if version not in VERSIONS:
        raise Lie(f"is of version {version} of its format; Polysee reads 2 and 3")
    tensors, keys = walk.number("<Q"), walk.number("<Q")
    if not least <= tensors <= MOST_TENSORS:
        raise Lie(f"says that it has {tensors:,} tensors; a model has between 1 and {MOST_TENSORS:,}")
    if keys > MOST_KEYS:
        raise Lie(f"says that it has {keys:,} settings; {MOST_KEYS:,} are the most")
    alignment, named = 32, set()
    for _ in range(keys):
        key = walk.text(MOST_NAME)
        if key in named:
            raise Lie("has a setting twice")
        named.add(key)
        kind = walk.number("<I")
        if key == b"general.alignment":
            if kind != 4:
                raise Lie("has an alignment that is no number")
            alignment = walk.number("<I")
        else:
            walk.value(kind)
    if alignment not in (8, 16, 32, 64, 128, 256, 4096):
        raise Lie(f"aligns its tensors to {alignment} bytes")
    _check_tensors([_tensor(walk) for _ in range(tensors)], -(-walk.at // alignment) * alignment, size)


def _tensor(walk: _Walk) -> _Tensor:
    walk.text(MOST_NAME)
    dimensions = walk.number("<I")
    if not 0 < dimensions <= MOST_DIMENSIONS:
        raise Lie(f"has a tensor of {dimensions:,} dimensions")
    shape = [walk.number("<Q") for _ in range(dimensions)]
    if not 0 < prod(shape) <= MOST_NUMBERS:
        raise Lie("has a tensor that is empty, or larger than any model")
    return _Tensor(prod(shape), shape[0], walk.number("<I"), walk.number("<Q"))


def _check_tensors(tensors: list[_Tensor], start: int, size: int) -> None:
    """Each lies inside the file, in whole blocks, and none over another."""
    from gguf.constants import GGML_QUANT_SIZES

    known = {kind.value: sizes for kind, sizes in GGML_QUANT_SIZES.items()}
    end = 0
    for tensor in sorted(tensors, key=lambda one: one.offset):
        if tensor.kind not in known:
            raise Lie(f"packs a tensor in a way (type {tensor.kind}) that nobody here can unpack")
        block, block_bytes = known[tensor.kind]
        if tensor.row % block:
            raise Lie(f"has a tensor whose rows of {tensor.row:,} are not whole blocks of {block}")
        if tensor.offset < end:
            raise Lie("has two tensors in one place")
        end = tensor.offset + tensor.numbers // block * block_bytes
        if start + end > size:
            raise Lie("is cut short: a tensor lies behind its end")
