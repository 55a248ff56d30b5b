"""A trained model as the bytes of one safetensors file, and back; the file is not trusted.

A safetensors file is the length of its header (8 bytes, little-endian), the header in JSON, and the
numbers, one tensor after the other. Recipe and words are in the header's metadata. Only files written
here are read: header and length must match, to the byte, what the recipe implies, so that no file
decides how much memory it takes. Nothing in it is executed. `safetensors` can open these files too, as
the tests show, but it reads metadata only from a path, and a visitor's file is never written to disk.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from ... import untrusted
from ...errors import ModelBroken, SettingError
from ...localization import N_, _, gettext
from ...records.frozen import Array, frozen
from ...transformer.shapes_alone import shapes_alone
from ..languages.catalogue import TASKS
from ..languages.vocabulary import SPECIAL, Vocabulary
from ..training.recipe import BOUNDS, Recipe
from . import models
from .trained import Trained

# The largest model that a recipe can describe takes 12 MB in float32.
MOST_BYTES = 16_000_000
_MOST_HEADER = 1_000_000
_MOST_WORDS = 1_000
_MOST_CHANGES = 1_000
_LONGEST_WORD = 30
_LENGTH = 8  # bytes
_KEY = "polysee"
_FORMAT = 1
_DTYPES: Mapping[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}
_AGAIN = N_("Save the model again in Polysee, and load that file.")


def dump(trained: Trained, *, half: bool = False) -> bytes:
    """A model as a file; `half` writes float16, which takes half the space."""
    dtype = "F16" if half else "F32"
    about = {
        "format": _FORMAT,
        "recipe": trained.recipe.to_dict(),
        "steps": trained.steps,
        "changes": trained.changes,
        "source": None if trained.source is None else trained.source.words,
        "target": trained.target.words,
    }
    shapes = {name: array.shape for name, array in trained.weights.items()}
    header = {"__metadata__": {_KEY: json.dumps(about)}, **_layout(shapes, dtype)}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # the numbers begin at a multiple of 8 bytes
    numbers = (trained.weights[name].astype(_DTYPES[dtype]).tobytes() for name in sorted(shapes))
    return b"".join([len(text).to_bytes(_LENGTH, "little"), text, *numbers])


def load(data: bytes) -> Trained:
    """The model that `dump` wrote.

    Raises:
        ModelBroken: if the file is of another kind, truncated, or modified; the message says what is
            wrong.
    """
    if len(data) > MOST_BYTES:
        raise ModelBroken(
            _(
                "The file takes up {size} MB; a model that was trained in Polysee takes up at most "
                "{most} MB. Choose another file."
            ).format(size=f"{len(data) / 1e6:.0f}", most=MOST_BYTES // 10**6)
        )
    header, numbers = _header(data)
    about = _about(header.pop("__metadata__", None))
    recipe = _recipe(about)
    source, target = _vocabularies(about, recipe)
    shapes = _shapes(recipe, source, target)
    dtype = next((dtype for dtype in _DTYPES if header == _layout(shapes, dtype)), None)
    if dtype is None:
        _refuse(N_("Its weights do not fit its recipe"))
    return Trained(
        recipe,
        source,
        target,
        _weights(numbers, shapes, _DTYPES[dtype]),
        _steps(about, recipe),
        _changes(about, recipe),
    )


def _header(data: bytes) -> tuple[dict[str, Any], memoryview]:
    length = int.from_bytes(data[:_LENGTH], "little")
    begin = _LENGTH + length
    if len(data) < _LENGTH or length > _MOST_HEADER:
        _refuse_foreign()
    if begin > len(data):
        _refuse(N_("It is cut short"))
    header = _json(data[_LENGTH:begin])
    if not isinstance(header, dict):
        _refuse_foreign()
    return header, memoryview(data)[begin:]


def _about(metadata: object) -> dict[str, Any]:
    text = metadata.get(_KEY) if isinstance(metadata, dict) else None
    about = _json(text.encode("utf-8", "replace")) if isinstance(text, str) else None
    if not isinstance(about, dict):
        _refuse_foreign()
    if about.get("format") != _FORMAT:
        _refuse(N_("Another version of Polysee wrote it, in a form that this one does not read"))
    return about


def _recipe(about: Mapping[str, Any]) -> Recipe:
    try:
        return Recipe.from_dict(about.get("recipe"))
    except SettingError as error:
        said = _("This file’s recipe is not a recipe of Polysee. {why}").format(why=error)
        raise ModelBroken(said) from error


def _vocabularies(about: Mapping[str, Any], recipe: Recipe) -> tuple[Vocabulary | None, Vocabulary]:
    task = TASKS[recipe.task]
    target = _vocabulary(about.get("target"), task.target)
    if task.source is None:
        return None, target
    return _vocabulary(about.get("source"), task.source), target


def _vocabulary(words: object, like: Vocabulary) -> Vocabulary:
    """The words in a file: another version of a task may have others, so each file has its own."""
    if not isinstance(words, list) or not len(SPECIAL) < len(words) <= _MOST_WORDS:
        _refuse(N_("Its list of words is missing, empty or too long"))
    if not all(isinstance(w, str) and 1 <= len(w) <= _LONGEST_WORD and w.isprintable() for w in words):
        _refuse(N_("Its list of words contains something that is not a word"))
    if tuple(words[: len(SPECIAL)]) != SPECIAL or len(set(words)) != len(words):
        _refuse(N_("Its list of words has no special tokens, or has a word twice"))
    return Vocabulary(tuple(words), like.cut)


def _steps(about: Mapping[str, Any], recipe: Recipe) -> int:
    steps = about.get("steps")
    if isinstance(steps, bool) or not isinstance(steps, int) or not 0 <= steps <= recipe.steps:
        _refuse(N_("It does not say after how many of its recipe's steps it was saved"))
    return steps


def _changes(about: Mapping[str, Any], recipe: Recipe) -> tuple[tuple[int, float], ...]:
    changes = about.get("changes")
    if not isinstance(changes, list) or len(changes) > _MOST_CHANGES:
        _refuse(N_("It does not say how its learning rate was changed"))
    rates = []
    for change in changes:
        match change:
            case [int(step), float(rate)] if 0 <= step <= recipe.steps:
                least, most = BOUNDS["learning_rate"]
                if least <= rate <= most:
                    rates.append((step, rate))
                    continue
        _refuse(N_("It does not say how its learning rate was changed"))
    return tuple(rates)


def _shapes(
    recipe: Recipe, source: Vocabulary | None, target: Vocabulary
) -> dict[str, tuple[int, ...]]:
    """The shape of each weight of this recipe's model, on the device "meta", without memory."""
    with shapes_alone():
        net = models.build(recipe, len(target), models.n_source(source, target))
    return {name: tuple(tensor.shape) for name, tensor in net.state_dict().items()}


def _layout(shapes: Mapping[str, tuple[int, ...]], dtype: str) -> dict[str, Any]:
    """The tensor entries of the header: the position of each tensor's numbers, in order of names."""
    layout, begin = {}, 0
    for name in sorted(shapes):
        end = begin + int(np.prod(shapes[name])) * _DTYPES[dtype].itemsize
        layout[name] = {"dtype": dtype, "shape": [*shapes[name]], "data_offsets": [begin, end]}
        begin = end
    return layout


def _weights(
    numbers: memoryview, shapes: Mapping[str, tuple[int, ...]], dtype: np.dtype[Any]
) -> Mapping[str, Array]:
    count = sum(int(np.prod(shape)) for shape in shapes.values())
    if len(numbers) != count * dtype.itemsize:
        _refuse(
            N_("It is cut short") if len(numbers) < count * dtype.itemsize else N_("It is too long")
        )
    every = np.frombuffer(numbers, dtype).astype(np.float32)
    if not np.isfinite(every).all():
        _refuse(N_("It contains weights that are not finite numbers"))
    weights, begin = {}, 0
    for name in sorted(shapes):
        end = begin + int(np.prod(shapes[name]))
        weights[name] = frozen(every[begin:end].reshape(shapes[name]))
        begin = end
    return MappingProxyType(weights)


def _json(text: bytes) -> object:
    try:
        value: object = untrusted.parse(text, most_bytes=_MOST_HEADER, finite=False)
    except untrusted.NotJson:
        return None
    return value


def _refuse(what: str) -> NoReturn:
    said = _("This file cannot be used. {what}. {again}")
    raise ModelBroken(said.format(what=gettext(what), again=gettext(_AGAIN)))


def _refuse_foreign() -> NoReturn:
    raise ModelBroken(
        _(
            "This file is not a model that was trained in Polysee. Choose one that was saved on the "
            "Training page; it ends in .safetensors."
        )
    )
