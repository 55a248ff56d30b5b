"""A figure as one HTML file: it opens offline, and holds the figure and the lines that restyle it."""

from __future__ import annotations

import html
from pathlib import Path
from typing import TYPE_CHECKING

from .. import untrusted
from ..errors import NotSupported, in_short

if TYPE_CHECKING:
    import plotly.graph_objects as go

_BEGIN, _END = '<script type="application/json" id="polysee-figure">', "</script>"
_MOST_BYTES = 200_000_000  # of a figure's numbers
_STYLE = """body{margin:24px auto;max-width:900px;padding:0 16px;font:16px/1.5 system-ui,sans-serif;
color:#262a30;background:#fff}pre{background:#f4f5f7;padding:12px;overflow:auto;font-size:14px}"""
_LINES = """import core

figure = core.plot.read({file!r})
figure.update_layout(width=350, font_size=11)  # one column of a paper
figure.update_layout(template="simple_white")  # or a look of your own
figure.write_html("restyled.html")"""


def to_html(figure: go.Figure, file: str = "figure.html") -> str:
    """The whole page: the figure, drawn by Plotly's own script, and the Python lines that restyle it.

    Nothing is fetched. The camera of its toolbar saves an SVG.

    Args:
        figure: the figure.
        file: the name of the file, for the lines.

    Examples:
        >>> from pathlib import Path
        >>> import core
        >>> figure = core.plot.accuracy([0.5, 0.75, 1.0])
        >>> size = Path("accuracy.html").write_text(core.plot.to_html(figure, "accuracy.html"), "utf-8")
    """
    meta = figure.layout.meta or {}
    sentence, name = meta.get("sentence", ""), Path(file).stem
    drawn = figure.to_html(
        full_html=False,
        include_plotlyjs=True,
        config={
            "displaylogo": False,
            "responsive": False,
            "toImageButtonOptions": {"format": "svg", "filename": name},
        },
    )
    data = figure.to_json().replace("<", "\\u003c")  # no text can close the script element
    lines = html.escape(_LINES.format(file=file))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{html.escape(sentence or name)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"{drawn}\n<p>{html.escape(sentence)}</p>\n"
        "<p>The camera above the figure saves it as SVG. To restyle it in Python:</p>\n"
        f"<pre>{lines}</pre>\n"
        f"{_BEGIN}{data}{_END}\n</body>\n</html>\n"
    )


def read(path: str | Path) -> go.Figure:
    """The figure in a page that `to_html` made, or that the app saved as “figure for a paper”.

    Raises:
        NotSupported: the file contains no figure from Polysee, or a damaged one.
        OSError: it cannot be read.

    Examples:
        >>> from pathlib import Path
        >>> import core
        >>> page = core.plot.to_html(core.plot.accuracy([0.5, 0.75, 1.0]))
        >>> size = Path("accuracy.html").write_text(page, "utf-8")
        >>> figure = core.plot.read("accuracy.html").update_layout(width=350)
    """
    import plotly.graph_objects as go

    _, _, rest = Path(path).read_text("utf-8").partition(_BEGIN)
    data, end, _ = rest.partition(_END)
    if not end:
        raise NotSupported(f"{path} holds no Plotly figure: save one with “Figure for a paper”.")
    try:
        return go.Figure(untrusted.parse(data, most_bytes=_MOST_BYTES))
    except ValueError as error:  # not JSON, or no figure
        raise NotSupported(f"The figure in {path} is damaged: {in_short(error)}") from error
