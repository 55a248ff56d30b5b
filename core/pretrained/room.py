"""What a model's numbers take in memory, known from its files before one of them is read."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple

from ..errors import Filled, NotSupported
from ..memory import free_memory
from .files.checkpoint import Checkpoint
from .files.weight_files import NO_WEIGHTS

_BYTES = 4  # of a number of float32
# A model that takes less of what is free than this becomes float32 once, and is then independent of
# its files.
_LITTLE = 0.5
_MOST = 0.9  # of what is free: a run takes some as well
_SMALL = 100_000_000  # bytes: whatever is free, there is room for that


class Need(NamedTuple):
    """The bytes of a model's numbers.

    Attributes:
        whole: what it takes with all of them as float32.
        beside: what it takes where matrices of half precision stay so (`engines.widened`): all that is
            not in the file, and the largest of these as float32, for whoever asks for it whole.
        in_file: of those matrices, what stays in the file. The system reads it into memory as far as
            there is room, for all processes once, and can have that memory back.
    """

    whole: int
    beside: int
    in_file: int


class Chosen(NamedTuple):
    """Whether matrices stay in half precision, and what to say of it; "" if there was room for more."""

    half: bool
    note: str = ""


def need(checkpoint: Checkpoint, stay: Mapping[str, bool]) -> Need:
    """The bytes that a model takes, from the headers of its files.

    Args:
        checkpoint: the model's files.
        stay: the tensors that may stay in half precision: see `engines.scratch.may_stay`.
    """
    whole = beside = in_file = largest = 0
    for name, header in checkpoint.tensors.items():
        if NO_WEIGHTS.fullmatch(name):
            continue
        count = prod(header.shape)
        if header.mapped and not header.is_half:  # it stays where it is
            continue
        whole += _BYTES * count
        if name not in stay or not header.is_half or len(header.shape) != 2:
            beside += _BYTES * count
            continue
        largest = max(largest, _BYTES * count)
        if stay[name]:
            in_file += _BYTES // 2 * count
        else:
            beside += _BYTES // 2 * count
    return Need(whole, beside + largest, in_file)


def choose(checkpoint: Checkpoint, name: str, stay: Mapping[str, bool]) -> Chosen:
    """Whether weights stay in half precision; before any is read.

    They do where float32 has no room; and in a file of Polysee's own, which nobody changes, always.

    Args:
        checkpoint: the model's files.
        name: the name of the model in messages.
        stay: see `need`; empty where another transformer than ours runs it: there, none stays so.

    Raises:
        NotSupported: there is too little memory even so.
    """
    free, takes = free_memory(), need(checkpoint, stay)
    less = takes.beside < takes.whole
    if free is None or takes.whole <= max(_SMALL, _LITTLE * free):
        return Chosen(checkpoint.mapped and less)
    if less and takes.beside <= _MOST * free:
        return Chosen(half=True, note=_note(takes, free, name))
    if takes.whole <= _MOST * free:
        return Chosen(half=False)
    if less:
        raise NotSupported(
            "“{name}” takes {whole:,.0f} MB of memory, or {beside:,.0f} MB with its matrices in half "
            "precision, and {free:,.0f} MB are free here. Give Polysee more memory, close other "
            "programs, or choose a smaller model.",
            name=name,
            whole=takes.whole / 1e6,
            beside=takes.beside / 1e6,
            free=free / 1e6,
        )
    raise NotSupported(
        "“{name}” takes {whole:,.0f} MB of memory, and {free:,.0f} MB are free here. Give Polysee more "
        "memory, close other programs, or choose a smaller model.",
        name=name,
        whole=takes.whole / 1e6,
        free=free / 1e6,
    )


def _note(takes: Need, free: int, name: str) -> str:
    """That weights stay in half precision, as a sentence."""
    sizes: dict[str, Any] = {"name": name, "whole": takes.whole / 1e6, "beside": takes.beside / 1e6}
    if not takes.in_file:
        return Filled(
            "The matrices of “{name}” stay in half precision in memory, as in its files "
            "({beside:,.0f} MB in place of {whole:,.0f}). Each becomes float32, some rows at a time, "
            "when it is used.",
            **sizes,
        )
    sizes["stay"] = takes.in_file / 1e6
    if takes.in_file > free:
        return Filled(
            "“{name}” would take {whole:,.0f} MB of memory as float32. Polysee leaves {stay:,.0f} MB "
            "in its file, in half precision, of which each matrix becomes float32, some rows at a "
            "time, while its layer runs; {beside:,.0f} MB are taken beside it. Memory has no room for "
            "all of that, and each pass reads it from the disk anew. The file must stay as it is "
            "meanwhile.",
            **sizes,
        )
    return Filled(
        "“{name}” would take {whole:,.0f} MB of memory as float32. Polysee leaves {stay:,.0f} MB in "
        "its file, in half precision, of which each matrix becomes float32, some rows at a time, while "
        "its layer runs; {beside:,.0f} MB are taken beside it. The file must stay as it is meanwhile.",
        **sizes,
    )
