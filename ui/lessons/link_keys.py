"""What the keys of a page's link are called in a sentence."""

from __future__ import annotations

CALLED = {"l": "layer", "h": "head", "q": "token", "k": "key", "st": "step"}
