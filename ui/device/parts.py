"""The switch among the settings, and the line that says whose numbers the pictures show."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core import settings, web
from core.localization import _
from core.web import inside
from core.web.built import LANGUAGE_MANIFEST, LANGUAGE_MODEL, MANIFEST, MODEL, fetched
from ui import files, spoken
from ui.device.context import Context
from ui.serving import device_files

BOTH = (MODEL, LANGUAGE_MODEL)  # the models that run in a browser
_COMPARISON = 80e6  # bytes of a saved comparison with the model inside
# Fetches the device's code, which every part of every page shares. This much is sent in each run.
_ADAPTER = (
    spoken.SPEAK
    + """
export default ({ data, parentElement }) => {
  let leave = null, gone = false;
  const code = import(new URL(`${data.base}device.js`, document.baseURI).href);
  Promise.all([code, speak(data.words)]).then(([{ mount }]) => {
    if (!gone) leave = mount(parentElement, data);
  }).catch((error) => console.warn("Polysee: the device's code did not arrive.", error));
  return () => {
    gone = true;
    leave?.();
  };
};
"""
)
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component("polysee_device", js=_ADAPTER, isolate_styles=False)


def switch(model: str, among: Sequence[str] = (MODEL,)) -> None:
    """Draw the switch in the sidebar, or say for which models there is one.

    Where its files were not built, nothing stands there: the log tells the operator (`serving.entry`).

    Args:
        model: the name of the model that is shown.
        among: the models with which the device computes this page.
    """
    built = device_files.built()
    if built is None:
        return
    with st.sidebar:
        if model in among and built.of(model):
            _draw("device switch", model, {"part": "switch"})
        else:
            here = _(" and ").join(_title(one) for one in among if built.of(one))
            st.caption(_("**Compute on this device** works with {models} alone.").format(models=here))


def line(model: str, make: Callable[[], Context], among: Sequence[str] = (MODEL,)) -> None:
    """Draw the line of a page, which is empty while the server computes.

    Args:
        model: the name of the model that is shown.
        make: returns what the device must know of the page; called only if there is a switch.
        among: see `switch`.
    """
    built = device_files.built()
    if device_files.base() is not None and model in among and built is not None and built.of(model):
        _draw("device line", model, {"part": "line", "context": make().sent})


def saved_alive(model: str, file: files.File, choices: Mapping[str, Any]) -> None:
    """Draw the button that saves a page with its model inside; nothing if there is no model for that.

    The browser puts the file together: the server sends the page and the model, each by its address.

    Args:
        model: the name of the model that is shown.
        file: the page without the model, made on request.
        choices: the choices of the page, for the model inside.
    """
    built = device_files.built() if device_files.base() is not None else None
    about = None if built is None else _saved_with(model, built)
    if about is None:
        return
    for offered in files.offered("alive", [file]):
        query = json.dumps(dict(choices))
        saved = {"address": offered["address"], "name": offered["name"], "query": query}
        _draw("saved alive", model, {"part": "saved", "saved": {**saved, **about}})


def _saved_with(model: str, built: web.Built) -> dict[str, Any] | None:
    """Of a saved file with this model inside: its manifest, script and size, and what it does."""
    if model == MODEL:
        runs = _("The file computes while you type, without a network.")
        return {"manifest": MANIFEST, "code": "saved.js", "size": _COMPARISON, "runs": runs}
    if model == LANGUAGE_MODEL and built.language is not None:
        runs = _(
            "The file goes on with any text, without a network. While open, it needs 1 GB of memory."
        )
        size = inside.size(built)
        return {"manifest": LANGUAGE_MANIFEST, "code": inside.SCRIPT, "size": size, "runs": runs}
    return None


def _title(model: str) -> str:
    """The first words of a model's name on the screen."""
    return settings.CATALOGUE[model].title.partition(",")[0].partition(" (")[0]


def _draw(key: str, model: str, more: dict[str, Any]) -> None:
    base, built = device_files.base(), device_files.built()
    found = None if built is None else built.of(model)
    if base is None or built is None or found is None:  # as in tests, where nobody answers there
        return
    name, manifest = found
    about = {"model": model, "title": _title(model), "manifest": name, "memory": manifest["memory"]}
    sizes = {"size": fetched(manifest), "graphics": built.graphics_bytes_fetched}
    data = {"base": base, "words": spoken.address(), **sizes, **about, **more}
    # A component of its own for each model: what is mounted belongs to one.
    own = key if model == MODEL else f"{key} {model}"
    _COMPONENT(key=own, data=data, height="content")
