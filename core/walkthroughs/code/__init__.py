"""The code beside the numbers: of each step, the lines that compute it, ready for a notebook.

`excerpt` reads lines from the source itself, `origin` says how a notebook comes to the numbers that are
on the screen, `in_torch` and `in_plain_numpy` map each step to its lines, and `snippet` puts them
together.
"""

from .origin import Origin, paper_decoder, paper_size, recorded, tiny_model, trained
from .snippet import in_numpy, in_pytorch

__all__ = [
    "Origin",
    "in_numpy",
    "in_pytorch",
    "paper_decoder",
    "paper_size",
    "recorded",
    "tiny_model",
    "trained",
]
