"""What strangers wrote, checked before anything else reads it: JSON, its types, names, endless marks.

Whatever comes in a model's folder, a corpus, an upload, a link or a request passes through here first.
A file that is part of Polysee, or that it writes for itself within one process, needs none of it.
"""

from .marks import normalized
from .names import NoName, entry
from .parsing import MOST_DEPTH, NotJson, parse, read
from .typed import Misfit, record

__all__ = [
    "MOST_DEPTH",
    "Misfit",
    "NoName",
    "NotJson",
    "entry",
    "normalized",
    "parse",
    "read",
    "record",
]
