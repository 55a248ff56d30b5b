"""Where in a folder a model lies: libraries put it into folders of their own.

sentence-transformers may put it into `0_Transformer`; a training keeps it in `checkpoint-500`; the
cache of the hub in `models--owner--name/snapshots/…`. A name that a file gives is only ever looked up
in its own folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ...errors import Filled, ModelBroken
from ...memory import cached
from .weight_files import read_json

CONFIG = "config.json"
MODULES = "modules.json"
GGUF = ".gguf"
ADAPTER, ADAPTER_WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
_CHECKPOINT = re.compile(r"checkpoint-(\d{1,12})")
_CACHED = re.compile(r"models--[\w.-]+")
_MOST = 1_000  # names that are looked at in one folder
_DEPTH = 4  # a cached sentence-transformers model in a folder of its own


class Place(NamedTuple):
    """The folder that holds a model's files.

    Attributes:
        folder: that folder.
        notes: how it was found, in sentences.
        of_sentences: whether it was published as a `sentence-transformers` model.
    """

    folder: Path
    notes: tuple[str, ...] = ()
    of_sentences: bool = False


def find(folder: Path, name: str) -> Place:
    """The place of the model in a folder, which may be the folder itself.

    Raises:
        ModelBroken: several models are there, or modules.json is damaged.
    """
    place = Place(folder)
    for _ in range(_DEPTH):
        step = _step(place.folder, name)
        of_sentences = place.of_sentences or (place.folder / MODULES).is_file()
        if step is None:
            return place._replace(of_sentences=of_sentences)
        inner, note = step
        place = Place(inner, (*place.notes, *([note] if note else [])), of_sentences)
    return place


def holds_model(folder: Path) -> bool:
    """Whether a folder looks like a model, from its file names alone."""
    try:
        if any((folder / file).is_file() for file in (CONFIG, ADAPTER, MODULES)):
            return True
        if next(folder.glob("*.safetensors"), None) is not None:  # weights alone: a sentence says so
            return True
        if packed(folder):
            return True
        cached = _CACHED.fullmatch(folder.name) and (folder / "snapshots").is_dir()
        return bool(cached or checkpoints(folder))
    except OSError:
        return False


def paired(folder: Path) -> bool:
    """Whether the model in a folder is an encoder–decoder, as far as its configuration says.

    A folder that cannot be read is none: what is wrong with it is said when it is loaded.
    """
    try:
        place = find(folder, folder.name).folder
        own = place / CONFIG if (place / CONFIG).is_file() else place / ADAPTER
        found = own.stat()
        return _says_paired(own, found.st_mtime_ns, found.st_size)
    except (ModelBroken, OSError):
        return False


def speaks(folder: Path) -> bool:
    """Whether the model in a folder was saved to continue a text, as far as its files say.

    A folder that cannot be read is none: what is wrong with it is said when it is loaded.
    """
    try:
        place = find(folder, folder.name).folder
        if packed(place):
            return True
        own = place / CONFIG if (place / CONFIG).is_file() else place / ADAPTER
        found = own.stat()
        return _says_speaks(own, found.st_mtime_ns, found.st_size)
    except (ModelBroken, OSError):
        return False


@cached()
def _says_speaks(file: Path, changed: int, size: int) -> bool:
    config = read_json(file, file.parent.name)
    if file.name == ADAPTER:
        return config.get("task_type") == "CAUSAL_LM"
    made_by = config.get("architectures")
    names = made_by if isinstance(made_by, list) else []
    return any(str(one).endswith(("ForCausalLM", "LMHeadModel")) for one in names)


@cached()  # a list of models asks in each run of a page; the file's time says whether it is another one
def _says_paired(file: Path, changed: int, size: int) -> bool:
    config = read_json(file, file.parent.name)
    if file.name == ADAPTER:
        return config.get("task_type") == "SEQ_2_SEQ_LM"
    made_by = config.get("architectures")
    names = made_by if isinstance(made_by, list) else []
    # Such as T5EncoderModel, whose configuration is that of the whole.
    alone = bool(names) and all(str(one).endswith(("EncoderModel", "Encoder")) for one in names)
    return config.get("is_encoder_decoder") is True and not alone


def packed(folder: Path) -> tuple[Path, ...]:
    """The GGUF files of a folder without safetensors, by name: each is a model, or a part of one."""
    found = [one for one, _ in zip(folder.iterdir(), range(_MOST), strict=False)]
    if any(one.suffix == ".safetensors" for one in found):
        return ()
    return tuple(sorted(one for one in found if one.suffix.lower() == GGUF and one.is_file()))


def size(folder: Path) -> int:
    """The bytes of the weights of the model in a folder; 0 where that cannot be said."""
    try:
        place = find(folder, folder.name).folder
        files = packed(place) or place.glob("*.safetensors")
        return sum(one.stat().st_size for one in files)
    except (ModelBroken, OSError):
        return 0


def title(name: str) -> str:
    """The name of a folder for people: `owner/name` for one of the hub's cache."""
    return name.removeprefix("models--").replace("--", "/") if _CACHED.fullmatch(name) else name


def is_adapter(folder: Path) -> bool:
    """Whether a folder holds an adapter in the format of PEFT."""
    return (folder / ADAPTER).is_file() and (folder / ADAPTER_WEIGHTS).is_file()


def _step(folder: Path, name: str) -> tuple[Path, str] | None:
    """The folder inside this one that holds the model, and how to say so; None if this one does."""
    if (inner := _of_modules(folder, name)) is not None:
        return inner, ""
    if _is_saved(folder):
        return None
    if (inner := _snapshot(folder, name)) is not None:
        return inner, ""
    saved = checkpoints(folder)
    if saved:
        newest = saved[-1]
        if len(saved) > 1:
            return newest, Filled(
                "“{name}” is the folder of a training; Polysee reads {newest} in it, the newest of "
                "{n_saved} checkpoints.",
                name=name,
                newest=newest.name,
                n_saved=len(saved),
            )
        return newest, Filled(
            "“{name}” is the folder of a training; Polysee reads {newest} in it.",
            name=name,
            newest=newest.name,
        )
    if (folder / CONFIG).is_file():
        return None
    inner_models = [one for one in _folders(folder) if holds_model(one)]
    if len(inner_models) > 1:
        raise ModelBroken(
            "“{name}” is no model, but a folder of several: {some}. Choose one of them.",
            name=name,
            some=_some(inner_models),
        )
    if not inner_models:
        return None
    return inner_models[0], f"Polysee reads the model in {inner_models[0].name}, inside “{name}”."


def _is_saved(folder: Path) -> bool:
    """Whether a folder has a configuration and weights of a model, both in one GGUF, or an adapter."""
    if is_adapter(folder):
        return True
    if packed(folder):
        return True
    return (folder / CONFIG).is_file() and next(folder.glob("*.safetensors"), None) is not None


def _of_modules(folder: Path, name: str) -> Path | None:
    """Where sentence-transformers has put the transformer; None if that is the folder itself."""
    if not (folder / MODULES).is_file():
        return None
    # The file is a list; `read_json` reads objects, as all other settings are.
    listed = read_json(folder / MODULES, name, kind=list)
    for module in listed:
        path = module.get("path") if isinstance(module, dict) else None
        inner = _named(folder, path)
        of_model = isinstance(module, dict) and str(module.get("type")).endswith(".Transformer")
        if of_model and isinstance(path, str) and path not in ("", ".") and inner is None:
            raise ModelBroken(
                "The {modules} of “{name}” says that its transformer is in “{path}”, and no "
                "folder of this name is inside it; Polysee looks nowhere else. Put that model "
                "there, under a plain name, and name it in the file.",
                modules=MODULES,
                name=name,
                path=path[:100],
            )
        if inner is not None and (inner / CONFIG).is_file():
            return inner if "Transformer" in str(module.get("type")) else None
    return None


def _snapshot(folder: Path, name: str) -> Path | None:
    """The snapshot that a folder of the hub's cache means."""
    inside = folder / "snapshots"
    if not (_CACHED.fullmatch(folder.name) and inside.is_dir()):
        return None
    main = folder / "refs" / "main"
    if main.is_file() and main.stat().st_size < 200:
        meant = _named(inside, main.read_text("utf-8", "replace").strip())
        if meant is not None:
            return meant
    snapshots = _folders(inside)
    if len(snapshots) == 1:
        return snapshots[0]
    found = f"it has {len(snapshots)}: {_some(snapshots)}" if snapshots else "it has none"
    raise ModelBroken(
        "“{name}” is a folder of the hub’s cache, and does not say which snapshot "
        "counts; {found}. Choose one of the folders in snapshots, or download the "
        "model again.",
        name=name,
        found=found,
    )


def _named(folder: Path, name: object) -> Path | None:
    """The folder of this name inside another one; None if it is no plain name, or is not there."""
    if not isinstance(name, str) or name in ("", ".", "..") or Path(name).name != name or "\\" in name:
        return None
    inner = folder / name
    return inner if "\0" not in name and inner.is_dir() else None


def checkpoints(folder: Path) -> list[Path]:
    """The checkpoints in the folder of a training, the oldest first; none if it is no such folder."""
    found = [(_CHECKPOINT.fullmatch(one.name), one) for one in _folders(folder)]
    steps = sorted((int(match[1]), one) for match, one in found if match)
    return [one for _, one in steps if _is_saved(one)]


def _folders(folder: Path) -> list[Path]:
    names = sorted(path.name for path, _ in zip(folder.iterdir(), range(_MOST), strict=False))
    return [folder / name for name in names if (folder / name).is_dir()]


def _some(folders: Iterable[Path]) -> str:
    names = [folder.name for folder in folders]
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more
