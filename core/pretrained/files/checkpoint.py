"""A model's folder, checked before anything heavy is imported.

Most defects of a folder show in its file names and headers. Reporting them here costs milliseconds, and
no code from the folder is run: weights are read only from safetensors, never from a pickle, and code
that comes with a model is never executed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...errors import Filled, ModelBroken, ModelNotFound
from . import quantised, tensor_names, tokenizer_apart, tokenizer_files
from .places import ADAPTER, ADAPTER_WEIGHTS, Place
from .weight_files import (
    INDEX,
    WEIGHTS,
    TensorHeader,
    advice,
    all_headers,
    check_sum,
    instead,
    parts,
    pickles,
    read_json,
    weight_files,
)


@dataclass(frozen=True)
class Checkpoint:
    """A folder whose files belong together: the configuration and every tensor's header.

    Attributes:
        folder: the folder of the model.
        config: the content of its config.json.
        tensors: the header of each tensor, by its name.
        notes: how it was read where that is not obvious, in sentences.
        tokenizer: the folder of its tokenizer, which may come with an adapter.
        of_sentences: whether it was published as a `sentence-transformers` model.
        as_stored: whether `transformers` finds these tensors in the folder under these names.
        mapped: whether its tensors stay in their file, which Polysee has unpacked itself: all of them
        are
            finite, and each reader gets the same memory.
        known: whether its tokenizer is one that Polysee has opened before: see `tokenizer_files.load`.
    """

    folder: Path
    config: Mapping[str, Any]
    tensors: Mapping[str, TensorHeader]
    notes: tuple[str, ...]
    tokenizer: Path
    of_sentences: bool
    as_stored: bool
    mapped: bool = False
    known: bool = False

    @property
    def saved_as(self) -> str:
        """The `transformers` class that it was saved from; "" if config.json does not name it."""
        listed = self.config.get("architectures")
        return str(listed[0]) if isinstance(listed, list) and listed else ""

    def tensor(self, key: str, name: str) -> Any:
        """One tensor, as a torch tensor in its own memory. ModelBroken: see `read_tensor`."""
        return self.tensors[key].read(name)

    def unwrapped(self, *, own_model: bool) -> Checkpoint:
        """The same without the names of wrappers before those of the tensors.

        `own_model`: see `core.pretrained.files.tensor_names.unwrapped`.
        """
        return self._called(tensor_names.unwrapped(self.tensors, own_model=own_model))

    def inside(self, wanted: Collection[str], prefix: str = "bert") -> Checkpoint:
        """The same without the name of a module of somebody's own before those of the tensors.

        `wanted`, `prefix`: see `core.pretrained.files.tensor_names.inside`.
        """
        return self._called(tensor_names.inside(self.tensors, wanted, prefix))

    def _called(self, names: Mapping[str, str]) -> Checkpoint:
        if all(key == name for key, name in names.items()):
            return self
        tensors = {names[key]: header for key, header in self.tensors.items()}
        return replace(self, tensors=MappingProxyType(tensors), as_stored=False)

    def in_its_file(self) -> Checkpoint:
        """The same, with tensors that stay in their file: see `mapped`."""
        there = {key: replace(header, mapped=True) for key, header in self.tensors.items()}
        return replace(self, tensors=MappingProxyType(there), mapped=True)

    def with_halves_in_file(self, names: Collection[str]) -> Checkpoint:
        """The same, with those of these tensors in their file that are in half precision there."""
        there = {
            key: replace(header, mapped=True) if key in names and header.is_half else header
            for key, header in self.tensors.items()
        }
        return replace(self, tensors=MappingProxyType(there))

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every tensor, by its name."""
        return {name: header.shape for name, header in self.tensors.items()}


def read(
    folder: Path | Place,
    name: str,
    sha256: str | None = None,
    tokenizer: Path | None = None,
    *,
    known: bool = False,
) -> Checkpoint:
    """Check every file that loading will need.

    Args:
        folder: the folder of the model, or what `places.find` says of it.
        name: the name of the model in messages.
        sha256: the required checksum of `model.safetensors`.
        tokenizer: the folder of its tokenizer, if that is another one.
        known: whether Polysee has made the folder itself, out of a published file with its checksum.

    Raises:
        ModelNotFound: if there is no such folder.
        ModelBroken: if a file is missing, damaged, or of a kind that Polysee does not open.
    """
    place = folder if isinstance(folder, Place) else Place(folder)
    folder = place.folder
    of_tokenizer = tokenizer or folder
    try:
        if not folder.is_dir():
            raise ModelNotFound(
                "There is no folder {folder} to read “{name}” from.",
                folder=folder,
                name=name,
            )
        config = _config(folder, name)
        files, note = weight_files(folder, name)
        _check_tokenizer(of_tokenizer, config["model_type"], name)
        if not known:
            tokenizer_apart.check(of_tokenizer, name)
        if sha256 is not None:
            check_sum(folder / WEIGHTS, sha256, name)
        packed = config.pop("quantization_config", None)
        headers = all_headers(files, name, quantised=bool(packed))
        of_packed = ""
        if packed:
            headers, of_packed = quantised.dequantised(headers, packed, name)
    except OSError as error:
        raise ModelBroken(
            "The files of “{name}” cannot be read: {error}. Check the permissions of "
            "{folder} and its disk.",
            name=name,
            error=error,
            folder=folder,
        ) from error
    return Checkpoint(
        folder,
        MappingProxyType(config),
        MappingProxyType(headers),
        (*place.notes, *filter(None, [note, of_packed])),
        of_tokenizer,
        place.of_sentences,
        as_stored=not (note or packed),
        known=known,
    )


def is_complete(folder: Path) -> bool:
    """Whether configuration, weights and tokenizer are there: a cached download may be partial."""
    # `exists` excludes a link whose file is gone.
    names = {path.name for path in folder.iterdir() if path.exists()} if folder.is_dir() else set()
    if "config.json" not in names:
        return False
    try:
        if not tokenizer_files.has_vocabulary(names):
            kind = read_json(folder / "config.json", folder.name).get("model_type")
            if not tokenizer_files.needs_no_vocabulary(folder, kind, folder.name):
                return False
        return WEIGHTS in names or (INDEX in names and names.issuperset(parts(folder, folder.name)))
    except ModelBroken:
        return False


def _config(folder: Path, name: str) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        raise ModelBroken(
            "“{name}” has no config.json in {folder}, and nothing else says which kind of "
            "model it is. {found_instead}",
            name=name,
            folder=folder,
            found_instead=_found_instead(folder) or advice(folder),
        )
    config = read_json(path, name)
    if not isinstance(config.get("model_type"), str):
        raise ModelBroken(
            "The config.json of “{name}” has no model_type, and nothing else says which "
            "kind of model it is. {advice}",
            name=name,
            advice=advice(folder),
        )
    _no_code(config, path, name)
    if "transformers_weights" in config or (
        (folder / ADAPTER).exists() and not (folder / ADAPTER_WEIGHTS).exists()
    ):
        # With either of these, transformers would load weights other than model.safetensors.
        raise ModelBroken(
            "“{name}” takes its weights, or a part of them, from elsewhere (an adapter, or "
            "transformers_weights in config.json). Save the whole model into one {weights} "
            "first.",
            name=name,
            weights=WEIGHTS,
        )
    return config


def _found_instead(folder: Path) -> str:
    """What there is in place of a model, and what to do; "" if nothing is known."""
    weights = sorted(path.name for path in folder.glob("*.safetensors")) or pickles(folder)
    if weights:
        return Filled(
            "There are weights alone ({weights}). Add the config.json and the "
            "tokenizer of the model, as model.save_pretrained(folder) and "
            "tokenizer.save_pretrained(folder) write them.",
            weights=", ".join(weights[:3]),
        )
    return instead(folder)


def _no_code(config: Mapping[str, Any], path: Path, name: str) -> None:
    if config.get("auto_map"):
        raise ModelBroken(
            "“{name}” is a model that brings its own program code (auto_map in {file}). "
            "Polysee never runs code that comes with a model. Choose a model of a type "
            "that transformers knows.",
            name=name,
            file=path.name,
        )


def _check_tokenizer(folder: Path, kind: str, name: str) -> None:
    there = {path.name for path in folder.iterdir()}
    if not tokenizer_files.has_vocabulary(there) and not tokenizer_files.needs_no_vocabulary(
        folder, kind, name
    ):
        if "source.spm" in there:
            missing = sorted({"target.spm", "vocab.json"} - there)
            raise ModelBroken(
                "“{name}” has only a part of its tokenizer in {folder}: source.spm without "
                "{missing}. Add a tokenizer.json, or the files that are missing.",
                name=name,
                folder=folder,
                missing=" and ".join(missing),
            )
        raise ModelBroken(
            "“{name}” has no tokenizer in {folder}: without tokenizer.json or vocab.txt, "
            "its text cannot be split into the pieces that it learned. Add the files of "
            "its tokenizer.",
            name=name,
            folder=folder,
        )
    path = folder / tokenizer_files.SETTINGS
    if path.is_file():
        _no_code(read_json(path, name), path, name)
