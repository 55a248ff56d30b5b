"""The model hub: first what is on the disk, then a short question, only then a download.

Asked directly, `transformers` takes 23 to 47 seconds to find that there is no network. Here the hub
has a few seconds to answer one question, and that answer also tells what the repository holds.
"""

from __future__ import annotations

import io
import os
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from core import settings
from core.errors import ModelBroken, ModelNotFound
from core.pretrained import checkpoint

# A hub id on a repository with only pickles makes transformers ask a conversion service; we never
# let it see a hub id, and this keeps it quiet even if it did.
os.environ.setdefault("DISABLE_SAFETENSORS_CONVERSION", "1")

Progress = Callable[[int, int], None]
"""Called with the bytes that have come and the bytes in all, from the threads that download."""

T = TypeVar("T")  # the bracketed form needs Python 3.12

_ID = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", re.ASCII)
_WANTED = ["*.json", "*.txt", "*.model", checkpoint.WEIGHTS, "model-*-of-*.safetensors"]


def is_id(name: str) -> bool:
    """Whether `name` could be a hub id: "name" or "owner/name"."""
    return bool(_ID.fullmatch(name)) and ".." not in name and "--" not in name


def fetch(
    hub_id: str,
    *,
    also: tuple[str, ...] = (),
    offline: bool = False,
    progress: Progress | None = None,
) -> Path:
    """The folder of a hub model: from the cache if it is whole there, else downloaded.

    Args:
        hub_id: the model's id.
        also: other ids of the same model that the cache may know it by.
        offline: ask nothing of the network.
        progress: called while bytes come; None: `huggingface_hub` draws its own bars in a terminal
            or a notebook.

    Raises:
        ModelNotFound: not in the cache and the hub does not answer, does not know it, or broke off.
        ModelBroken: the hub has it only in a format that Polysee does not open.
    """
    for known_as in (hub_id, *also):
        folder = cached(known_as)
        if folder is not None:
            return folder
    if offline:
        raise ModelNotFound(
            f"“{hub_id}” is not on this machine, and the model hub may not be asked (POLYSEE_HUB or "
            f"HF_HUB_OFFLINE). {_INSTEAD}"
        )
    _ask(hub_id)
    return _download(hub_id, progress)


def cached(hub_id: str) -> Path | None:
    """The folder of the model in the cache of `huggingface_hub`, if all it needs is there."""
    from huggingface_hub import snapshot_download

    try:
        folder = Path(snapshot_download(hub_id, local_files_only=True, allow_patterns=_WANTED))
    except (OSError, ValueError):  # not there, or only a part of it
        return None
    return folder if checkpoint.is_complete(folder) else None


_INSTEAD = (
    "Go online, or put the model into a folder and load that, or take “minilm”, which comes with "
    "Polysee."
)


def _ask(hub_id: str) -> None:
    """One question, within `HUB_PROBE_SECONDS`: are you there, and what do you have of it?"""
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import GatedRepoError, OfflineModeIsEnabled, RepositoryNotFoundError

    seconds = settings.HUB_PROBE_SECONDS
    api = HfApi(endpoint=constants.ENDPOINT)
    try:
        info = _within(seconds + 0.5, lambda: api.model_info(hub_id, timeout=seconds))
    except OfflineModeIsEnabled as error:
        raise ModelNotFound(
            f"“{hub_id}” is not on this machine, and HF_HUB_OFFLINE forbids asking. {_INSTEAD}"
        ) from error
    except GatedRepoError as error:
        raise ModelNotFound(
            f"“{hub_id}” is given only to those whom its owner lets in. Ask for access on its page, "
            "then log in with “hf auth login”."
        ) from error
    except RepositoryNotFoundError as error:
        raise ModelNotFound(
            f"The model hub knows no “{hub_id}”, or it is private. Check its spelling: owner/name."
        ) from error
    except Exception as error:
        raise ModelNotFound(
            f"“{hub_id}” is not on this machine, and the model hub does not answer (within "
            f"{seconds:g} s). {_INSTEAD}"
        ) from error
    names = {sibling.rfilename for sibling in info.siblings or ()}
    if not {checkpoint.WEIGHTS, checkpoint.INDEX} & names:
        raise checkpoint.only_pickles(hub_id)
    if "config.json" not in names or not checkpoint.has_tokenizer(names):
        raise ModelBroken(
            f"“{hub_id}” has no config.json or no tokenizer on the hub. It is not a model that reads "
            "text by itself; choose another."
        )


def _within(seconds: float, call: Callable[[], T]) -> T:
    """The result of `call`, or TimeoutError.

    In a thread of its own, because a connection's timeout does not bound the look-up of the host's
    name; a daemon, because Python would wait for any other thread before it ends.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future.result(seconds)


def _download(hub_id: str, progress: Progress | None) -> Path:
    from huggingface_hub import constants, snapshot_download

    bar: Any = None if progress is None else _bar(progress)
    try:
        return Path(
            snapshot_download(
                hub_id, endpoint=constants.ENDPOINT, allow_patterns=_WANTED, tqdm_class=bar
            )
        )
    except Exception as error:
        raise ModelNotFound(
            f"The download of “{hub_id}” broke off ({type(error).__name__}: {error}). Ask again: it "
            "goes on from the files that have come."
        ) from error


def _bar(progress: Progress) -> type:
    """A tqdm class that draws nothing and reports the bytes written to disk."""
    from tqdm.auto import tqdm

    class Reporting(tqdm):  # type: ignore[type-arg]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            # One of three bars counts the bytes on disk; the others count files and raw traffic.
            self._counts = str(kwargs.get("desc")).startswith("Reconstructing")
            super().__init__(*args, **{**kwargs, "file": io.StringIO(), "disable": False})

        def update(self, n: float | None = 1) -> bool | None:
            drawn: bool | None = super().update(n)
            if self._counts and self.total:
                progress(int(self.n), int(self.total))
            return drawn

    return Reporting
