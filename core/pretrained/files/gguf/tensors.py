"""The tensors of a GGUF file under the names of `transformers`, unpacked, rows in its order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from .architectures import Architecture
from .config import Unknown

Array = npt.NDArray[np.float32]
Halves = npt.NDArray[np.uint16]  # the bits of numbers in half precision
Rows = TypeVar("Rows", npt.NDArray[np.float32], npt.NDArray[np.uint8], Halves)

# Not a weight: by how much each pair of dimensions turns slower, which config.json then says.
ROTATIONS = "rope_freqs.weight"
# The packings whose blocks are kept beside the unpacked numbers: `core.pretrained.engines.packed`.
KEPT = ("Q4_1", "Q8_0")
# The bits that are all 1 in an infinite number, and in one that is none.
_EXPONENTS = {"F16": 0x7C00, "BF16": 0x7F80}
_NAME = re.compile(r"(?:blk\.(?P<layer>\d{1,5})\.)?(?P<part>[a-z_0-9]+)\.(?P<half>weight|bias)")


class Place(NamedTuple):
    """Where a tensor of the file stands in `transformers`.

    Attributes:
        name: its name there.
        part: its name in a layer of llama.cpp, without the layer.
        turned: whether its matrix is (in, out) there.
    """

    name: str
    part: str
    turned: bool

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape there of a tensor that has this one in the file."""
        return shape[::-1] if self.turned else shape


def placed(name: str, own: Architecture) -> Place:
    """The place of a tensor.

    Raises:
        Unknown: this architecture has no such tensor. To leave one out could give wrong numbers.
    """
    match = _NAME.fullmatch(name)
    known = None
    if match:
        known = (own.whole if match["layer"] is None else own.parts).get(match["part"])
    if match is None or known is None:
        raise Unknown(f"has a tensor that Polysee cannot place: {name[:60]}")
    layer = "" if match["layer"] is None else f"{own.stack}.{match['layer']}."
    turned = match["part"] in own.inputs_first and match["half"] == "weight"
    return Place(f"{layer}{known}.{match['half']}", match["part"], turned)


def unpermuted(rows: Rows, n_heads: int) -> Rows:
    """The rows of q or k in the order in which `transformers` turns them.

    Both turn pairs of dimensions by the position (`core.transformer.positions`). llama.cpp keeps the
    two of a pair side by side, 2i and 2i + 1, `transformers` half a head apart, i and i + d/2. With the
    one order in the other's rotation all shapes fit, and the model writes nonsense.

    Args:
        rows: (n_heads · d_head, …), the weight, the bias, or the packed rows of the weight.
        n_heads: the number of heads that the rows belong to: for k, of key–value heads.
    """
    d_head = len(rows) // n_heads
    pairs = rows.reshape(n_heads, d_head // 2, 2, *rows.shape[1:])
    ordered: Rows = np.ascontiguousarray(pairs.swapaxes(1, 2)).reshape(rows.shape)
    return ordered


def regrouped(rows: Rows, n_heads: int, n_kv_heads: int) -> Rows:
    """The rows of q, k and v group by group: the queries that share a key, this key, its value.

    llama.cpp has all queries first, then all keys, then all values. Here, too, all shapes fit.

    Args:
        rows: ((n_heads + 2 · n_kv_heads) · d_head, …), the weight or the bias.
        n_heads: the number of heads.
        n_kv_heads: the number of those of keys and values.
    """
    d_head = len(rows) // (n_heads + 2 * n_kv_heads)
    sizes = (n_heads // n_kv_heads, 1, 1)
    ends = np.cumsum([n_kv_heads * size * d_head for size in sizes])
    parts = np.split(rows, ends[:-1])
    by_group = [
        part.reshape(n_kv_heads, size, d_head, *rows.shape[1:])
        for part, size in zip(parts, sizes, strict=True)
    ]
    grouped: Rows = np.concatenate(by_group, axis=1).reshape(rows.shape)
    return grouped


def kind_of(tensor: Any, own: Architecture) -> str:
    """How `unpacked` gives a tensor: "F32", or "F16" or "BF16" where the file has it so."""
    kind: str = tensor.tensor_type.name
    return kind if kind in _EXPONENTS and not _less_one(placed(tensor.name, own), own) else "F32"


def _less_one(place: Place, own: Architecture) -> bool:
    """Whether `transformers` stores it less 1: see `Architecture.less_one`."""
    return own.less_one and place.name.endswith("norm.weight")


def unpacked(
    listed: Iterable[Any], heads: tuple[int, int], own: Architecture
) -> Iterator[tuple[str, Array | Halves]]:
    """Each tensor, as `kind_of` says, one after the other: name, numbers.

    Packed weights are exact arithmetic: in Q4_1, 32 weights share a factor d and a least value m, and
    each is d · q + m with q from 0 to 15.

    Args:
        listed: the tensors of a `gguf.GGUFReader`.
        heads: the number of heads, and of those of keys and values.
        own: the architecture.

    Raises:
        Unknown: a number is infinite, or none, on which whoever reads the result relies; or the heads
            do not divide the rows of a tensor.
    """
    for tensor in listed:
        place = placed(tensor.name, own)
        kind = kind_of(tensor, own)
        if kind == "F32":
            numbers = numbers_of(tensor)
            _refuse_not_finite(bool(np.isfinite(numbers).all()), tensor)
            if _less_one(place, own):
                numbers -= 1
            yield place.name, _turned(_in_order(numbers, place, heads, own), place)
        else:
            bits = _bits_of(tensor)
            some = _EXPONENTS[kind]
            _refuse_not_finite(not bool(((bits & some) == some).any()), tensor)
            yield place.name, _turned(_in_order(bits, place, heads, own), place)


def _bits_of(tensor: Any) -> Halves:
    """The bits of the numbers of a tensor in half precision."""
    shape = tuple(int(n) for n in reversed(tensor.shape.tolist()))
    return np.ascontiguousarray(tensor.data).view(np.uint16).reshape(shape)


def _turned(rows: Rows, place: Place) -> Rows:
    return np.ascontiguousarray(rows.T) if place.turned else rows


def _refuse_not_finite(finite: bool, tensor: Any) -> None:
    if not finite:
        raise Unknown(f"contains numbers in {tensor.name} that are infinite or not a number")


def is_kept(tensor: Any, own: Architecture) -> bool:
    """Whether its blocks are kept: those of a matrix whose rows stay rows."""
    return tensor.tensor_type.name in KEPT and not placed(tensor.name, own).turned


def blocks(
    kept: Iterable[Any], heads: tuple[int, int], own: Architecture
) -> Iterator[tuple[str, npt.NDArray[np.uint8]]]:
    """The packed rows of each matrix that `is_kept`: name, (rows, bytes). See `unpacked`."""
    for tensor in kept:
        place = placed(tensor.name, own)
        yield place.name, _in_order(np.asarray(tensor.data), place, heads, own)


def _in_order(rows: Rows, place: Place, heads: tuple[int, int], own: Architecture) -> Rows:
    """The rows of q, k and v in the order of `transformers`; all others as they are.

    Raises:
        Unknown: the heads do not divide the rows.
    """
    n_heads, n_kv_heads = heads
    permuted = {"attn_q": n_heads, "attn_k": n_kv_heads} if own.permuted else {}
    if place.part in permuted:
        _refuse_uneven(rows, 2 * permuted[place.part], place)  # in pairs of dimensions
        return unpermuted(rows, permuted[place.part])
    if place.part == own.grouped:
        _refuse_uneven(rows, n_heads + 2 * n_kv_heads, place)
        return regrouped(rows, n_heads, n_kv_heads)
    return rows


def _refuse_uneven(rows: Rows, parts: int, place: Place) -> None:
    if not rows.ndim or len(rows) % parts:
        raise Unknown(f"has a tensor whose rows do not fit its heads: {place.name[:60]}")


def numbers_of(tensor: Any) -> Array:
    """The numbers of one tensor, float32, in their own memory. Raises Unknown: nobody unpacks them."""
    from gguf.quants import dequantize

    try:
        return np.array(dequantize(tensor.data, tensor.tensor_type), np.float32, order="C")
    except NotImplementedError as error:
        raise Unknown(
            f"packs {tensor.name} as {tensor.tensor_type.name}, which nobody here can unpack"
        ) from error
