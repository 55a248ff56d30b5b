"""A recipe in one word, for links and names: "reverse~sd3~n300" is the default except two values.

It stays because a link to a training, and the name of the trained model, contain the whole recipe in
one word; fifteen parameters in a URL would take 200 characters. All its characters are allowed in a
URL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from ...errors import SettingError
from ...localization import _
from ..languages.catalogue import TASKS
from .recipe import Recipe

LONGEST = 200  # characters; far more than a recipe with no default value takes
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
    """The task, and each value that differs from its default recipe."""
    given = asdict(values) if isinstance(values, Recipe) else values
    default = _default(str(given["task"]))
    parts = [
        f"~{key}{_written(given[name])}" for key, name in _KEYS.items() if given[name] != default[name]
    ]
    return str(given["task"]) + "".join(parts)


def values(text: str) -> dict[str, Any]:
    """The values in a word from `write`, not yet checked as a recipe.

    Raises:
        SettingError: if the text is not the code of a recipe.
    """
    task, *parts = text[: LONGEST + 1].split("~")
    default = _default(task)
    changed = dict(default)
    if len(text) > LONGEST:
        raise SettingError(
            _("This recipe is longer than any recipe can be. Choose a task on the page.")
        )
    for part in parts:
        key = next((key for key in sorted(_KEYS, key=len, reverse=True) if part.startswith(key)), None)
        if key is None:
            said = _("A recipe does not know “{part}”. Choose its values on the page.")
            raise SettingError(said.format(part=part[:20]))
        name = _KEYS[key]
        changed[name] = _read(type(default[name]), part.removeprefix(key))
    return changed


def read(text: str) -> Recipe:
    """The recipe in a word from `write`; missing values take their defaults.

    Raises:
        SettingError: if it is not a recipe, or if a value is out of bounds.
    """
    return Recipe(**values(text))


def _default(task: str) -> dict[str, Any]:
    recipe = next((known.recipe for name, known in TASKS.items() if name == task), None)
    if recipe is None:
        said = _("There is no task “{task}”. There are: {tasks}.")
        raise SettingError(said.format(task=task[:20], tasks=", ".join(TASKS)))
    return asdict(recipe)


def _written(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _read(kind: type, text: str) -> object:
    """The value, converted if possible; anything else is left for the recipe to refuse."""
    if kind is bool:
        return {"0": False, "1": True}.get(text, text)
    try:
        return kind(text)
    except ValueError:
        return text
