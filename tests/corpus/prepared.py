"""What a build imports, imported: for the process that `builds` forks."""

from __future__ import annotations

import lance_namespace as _lance_namespace  # noqa: F401  (not lancedb: it begins a thread)
import pandas as _pandas  # noqa: F401

import core
from core.corpus import command as _command  # noqa: F401
from core.corpus.building import build as _building  # noqa: F401
from core.pretrained import limit_threads

limit_threads(1)  # as many as survive a fork
core.load("minilm")
