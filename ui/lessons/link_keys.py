"""What the keys of a page's link are called in a sentence."""

from __future__ import annotations

from core.localization import _


def called(key: str) -> str:
    """The name of a key; itself if it has none."""
    names = {"l": _("layer"), "h": _("head"), "q": _("token"), "k": _("key"), "st": _("step")}
    return names.get(key, key)
