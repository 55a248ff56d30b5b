"""The code beside the numbers: for each step, the lines that compute it, ready for a notebook.

`excerpt` reads lines from the source itself, `origin` provides the numbers on the screen in a notebook,
`in_torch` and `in_plain_numpy` map each step to its lines, and `snippet` puts everything together.
"""

from .origin import Origin, decoder_alone, paper_decoder, paper_size, recorded, tiny_model, trained
from .snippet import in_numpy, in_pytorch

__all__ = [
    "Origin",
    "decoder_alone",
    "in_numpy",
    "in_pytorch",
    "paper_decoder",
    "paper_size",
    "recorded",
    "tiny_model",
    "trained",
]
