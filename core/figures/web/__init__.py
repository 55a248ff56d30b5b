"""Browser pictures: a small JavaScript module each, and the Python that packs its bytes.

A `Picture` is data. The same modules draw it in the app (`ui.web`), in a notebook (`_repr_html_`) and
in a saved page (`Picture.to_html`); they are our own and ask no host for anything.
"""

from core.figures.web.about import About
from core.figures.web.bars import bars
from core.figures.web.bundle import MODULES, code
from core.figures.web.cloud import MOST_GROUPS, Group, cloud, groups_of
from core.figures.web.curves import Band, Line, lines
from core.figures.web.layer_view import Inner, layer_view
from core.figures.web.link import Link
from core.figures.web.matrices import distance_heatmap, heatmap, signed_heatmap, strips
from core.figures.web.of_site import file_name, heads_of, layer_of
from core.figures.web.ordering import Patterns
from core.figures.web.overview import overview
from core.figures.web.picture import Picture
from core.figures.web.points import Axis, Point, in_space, scatter
from core.figures.web.working import working

__all__ = [
    "MODULES",
    "MOST_GROUPS",
    "About",
    "Axis",
    "Band",
    "Group",
    "Inner",
    "Line",
    "Link",
    "Patterns",
    "Picture",
    "Point",
    "bars",
    "cloud",
    "code",
    "distance_heatmap",
    "file_name",
    "groups_of",
    "heads_of",
    "heatmap",
    "in_space",
    "layer_of",
    "layer_view",
    "lines",
    "overview",
    "scatter",
    "signed_heatmap",
    "strips",
    "working",
]
