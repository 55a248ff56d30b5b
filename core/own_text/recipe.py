"""The settings of a model of one's own text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np

from ..errors import SettingError
from ..localization import _, decimal, ngettext

Kind = Literal["letters", "pairs"]
LEAST_TEXT, MOST_TEXT = 400, 300_000  # characters
HELD = 0.1  # of the text, its end
LONGEST_CODE = 100  # characters of a recipe in one word
BOUNDS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "pairs": (16, 2_000),
        "layers": (1, 4),
        "heads": (1, 8),
        "width": (16, 256),
        "window": (16, 256),
        "batch": (1, 64),
        "rate": (1e-5, 0.05),
        "steps": (1, 5_000),
        "seed": (0, 999_999),
    }
)


@dataclass(frozen=True)
class TextRecipe:
    """What a model reads, its sizes, and how it learns; with its text, all that decides its numbers.

    Attributes:
        kind: "letters", or "pairs": byte pairs that are frequent in the text (Sennrich et al. 2016).
        pairs: how many byte pairs are learned.
        layers: of the decoder.
        heads: in each layer; they share the width.
        width: d_model.
        window: how many tokens it reads at once.
        batch: windows in one step.
        rate: the largest learning rate.
        steps: of the training.
        seed: of the first weights and of the windows.

    Raises:
        SettingError: a value is out of range, or the heads do not share the width in even parts.
    """

    kind: Kind = "letters"
    pairs: int = 256
    layers: int = 2
    heads: int = 4
    width: int = 96
    window: int = 64
    batch: int = 16
    rate: float = 4e-3
    steps: int = 400
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            said = _("A model reads letters or pairs, not {kind}.")
            raise SettingError(said.format(kind=repr(self.kind)))
        for name, (least, most) in BOUNDS.items():
            value = getattr(self, name)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not (whole or (name == "rate" and isinstance(value, float))):
                said = _("{name} is {value}; it must be a whole number.")
                raise SettingError(said.format(name=name, value=repr(value)))
            if not least <= value <= most:
                said = _("{name} is {value}; it must be from {least} to {most}.")
                bounds = {"least": decimal(f"{least:g}"), "most": decimal(f"{most:g}")}
                raise SettingError(said.format(name=name, value=decimal(str(value)), **bounds))
        if self.width % self.heads or self.width // self.heads % 2:
            raise SettingError(
                _(
                    "{heads} heads do not share a width of {width} in even parts, as positions need it."
                ).format(heads=self.heads, width=self.width)
            )


def parted(text: str) -> tuple[str, str]:
    """What a model learns from, and the end of the text, which is held out."""
    cut = len(text) - max(1, int(HELD * len(text)))
    return text[:cut], text[cut:]


def unfit(text: str) -> str:
    """Why a text cannot be learned, by its letters alone, in a sentence; "" if it can."""
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        return _("The text holds halves of letters, as a damaged file does.")
    if LEAST_TEXT <= len(text) <= MOST_TEXT:
        return ""
    return ngettext(
        "The text has {count} character; a model learns from {least} to {most}.",
        "The text has {count} characters; a model learns from {least} to {most}.",
        len(text),
    ).format(
        count=decimal(f"{len(text):,}"),
        least=decimal(f"{LEAST_TEXT:,}"),
        most=decimal(f"{MOST_TEXT:,}"),
    )


def code(recipe: TextRecipe) -> str:
    """A recipe in one word, for links and names: "letters-256-2-4-96-64-16-0.004-400-0"."""
    # 5e-05 would have a minus of its own, at which `read` divides
    values = astuple(recipe)
    return "-".join(
        np.format_float_positional(one, trim="0") if isinstance(one, float) else str(one)
        for one in values
    )


def read(written: str) -> TextRecipe:
    """The recipe of a word from `code`.

    Raises:
        SettingError: it is none.
    """
    kind, *numbers = written[:LONGEST_CODE].split("-")
    try:
        values = [float(one) if "." in one else int(one) for one in numbers]
        return TextRecipe(kind, *values)  # type: ignore[arg-type]  # it checks itself
    except (TypeError, ValueError, OverflowError) as error:
        raise SettingError(_("This is no recipe of a model of one’s own text.")) from error
