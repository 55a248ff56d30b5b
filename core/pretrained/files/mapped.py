"""One mapping of a file of weights for all who read it: both engines, and every process on the machine.

The pages of a mapped file belong to the system, which has each of them once, however many processes
map it, and takes it back when memory is short. Within one process both engines use one mapping, so
that a weight is one tensor.
"""

from __future__ import annotations

import json
import mmap
import threading
from collections.abc import Mapping
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from ...errors import ModelBroken

PACKED = "packed.safetensors"  # beside the unpacked weights of some models: the blocks that they were
_FIRST = 8  # bytes that give the length of the list of contents
_TYPES = {"F32": "float32", "U8": "uint8"}


class _File(mmap.mmap):
    """A file in memory.

    Attributes:
        places: where its tensors lie: name -> first byte, shape, type of number.
        address: where it begins in the memory of this process.
    """

    places: Mapping[str, tuple[int, tuple[int, ...], str]]
    address: int


_open: WeakValueDictionary[Path, _File] = WeakValueDictionary()
_lock = threading.Lock()


def tensor(file: Path, key: str, name: str) -> Any:
    """A tensor that lies in a safetensors file of ours, float32 or bytes; equal calls share its memory.

    Writing to it would not reach the file, but would copy what is written to.

    Raises:
        ModelBroken: the file is gone, or is not what was unpacked.
    """
    import torch

    try:
        data = _mapped(file)
        start, shape, kind = data.places[key]
        dtype = getattr(torch, _TYPES[kind])
        return torch.frombuffer(data, dtype=dtype, count=prod(shape), offset=start).view(shape)
    except (OSError, ValueError, KeyError, TypeError) as error:
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
    return file in _open


def release(tensor: Any) -> None:
    """Take the pages of a tensor out of the process, if it lies in a mapped file; else nothing happens.

    They come back when they are used, in a hundredth of a second for a hundred megabytes. The system
    keeps them for whoever maps the file, and frees them first where memory is short.
    """
    if tensor.device.type != "cpu" or not hasattr(mmap, "MADV_DONTNEED"):
        return
    start = tensor.data_ptr()
    with _lock:
        file = next((one for one in _open.values() if 0 <= start - one.address < len(one)), None)
    if file is None:
        return
    start -= file.address
    end = start + tensor.nbytes
    start, end = -(-start // mmap.PAGESIZE) * mmap.PAGESIZE, end - end % mmap.PAGESIZE
    if start < end:
        with suppress(OSError, ValueError):
            file.madvise(mmap.MADV_DONTNEED, start, end - start)


def _mapped(file: Path) -> _File:
    import torch

    with _lock:
        data = _open.get(file)
        if data is None:
            with file.open("rb") as stream:
                # A private copy is what torch takes without a warning; nobody writes, and so nothing
                # is copied.
                data = _File(stream.fileno(), 0, access=mmap.ACCESS_COPY)
            data.places = _places(data)
            data.address = torch.frombuffer(data, dtype=torch.uint8, count=1).data_ptr()
            _open[file] = data
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
