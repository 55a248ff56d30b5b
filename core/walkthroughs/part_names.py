"""The parts of a transformer that were exchanged since the paper, by their names; no torch."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

from ..errors import NotSupported
from ..localization import N_, gettext

Part = Literal["as it is", "mask", "order", "norm", "positions", "network", "heads", "mask but first"]
# Not the paper's: the first token alone sees only itself, all others see all.
BUT_FIRST: Part = "mask but first"
PARTS: tuple[Part, ...] = get_args(Part)[:-1]
# As a model of today has it, and as the paper has it.
_EXCHANGES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "mask": (N_("later words are hidden"), N_("an encoder without a mask")),
        "order": (N_("norms before each part"), N_("norms after each sum")),
        "norm": (N_("RMSNorm"), N_("LayerNorm")),
        "positions": (N_("turned queries and keys"), N_("sine waves, added")),
        "network": (N_("SwiGLU"), N_("GELU without a gate")),
        "heads": (N_("heads that share keys"), N_("keys of their own")),
    }
)


def named(part: str) -> Part:
    """The part of this name.

    Raises:
        NotSupported: there is none.
    """
    if part not in (*PARTS, BUT_FIRST):
        raise NotSupported(f"There is no part “{part[:40]}”. There are {', '.join(PARTS)}.")
    return part


def exchanges(part: str) -> str:
    """What is exchanged for what: "RMSNorm → LayerNorm"."""
    return " → ".join(map(gettext, _EXCHANGES[named(part)]))
