"""Generate one token after another: which tokens are allowed next, and which one is chosen.

This follows the generation settings of a model that decide a single step:

- `eos_token_id`: generation ends after this token;
- `forced_bos_token_id`: this token must follow the start token (BART, mBART);
- `bad_words_ids`, `suppress_tokens`, `begin_suppress_tokens`: these are forbidden (Marian: padding).

It ignores beams, repetition penalties and minimum lengths, which would look ahead or hide the model's
own predictions; and `forced_eos_token_id`, which only ends a text at a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import SettingError
from ..records.frozen import Array
from .files.weight_files import read_json

FILE = "generation_config.json"


class Rules(NamedTuple):
    """The constraints that a model's settings put on generation.

    Attributes:
        ends: the tokens that end generation.
        first: the token that must follow the start token; None for any.
        never: tokens that are always forbidden.
        not_at_first: tokens that are forbidden at the first step.
        not_after: pairs of a sequence of tokens and a token that must not follow it.
    """

    ends: frozenset[int] = frozenset()
    first: int | None = None
    never: tuple[int, ...] = ()
    not_at_first: tuple[int, ...] = ()
    not_after: tuple[tuple[tuple[int, ...], int], ...] = ()

    def allowed(self, logits: Array, reads: Sequence[int], new: int) -> Array:
        """The logits of the next token, (V,), with −inf for forbidden tokens.

        Args:
            logits: (V,), as the model returns them.
            reads: the ids of the tokens so far.
            new: how many of them, at the end, were generated.
        """
        if self.first is not None and len(reads) == 1:
            only = np.full_like(logits, -np.inf)
            only[self.first] = 0
            return only
        logits = logits.copy()
        logits[list(self.never)] = -np.inf
        began = len(reads) - new
        if len(reads) == began + (began == 1 and self.first is not None):
            logits[list(self.not_at_first)] = -np.inf
        for row, then in self.not_after:
            if tuple(reads[len(reads) - len(row) :]) == row:
                logits[then] = -np.inf
        return logits


def rules(setting: Callable[[str], Any], vocabulary: int) -> Rules:
    """The rules in a model's settings; `setting` returns a value by its name in `transformers`."""

    def ids(value: Any) -> tuple[int, ...]:
        listed = value if isinstance(value, list | tuple) else [value]
        return tuple(n for n in listed if type(n) is int and 0 <= n < vocabulary)

    ends = frozenset(ids(setting("eos_token_id")))
    bad = [tuple(row) for row in setting("bad_words_ids") or ()]
    rows = [row for row in bad if row and len(ids(row)) == len(row) and row not in {(n,) for n in ends}]
    first = ids(setting("forced_bos_token_id"))
    return Rules(
        ends=ends,
        first=first[0] if first else None,
        never=(*ids(setting("suppress_tokens")), *(row[0] for row in rows if len(row) == 1)),
        not_at_first=ids(setting("begin_suppress_tokens")),
        not_after=tuple((row[:-1], row[-1]) for row in rows if len(row) > 1),
    )


def settings_in(
    folder: Path, settings: Mapping[str, Any], config: Any, name: str
) -> Callable[[str], Any]:
    """The generation settings of a folder: its generation_config.json; without one, its config.json.

    `settings` is the content of config.json. `config` is the object that `transformers` makes of it; it
    lacks the generation settings, but has the defaults of the model's type.
    """
    own = read_json(folder / FILE, name) if (folder / FILE).is_file() else settings
    return lambda key: _first(own.get(key), getattr(config, key, None))


def settings_of(model: Any) -> Callable[[str], Any]:
    """The current generation settings of a model object."""
    own, config = getattr(model, "generation_config", None), model.config
    now = dict(own.to_dict()) if own is not None else {}
    return lambda key: _first(now.get(key), getattr(config, key, None))


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def check(n: int, seed: int, stop: str | Sequence[str]) -> tuple[str, ...]:
    """The stop texts. Raises SettingError if an argument of `Model.generate` is out of range."""
    for what, value, least in (("n", n, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise SettingError(f"{what} is {value}; it must be a whole number, {least} or more.")
    stops = (stop,) if isinstance(stop, str) or not isinstance(stop, Iterable) else tuple(stop)
    if isinstance(stop, str) and not stop:
        return ()
    if not all(isinstance(one, str) and one for one in stops):
        raise SettingError("stop must be a text, or several, none of them empty.")
    return stops
