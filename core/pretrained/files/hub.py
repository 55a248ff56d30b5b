"""The model hub: first the disk, then a short query, and only then a download.

On its own, `transformers` takes 23 to 47 seconds to notice that there is no network. Here the hub has a
few seconds to answer one query, whose answer also lists the content of the repository.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

from ... import settings
from ...errors import Filled, ModelBroken, ModelNotFound
from . import checkpoint, tokenizer_files, weight_files
from .download import Progress, download, in_background

# For a repository with only pickles, transformers contacts a conversion service. We never pass it a hub
# id, and this setting would prevent the contact even if we did.
os.environ.setdefault("DISABLE_SAFETENSORS_CONVERSION", "1")


_ID = re.compile(r"\w([\w.-]*\w)?(/\w([\w.-]*\w)?)?", re.ASCII)
# The files that loading needs, all beside config.json: a repository may hold the same model in ten
# formats.
_WANTED = [
    "config.json",
    "generation_config.json",
    *tokenizer_files.FILES,
    weight_files.INDEX,
    weight_files.WEIGHTS,
    "model-*-of-*.safetensors",
]


def is_id(name: str) -> bool:
    """Whether `name` could be a hub id, "name" or "owner/name", by the hub's own rules."""
    if len(name) > 96 or ".." in name or "--" in name or name.endswith(".git"):
        return False
    return bool(_ID.fullmatch(name))


# What to do where the hub cannot be asked: for whoever may load a model by its path, and on a page,
# whose list has the models that fit it.
_INSTEAD = Filled(
    "Go online, or put the model into a folder and load that, or use “minilm”, which comes "
    "with Polysee."
)
ON_A_PAGE = Filled(
    "Choose one of the models in this page’s list. Whoever runs Polysee can add others: their folders "
    "go into POLYSEE_MODELS."
)


def fetch(
    hub_id: str,
    *,
    also: tuple[str, ...] = (),
    offline: bool = False,
    progress: Progress | None = None,
    instead: str = _INSTEAD,
) -> Path:
    """The folder of a hub model: from the cache if it is complete there, otherwise downloaded.

    A hub that cannot be reached, or does not have the model, is reported within 5 seconds. A download
    may take any time while bytes arrive; after `HUB_STALL_SECONDS` without any, it is abandoned.

    Args:
        hub_id: the model's id.
        also: other ids under which the cache may hold the same model.
        offline: whether to use no network.
        progress: called while bytes arrive; None draws a bar in a terminal or a notebook.
        instead: what to do where the hub does not answer, in sentences.

    Raises:
        ModelNotFound: if it is not in the cache, and the hub does not answer, does not know it, or
            broke off.
        ModelBroken: if the hub has it only in a format that Polysee does not open.
    """
    for known_as in (hub_id, *also):
        folder = cached(known_as)
        if folder is not None:
            return folder
    if offline:
        raise ModelNotFound(
            "“{hub_id}” is not on this machine, and Polysee is not allowed to ask the "
            "model hub (POLYSEE_HUB or HF_HUB_OFFLINE). {instead}",
            hub_id=hub_id,
            instead=instead,
        )
    return download(hub_id, _ask(hub_id, instead), progress, partial(_refused, hub_id, instead))


def cached(hub_id: str) -> Path | None:
    """The folder of the model in the cache of `huggingface_hub`, if it is complete."""
    from huggingface_hub import snapshot_download

    try:
        folder = Path(
            snapshot_download(
                hub_id, local_files_only=True, allow_patterns=_WANTED, ignore_patterns=["*/*"]
            )
        )
    except (OSError, ValueError):  # missing or incomplete
        return None
    return folder if checkpoint.is_complete(folder) else None


def _ask(hub_id: str, instead: str) -> dict[str, int]:
    """One query, within `HUB_PROBE_SECONDS`: the files to download and their sizes.

    The weights come last, so that an interrupted download never looks complete.
    """
    from huggingface_hub import HfApi, constants

    seconds = settings.HUB_PROBE_SECONDS
    api = HfApi(endpoint=constants.ENDPOINT)
    try:
        info = in_background(
            lambda: api.model_info(hub_id, timeout=seconds, files_metadata=True)
        ).result(seconds + 0.5)
    except Exception as error:
        raise _refused(hub_id, instead, error) or ModelNotFound(
            "“{hub_id}” is not on this machine, and the model hub did not answer properly "
            "within {seconds:g} s. {instead}",
            hub_id=hub_id,
            seconds=seconds,
            instead=instead,
        ) from error
    sizes = {sibling.rfilename: sibling.size or 0 for sibling in info.siblings or ()}
    names = sizes.keys()
    if not {weight_files.WEIGHTS, weight_files.INDEX} & names:
        raise weight_files.only_pickles(hub_id)
    kind = info.config.get("model_type") if isinstance(info.config, dict) else None
    if "config.json" not in names or not (
        tokenizer_files.has_vocabulary(names) or _needs_none(hub_id, kind, sizes, instead)
    ):
        raise ModelBroken(
            "“{hub_id}” has no config.json or no tokenizer on the hub. It cannot read text "
            "on its own. Choose another model.",
            hub_id=hub_id,
        )
    unwanted = {weight_files.INDEX, "model-*"} if weight_files.WEIGHTS in names else set()
    wanted = [
        file
        for file in names
        if "/" not in file and _matches(file, _WANTED) and not _matches(file, unwanted)
    ]
    wanted.sort(key=lambda file: (file.endswith(".safetensors"), file))
    return {file: sizes[file] for file in wanted}


def _needs_none(hub_id: str, kind: object, sizes: dict[str, int], instead: str) -> bool:
    """Whether a model without a vocabulary file reads characters, judged by its type on the hub."""
    if kind != "t5" or tokenizer_files.SETTINGS not in sizes:
        return isinstance(kind, str) and kind in tokenizer_files.WITHOUT_VOCABULARY
    # To the hub, ByT5 is a T5. Its tokenizer class, in a small file, identifies it.
    small = {file: sizes[file] for file in ("config.json", tokenizer_files.SETTINGS)}
    folder = download(hub_id, small, lambda *_: None, partial(_refused, hub_id, instead))
    return tokenizer_files.needs_no_vocabulary(folder, kind, hub_id)


def _matches(file: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(file, pattern) for pattern in patterns)


def _refused(hub_id: str, instead: str, error: Exception) -> ModelNotFound | None:
    """The message for a definite refusal by the hub; None for other errors."""
    from huggingface_hub.errors import GatedRepoError, OfflineModeIsEnabled, RepositoryNotFoundError

    if isinstance(error, OfflineModeIsEnabled):
        return ModelNotFound(
            "“{hub_id}” is not on this machine, and HF_HUB_OFFLINE forbids asking. {instead}",
            hub_id=hub_id,
            instead=instead,
        )
    if isinstance(error, GatedRepoError):
        return ModelNotFound(
            "The owner of “{hub_id}” restricts access to it. Request access on its page, "
            "then log in with “hf auth login”.",
            hub_id=hub_id,
        )
    if isinstance(error, RepositoryNotFoundError):
        return ModelNotFound(
            "The model hub knows no “{hub_id}”, or it is private. Check its spelling: owner/name.",
            hub_id=hub_id,
        )
    return None
