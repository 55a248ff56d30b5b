"""Data in, a picture out: our own browser pictures, or a plotly Figure where one turns it by hand.

No figure asks a model; `style` owns every colour and margin.
"""

from plotly.graph_objects import Figure

from .trajectories.paths import changed_paths, cosine_paths, sense_paths
from .trajectories.plane import word_projection
from .trajectories.space import word_space

__all__ = [
    "Figure",
    "changed_paths",
    "cosine_paths",
    "sense_paths",
    "word_projection",
    "word_space",
]
