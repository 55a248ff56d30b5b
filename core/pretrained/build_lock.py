"""A lock, so that only one model is built at a time.

It is not safe to import `transformers`, or to build models with it, in two threads at once: a
half-imported module lacks names, and the settings of torch that it changes while it loads one model
break the other.
"""

from __future__ import annotations

import threading

BUILDING = threading.RLock()
