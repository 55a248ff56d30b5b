"""One model is built at a time.

`transformers` is neither imported nor builds models safely in two threads at once: names are missing
while it is half imported, and what it changes in torch while it loads one model breaks the other.
"""

from __future__ import annotations

import threading

BUILDING = threading.RLock()
