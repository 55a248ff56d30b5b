"""Run the cells of notebooks and the lines that a page marks as live, and show what they show.

A block of a page that begins with ```python live runs when the site is built. What its last line
shows stands below it, as in a notebook: a picture with everything that it can do, in a frame of its
own, which a browser fetches only when a reader comes near. The blocks of a page share their names.

`python -m tools.site.live PAGES NOTEBOOK …` does this in a folder of pages, with the package `polysee`
of the wheel on Python's path.
"""

from __future__ import annotations

import ast
import contextlib
import html
import io
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.site import papers

FRAMES = "live"
_BLOCK = re.compile(r"^```python live\n(.*?)^```$", re.M | re.S)
# Pixels around a picture in its page: title, choices, menu. The site's script fits the frame exactly.
AROUND = 180
PLOTLY = "plotly.min.js"
# In a frame, the sentence of a picture is a caption, not the title of a page.
_FRAMED = """<style>h1 { font-size: 1rem; } main { padding: .75rem .25rem; } footer { display: none; }
</style></head>"""
_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light">
<title>{title}</title><style>body {{ margin: 0; background: #fff }}</style></head>
<body><div id="figure"></div><script src="{script}"></script>
<script>Plotly.newPlot("figure", {figure})</script></body></html>
"""


@dataclass(frozen=True)
class Page:
    """Where the outputs of a page go.

    Attributes:
        folder: of all pages.
        name: of the page, from that folder: `gallery/tables.md`.
    """

    folder: Path
    name: str

    def frame(self, content: str, title: str, height: int, number: int) -> str:
        """Write an output as a page of its own, and return the frame that shows it."""
        stem = f"{self.name.removesuffix('.md').replace('/', '-')}-{number}.html"
        (self.folder / FRAMES).mkdir(exist_ok=True)
        (self.folder / FRAMES / stem).write_text(content, "utf-8")
        source = os.path.relpath(f"{FRAMES}/{stem}", os.path.dirname(self.name) or ".")
        return (
            f'<iframe class="live" src="{source}" title="{html.escape(title)}" '
            f'height="{height}" loading="lazy"></iframe>'
        )


def run(source: str, names: dict[str, Any]) -> tuple[str, Any]:
    """Run a cell in a folder for its files; returns what it printed, and the value of its last line."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    return printed.getvalue(), value


def shown(value: Any, page: Page, number: int) -> str:
    """What a notebook would show of a value, as Markdown; "" for None."""
    import pandas as pd
    import plotly.graph_objects as go
    from polysee import Attention
    from polysee.figures import Picture
    from polysee.notebook import PictureView, view_of
    from polysee.notebook.views import view_of_record

    if value is None:
        return ""
    if isinstance(value, Attention):
        value = view_of_record(value)
    if isinstance(value, Picture):
        value = view_of(value)
    if isinstance(value, PictureView):
        picture = value.picture
        content = value.to_html().replace("</head>", _FRAMED, 1)
        return page.frame(content, picture.sentence, picture.height + AROUND, number)
    if isinstance(value, go.Figure):
        return _figure(value, page, number)
    if isinstance(value, pd.Series):
        value = value.to_frame()
    if isinstance(value, pd.DataFrame):
        return f'<div class="table">{value.to_html(max_rows=12, max_cols=12, border=0)}</div>'
    return f"```text\n{value!r}\n```"


def _figure(figure: Any, page: Page, number: int) -> str:
    from plotly.offline import get_plotlyjs

    title = figure.layout.title.text or "A figure by Plotly"
    # Markup in a name must not end the script.
    spec = json.dumps(json.loads(figure.to_json())).replace("</", "<\\/")
    frame = page.frame(
        _PAGE.format(title=html.escape(title), script=PLOTLY, figure=spec),
        title,
        (figure.layout.height or 450) + 20,
        number,
    )
    script = page.folder / FRAMES / PLOTLY  # once for all figures
    if not script.exists():
        script.write_text(get_plotlyjs(), "utf-8")
    return frame


def outputs(cells: Iterator[str] | list[str], page: Page) -> Iterator[str]:
    """For each cell, what it printed and what it shows, as Markdown.

    Raises:
        RuntimeError: a cell fails; the message names the page.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for number, cell in enumerate(cells):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")  # nor does a notebook of ours warn
                    printed, value = run(cell, names)
                below = [f"```text\n{printed.rstrip()}\n```"] if printed.strip() else []
                below += [text] if (text := shown(value, page, number)) else []
            except Exception as error:
                raise RuntimeError(f"{page.name}: cell {number} fails: {error!r}\n{cell}") from error
            yield "\n\n".join(below)


def with_outputs(text: str, page: Page) -> str:
    """A page's Markdown with the outputs of its live blocks below them."""
    blocks = _BLOCK.findall(text)
    if not blocks:
        return text
    below = outputs(blocks, page)
    return _BLOCK.sub(lambda block: f"```python\n{block[1]}```\n\n{next(below)}", text)


def notebook_page(notebook: str, page: Page) -> str:
    """A notebook, the content of its file, as Markdown, with the outputs of its cells."""
    cells = [(one["cell_type"], "".join(one["source"])) for one in json.loads(notebook)["cells"]]
    below = outputs([source for kind, source in cells if kind == "code"], page)
    parts = []
    for kind, source in cells:
        if kind == "markdown":
            parts.append(papers.led(source, f"docs/{page.name}", lambda path: None))
        else:
            parts += [f"```python\n{source}\n```", next(below)]
    return "\n\n".join(part for part in parts if part) + "\n"


def main(folder: Path, notebooks: list[Path]) -> None:
    """Make the pages of notebooks, and run the live blocks of all others."""
    for path in notebooks:
        name = str(papers.page_of(path.relative_to(papers.ROOT).as_posix()))
        page = folder / name
        page.parent.mkdir(parents=True, exist_ok=True)
        text = notebook_page(path.read_text("utf-8"), Page(folder, name))
        page.write_text(text, "utf-8")
    for page in sorted(folder.rglob("*.md")):
        text = page.read_text("utf-8")
        changed = with_outputs(text, Page(folder, page.relative_to(folder).as_posix()))
        if changed != text:
            page.write_text(changed, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
