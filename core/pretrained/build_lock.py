"""A lock, so that only one model is built at a time.

`transformers` is not safe to import, or to build models with, in two threads at once: half imported, it
lacks names, and what it changes in torch while it loads one model breaks the other.
"""

from __future__ import annotations

import threading

BUILDING = threading.RLock()
