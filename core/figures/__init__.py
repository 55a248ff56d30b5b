"""Pictures from records, one module for each family; `style` defines every colour and margin.

A `Picture` is data: a header and numbers. The same JavaScript (`web/src`) draws it in the app
(`ui.figure`), in a notebook (`_repr_html_`) and in a saved page (`Picture.to_html`), without network
access. It is our own code, except that Plotly draws pictures in three dimensions. No figure runs a
model.
"""

from .attention.head_captions import About
from .attention.layer_view import Inner, LayerAttention, LayerTitles, OnPage, layer_view
from .attention.ordering import Patterns
from .attention.overview import AllHeads, overview
from .attention.pictures import attention_of, file_name, heads_of, layer_of
from .bars import bars
from .branches import Branch, branches
from .cloud import MOST_GROUPS, Group, GroupedPoints, cloud, groups_of
from .concordance import concordance
from .curves import Band, Line, StepAxis, ValueAxis, lines
from .forward import TinyNumbers, forward
from .lengths import lengths
from .lens import lens_grid
from .link import Link
from .logit_parts import apart, bare, why_parts, why_text, why_words
from .matrices import distance_heatmap, heads_heatmap, heatmap, signed_heatmap, strips
from .next_word import next_word, next_word_of
from .patching import patched_words, patching
from .picture import Picture
from .points import Axis, Point, scatter
from .shaded import labelled_text, shaded_text
from .shares import share_dots
from .space import cloud_in_space, in_space
from .steps import step_view
from .trajectories.paths import changed_paths, cosine_paths, sense_paths
from .trajectories.plane import word_projection
from .trajectories.space import word_space
from .word_map import Side, word_map

__all__ = [
    "MOST_GROUPS",
    "About",
    "AllHeads",
    "Axis",
    "Band",
    "Branch",
    "Group",
    "GroupedPoints",
    "Inner",
    "LayerAttention",
    "LayerTitles",
    "Line",
    "Link",
    "OnPage",
    "Patterns",
    "Picture",
    "Point",
    "Side",
    "StepAxis",
    "TinyNumbers",
    "ValueAxis",
    "apart",
    "attention_of",
    "bare",
    "bars",
    "branches",
    "changed_paths",
    "cloud",
    "cloud_in_space",
    "concordance",
    "cosine_paths",
    "distance_heatmap",
    "file_name",
    "forward",
    "groups_of",
    "heads_heatmap",
    "heads_of",
    "heatmap",
    "in_space",
    "labelled_text",
    "layer_of",
    "layer_view",
    "lengths",
    "lens_grid",
    "lines",
    "next_word",
    "next_word_of",
    "overview",
    "patched_words",
    "patching",
    "scatter",
    "sense_paths",
    "shaded_text",
    "share_dots",
    "signed_heatmap",
    "step_view",
    "strips",
    "why_parts",
    "why_text",
    "why_words",
    "word_map",
    "word_projection",
    "word_space",
]
