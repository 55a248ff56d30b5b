"""Data in, a plotly Figure out. No figure asks a model; `style` owns every colour and margin."""

from plotly.graph_objects import Figure

from core.figures.sense_paths import sense_paths
from core.figures.word_plane import Plane, word_plane

__all__ = ["Figure", "Plane", "sense_paths", "word_plane"]
