"""What strangers wrote, checked before anything else reads it: JSON, its types, names, endless marks.

Whatever comes in a model's folder, a corpus, an upload, a link or a request passes through here first.
A file that is part of Polysee, or that it writes for itself within one process, needs none of it.
"""

from .marks import normalized
from .names import NoName, entry
from .numbers import MOST_TYPED, Kind, number
from .parsing import MOST_DEPTH, NotJson, parse, read
from .typed import Misfit, record

__all__ = [
    "MOST_DEPTH",
    "MOST_TYPED",
    "Kind",
    "Misfit",
    "NoName",
    "NotJson",
    "entry",
    "normalized",
    "number",
    "parse",
    "read",
    "record",
]
