"""One mapping of a file of weights for all who read it: both engines, and every process on the machine.

The pages of a mapped file belong to the system, which has each of them once, however many processes
map it, and takes it back when memory is short. Within one process both engines use one mapping, so
that a weight is one tensor.

The file is one that Polysee has unpacked, which nobody changes; or somebody's own, whose halves have no
room elsewhere. Whether such a one has been changed is asked before each use of a matrix: a file that is
deleted, or replaced by another under its name, is still there for those who have mapped it.
"""

from __future__ import annotations

import json
import mmap
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary, finalize

from ...errors import Filled, ModelBroken

PACKED = "packed.safetensors"  # beside the unpacked weights of some models: the blocks that they were
PACKING = "packing.txt"  # in each folder that Polysee has unpacked
_FIRST = 8  # bytes that give the length of the list of contents
_TYPES = {"F32": "float32", "F16": "float16", "BF16": "bfloat16", "U8": "uint8"}
_Stamp = tuple[int, int, int]  # its number on the disk, its size, when it was written


class _File(mmap.mmap):
    """A file in memory.

    Attributes:
        places: where its tensors lie: name -> first byte, shape, type of number.
        address: where it begins in the memory of this process.
        name: its name without folders.
        stamp: what it was when it was mapped.
        handle: the open file.
    """

    places: Mapping[str, tuple[int, tuple[int, ...], str]]
    address: int
    name: str
    stamp: _Stamp
    handle: int


_open: WeakValueDictionary[tuple[Path, _Stamp], _File] = WeakValueDictionary()
_lock = threading.Lock()


def tensor(file: Path, key: str, name: str) -> Any:
    """A tensor that lies in a safetensors file; equal calls share its memory.

    Writing to it would not reach the file, but would copy what is written to.

    Raises:
        ModelBroken: the file is gone, or is not what it was.
    """
    import torch

    try:
        data = _mapped(file)
        start, shape, kind = data.places[key]
        dtype = getattr(torch, _TYPES[kind])
        return torch.frombuffer(data, dtype=dtype, count=prod(shape), offset=start).view(shape)
    except (OSError, ValueError, KeyError, TypeError) as error:
        if not (file.parent / PACKING).exists():
            raise ModelBroken(
                "The {file} of “{name}” has disappeared, or has changed while it was read. {advice}",
                file=file.name,
                name=name,
                advice=Filled("Put a complete copy of the model into {folder}.", folder=file.parent),
            ) from error
        raise ModelBroken(
            "What was unpacked of “{name}” has disappeared, or is damaged. Delete the "
            "folder {parent} and load the model again.",
            name=name,
            parent=file.parent,
        ) from error


def blocks(file: Path, key: str, name: str) -> Any:
    """(rows, bytes) uint8: the blocks that a matrix of a file of weights was unpacked from; None: none.

    They lie in a file beside it, see `core.pretrained.files.gguf`. Raises as `tensor`.
    """
    beside = file.with_name(PACKED)
    try:
        there = key in _mapped(beside).places
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        there = True  # damaged: `tensor` says so
    return tensor(beside, key, name) if there else None


def is_open(file: Path) -> bool:
    """Whether this process has mapped the file."""
    return any(path == file for path, _ in [*_open.keys()])


def refuse_changed(tensor: Any) -> None:
    """Raise ModelBroken if the file in which a tensor lies has been written to since it was mapped."""
    file = _file_of(tensor)
    if file is not None and _stamp(os.fstat(file.handle)) != file.stamp:
        raise ModelBroken(
            "The {file} in which the weights of this model stay has been changed while the model was "
            "in use, and its numbers would be others now. Load the model again.",
            file=file.name,
        )


def _file_of(tensor: Any) -> _File | None:
    """The mapped file in which a tensor lies, if it lies in one."""
    if tensor.device.type != "cpu":
        return None
    start = tensor.data_ptr()
    with _lock:
        return next((one for one in _open.values() if 0 <= start - one.address < len(one)), None)


def _stamp(of: os.stat_result) -> _Stamp:
    return of.st_ino, of.st_size, of.st_mtime_ns


def release(tensor: Any) -> None:
    """Take the pages of a tensor out of the process, if it lies in a mapped file; else nothing happens.

    They come back when they are used, in a hundredth of a second for a hundred megabytes. The system
    keeps them for whoever maps the file, and frees them first where memory is short.
    """
    file = _file_of(tensor) if hasattr(mmap, "MADV_DONTNEED") else None
    if file is None:
        return
    start = tensor.data_ptr() - file.address
    end = start + tensor.nbytes
    start, end = -(-start // mmap.PAGESIZE) * mmap.PAGESIZE, end - end % mmap.PAGESIZE
    if start < end:
        with suppress(OSError, ValueError):
            file.madvise(mmap.MADV_DONTNEED, start, end - start)


def _mapped(file: Path) -> _File:
    import torch

    with _lock:
        stamp = _stamp(file.stat())
        data = _open.get((file, stamp))
        if data is None:
            handle = os.open(file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            try:
                # A private copy is what torch takes without a warning; nobody writes, and so nothing
                # is copied.
                data = _File(handle, 0, access=mmap.ACCESS_COPY)
            except BaseException:
                os.close(handle)
                raise
            finalize(data, os.close, handle)
            data.handle, data.name, data.stamp = handle, file.name, _stamp(os.fstat(handle))
            data.places = _places(data)
            data.address = torch.frombuffer(data, dtype=torch.uint8, count=1).data_ptr()
            _open[file, data.stamp] = data
        return data


def _places(data: _File) -> Mapping[str, tuple[int, tuple[int, ...], str]]:
    begin = _FIRST + int.from_bytes(data[:_FIRST], "little")
    if begin > len(data):
        raise ValueError("cut short")
    listed = json.loads(data[_FIRST:begin])
    return {
        key: (begin + one["data_offsets"][0], tuple(one["shape"]), one["dtype"])
        for key, one in listed.items()
        if key != "__metadata__"
    }
