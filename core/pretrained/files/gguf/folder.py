"""A GGUF file as a folder of safetensors in Polysee's cache: made once, then read as any other model.

The numbers are those of the packed file, unpacked to float32. They lie in one file, so that all
processes that map it share its pages.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable
from math import prod
from pathlib import Path
from typing import Any

from .... import settings
from ....errors import ModelBroken, in_short
from ..weight_files import WEIGHTS, advice, check_sum
from . import bounds, config, tensors, tokenizer

# Whenever one of these modules writes something else from the same file, this becomes another number.
_EDITION = 1
_KEPT = 12  # models in the cache; of more, the oldest goes
_SPARE = 200 * 2**20  # bytes that stay free on the disk
_NUMBER = 4  # bytes of one
_PACKING = "packing.txt"
# Ways to keep weights in which none loses anything.
WHOLE = ("F32", "F16", "BF16")


def unpacked(file: Path, name: str, sha256: str | None = None) -> tuple[Path, str]:
    """The folder with the model of a GGUF file, made now if it is not there, and how it was packed.

    Args:
        file: the file.
        name: the name of the model in messages.
        sha256: the required checksum of the file; it is checked before the file is read.

    Returns:
        The folder; and in the format's own word how most weights are packed, such as "Q4_1".

    Raises:
        ModelBroken: the file is damaged, or of a kind that is not read here; its checksum is another
            one; or the cache has no room.
    """
    found = file.stat()
    which = f"{_EDITION} {file.resolve()} {found.st_size} {found.st_mtime_ns} {sha256}"
    key = hashlib.blake2b(which.encode(), digest_size=12).hexdigest()
    folder = settings.read().cache / "unpacked" / key
    if (folder / WEIGHTS).is_file():
        return folder, (folder / _PACKING).read_text("utf-8")
    if sha256 is not None:
        check_sum(file, sha256, name)
    try:
        bounds.check(file)
        _make(file, folder, name)
    except (bounds.Lie, config.Unknown) as error:
        raise ModelBroken(
            f"The {file.name} of “{name}” {error}. Choose another copy of it, or the same model with "
            "safetensors."
        ) from error
    except OSError as error:
        raise ModelBroken(
            f"“{name}” cannot be unpacked into Polysee’s cache: {error.strerror or error}. It is the "
            "folder in POLYSEE_CACHE."
        ) from error
    return folder, (folder / _PACKING).read_text("utf-8")


def _reader(file: Path, name: str) -> Any:
    from gguf import GGUFReader

    try:
        return GGUFReader(file)
    except (ValueError, KeyError, IndexError, TypeError, OverflowError, UnicodeDecodeError) as error:
        raise ModelBroken(
            f"The {file.name} of “{name}” is damaged: {in_short(error)} {advice(file.parent)}"
        ) from error


def _make(file: Path, folder: Path, name: str) -> None:
    reader = _reader(file, name)
    fields = {key: field.contents() for key, field in reader.fields.items()}
    shapes = {one.name: tuple(int(n) for n in reversed(one.shape.tolist())) for one in reader.tensors}
    settings_of_model = config.of(fields, shapes)
    own_tokenizer, tokenizer_settings = tokenizer.of(fields)
    folder.parent.mkdir(parents=True, exist_ok=True)
    needed = _NUMBER * sum(int(tensor.n_elements) for tensor in reader.tensors)
    free = shutil.disk_usage(folder.parent).free
    if needed + _SPARE > free:
        raise ModelBroken(
            f"“{name}” takes {needed / 1e6:,.0f} MB unpacked, and the disk of Polysee’s cache has "
            f"{free / 1e6:,.0f} MB left. Make room there, or set POLYSEE_CACHE to another disk."
        )
    # Made under another name: whoever looks meanwhile, or after a crash, never sees a part of it.
    with tempfile.TemporaryDirectory(prefix="begun-", dir=folder.parent) as begun:
        made = Path(begun) / "model"
        made.mkdir()
        own_tokenizer.save(str(made / "tokenizer.json"))
        _write_json(made / "tokenizer_config.json", tokenizer_settings)
        _write_json(made / "config.json", settings_of_model)
        (made / _PACKING).write_text(_packing(reader), "utf-8")
        order = {tensors.renamed(old): shape for old, shape in shapes.items()}
        _write(made / WEIGHTS, order, tensors.unpacked(reader, settings_of_model))
        try:
            made.rename(folder)
        except OSError:
            if not (folder / WEIGHTS).is_file():  # else another process was faster
                raise
    _forget(folder.parent)


def _packing(reader: Any) -> str:
    sizes: Counter[str] = Counter()
    for tensor in reader.tensors:
        sizes[tensor.tensor_type.name] += int(tensor.n_elements)
    return sizes.most_common(1)[0][0]


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _write(path: Path, shapes: dict[str, tuple[int, ...]], numbers: Iterable[tuple[str, Any]]) -> None:
    """The tensors as safetensors, float32, one after the other.

    The library writes only what is in memory as a whole, which would be half a gigabyte here. The
    format is a list of contents and the numbers: https://github.com/huggingface/safetensors.
    """
    listed, at = {}, 0
    for name, shape in shapes.items():
        size = _NUMBER * prod(shape)
        listed[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    header = json.dumps(listed).encode()
    header += b" " * (-len(header) % 8)
    with path.open("wb") as stream:
        stream.write(len(header).to_bytes(8, "little") + header)
        for (expected, _), (name, array) in zip(shapes.items(), numbers, strict=True):
            assert name == expected
            stream.write(memoryview(array.astype("<f4", copy=False)).cast("B"))


def _forget(folder: Path) -> None:
    """Of many unpacked models, the oldest go."""
    every = sorted(
        (one for one in folder.iterdir() if one.is_dir() and not one.name.startswith("begun-")),
        key=lambda one: one.stat().st_mtime,
    )
    for old in every[:-_KEPT]:
        shutil.rmtree(old, ignore_errors=True)
