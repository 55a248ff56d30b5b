"""All settings of a training: the recipe reproduces the model's weights exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from ...errors import SettingError
from ...localization import N_, _, decimal, gettext

TaskName = Literal["copy", "reverse", "sort", "induction", "bank", "translation", "to-english"]
Decay = Literal["none", "linear", "cosine"]
Positions = Literal["sinusoidal", "learned", "rotary", "none"]


class Bound(NamedTuple):
    """The smallest and the largest value of a number in a recipe."""

    least: float
    most: float


# Recipes come from links and files: no value may ask for more than a small machine can provide.
BOUNDS: Mapping[str, Bound] = MappingProxyType(
    {
        "steps": Bound(1, 10_000),
        "batch": Bound(1, 256),
        "learning_rate": Bound(1e-6, 1.0),
        "warm_up": Bound(0, 10_000),
        "n_encoder_layers": Bound(0, 4),
        "n_decoder_layers": Bound(0, 4),
        "n_heads": Bound(1, 8),
        "n_cross_heads": Bound(1, 8),
        "d_model": Bound(4, 128),
        "d_ff": Bound(0, 512),
        "guidance": Bound(0.0, 1.0),
        "seed": Bound(0, 2**31 - 1),
    }
)
_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"task": get_args(TaskName), "decay": get_args(Decay), "positions": get_args(Positions)}
)
_WHOLE = frozenset(BOUNDS) - {"learning_rate", "guidance"}

_NEEDS = {
    "encoder": N_(
        "The task “{task}” has {count} encoder layers in this recipe; its model needs at least one."
    ),
    "decoder": N_(
        "The task “{task}” has {count} decoder layers in this recipe; its model needs at least one."
    ),
}
_HAS_NONE = {
    "encoder": N_(
        "The task “{task}” has {count} encoder layers in this recipe; its model has no encoder, so it "
        "must be 0."
    ),
    "decoder": N_(
        "The task “{task}” has {count} decoder layers in this recipe; its model has no decoder, so it "
        "must be 0."
    ),
}


@dataclass(frozen=True)
class Recipe:
    """The settings of a training: task, model, number of steps, seed.

    Attributes:
        task: a name from `core.tasks.TASKS`.
        steps: the number of updates of the weights.
        batch: the number of examples in each step.
        learning_rate: the peak learning rate; see `rate`.
        warm_up: the number of steps until the peak is reached.
        decay: how the rate falls to 0 by the last step: linearly, by a cosine, or not at all.
        n_encoder_layers: 0 for a task whose model is only a decoder.
        n_decoder_layers: 0 for a task whose model is only an encoder.
        n_heads: the heads of each self-attention.
        n_cross_heads: the heads of each cross-attention, if there are encoder and decoder.
        d_model: the width of every vector; a multiple of the numbers of heads.
        d_ff: the width inside the feed-forward networks; 0 for none.
        norm_first: whether to use pre-LN; False is the paper's post-LN.
        positions: how positions are encoded; see `core.transformer.TransformerConfig`.
        guidance: the weight of the loss that teaches the model where to attend.
        seed: the seed of the initial weights and of the examples.

    Raises:
        SettingError: if a value has the wrong type or is out of bounds; the message names it.
    """

    task: TaskName
    steps: int
    batch: int
    learning_rate: float
    warm_up: int
    decay: Decay
    n_encoder_layers: int
    n_decoder_layers: int
    n_heads: int
    n_cross_heads: int
    d_model: int
    d_ff: int
    norm_first: bool
    positions: Positions = "sinusoidal"
    guidance: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise SettingError(
                    _("{name} in a recipe is {value}; it must be one of {choices}.").format(
                        name=name, value=_short(value), choices=", ".join(choices)
                    )
                )
        for name in BOUNDS:
            object.__setattr__(self, name, _number(name, getattr(self, name)))
        if not isinstance(self.norm_first, bool):
            raise SettingError(
                _("norm_first in a recipe is {value}; it must be true or false.").format(
                    value=_short(self.norm_first)
                )
            )
        self._check_shape()

    def _check_shape(self) -> None:
        refused = _(
            "d_model {width} does not divide into {count} heads ({name}). Choose another d_model, or "
            "another number of them."
        )
        for name in ("n_heads", "n_cross_heads"):
            count = getattr(self, name)
            if self.d_model % count:
                raise SettingError(refused.format(width=self.d_model, count=count, name=name))
        if self.positions == "rotary" and self.d_model // self.n_heads % 2:
            raise SettingError(
                _(
                    "Rotary positions turn pairs of dimensions; a head of {size} is odd. Choose "
                    "another d_model, or another number of heads."
                ).format(size=self.d_model // self.n_heads)
            )
        encoder, decoder = _halves(self.task)
        for half, wanted in (("encoder", encoder), ("decoder", decoder)):
            n_layers = getattr(self, f"n_{half}_layers")
            if bool(n_layers) != wanted:
                said = gettext(_NEEDS[half] if wanted else _HAS_NONE[half])
                raise SettingError(said.format(task=self.task, count=n_layers))

    def rate(self, step: int) -> float:
        """The learning rate of a step, from 1: a linear rise, then a fall according to `decay`.

        The rise is the paper's (section 5.3); cosine: Loshchilov and Hutter (2017), equation 5.
        """
        if step <= self.warm_up:
            return self.learning_rate * step / self.warm_up
        # The rate is not yet 0 at the last step, since a step at rate 0 would change nothing.
        gone = (step - self.warm_up - 1) / max(1, self.steps - self.warm_up)
        left = {"none": 1.0, "linear": 1 - gone, "cosine": (1 + math.cos(math.pi * gone)) / 2}
        return self.learning_rate * max(0.0, left[self.decay])

    def to_dict(self) -> dict[str, Any]:
        """The recipe as numbers, strings and booleans, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: object) -> Recipe:
        """The recipe of a dictionary from `to_dict`.

        Raises:
            SettingError: if a value is missing, unknown, of the wrong type or out of bounds.
        """
        if not isinstance(values, dict):
            raise SettingError(_("A recipe must be a mapping of named values; this is not one."))
        known = [field.name for field in fields(cls)]
        unknown = [_short(name) for name in values if name not in known]
        missing = [name for name in known if name not in values]
        if unknown or missing:
            said = _("A recipe does not know {name}. It has these values: {known}.")
            if not unknown:
                said = _("A recipe needs {name}. It has these values: {known}.")
            raise SettingError(said.format(name=(unknown or missing)[0], known=", ".join(known)))
        return cls(**values)


def _halves(task: TaskName) -> tuple[bool, bool]:
    """Whether the model of a task has an encoder, and whether it has a decoder."""
    return task != "induction", task != "bank"


def _number(name: str, value: object) -> float:
    """`value`, if it is a number within the bounds of `name`: whole if required."""
    least, most = BOUNDS[name]
    kinds: tuple[type, ...] = (int,) if name in _WHOLE else (int, float)
    # bool is an int to Python; NaN fails the comparison.
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:  # type: ignore[operator]
        said = (
            _("{name} in a recipe is {value}; it must be a whole number from {least} to {most}.")
            if name in _WHOLE
            else _("{name} in a recipe is {value}; it must be a number from {least} to {most}.")
        )
        bounds = {"least": decimal(f"{least:g}"), "most": decimal(f"{most:g}")}
        raise SettingError(said.format(name=name, value=_short(value), **bounds))
    return value if name in _WHOLE else float(value)  # type: ignore[arg-type, return-value]


def _short(value: object) -> str:
    text = f"“{value}”" if isinstance(value, str) else repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
