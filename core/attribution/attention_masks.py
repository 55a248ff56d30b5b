"""Interventions inside a stack of layers: a bias on its scores, a factor for each head."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ..errors import NotSupported, SettingError
from ..records.frozen import Array
from ..records.indices import is_index
from ..records.interventions import Ablate, Change, Cut

Find = Callable[[str], Array]  # the tokens of a word of a text; raises WordNotFound


def index_below(number: int, count: int, what: str) -> int:
    """Return `number` if 0 ≤ `number` < `count`; otherwise raise SettingError."""
    if not is_index(number) or not 0 <= (whole := int(number)) < count:
        raise SettingError(f"There is no {what} {number}: they count from 0 to {count - 1}.")
    return whole


def biases(
    each: Sequence[Sequence[Change]],
    finds: Sequence[Find],
    sizes: tuple[int, int, int],
    hides: Sequence[Tensor] = (),
    keys: tuple[Sequence[Find], int] | None = None,
) -> list[Tensor] | None:
    """(B, H, L, M) for each layer: −∞ for attention that is cut, 0 elsewhere; None without any cut.

    Args:
        each: for each text of a batch, its changes.
        finds: for each text, the function that finds its words.
        sizes: the numbers of layers, heads and tokens.
        hides: for each layer, (L, M) bool, what the model itself hides; empty: nothing.
        keys: where another text is attended to, the functions that find its words, and its tokens.

    Raises:
        WordNotFound, SettingError: a cut names a word, token, layer or head that does not exist.
        NotSupported: a token would have nothing left to attend to.
    """
    if not any(isinstance(one, Cut) for changes in each for one in changes):
        return None
    layers, heads, n = sizes
    find_keys, m = keys or (finds, n)
    hidden = np.zeros((layers, len(each), heads, n, m), dtype=bool)
    for row, (changes, *find) in enumerate(zip(each, finds, find_keys, strict=True)):
        for cut in changes:
            if isinstance(cut, Cut):
                layer, head = (
                    slice(None) if i is None else index_below(i, count, what)
                    for i, count, what in ((cut.layer, layers, "layer"), (cut.head, heads, "head"))
                )
                rows, columns = _tokens(find[0], cut.query, n), _tokens(find[1], cut.key, m)
                grid = hidden[layer, row, head]
                grid[..., rows[:, None], columns] = True
    own = torch.stack([*hides]).numpy()[:, None, None] if hides else False
    if (hidden | own).all(-1).any():
        raise NotSupported("A token must attend to something: leave it at least one token.")
    return list(torch.zeros(hidden.shape).masked_fill_(torch.from_numpy(hidden), -torch.inf))


def head_mask(each: Sequence[Sequence[Change]], layers: int, heads: int) -> Tensor | None:
    """(N, B, H): 0 for an ablated head, 1 for the others; None if no head is ablated.

    Raises the errors of `biases`.
    """
    mask_NBH = torch.ones(layers, len(each), heads)
    for row, changes in enumerate(each):
        for one in changes:
            if isinstance(one, Ablate):
                mask_NBH[
                    index_below(one.layer, layers, "layer"), row, index_below(one.head, heads, "head")
                ] = 0
    return mask_NBH if not bool(mask_NBH.all()) else None


def _tokens(find: Find, at: str | int, n: int) -> npt.NDArray[np.int64]:
    return find(at) if isinstance(at, str) else np.array([index_below(at, n, "token")])
