"""A picture of `core.figures` as a Plotly figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..errors import NotSupported
from ..figures import Picture

if TYPE_CHECKING:
    import plotly.graph_objects as go

# The pictures that can be drawn on paper, by their module in `core/figures/web`.
MODULES = frozenset({"bars", "cloud", "heatmap", "lines", "nextword", "plane", "space", "trajectory"})


def of(picture: Picture) -> go.Figure:
    """The same numbers, names and colours in one Plotly figure, in the state of the picture.

    Args:
        picture: a picture of one of `MODULES`.

    Raises:
        NotSupported: it is a picture of another module, such as one of many heads at once.

    Examples:
        >>> import core
        >>> from core.figures import heatmap
        >>> from core.measures import head_map
        >>> trace = core.load("minilm").trace("She sat on the bank of the river.")
        >>> head = head_map(trace, 2, 5, special=False)
        >>> picture = heatmap(head, sentence="A head.", name="head")
        >>> core.plot.of(picture).layout.meta["sentence"]
        'A head.'
    """
    from . import charts, matrices, points  # Plotly takes a while to import

    drawn: Mapping[str, Callable[[Picture], go.Figure]] = {
        "bars": charts.bars,
        "cloud": points.cloud,
        "heatmap": matrices.heatmap,
        "lines": charts.lines,
        "nextword": charts.next_word,
        "plane": points.plane,
        "space": points.space,
        "trajectory": charts.trajectory,
    }
    if picture.module not in MODULES:
        raise NotSupported(
            "There is no figure for paper of this picture. `core.plot.attention` draws one head."
        )
    return drawn[picture.module](picture)
