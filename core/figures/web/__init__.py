"""Browser pictures: a small JavaScript module each, and the Python that packs its bytes.

A `Picture` is data. The same modules draw it in the app (`ui.figure`), in a notebook (`_repr_html_`)
and in a saved page (`Picture.to_html`); they are our own and ask no host for anything.
"""

from ..attention.head_captions import About
from ..attention.layer_view import Inner, layer_view
from ..attention.ordering import Patterns
from ..attention.overview import overview
from ..attention.pictures import file_name, heads_of, layer_of
from ..bars import bars
from ..cloud import MOST_GROUPS, Group, cloud, groups_of
from ..curves import Band, Line, lines
from ..link import Link
from ..matrices import distance_heatmap, heatmap, signed_heatmap, strips
from ..picture import Picture
from ..points import Axis, Point, in_space, scatter
from ..working import working
from .bundle import MODULES, code

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
