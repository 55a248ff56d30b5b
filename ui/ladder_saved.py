"""What of the Heads page can be kept: the numbers, a page that opens offline, the lines of Python."""

from __future__ import annotations

import html
import io
from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import style
from core.figures.saved_page import Part, saved_page
from core.figures.web import Picture
from ui import permalink
from ui.sites import Site


def buttons(
    ask: Callable[[], Site],
    draw: Callable[[], Picture],
    layer: int | None,
    head: int,
    typed: tuple[str, str],
) -> None:
    """A row of buttons; each file is made when it is asked for, so that nothing is kept for it.

    Args:
        ask: gives the numbers once more.
        draw: gives the picture once more.
        layer: from 0; None for all of them.
        head: of which the CSV is, from 0.
        typed: the text, and the second one or "".
    """
    now, page = permalink.now(), st.context.url or ""
    name = "polysee-heads" if layer is None else f"polysee-layer-{layer + 1}"
    with st.container(horizontal=True, gap="small"):
        _file("NPZ", lambda: npz(ask(), layer), f"{name}.npz", "Weights, queries and keys for NumPy.")
        if layer is not None:
            label = f"{name}-head-{head + 1}.csv"
            _file("CSV", lambda: csv(ask(), layer, head), label, f"The weights of head {head + 1}.")
        _file(
            "HTML",
            lambda: offline(draw(), typed, permalink.link(page, now)),
            f"{name}.html",
            "This picture with all that it can do, to be opened without a network.",
        )


def _file(label: str, make: Callable[[], str | bytes], name: str, about: str) -> None:
    st.download_button(label, make, file_name=name, key=f"file {label}", on_click="ignore", help=about)


def npz(site: Site, layer: int | None) -> bytes:
    """The numbers as `numpy.load` reads them: weights, the tokens, and query and key where known."""
    which = slice(None) if layer is None else slice(layer, layer + 1)
    arrays = {
        "weights": site.attention.weights[which],
        "queries": np.array(site.attention.queries),
        "keys": np.array(site.attention.keys),
    }
    if site.query is not None and site.key is not None:
        arrays |= {"query": site.query[which], "key": site.key[which]}
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def csv(site: Site, layer: int, head: int) -> str:
    """The weights of one head: rows look, columns are looked at."""
    rows = pd.Index(site.attention.queries, name="row looks at column")
    table = pd.DataFrame(site.attention.weights[layer, head], rows, site.attention.keys)
    return str(table.to_csv(float_format="%.9g"))


def offline(picture: Picture, typed: tuple[str, str], link: str) -> str:
    """The picture in a page of its own."""
    texts = "".join(f'<p dir="auto">{html.escape(text)}</p>' for text in typed if text)
    live = f' <a href="{html.escape(link)}">The same, live</a>.' if link else ""
    return saved_page(
        picture.sentence.partition(":")[0],
        [Part("", texts, (picture,))],
        foot=f"Made with Polysee.{live}",
    )


def python(model: str, typed: str, layer: int | None, head: int) -> str:
    """The lines that give the same numbers, and the same picture in a notebook."""
    lines = [
        "import core",
        "from core.figures.web import layer_of, overview",
        f"model = core.load({model!r})",
        f"trace = model.trace({typed!r})",
    ]
    if layer is None:
        lines += [
            "trace.attention.weights  # (layers, heads, queries, keys)",
            "overview(trace.attention.weights, sentence='All heads', name='heads')",
        ]
    else:
        lines += [
            f"trace.attention.weights[{layer}, {head}]  # {style.layer_name(layer)}, head {head + 1}",
            f"layer_of(trace, {layer}, sentence={style.layer_name(layer)!r}, name='layer')",
        ]
    return "\n".join(lines)
