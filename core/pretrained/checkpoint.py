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
        if not has_tokenizer(path.name for path in folder.iterdir()):
            raise ModelBroken(
                f"“{name}” has no tokenizer in {folder}: without tokenizer.json or vocab.txt its text "
                "could not be cut into the pieces that it learned. Add the files of its tokenizer."
            )
        if sha256 is not None:
            _check_sum(folder / WEIGHTS, sha256, name)
        headers = {key: header for file in files for key, header in _headers(file, name).items()}
    except OSError as error:
        raise ModelBroken(f"The files of “{name}” in {folder} cannot be read: {error}.") from error
    return Checkpoint(folder, MappingProxyType(config), MappingProxyType(headers))


def has_tokenizer(names: Any) -> bool:
    """Whether these file names are enough for a tokenizer."""
    there = set(names)
    return any(there.issuperset(group) for group in TOKENIZERS)


def is_complete(folder: Path) -> bool:
    """Whether configuration, weights and tokenizer are there: a cached download may have parts."""
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    return "config.json" in names and bool({WEIGHTS, INDEX} & names) and has_tokenizer(names)


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
            f"“{name}” has no config.json in {folder}, so nothing says what kind of model it is."
        )
    config = _json(path, name)
    if "model_type" not in config:
        raise ModelBroken(
            f"The config.json of “{name}” has no model_type, so nothing says what kind of model it is."
        )
    if config.get("auto_map"):
        raise ModelBroken(
            f"“{name}” is a model that brings its own program code (auto_map in config.json). Polysee "
            "never runs code that comes with a model. Choose a model of a type that transformers knows."
        )
    if config.get("quantization_config"):
        raise ModelBroken(
            f"“{name}” holds quantised weights; its numbers would not be the model's own. Choose the "
            "same model in float32, float16 or bfloat16."
        )
    return config


def _json(path: Path, name: str) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text("utf-8"))
    except ValueError as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise ModelBroken(
            f"The {path.name} of “{name}” is not JSON ({error}). Download it again."
        ) from error
    if not isinstance(value, dict):
        raise ModelBroken(f"The {path.name} of “{name}” is not a JSON object. Download it again.")
    return value


def _weight_files(folder: Path, name: str) -> tuple[Path, ...]:
    if (folder / WEIGHTS).is_file():
        return (folder / WEIGHTS,)
    if (folder / INDEX).is_file():
        parts = _json(folder / INDEX, name).get("weight_map", {})
        # Only names: a path in the index must not lead out of the folder.
        files = tuple(folder / Path(str(part)).name for part in sorted(set(parts.values())))
        missing = [file.name for file in files if not file.is_file()]
        if missing or not files:
            raise ModelBroken(
                f"“{name}” is not whole: {', '.join(missing) or 'every part'} is missing from "
                f"{folder}. Download it again."
            )
        return files
    if any(next(folder.glob(pattern), None) for pattern in PICKLES):
        raise only_pickles(name)
    raise ModelBroken(f"“{name}” has no weights: there is no {WEIGHTS} in {folder}.")


def _headers(file: Path, name: str) -> dict[str, TensorHeader]:
    from safetensors import SafetensorError, safe_open

    with file.open("rb") as stream:
        if stream.read(24).startswith(b"version https://git-lfs"):
            raise ModelBroken(
                f"The {file.name} of “{name}” is only a pointer of Git LFS, not the weights. "
                "Run “git lfs pull” in its folder, or download it again."
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
            f"The {file.name} of “{name}” is damaged or cut short ({error}). Download it again."
        ) from error


def _check_sum(file: Path, sha256: str, name: str) -> None:
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != sha256:
        raise ModelBroken(
            f"The {file.name} of “{name}” is not the published one (its SHA-256 is {found[:12]}…, not "
            f"{sha256[:12]}…). Install or download it again."
        )
