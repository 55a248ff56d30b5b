"""Browser pictures: a small JavaScript module each, and the Python that packs its bytes.

A `Picture` is data. The same modules draw it in the app (`ui.web`), in a notebook (`_repr_html_`) and
in a saved page (`Picture.to_html`); they are our own and ask no host for anything.
"""

from core.figures.web.bundle import MODULES, code
from core.figures.web.matrices import heatmap, signed_heatmap, strips
from core.figures.web.picture import Picture

__all__ = ["MODULES", "Picture", "code", "heatmap", "signed_heatmap", "strips"]
