"""The loaded models, shared by all visitors: a limited number, each loaded once.

A model is loaded in a separate thread, and all visitors who wait for it see the same progress. A failed
load leaves nothing behind, so that the next attempt starts afresh.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from core import settings
from core.errors import NotSupported, PolyseeError
from core.localization import _, gettext, ngettext, said
from core.pretrained import limit_threads, load, models
from core.records.spelling import UNCASED, Spelling
from ui import callbacks, text
from ui.models import session_models
from ui.models.work_queue import WorkQueue
from ui.serving import logs

if TYPE_CHECKING:
    from core.pretrained import EngineName, Model, TextModel

MOST_MODELS = 4  # two models on both engines
AT_ONCE = 2  # loads at the same time: each takes twice the model's size in memory, and a core


@dataclass
class _Slot:
    """A model that is loaded or being loaded.

    Attributes:
        future: the model, once loaded.
        done: downloaded bytes; 0 if nothing is downloaded.
        total: the size of the download in bytes.
        queue_position: the position in the queue, from 1, while others are loaded; 0 if the model does
            not wait.
    """

    future: Future[Model] = field(default_factory=Future)
    done: int = 0
    total: int = 0
    queue_position: int = 0

    def progress(self, done: int, total: int) -> None:
        self.done, self.total = done, total

    def wait(self, queue_position: int) -> None:
        self.queue_position = queue_position


_slots: OrderedDict[tuple[str, EngineName | None], _Slot] = OrderedDict()
_lock = threading.Lock()
_loading = WorkQueue(AT_ONCE)


def title(name: str) -> str:
    """The name of a model in a sentence: “MiniLM”; for one trained here, what it learned; or its id."""
    if session_models.is_own(name):
        return session_models.title(name)
    entry = settings.CATALOGUE.get(name)
    return name if entry is None else said(entry.title).partition(",")[0]


def markdown_title(name: str) -> str:
    """The same as Markdown."""
    return text.plain(title(name))


def ends_early(name: str) -> bool:
    """Whether this server's memory, rather than the model itself, limits how much of a text is read."""
    loaded = model(name)
    return not session_models.is_own(name) and loaded.max_tokens < loaded.window


_NAMED = "“{name}”"


def no_predictions(name: str) -> str:
    """The reason, in a sentence, why a model predicts no words; "" if it does."""
    # The model said it in English when it was loaded: a sentence about it, and mostly the reason.
    claim, colon, why = model(name).no_predictions.partition(": ")
    said = gettext(claim.replace(f"“{name}”", _NAMED, 1)).replace("{name}", title(name))
    return said + colon + (f"{gettext(why.removesuffix('.'))}." if why else "")


def model(name: str, engine: EngineName | None = None) -> TextModel:
    """The model; if it must be loaded first, the page shows the progress.

    A model that this visitor has trained is in the visitor's session, not in the model cache.

    Raises:
        PolyseeError: see `core.load` and `ui.models.session_models.own_model`.
    """
    if session_models.is_own(name):
        return _own(name, engine)
    slot = _slot((name, engine))
    if not slot.future.done() and not callbacks.running():
        _watch(slot, name)
    return slot.future.result()


def reader(name: str) -> TextModel:
    """The model, for a page on which it reads a single text.

    Raises:
        PolyseeError: see `model`; NotSupported if it is an encoder–decoder, which reads two texts.
    """
    loaded = model(name)
    if loaded.kind == "encoder-decoder":
        raise NotSupported(
            "“{title}” is an encoder–decoder: it reads a text and its target, for example "
            "a translation. The pages Heads and Encoder–decoder show both; on this page, a "
            "model reads a single text.",
            title=title(name),
        )
    return loaded


def _own(name: str, engine: EngineName | None) -> TextModel:
    trained = session_models.own_model(name)
    if engine == "huggingface":
        raise NotSupported(
            "“{name}” was trained here, in our own transformer. There is no other "
            "implementation of it to compare with.",
            name=trained.name,
        )
    return trained


def wait_for(name: str, engine: EngineName | None = None) -> Model:
    """The model, without a page to draw progress on."""
    return _slot((name, engine)).future.result()


def shape_if_loaded(name: str) -> tuple[int, int] | None:
    """How many layers and heads a model has; None if it would have to be loaded first."""
    if session_models.is_own(name):
        try:
            shape = _own(name, None).shape
        except PolyseeError:
            return None
        return shape.n_layers, shape.n_heads
    slot = _slots.get((name, None))
    if slot is None or not slot.future.done() or slot.future.exception() is not None:
        return None
    shape = slot.future.result().shape
    return shape.n_layers, shape.n_heads


def spelling_if_loaded(name: str) -> Spelling:
    """Which spellings a model reads alike; where it is not loaded, those that differ in case."""
    loaded = if_loaded(name)
    return UNCASED if loaded is None else loaded.spelling


def if_loaded(name: str) -> TextModel | None:
    """A model of a name, a folder or the hub; None if it would have to be loaded first."""
    slot = _slots.get((name, None))
    if slot is None or not slot.future.done() or slot.future.exception() is not None:
        return None
    return slot.future.result()


def is_decoder(name: str) -> bool:
    """Whether a model that is loaded reads one text from left to right."""
    loaded = if_loaded(name)
    return loaded is not None and loaded.kind == "decoder"


def n_loaded() -> int:
    """The number of loaded models."""
    return sum(slot.future.done() for slot in list(_slots.values()))


def _slot(key: tuple[str, EngineName | None]) -> _Slot:
    with _lock:
        slot = _slots.get(key)
        if slot is None:
            slot = _slots[key] = _Slot()
            threading.Thread(target=_load, args=(key, slot), daemon=True).start()
        _slots.move_to_end(key)
        _make_room(key)
        return slot


def _make_room(key: tuple[str, EngineName | None]) -> None:
    """Drop the least recently used models from the cache, but not `key`, nor any that is loading."""
    finished = [k for k, other in _slots.items() if other.future.done() and k != key]
    while len(_slots) > MOST_MODELS and finished:
        del _slots[finished.pop(0)]


def _set_apart() -> None:
    """Collect all garbage, then exempt the remaining objects: torch, transformers, the models.

    A collection over all of them takes longer than a run. It includes objects that were exempted
    earlier and have since been released.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _load(key: tuple[str, EngineName | None], slot: _Slot) -> None:
    began = time.monotonic()
    try:
        limit_threads(settings.read().threads)
        with _loading.turn(slot.wait):
            slot.queue_position = 0
            loaded = load(key[0], engine=key[1], progress=slot.progress, paths=False).fitted()
    except BaseException as error:
        with _lock:
            _slots.pop(key, None)
        logs.event("model not loaded", logging.WARNING, error, **_facts(key))
        slot.future.set_exception(error)
        return
    logs.event("model loaded", **_facts(key), seconds=round(time.monotonic() - began, 1))
    _set_apart()
    slot.future.set_result(loaded)
    with _lock:
        _make_room(key)  # several models may have loaded at the same time


def _facts(key: tuple[str, EngineName | None]) -> dict[str, Any]:
    """What the log may say about a model: its name if it is offered, but not one that was typed."""
    try:
        offered = [choice.name for choice in models()]
    except PolyseeError:
        offered = []
    name = key[0] if key[0] in offered else "not one of the offered"
    return {"model": name, "engine": key[1] or "any"}


def _watch(slot: _Slot, name: str) -> None:
    name = text.plain(name)
    with st.spinner(_("Loading the model {name} …").format(name=name), show_time=True):
        bar = st.empty()
        while not slot.future.done():
            if slot.queue_position:
                waits = ngettext(
                    "{name} is waiting until one other model has been loaded. It then starts by "
                    "itself.",
                    "{name} is waiting until {count} other models have been loaded. It then starts by "
                    "itself.",
                    slot.queue_position,
                )
                bar.info(waits.format(name=name, count=slot.queue_position))
            elif slot.total:
                share = min(slot.done / slot.total, 1.0)
                done, total = f"{slot.done / 1e6:.0f}", f"{slot.total / 1e6:.0f}"
                said = _("Downloading {name}: {done} of {total} MB")
                bar.progress(share, said.format(name=name, done=done, total=total))
            time.sleep(0.05)
        bar.empty()
