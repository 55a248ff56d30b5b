"""A recipe in one word, for links and names: "reverse~sd3~n300" is the default but for two values.

It stays because a link to a training, and the name of the trained model, hold the whole recipe in one
word; fifteen parameters in a URL would take 200 characters. A URL takes each of its characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from ...errors import SettingError
from ..languages.catalogue import TASKS
from .recipe import Recipe

LONGEST = 200  # characters; far more than a recipe takes that differs from the default in everything
_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "sd": "seed",
        "n": "steps",
        "b": "batch",
        "lr": "learning_rate",
        "wu": "warm_up",
        "dc": "decay",
        "en": "n_encoder_layers",
        "de": "n_decoder_layers",
        "h": "n_heads",
        "ch": "n_cross_heads",
        "d": "d_model",
        "ff": "d_ff",
        "pre": "norm_first",
        "po": "positions",
        "gu": "guidance",
    }
)


def write(values: Mapping[str, Any] | Recipe) -> str:
    """The task, and each value that is not as in its default recipe."""
    given = asdict(values) if isinstance(values, Recipe) else values
    default = _default(str(given["task"]))
    parts = [
        f"~{key}{_written(given[name])}" for key, name in _KEYS.items() if given[name] != default[name]
    ]
    return str(given["task"]) + "".join(parts)


def values(text: str) -> dict[str, Any]:
    """The values that `write` wrote, those of a recipe, not yet checked.

    Raises:
        SettingError: no recipe is written like this.
    """
    task, *parts = text[: LONGEST + 1].split("~")
    default = _default(task)
    changed = dict(default)
    if len(text) > LONGEST:
        raise SettingError("This recipe is longer than any recipe can be. Choose a task on the page.")
    for part in parts:
        key = next((key for key in sorted(_KEYS, key=len, reverse=True) if part.startswith(key)), None)
        if key is None:
            raise SettingError(f"A recipe does not know “{part[:20]}”. Choose its values on the page.")
        name = _KEYS[key]
        changed[name] = _read(type(default[name]), part.removeprefix(key))
    return changed


def read(text: str) -> Recipe:
    """The recipe that `write` wrote; all else is as in the default.

    Raises:
        SettingError: this is none, or a value in it is out of its bounds.
    """
    return Recipe(**values(text))


def _default(task: str) -> dict[str, Any]:
    recipe = next((known.recipe for name, known in TASKS.items() if name == task), None)
    if recipe is None:
        raise SettingError(f"There is no task “{task[:20]}”. There are: {', '.join(TASKS)}.")
    return asdict(recipe)


def _written(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _read(kind: type, text: str) -> object:
    """The value, as far as it is one; whatever else comes is left for the recipe to refuse."""
    if kind is bool:
        return {"0": False, "1": True}.get(text, text)
    try:
        return kind(text)
    except ValueError:
        return text
