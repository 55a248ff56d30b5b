"""A GGUF file as a folder of safetensors in Polysee's cache: made once, then read as any other model.

The numbers are those of the packed file, unpacked to float32; those in half precision stay so. They lie
in one file, so that all processes that map it share its pages. Beside it lie the blocks of some
packings as they were, with which `core.pretrained.engines.packed` multiplies: so they stay there
whatever becomes of the file.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from filelock import FileLock, Timeout

from .... import settings
from ....errors import ModelBroken, in_short
from .. import mapped
from ..weight_files import WEIGHTS, advice, check_sum
from . import bounds, config, tensors, tokenizer
from .architectures import of_file

# Whenever one of these modules writes something else from the same file, this becomes another number.
_EDITION = 5
_KEPT = 12  # models in the cache; of more, the oldest goes
_SPARE = 200 * 2**20  # bytes that stay free on the disk
_LINE = 64  # bytes of a line of the processor's cache, where the numbers of a tensor begin
# Of numbers in half precision, nobody here needs more than the bytes.
_TYPES = {"F32": "<f4", "F16": "<u2", "BF16": "<u2", "U8": "u1"}
_PART = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<of>\d{5})\.gguf", re.IGNORECASE)
_LOCK_SECONDS = 600.0  # as long may another process take
# Ways to keep weights in which none loses anything.
WHOLE = ("F32", "F16", "BF16")


class Unpacked(NamedTuple):
    """A model that was unpacked.

    Attributes:
        folder: its folder, with safetensors.
        packing: how most weights were packed, in the format's own word, such as "Q4_1".
        known: whether its file was the published one, by its checksum: nobody else wrote any of it.
    """

    folder: Path
    packing: str
    known: bool = False

    @property
    def mapped(self) -> bool:
        """Whether this process has its numbers in memory."""
        return mapped.is_open(self.folder / WEIGHTS)


def in_environment() -> Path:
    """Where a set-up may unpack a model beside the packages, such as in an image."""
    return Path(sys.prefix) / "share" / "polysee" / "unpacked"


def ready(sha256: str) -> Unpacked | None:
    """The model of a file with this checksum, if it was unpacked before; the file may be gone."""
    for place in (settings.read().cache / "unpacked", in_environment()):
        found = _made(place / _key(sha256))
        if found is not None:
            return found._replace(known=True)
    return None


def unpacked(file: Path, name: str, sha256: str | None = None, *, into: Path | None = None) -> Unpacked:
    """The folder with the model of a GGUF file, made now if it is not there.

    Args:
        file: the file; of a split model any of its parts, which lie beside each other.
        name: the name of the model in messages.
        sha256: the required checksum of the file; it is checked before the file is read.
        into: the folder for the folder; None for Polysee's cache.

    Raises:
        ModelBroken: the file is damaged, or of a kind that is not read here; its checksum is another
            one; or the cache has no room.
    """
    files = parts(file, name)
    if sha256 is not None and into is None and (there := ready(sha256)) is not None:
        return there
    stats = [(one, one.stat()) for one in files]
    key = _key(sha256 or " ".join(f"{f.resolve()} {s.st_size} {s.st_mtime_ns}" for f, s in stats))
    place = into or settings.read().cache / "unpacked"
    there = _made(place / key)
    if there is None:
        if sha256 is not None:
            check_sum(file, sha256, name)
        try:
            for one in files:
                bounds.check(one, part=len(files) > 1)
            there = _make_alone(files, place / key, name)
        except (bounds.Lie, config.Unknown) as error:
            raise ModelBroken(
                "The {file} of “{name}” {error}. Choose another copy of it, or the same model "
                "with safetensors.",
                file=file.name,
                name=name,
                error=error,
            ) from error
        except OSError as error:
            raise ModelBroken(
                "“{name}” cannot be unpacked into Polysee’s cache: {strerror}. It is the "
                "folder in POLYSEE_CACHE.",
                name=name,
                strerror=error.strerror or error,
            ) from error
    return there._replace(known=sha256 is not None)


def _key(content: str) -> str:
    return hashlib.blake2b(f"{_EDITION} {content}".encode(), digest_size=12).hexdigest()


def _made(folder: Path) -> Unpacked | None:
    """What lies in a folder, if it is whole. It gets its name when all of it is there."""
    try:
        with (folder / WEIGHTS).open("rb") as stream:
            header = stream.read(int.from_bytes(stream.read(8), "little"))
            end = max(one["data_offsets"][1] for one in json.loads(header).values())
            whole = os.fstat(stream.fileno()).st_size == 8 + len(header) + end
        return Unpacked(folder, (folder / mapped.PACKING).read_text("utf-8")) if whole else None
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return None


def _make_alone(files: Sequence[Path], folder: Path, name: str) -> Unpacked:
    """Unpack files while no other process does, or take what another one has made meanwhile."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder.parent / ".lock", timeout=_LOCK_SECONDS):
            # Only who has the lock writes: what was begun is left by a process that was killed.
            for begun in folder.parent.glob("begun-*"):
                shutil.rmtree(begun, ignore_errors=True)
            if _made(folder) is None:
                shutil.rmtree(folder, ignore_errors=True)
                _make(files, folder, name)
    except Timeout as error:
        raise ModelBroken(
            "Another process has been unpacking a model for {lock_seconds:g} minutes, and "
            "“{name}” waits for it. Try again, or end that process.",
            lock_seconds=_LOCK_SECONDS / 60,
            name=name,
        ) from error
    there = _made(folder)
    assert there is not None
    return there


def _reader(file: Path, name: str) -> Any:
    from gguf import GGUFReader

    try:
        return GGUFReader(file)
    except (ValueError, KeyError, IndexError, TypeError, OverflowError, UnicodeDecodeError) as error:
        raise ModelBroken(
            "The {file} of “{name}” is damaged: {in_short} {advice}",
            file=file.name,
            name=name,
            in_short=in_short(error),
            advice=advice(file.parent),
        ) from error


def parts(file: Path, name: str) -> tuple[Path, ...]:
    """The files of a model that llama.cpp has split, all beside this one; or the file alone.

    Raises:
        ModelBroken: one is missing.
    """
    found = _PART.fullmatch(file.name)
    if found is None:
        return (file,)
    of = int(found["of"])
    listed = [f"{found['stem']}-{i + 1:05}-of-{found['of']}{file.suffix}" for i in range(of)]
    missing = [one for one in listed if not (file.parent / one).is_file()]
    if missing or file.name not in listed:
        raise ModelBroken(
            "“{name}” comes in {of} files, and {missing} is not among them. Put all of "
            "them into one folder.",
            name=name,
            of=of,
            missing=(missing or [file.name])[0],
        )
    return tuple(file.parent / one for one in listed)


def _fields(readers: Sequence[Any]) -> dict[str, Any]:
    """The settings, which the first file has. Raises Unknown if these are not parts of one model."""
    try:
        each = [{key: field.contents() for key, field in one.fields.items()} for one in readers]
    except UnicodeDecodeError as error:
        raise config.Unknown("has a setting that is no text") from error
    if len(each) > 1:
        told = [(one.get("split.no"), one.get("split.count")) for one in each]
        total = sum(len(one.tensors) for one in readers)
        names = {tensor.name for one in readers for tensor in one.tensors}
        count = each[0].get("split.tensors.count", total)
        if told != [(i, len(each)) for i in range(len(each))] or not len(names) == total == count:
            raise config.Unknown("and those beside it are not the parts of one model")
    return each[0]


def _make(files: Sequence[Path], folder: Path, name: str) -> None:
    readers = [_reader(file, name) for file in files]
    fields = _fields(readers)
    every = [tensor for reader in readers for tensor in reader.tensors]
    shapes = {one.name: tuple(int(n) for n in reversed(one.shape.tolist())) for one in every}
    slower = next((tensors.numbers_of(one) for one in every if one.name == tensors.ROTATIONS), None)
    settings_of_model = config.of(fields, shapes, slower)
    own = of_file(fields["general.architecture"], shapes)
    heads = config.heads(fields)
    every = [one for one in every if one.name != tensors.ROTATIONS]
    places = [tensors.placed(one.name, own) for one in every]
    named = {
        place.name: (tensors.kind_of(one, own), place.shape(shapes[one.name]))
        for place, one in zip(places, every, strict=True)
    }
    own_tokenizer, tokenizer_settings = tokenizer.of(fields)
    kept = [one for one in every if tensors.is_kept(one, own)]
    packed = {tensors.placed(one.name, own).name: ("U8", tuple(one.data.shape)) for one in kept}
    needed = sum(_size(*one) for listed in (named, packed) for one in listed.values())
    free = shutil.disk_usage(folder.parent).free
    if needed + _SPARE > free:
        raise ModelBroken(
            "“{name}” takes {needed:,.0f} MB unpacked, and the disk of Polysee’s cache has "
            "{free:,.0f} MB left. Make room there, or set POLYSEE_CACHE to another disk.",
            name=name,
            needed=needed / 1000000.0,
            free=free / 1000000.0,
        )
    # Made under another name: whoever looks meanwhile, or after a crash, never sees a part of it.
    with tempfile.TemporaryDirectory(prefix="begun-", dir=folder.parent) as begun:
        made = Path(begun) / "model"
        made.mkdir()
        own_tokenizer.save(str(made / "tokenizer.json"))
        _write_json(made / "tokenizer_config.json", tokenizer_settings)
        _write_json(made / "config.json", settings_of_model)
        (made / mapped.PACKING).write_text(_packing(every), "utf-8")
        if packed:
            _write(made / mapped.PACKED, packed, tensors.blocks(kept, heads, own))
        _write(made / WEIGHTS, named, tensors.unpacked(every, heads, own))
        try:
            made.rename(folder)
        except OSError:
            if not (folder / WEIGHTS).is_file():  # else another process was faster
                raise
    _forget(folder.parent)


def _packing(every: Iterable[Any]) -> str:
    sizes: Counter[str] = Counter()
    for tensor in every:
        sizes[tensor.tensor_type.name] += int(tensor.n_elements)
    return sizes.most_common(1)[0][0]


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _size(kind: str, shape: tuple[int, ...]) -> int:
    """The bytes of a tensor."""
    return np.dtype(_TYPES[kind]).itemsize * prod(shape)


def _write(
    path: Path, listed: dict[str, tuple[str, tuple[int, ...]]], numbers: Iterable[tuple[str, Any]]
) -> None:
    """The tensors as safetensors, one after the other, of these types of number and shapes.

    The library writes only what is in memory as a whole, which would be half a gigabyte here. The
    format is a list of contents and the numbers: https://github.com/huggingface/safetensors.
    """
    contents, at = {}, 0
    for name, (kind, shape) in listed.items():
        size = _size(kind, shape)
        contents[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    header = json.dumps(contents).encode()
    header += b" " * (-(8 + len(header)) % _LINE)
    with path.open("wb") as stream:
        stream.write(len(header).to_bytes(8, "little") + header)
        for (expected, (kind, _)), (name, array) in zip(listed.items(), numbers, strict=True):
            assert name == expected
            stream.write(np.ascontiguousarray(array, _TYPES[kind]).data.cast("B"))
        stream.flush()
        os.fsync(
            stream.fileno()
        )  # else a machine that loses its power may keep the name and not the numbers


def _forget(folder: Path) -> None:
    """Of many unpacked models, the oldest go."""
    every = sorted(
        (one for one in folder.iterdir() if one.is_dir() and not one.name.startswith("begun-")),
        key=lambda one: one.stat().st_mtime,
    )
    for old in every[:-_KEPT]:
        shutil.rmtree(old, ignore_errors=True)
