"""What a model's numbers take in memory, known from its files before one of them is read."""

from __future__ import annotations

from collections.abc import Collection
from math import prod
from typing import NamedTuple

from ..errors import NotSupported
from ..memory import free_memory
from .files.checkpoint import Checkpoint
from .files.weight_files import NO_WEIGHTS

_BYTES = 4  # of a number of float32
_HALVES = ("F16", "BF16")
# A model that takes less of what is free than this is widened once, and then runs at full speed.
_LITTLE = 0.5
_MOST = 0.9  # of what is free: a run takes some as well
_SMALL = 100_000_000  # bytes: whatever is free, there is room for that


class Need(NamedTuple):
    """The bytes of a model's numbers.

    Attributes:
        whole: all of them as float32.
        halved: with the matrices of linear layers that its files keep in half precision left so; see
            `engines.widened`. A table of vectors, and a head of its own, become float32.
    """

    whole: int
    halved: int


def need(checkpoint: Checkpoint, linear: Collection[str]) -> Need:
    """The bytes that a model takes, from the headers of its files.

    Args:
        checkpoint: the model's files.
        linear: the tensors that may stay in half precision: see `engines.scratch.of_linear_layers`.
    """
    whole = halved = 0
    for name, header in checkpoint.tensors.items():
        if NO_WEIGHTS.fullmatch(name):
            continue
        count = prod(header.shape)
        # What an adapter is added to becomes float32.
        matrix = name in linear and header.dtype in _HALVES and header.change is None
        matrix = matrix and len(header.shape) == 2
        whole += _BYTES * count
        halved += (_BYTES // 2 if matrix else _BYTES) * count
    return Need(whole, halved)


def keeps_half(checkpoint: Checkpoint, name: str, linear: Collection[str]) -> bool:
    """Whether weights stay in half precision; before any is read.

    Args:
        checkpoint: the model's files. Numbers that stay in their file (`Checkpoint.mapped`) take no
            memory that the system could not have back.
        name: the name of the model in messages.
        linear: see `need`; empty where another transformer than ours runs it: there, none stays so.

    Raises:
        NotSupported: there is too little memory even so.
    """
    free = free_memory()
    if free is None or checkpoint.mapped:
        return False
    whole, halved = need(checkpoint, linear)
    if whole <= max(_SMALL, _LITTLE * free):
        return False
    if halved < whole and halved <= _MOST * free:
        return True
    if whole <= _MOST * free:
        return False
    less = f", or {halved / 1e6:,.0f} MB with its matrices in half precision"
    less = less if halved < whole else ""
    raise NotSupported(
        "“{name}” takes {whole:,.0f} MB of memory{less}, and {free:,.0f} MB are free "
        "here. Give Polysee more memory, close other programs, or choose a smaller "
        "model.",
        name=name,
        whole=whole / 1000000.0,
        less=less,
        free=free / 1000000.0,
    )


def note(checkpoint: Checkpoint, name: str, linear: Collection[str]) -> str:
    """That weights stay in half precision, as a sentence. `linear`: see `need`."""
    whole, halved = need(checkpoint, linear)
    return (
        f"The matrices of “{name}” stay in half precision in memory, as in its files "
        f"({halved / 1e6:,.0f} MB in place of {whole / 1e6:,.0f}). Each is widened to float32 when it "
        "is used: the numbers are the same, and it is slower."
    )
