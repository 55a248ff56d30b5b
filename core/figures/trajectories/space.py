"""The paths of a word along three principal components, in a picture that can be rotated."""

from __future__ import annotations

from collections.abc import Sequence

from ...localization import _
from ...measures import Projection
from ..picture import Picture
from ..space import in_space
from .plane import points_of, word_projection

HEIGHT = 400


def word_space(projection: Projection, names: Sequence[str], *, depth: int) -> Picture:
    """Three principal components of the word's paths, each path drawn up to `depth`.

    Args:
        projection: three components; its first two paths are the word in A and in B.
        names: the names of the paths.
        depth: the depth shown, from 0.
    """
    titles = [f"{i + 1}: {100 * float(share):.0f} %" for i, share in enumerate(projection.shares[:3])]
    points = points_of(projection.coordinates[..., :3], names)
    flat = word_projection(projection, names, depth=depth)
    sentence = _("The word in A, in B and alone, along the three directions in which they differ most.")
    picture = in_space(flat, points, titles, height=HEIGHT)
    return Picture(
        picture.module,
        {**picture.header, "sentence": sentence, "file": "polysee-space"},
        picture.payload,
    )
