"""Quantised weights: small whole numbers with their scales, turned into the numbers they stand for.

A quantised matrix lies in several tensors of a file. Here they become one tensor again, computed in
float32 as it is read, by the formula that its method publishes: GPTQ (Frantar et al. 2023), AWQ (Lin et
al. 2024), LLM.int8() and NF4 of bitsandbytes (Dettmers et al. 2022; 2023), float8 with a scale for each
block (DeepSeek-AI 2024, "DeepSeek-V3", section 3.3) or for each row (compressed-tensors). A layout
whose formula is not here is refused. What the method's own library rounds further while it runs, such
as activations, is no part of the weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ... import untrusted
from ...errors import Filled, ModelBroken, NotSupported
from .weight_files import TensorHeader

if TYPE_CHECKING:
    from torch import Tensor

Settings = Mapping[str, Any]
Headers = Mapping[str, TensorHeader]

_NIBBLES = (0, 2, 4, 6, 1, 3, 5, 7)  # the column of each nibble of a word, in AWQ
_OCTETS = 127  # the largest number of LLM.int8()
_WORD = 32  # bits
_MOST_STATE = 10_000  # bytes in which bitsandbytes describes a matrix; it takes some hundred


class _Matrix(NamedTuple):
    """One quantised matrix.

    Attributes:
        path: its module.
        main: its largest tensor.
        parts: the others, by the ends of their names.
        shape: that of the matrix, (outputs, inputs).
        formula: the matrix from the main tensor and the others.
    """

    path: str
    main: TensorHeader
    parts: Headers
    shape: tuple[int, ...]
    formula: Callable[[Tensor, Callable[[str], Tensor]], Tensor]


def dequantised(headers: Headers, settings: Any, name: str) -> tuple[dict[str, TensorHeader], str]:
    """The headers with each quantised matrix as one, and what to say of it in a sentence.

    Args:
        headers: all tensors of a model.
        settings: `quantization_config` of its config.json.
        name: the name of the model in messages.

    Raises:
        NotSupported: the method, or this form of it, is none of those above.
        ModelBroken: its tensors do not fit each other, or none is quantised.
    """
    settings = settings if isinstance(settings, dict) else {}
    method = str(settings.get("quant_method") or ("bitsandbytes" if _of_bnb(settings) else ""))[:40]
    if method not in _METHODS:
        raise NotSupported(
            "“{name}” has quantised weights of the method “{method}”, whose layout Polysee "
            "does not read; it reads {methods}. Choose the same model in float32, float16 "
            "or bfloat16.",
            name=name,
            method=method,
            methods=", ".join(_METHODS),
        )
    found = [*_METHODS[method](headers, settings, name)]
    if not found:
        raise ModelBroken(
            "The config.json of “{name}” says that its weights are quantised ({method}), "
            "and none is. One of the two files belongs to another model.",
            name=name,
            method=method,
        )
    gone = set[str]().union(*map(_own_names, found))
    made = {key: header for key, header in headers.items() if key not in gone}
    for matrix in found:
        read = partial(_read, matrix, name)
        made[f"{matrix.path}.weight"] = replace(
            matrix.main, shape=matrix.shape, dtype="F32", change=read
        )
    note = Filled(
        "The weights of “{name}” are quantised ({method}): Polysee shows the numbers for which they "
        "stand. They are near those of the model before that, and not the same.",
        name=name,
        method=method,
    )
    return made, note


def _of_bnb(settings: Settings) -> bool:
    return bool(settings.get("load_in_8bit") or settings.get("load_in_4bit"))


def _own_names(matrix: _Matrix) -> set[str]:
    return {matrix.main.stored, *(header.stored for header in matrix.parts.values())}


def _read(matrix: _Matrix, name: str, main: Tensor) -> Tensor:
    """The matrix, from its main tensor and what else is needed."""
    made = matrix.formula(main, lambda end: matrix.parts[end].read(name))
    if tuple(made.shape) != matrix.shape:
        raise _unfit(matrix.path, name)
    return made.contiguous()


def _unfit(path: str, name: str) -> ModelBroken:
    return ModelBroken(
        "The tensors of the quantised {path} in “{name}” do not fit each other. Choose another copy.",
        path=path,
        name=name,
    )


def _beside(headers: Headers, path: str, ends: tuple[str, ...]) -> dict[str, TensorHeader]:
    """The tensors of a module, by the ends of their names, those that are there."""
    return {end: headers[f"{path}.{end}"] for end in ends if f"{path}.{end}" in headers}


def _form(name: str, method: str, what: str) -> NotSupported:
    return NotSupported(
        "“{name}” has weights quantised by {method} in a form that Polysee does not "
        "read ({what}). Choose the same model in float32, float16 or bfloat16.",
        name=name,
        method=method,
        what=what,
    )


def _whole(setting: Any) -> bool:
    """Whether a setting is a whole number, as none of JSON's true or 4.0 is."""
    return type(setting) is int


# GPTQ and AWQ: several small numbers in a word of 32 bits

_RANKS = {"qweight": 2, "scales": 2, "qzeros": 2, "g_idx": 1}
_WORDS = ("qweight", "qzeros")  # shifted, so that they must be whole


def _have_ranks(parts: Headers) -> bool:
    """Whether tensors, by the ends of their names, have as many sides as the formulas take."""
    return all(
        len(header.shape) == _RANKS[end]
        and all(header.shape)
        and (end not in _WORDS or header.dtype.startswith("I"))
        for end, header in parts.items()
    )


def _gptq(headers: Headers, settings: Settings, name: str) -> list[_Matrix]:
    bits, kept = settings.get("bits"), str(settings.get("checkpoint_format", "gptq"))
    if not _whole(bits) or bits not in (2, 4, 8) or kept not in ("gptq", "gptq_v2"):
        raise _form(name, "gptq", f"{str(bits)[:20]} bits, format {kept[:20]}")
    size = -1 if settings.get("group_size") is None else settings["group_size"]
    if not _whole(size):
        raise _form(name, "gptq", f"groups of {str(size)[:20]}")
    per_word, found = _WORD // bits, []
    for key, main in headers.items():
        path, _, end = key.rpartition(".")
        if end != "qweight":
            continue
        parts = _beside(headers, path, ("scales", "qzeros", "g_idx"))
        if not _have_ranks({"qweight": main, **parts}):
            raise _unfit(path, name)
        rows, outputs = main.shape
        groups = parts["scales"].shape[0] if "scales" in parts else 0
        sizes = {"scales": (groups, outputs), "qzeros": (groups, outputs // per_word)}
        if any(end not in parts or parts[end].shape != size for end, size in sizes.items()):
            raise _unfit(path, name)
        formula = partial(_of_gptq, bits, rows * per_word if size < 1 else size, kept, name)
        found.append(_Matrix(path, main, parts, (outputs, rows * per_word), formula))
    return found


def _of_gptq(
    bits: int, group: int, kept: str, name: str, main: Tensor, part: Callable[[str], Tensor]
) -> Tensor:
    """Scale · (number − zero), where each input has a group; the first format stores zero − 1."""
    import torch

    shifts, mask = torch.arange(0, _WORD, bits), 2**bits - 1
    numbers_IO = ((main[:, None] >> shifts[:, None]) & mask).flatten(0, 1)
    zeros_GO = ((part("qzeros")[..., None] >> shifts) & mask).flatten(1)
    if kept == "gptq":
        if bool((zeros_GO == mask).any()):
            raise _form(name, "gptq", "a zero that the method’s own kernels read in two ways")
        zeros_GO = zeros_GO + 1
    scales_GO = part("scales").float()
    try:
        of_I = part("g_idx").long()
    except KeyError:
        of_I = torch.arange(len(numbers_IO)) // group
    if len(of_I) != len(numbers_IO) or int(of_I.min()) < 0 or int(of_I.max()) >= len(scales_GO):
        raise ModelBroken(
            "The groups of a quantised matrix in “{name}” do not fit its scales.",
            name=name,
        )
    made_IO: Tensor = scales_GO[of_I] * (numbers_IO - zeros_GO[of_I])
    return made_IO.T


def _awq(headers: Headers, settings: Settings, name: str) -> list[_Matrix]:
    bits, version = settings.get("bits"), str(settings.get("version", "gemm")).lower()
    if not _whole(bits) or bits != 4 or version != "gemm":
        raise _form(name, "awq", f"{str(bits)[:20]} bits, version {version[:20]}")
    found = []
    for key, main in headers.items():
        path, _, end = key.rpartition(".")
        if end != "qweight":
            continue
        parts = _beside(headers, path, ("scales", "qzeros"))
        if not _have_ranks({"qweight": main, **parts}):
            raise _unfit(path, name)
        inputs, words = main.shape
        groups = parts["scales"].shape[0] if "scales" in parts else 0
        sizes = {"scales": (groups, words * 8), "qzeros": (groups, words)}
        if any(end not in parts or parts[end].shape != size for end, size in sizes.items()):
            raise _unfit(path, name)
        if not groups or inputs % groups:
            raise _unfit(path, name)
        found.append(_Matrix(path, main, parts, (words * 8, inputs), _of_awq))
    return found


def _of_awq(main: Tensor, part: Callable[[str], Tensor]) -> Tensor:
    """Scale · (number − zero), where inputs of a group follow each other."""
    import torch

    shifts = torch.arange(0, _WORD, 4)[torch.tensor(_NIBBLES).argsort()]

    def numbers(words: Tensor) -> Tensor:
        return ((words[..., None] >> shifts) & 15).flatten(1)

    scales_GO = part("scales").float()
    times = len(main) // len(scales_GO)
    zeros_IO = numbers(part("qzeros")).repeat_interleave(times, 0)
    return (scales_GO.repeat_interleave(times, 0) * (numbers(main) - zeros_IO)).T


# Numbers of eight bits, each in a byte of its own


def _fp8(headers: Headers, settings: Settings, name: str) -> list[_Matrix]:
    block = settings.get("weight_block_size")
    sizes = tuple(block) if isinstance(block, list) and len(block) == 2 else ()
    if block is not None and not all(type(size) is int and size > 0 for size in sizes or (0,)):
        raise _form(name, "fp8", f"blocks of {str(block)[:20]}")
    found = []
    for key, main in headers.items():
        path, _, end = key.rpartition(".")
        if end != "weight" or main.dtype != "F8_E4M3":
            continue
        parts = _beside(headers, path, ("weight_scale_inv", "weight_scale"))
        if len(parts) != 1 or len(main.shape) != 2:
            raise _unfit(path, name)
        ((scale, header),) = parts.items()
        of = tuple(-(-n // size) for n, size in zip(main.shape, sizes, strict=False))
        whole = header.shape in ((), (1,), (1, 1))
        if not whole and header.shape not in (of, (main.shape[0],), (main.shape[0], 1)):
            raise _unfit(path, name)
        near = tuple(min(size, n) for size, n in zip(sizes, main.shape, strict=False))
        blocks = near if header.shape == of and not whole else ()
        # `activation_scale` and others say how a library rounds activations.
        others = _beside(headers, path, ("activation_scale", "input_scale"))
        formula = partial(_of_scaled, scale, blocks)
        found.append(_Matrix(path, main, parts | others, main.shape, formula))
    return found


def _of_scaled(
    scale: str, blocks: tuple[int, ...], main: Tensor, part: Callable[[str], Tensor]
) -> Tensor:
    """Each number times its scale: one for all, for its row, or for its block."""
    scales = part(scale).float()
    for axis, size in enumerate(blocks):
        scales = scales.repeat_interleave(size, axis).narrow(axis, 0, main.shape[axis])
    if scales.ndim == 1 and len(scales) > 1:
        scales = scales[:, None]
    return main.float() * scales


def _compressed(headers: Headers, settings: Settings, name: str) -> list[_Matrix]:
    kept = str(settings.get("format"))
    if kept not in ("float-quantized", "int-quantized", "naive-quantized"):
        raise _form(name, "compressed-tensors", f"format {kept[:30]}")
    found = []
    for key, main in headers.items():
        path, _, end = key.rpartition(".")
        if end != "weight" or main.dtype not in ("F8_E4M3", "I8"):
            continue
        parts = _beside(headers, path, ("weight_scale",))
        if "weight_scale" not in parts or f"{path}.weight_zero_point" in headers:
            raise _form(name, "compressed-tensors", f"{path} without a scale, or with a zero point")
        if len(main.shape) != 2:
            raise _unfit(path, name)
        if parts["weight_scale"].shape not in ((), (1,), (1, 1), (main.shape[0], 1)):
            raise _form(name, "compressed-tensors", f"scales of groups in {path}")
        others = _beside(headers, path, ("input_scale",))
        formula = partial(_of_scaled, "weight_scale", ())
        found.append(_Matrix(path, main, parts | others, main.shape, formula))
    return found


# bitsandbytes

_STATES = {"nf4": "weight.quant_state.bitsandbytes__nf4", "fp4": "weight.quant_state.bitsandbytes__fp4"}
_OF_BLOCKS = ("weight.absmax", "weight.quant_map")
_OF_NESTED = ("weight.nested_absmax", "weight.nested_quant_map")


def _bitsandbytes(headers: Headers, settings: Settings, name: str) -> list[_Matrix]:
    found = []
    for key, main in headers.items():
        path, _, end = key.rpartition(".")
        if end != "weight":
            continue
        octets = _beside(headers, path, ("SCB", "weight_format"))
        blocks = _beside(headers, path, (*_STATES.values(), *_OF_BLOCKS, *_OF_NESTED))
        if main.dtype == "I8" and "SCB" in octets:
            if len(main.shape) != 2 or octets["SCB"].shape != main.shape[:1]:
                raise _unfit(path, name)
            found.append(_Matrix(path, main, octets, main.shape, _of_octets))
        elif main.dtype == "U8" and blocks:
            state = next((blocks[end] for end in _STATES.values() if end in blocks), None)
            if state is None or not {*_OF_BLOCKS} <= blocks.keys():
                raise _unfit(path, name)
            about = _state(state, path, name)
            shape = tuple(about["shape"])
            if not _fits(about, main, blocks):
                raise _unfit(path, name)
            found.append(_Matrix(path, main, blocks, shape, partial(_of_blocks, about)))
    return found


def _of_octets(main: Tensor, part: Callable[[str], Tensor]) -> Tensor:
    """LLM.int8(): the largest number of each row is its scale."""
    return main.float() * (part("SCB").float()[:, None] / _OCTETS)


def _state(header: TensorHeader, path: str, name: str) -> dict[str, Any]:
    """What bitsandbytes says of a matrix, as JSON in a tensor of bytes."""
    if header.dtype != "U8" or len(header.shape) != 1 or header.shape[0] > _MOST_STATE:
        raise _unfit(path, name)
    try:
        about = untrusted.parse(bytes(header.read(name).tolist()), most_bytes=_MOST_STATE)
        sizes = [*about["shape"], about["blocksize"], about.get("nested_blocksize", 1)]
        good = len(about["shape"]) == 2 and all(type(n) is int and n > 0 for n in sizes)
        good = good and isinstance(about.get("nested_offset", 0.0), int | float)
    except (untrusted.NotJson, KeyError, TypeError, AttributeError) as error:
        raise _unfit(path, name) from error
    if not good:
        raise _unfit(path, name)
    made: dict[str, Any] = about
    return made


def _fits(about: Mapping[str, Any], main: TensorHeader, parts: Headers) -> bool:
    """Whether the sizes that it names are those of its tensors, before anything grows by them."""
    count = math.prod(about["shape"])
    blocks, octets = -(-count // about["blocksize"]), -(-count // 2)
    fits = math.prod(main.shape) == octets and parts["weight.absmax"].shape == (blocks,)
    fits = fits and parts["weight.quant_map"].shape == (16,)
    if parts["weight.absmax"].dtype == "U8":
        nested = {*_OF_NESTED} <= parts.keys() and "nested_blocksize" in about
        of = -(-blocks // about["nested_blocksize"]) if nested else 0
        fits = fits and nested and parts["weight.nested_absmax"].shape == (of,)
        fits = fits and parts["weight.nested_quant_map"].shape == (256,)
    return fits


def _of_blocks(about: Mapping[str, Any], main: Tensor, part: Callable[[str], Tensor]) -> Tensor:
    """A number of four bits names one of sixteen values, which its block's largest number scales."""
    import torch

    count = about["shape"][0] * about["shape"][1]
    absmax = part("weight.absmax")
    if absmax.dtype == torch.uint8:  # these are quantised, too
        values = part("weight.nested_quant_map").float()[absmax.long()]
        scale = part("weight.nested_absmax").float()
        scale = scale.repeat_interleave(min(about["nested_blocksize"], len(values)))
        absmax = values * scale[: len(values)] + float(about.get("nested_offset", 0.0))
    octets = main.flatten().long()
    numbers = torch.stack([octets >> 4, octets & 15], dim=1).flatten()[:count]
    scales = absmax.float().repeat_interleave(min(about["blocksize"], count))[:count]
    return (part("weight.quant_map").float()[numbers] * scales).view(*about["shape"])


_METHODS: Mapping[str, Callable[[Headers, Settings, str], list[_Matrix]]] = {
    "gptq": _gptq,
    "awq": _awq,
    "bitsandbytes": _bitsandbytes,
    "fp8": _fp8,
    "compressed-tensors": _compressed,
}
