"""The numbers of a transformer small enough for the screen, and a visitor's changes to them.

Four positions, d_model 6, 2 heads of 3, d_ff 8; chosen by hand, with one decimal. No torch here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import NotSupported
from ..localization import _
from ..records.frozen import Array, frozen
from .editable import LEAST as LEAST
from .editable import MOST as MOST
from .editable import Edits as Edits
from .editable import Tables

WORDS = ("the", "more", "less", "merrier", "better")
LONGEST = 4
D_MODEL, N_HEADS, D_FF, EPS = 6, 2, 8, 1e-5

# The name of each matrix in a link, and in a formula.
NAMES: Mapping[str, str] = {
    "E": "E",
    "P": "P",
    "W_Q": "W_Q",
    "W_K": "W_K",
    "W_V": "W_V",
    "W_O": "W_O",
    "g_1": "γ_1",
    "s_1": "β_1",
    "W_1": "W_1",
    "b_1": "b_1",
    "W_2": "W_2",
    "b_2": "b_2",
    "g_2": "γ_2",
    "s_2": "β_2",
}
_TABLES = {
    "E": """
        0.2 -0.1  0.3  0.0  0.1 -0.2
        1.0  0.4 -0.6  0.8  0.0  0.5
       -1.0  0.4 -0.6 -0.8  0.0  0.5
        0.7 -0.9  0.2  0.9  1.1 -0.3
        0.3 -0.8  0.4  0.6  1.2  0.6""",
    "P": """
        0.0  0.5  0.0  0.5  0.0  0.5
        0.4  0.3  0.1  0.5  0.0  0.5
        0.5 -0.2  0.2  0.4  0.1  0.5
        0.1 -0.5  0.3  0.4  0.1  0.4""",
    "W_Q": """
        1.2  0.0 -0.4  0.3  0.0  0.5
        0.0  0.9  0.2 -0.6  0.4  0.0
       -0.3  0.1  1.1  0.0  0.8 -0.2
        0.8 -0.5  0.0  1.0  0.1  0.0
        0.0  0.4  0.6 -0.2  1.3  0.3
        0.5  0.0 -0.1  0.4  0.0  0.9""",
    "W_K": """
        0.9  0.3  0.0  0.0 -0.7  0.2
       -0.2  1.0  0.5  0.8  0.0  0.1
        0.0 -0.4  0.8  0.3  0.6  0.0
        1.1  0.0  0.2 -0.9  0.2  0.4
        0.3  0.6  0.0  0.5  1.0 -0.3
        0.0  0.2 -0.5  0.0  0.1  0.7""",
    "W_V": """
        0.6  0.0  0.2 -0.5  0.3  0.0
        0.1  0.7  0.0  0.4  0.0 -0.2
        0.0 -0.3  0.9  0.0  0.5  0.1
       -0.4  0.2  0.0  0.8  0.0  0.6
        0.5  0.0  0.3  0.1  0.7  0.0
        0.0  0.4 -0.1  0.0  0.2  0.9""",
    "W_O": """
        0.8  0.0  0.1 -0.3  0.0  0.2
        0.0  0.6  0.0  0.4 -0.2  0.0
        0.3  0.0  0.7  0.0  0.1 -0.4
       -0.1  0.5  0.0  0.9  0.0  0.3
        0.2  0.0 -0.6  0.0  0.8  0.0
        0.0  0.1  0.3  0.2  0.0  0.5""",
    "W_1": """
        0.7 -0.3  0.0  0.5  0.1  0.0 -0.6  0.2
        0.0  0.8 -0.4  0.0  0.3  0.6  0.0 -0.1
       -0.5  0.0  0.9  0.2  0.0 -0.7  0.4  0.0
        0.3  0.4  0.0 -0.8  0.6  0.0  0.1  0.5
        0.0 -0.2  0.6  0.0  0.9  0.3  0.0 -0.4
        0.2  0.0  0.1  0.7  0.0 -0.5  0.8  0.0""",
    "W_2": """
        0.6  0.0 -0.2  0.3  0.0  0.1
        0.0  0.5  0.1  0.0 -0.4  0.2
       -0.3  0.0  0.7  0.0  0.2  0.0
        0.1 -0.6  0.0  0.8  0.0 -0.1
        0.0  0.2  0.4  0.0  0.9  0.0
        0.5  0.0  0.0 -0.3  0.1  0.6
        0.0 -0.1  0.3  0.2  0.0  0.7
        0.2  0.4  0.0 -0.5  0.0  0.0""",
    "b_1": "0.1 0.0 -0.1 0.2 0.0 0.1 0.0 -0.2",
    "b_2": "0.0 0.1 0.0 -0.1 0.2 0.0",
    "g_1": "1.0 1.2 0.9 1.0 1.1 0.8",
    "s_1": "0.0 0.1 0.0 -0.1 0.0 0.2",
    "g_2": "1.1 1.0 1.0 0.9 1.0 1.2",
    "s_2": "0.1 0.0 -0.1 0.0 0.2 0.0",
}


def _table(text: str) -> Array:
    return frozen([[float(number) for number in line.split()] for line in text.strip().split("\n")])


NUMBERS: Mapping[str, Array] = {name: _table(text) for name, text in _TABLES.items()}


TABLES = Tables(NUMBERS)
# See `Tables`.
changed, written, read_edits = TABLES.changed, TABLES.written, TABLES.read


def words_of(text: str) -> list[str]:
    """The words of a text, split at spaces, in lower case, without surrounding punctuation."""
    words = [word.strip(".,;:!?…\"'“”‘’()-–—") for word in text.lower().split()]
    return [word for word in words if word]


def read_words(text: str) -> tuple[int, ...]:
    """The indices in `WORDS` of the words of a text; at most the first four.

    Raises:
        NotSupported: if there are no words, or an unknown one.
    """
    typed = words_of(text)
    unknown = [word for word in typed if word not in WORDS]
    if unknown or not typed:
        # The text may be of any length, in any script.
        said = (
            _("The tiny model knows five words: {words}. “{word}” is not one of them.")
            if unknown
            else _("The tiny model knows five words: {words}. Type one of them.")
        )
        words = ", ".join(WORDS)
        raise NotSupported(said.format(words=words, word=unknown[0][:30] if unknown else ""))
    return tuple(WORDS.index(word) for word in typed[:LONGEST])


def names_of(ids: Sequence[int]) -> tuple[str, ...]:
    """The words of some ids."""
    return tuple(WORDS[i] for i in ids)
