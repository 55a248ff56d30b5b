"""The tensors of a GGUF file under the names of `transformers`, unpacked, rows in its order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from .architectures import Architecture
from .config import Unknown

Array = npt.NDArray[np.float32]
Rows = TypeVar("Rows", npt.NDArray[np.float32], npt.NDArray[np.uint8])

_WHOLE = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
}
# Not a weight: by how much each pair of dimensions turns slower, which config.json then says.
ROTATIONS = "rope_freqs.weight"
# The packings whose blocks are kept beside the unpacked numbers: `core.pretrained.engines.packed`.
KEPT = ("Q4_1", "Q8_0")
_NAME = re.compile(r"(?:blk\.(?P<layer>\d{1,5})\.)?(?P<part>[a-z_]+)\.(?P<half>weight|bias)")


def renamed(name: str, own: Architecture) -> str:
    """The name of a tensor in `transformers`.

    Raises:
        Unknown: this architecture has no such tensor. To leave one out could give wrong numbers.
    """
    match = _NAME.fullmatch(name)
    known = None
    if match:
        known = (_WHOLE if match["layer"] is None else own.parts).get(match["part"])
    if match is None or known is None:
        raise Unknown(f"has a tensor that Polysee cannot place: {name[:60]}")
    layer = "" if match["layer"] is None else f"model.layers.{match['layer']}."
    return f"{layer}{known}.{match['half']}"


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


def unpacked(
    listed: Iterable[Any], config: Mapping[str, Any], own: Architecture
) -> Iterator[tuple[str, Array]]:
    """Each tensor, float32, in its own memory, one after the other: name, numbers.

    Packed weights are exact arithmetic: in Q4_1, 32 weights share a factor d and a least value m, and
    each is d · q + m with q from 0 to 15.

    Args:
        listed: the tensors of a `gguf.GGUFReader`.
        config: see `config.of`.
        own: the architecture.

    Raises:
        Unknown: a number is infinite, or none. Whoever reads the result relies on that.
    """
    for tensor in listed:
        name = renamed(tensor.name, own)
        numbers = numbers_of(tensor)
        if not np.isfinite(numbers).all():
            raise Unknown(f"contains numbers in {tensor.name} that are infinite or not a number")
        if own.less_one and name.endswith("norm.weight"):
            numbers -= 1
        yield name, _in_order(numbers, name, config, own)


def blocks(
    listed: Iterable[Any], config: Mapping[str, Any], own: Architecture
) -> Iterator[tuple[str, npt.NDArray[np.uint8]]]:
    """The packed rows of each matrix of a `KEPT` packing: name, (rows, bytes). See `unpacked`."""
    for tensor in listed:
        if tensor.tensor_type.name in KEPT:
            name = renamed(tensor.name, own)
            yield name, _in_order(np.asarray(tensor.data), name, config, own)


def _in_order(rows: Any, name: str, config: Mapping[str, Any], own: Architecture) -> Any:
    """`unpermuted`, if it is q or k and llama.cpp has permuted them; else the same."""
    heads = {
        "self_attn.q_proj": config["num_attention_heads"],
        "self_attn.k_proj": config["num_key_value_heads"],
    }
    of_heads = next((n for part, n in heads.items() if f".{part}." in name), None)
    return unpermuted(rows, of_heads) if own.permuted and of_heads else rows


def numbers_of(tensor: Any) -> Array:
    """The numbers of one tensor, float32, in their own memory. Raises Unknown: nobody unpacks them."""
    from gguf.quants import dequantize

    try:
        return np.array(dequantize(tensor.data, tensor.tensor_type), np.float32, order="C")
    except NotImplementedError as error:
        raise Unknown(
            f"packs {tensor.name} as {tensor.tensor_type.name}, which nobody here can unpack"
        ) from error
