"""Questions about comparisons, for the tests of this folder."""

from __future__ import annotations

import numpy as np

from core.comparison import Chosen, Ends, Question
from core.examples import known_ends
from core.figures import Picture


def known(word: str, *texts: str) -> Ends:
    found = known_ends(word, texts)
    assert found is not None
    return Ends(found.names, found.low, found.high)


def ask(a: str, b: str, words: tuple[str, str], ends: Ends | None) -> Question:
    return Question("minilm", Chosen(a, words[0], 0), Chosen(b, words[1], 0), ends)


def check_sums(shown: Picture, positions: tuple[np.ndarray, ...]) -> None:
    """Check that the word alone and all that is added make the position at each layer."""
    for side, position in zip(shown.header["sides"], positions, strict=True):
        adds = side["adds"]
        parts = np.array(adds["parts"], float)
        assert parts.shape == (6, len(side["parts"]))
        total = side["alone"] + np.nansum(parts, axis=1) + np.array(adds["otherParts"], float)
        np.testing.assert_allclose(total, position, atol=1e-4)
        np.testing.assert_allclose(side["position"], position, atol=1e-5)
