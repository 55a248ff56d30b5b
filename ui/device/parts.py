"""The switch among the settings, and the line that says whose numbers the pictures show."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core import web
from core.web import inside
from core.web.built import LANGUAGE_MANIFEST, LANGUAGE_MODEL, MANIFEST, MODEL
from ui import files
from ui.device.context import Context
from ui.serving import device_files

_COMPARISON = 80e6  # bytes of a saved comparison with the model inside
_OTHER_MODEL = "**Compute on this device** works with MiniLM alone."
# Fetches the device's code, which every part of every page shares. This much is sent in each run.
_ADAPTER = """
export default ({ data, parentElement }) => {
  let leave = null, gone = false;
  import(new URL(`${data.base}device.js`, document.baseURI).href).then(({ mount }) => {
    if (!gone) leave = mount(parentElement, data);
  }).catch((error) => console.warn("Polysee: the device's code did not arrive.", error));
  return () => {
    gone = true;
    leave?.();
  };
};
"""
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component("polysee_device", js=_ADAPTER, isolate_styles=False)


def switch(model: str) -> None:
    """Draw the switch in the sidebar, or say for which model there is one.

    Where its files were not built, nothing stands there: the log tells the operator (`serving.entry`).

    Args:
        model: the name of the model that is shown.
    """
    if device_files.built() is None:
        return
    with st.sidebar:
        if model != MODEL:
            st.caption(_OTHER_MODEL)
        else:
            _draw("device switch", {"part": "switch"})


def line(model: str, make: Callable[[], Context]) -> None:
    """Draw the line of a page, which is empty while the server computes.

    Args:
        model: the name of the model that is shown.
        make: returns what the device must know of the page; called only if there is a switch.
    """
    if device_files.base() is not None and model == MODEL:
        _draw("device line", {"part": "line", "context": make().sent})


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
        _draw("saved alive", {"part": "saved", "saved": {**saved, **about}})


def _saved_with(model: str, built: web.Built) -> dict[str, Any] | None:
    """Of a saved file with this model inside: its manifest, script and size, and what it does."""
    if model == MODEL:
        runs = "The file computes while you type, without a network."
        return {"manifest": MANIFEST, "code": "saved.js", "size": _COMPARISON, "runs": runs}
    if model == LANGUAGE_MODEL and built.language is not None:
        runs = "The file goes on with any text, without a network. While open, it needs 1 GB of memory."
        size = inside.size(built)
        return {"manifest": LANGUAGE_MANIFEST, "code": inside.SCRIPT, "size": size, "runs": runs}
    return None


def _draw(key: str, more: dict[str, Any]) -> None:
    base, built = device_files.base(), device_files.built()
    if base is None or built is None:  # as in tests, where nobody answers there
        return
    data = {"base": base, "size": built.bytes_fetched, **more}
    _COMPONENT(key=key, data=data, height="content")
