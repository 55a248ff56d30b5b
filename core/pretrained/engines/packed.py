"""One token's vector times matrices that stay packed: a fifth of the bytes for each token written.

A pass for one token does little with each weight but fetch it from memory, and in float32 SmolLM2 has
538 MB of them. Its file packs 32 weights of a row in a block of 20 bytes (Q4_1) or 34 (Q8_0). The loop
below reads these blocks, makes the very float32 numbers of them that unpacking makes, in registers, and
multiplies: what differs from the float32 product is the order of the sum alone.

It is written in LLVM's language, sixteen numbers at a time, and compiled for this processor at its
first use, in a tenth of a second. `llvmlite`, a part of numba, does that. Where it is missing, or the
processor is an old one, the float32 weights serve.
"""

from __future__ import annotations

import copy
import ctypes
import platform
import threading
from collections.abc import Callable, Mapping
from functools import cache
from string import Template
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F

WEIGHTS = 32  # of a block
BYTES = {"Q4_1": 20, "Q8_0": 34}  # of a block
_TOLERANCE = 1e-4  # of the largest number of a product

# y = W x for `rows` rows of `width` weights each, `block` by `block`. Sixteen sums of products run
# along a row for the first halves of its blocks, and sixteen for the second.
_PRODUCT = Template("""
define void @$name(ptr noalias %blocks, ptr noalias %x, ptr noalias %y, i64 %rows, i64 %width) {
entry:
  br label %row
row:
  %i = phi i64 [0, %entry], [%i.next, %sum]
  %first = phi ptr [%blocks, %entry], [%block.next, %sum]
  br label %block
block:
  %j = phi i64 [0, %row], [%j.next, %block]
  %at = phi ptr [%first, %row], [%block.next, %block]
  %sum0 = phi <16 x float> [zeroinitializer, %row], [%more0, %block]
  %sum1 = phi <16 x float> [zeroinitializer, %row], [%more1, %block]
$weights
  %x0.at = getelementptr float, ptr %x, i64 %j
  %x1.at = getelementptr float, ptr %x0.at, i64 16
  %x0 = load <16 x float>, ptr %x0.at, align 4
  %x1 = load <16 x float>, ptr %x1.at, align 4
  %more0 = call <16 x float> @llvm.fma.v16f32(<16 x float> %w0, <16 x float> %x0, <16 x float> %sum0)
  %more1 = call <16 x float> @llvm.fma.v16f32(<16 x float> %w1, <16 x float> %x1, <16 x float> %sum1)
  %block.next = getelementptr i8, ptr %at, i64 $bytes
  %j.next = add i64 %j, 32
  %again = icmp ult i64 %j.next, %width
  br i1 %again, label %block, label %sum
sum:
  %both = fadd <16 x float> %more0, %more1
  %y.i = call reassoc float @llvm.vector.reduce.fadd.v16f32(float 0.0, <16 x float> %both)
  %y.at = getelementptr float, ptr %y, i64 %i
  store float %y.i, ptr %y.at
  %i.next = add i64 %i, 1
  %another = icmp ult i64 %i.next, %rows
  br i1 %another, label %row, label %end
end:
  ret void
}
""")

# A number of a block, float16 at so many bytes from its beginning, sixteen times.
_SIXTEEN = Template("""
  %$n.at = getelementptr i8, ptr %at, i64 $offset
  %$n.half = load half, ptr %$n.at, align 1
  %$n.one = fpext half %$n.half to float
  %$n.first = insertelement <16 x float> poison, float %$n.one, i32 0
  %$n = shufflevector <16 x float> %$n.first, <16 x float> poison, <16 x i32> zeroinitializer
""")

# w = d · q + m. Sixteen bytes hold 32 numbers q from 0 to 15: in their lower halves those of the first
# sixteen weights, in their upper halves the others.
_Q4_1 = (
    _SIXTEEN.substitute(n="d", offset=0)
    + _SIXTEEN.substitute(n="m", offset=2)
    + """
  %q.at = getelementptr i8, ptr %at, i64 4
  %q = load <16 x i8>, ptr %q.at, align 1
  %q0.bits = and <16 x i8> %q, splat (i8 15)
  %q1.bits = lshr <16 x i8> %q, splat (i8 4)
  %q0 = uitofp <16 x i8> %q0.bits to <16 x float>
  %q1 = uitofp <16 x i8> %q1.bits to <16 x float>
  %w0 = call <16 x float> @llvm.fma.v16f32(<16 x float> %d, <16 x float> %q0, <16 x float> %m)
  %w1 = call <16 x float> @llvm.fma.v16f32(<16 x float> %d, <16 x float> %q1, <16 x float> %m)
"""
)

# w = d · q, each q a signed byte.
_Q8_0 = (
    _SIXTEEN.substitute(n="d", offset=0)
    + """
  %q0.at = getelementptr i8, ptr %at, i64 2
  %q1.at = getelementptr i8, ptr %at, i64 18
  %q0.bits = load <16 x i8>, ptr %q0.at, align 1
  %q1.bits = load <16 x i8>, ptr %q1.at, align 1
  %q0 = sitofp <16 x i8> %q0.bits to <16 x float>
  %q1 = sitofp <16 x i8> %q1.bits to <16 x float>
  %w0 = fmul <16 x float> %d, %q0
  %w1 = fmul <16 x float> %d, %q1
"""
)

_MODULE = (
    _PRODUCT.substitute(name="Q4_1", bytes=BYTES["Q4_1"], weights=_Q4_1)
    + _PRODUCT.substitute(name="Q8_0", bytes=BYTES["Q8_0"], weights=_Q8_0)
    + """
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare float @llvm.vector.reduce.fadd.v16f32(float, <16 x float>)
"""
)

Product = Callable[[int, int, int, int, int], None]  # addresses of blocks, x and y; rows; width
_compiling = threading.Lock()


def products() -> Mapping[str, Product]:
    """The loop for each packing, compiled; empty where it cannot be. ctypes runs it without the GIL."""
    with _compiling:
        return _compiled()


@cache
def _compiled() -> Mapping[str, Product]:
    if (engine := _machine_code()) is None:
        return {}
    pointer, count = ctypes.c_void_p, ctypes.c_int64
    loop = ctypes.CFUNCTYPE(None, pointer, pointer, pointer, count, count)
    return {name: loop(engine.get_function_address(name)) for name in BYTES}


@cache
def _machine_code() -> Any:
    """What holds the compiled loops, as long as the process runs; None where it cannot be."""
    try:
        from llvmlite import binding as llvm

        features = llvm.get_host_cpu_features()
        if not _is_able(platform.machine().lower(), features):
            return None
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module = llvm.parse_assembly(_MODULE)
        module.verify()
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=features.flatten(), opt=3
        )
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
    except (ImportError, OSError, RuntimeError):  # what llvmlite raises is a RuntimeError
        return None
    return engine


def _is_able(machine: str, features: Mapping[str, bool]) -> bool:
    """Whether a processor converts float16 and fuses products with sums by itself.

    For another one, LLVM would call routines of a C library, which need not be there.
    """
    if machine in ("x86_64", "amd64"):
        return all(features.get(one, False) for one in ("avx2", "f16c", "fma"))
    return machine in ("aarch64", "arm64")


class PackedMatrix:
    """A matrix that is there twice: packed, and as the float32 numbers that were unpacked from it.

    Args:
        weight_FD: (F, D) float32.
        blocks: (F, bytes) uint8, its rows as they were packed.

    Attributes:
        is_proved: whether the first product out of the blocks was that of the numbers.
    """

    def __init__(self, weight_FD: Tensor, blocks: Tensor) -> None:
        rows, width = weight_FD.shape
        self._weight_FD, self._blocks = (
            weight_FD,
            blocks,
        )  # the blocks stay mapped as long as they are held
        of_row = {size * width // WEIGHTS: name for name, size in BYTES.items()}
        fits = blocks.ndim == 2 and len(blocks) == rows and width % WEIGHTS == 0
        name = of_row.get(blocks.shape[-1], "") if fits and blocks.is_contiguous() else ""
        self._product = products().get(name)
        self.is_proved = False
        self._address, self._rows, self._width = blocks.data_ptr(), rows, width

    def times(self, x_D: Tensor) -> Tensor:
        """(F,): the matrix times a vector, (D,) float32.

        Out of the blocks, once they have proved to be those of the matrix: the first time it is
        multiplied both ways. Where that differs by more than rounding, it stays with float32.
        """
        if self._product is None:
            return F.linear(x_D, self._weight_FD)
        x_D = x_D.contiguous()
        y_F = x_D.new_empty(self._rows)
        self._product(self._address, x_D.data_ptr(), y_F.data_ptr(), self._rows, self._width)
        if not self.is_proved:
            plain_F = F.linear(x_D, self._weight_FD)
            if not (y_F - plain_F).abs().max() <= _TOLERANCE * plain_F.abs().max():
                self._product = None
                return plain_F
            self.is_proved = True
        return y_F


class PackedLinear(nn.Module):
    """`nn.Linear` for one token, by a `PackedMatrix`."""

    def __init__(self, linear: nn.Linear, blocks: Tensor) -> None:
        super().__init__()
        self._matrix = PackedMatrix(linear.weight, blocks)
        self.bias = linear.bias

    def forward(self, x_BLD: Tensor) -> Tensor:
        """(1, 1, D) to (1, 1, F)."""
        y_F = self._matrix.times(x_BLD.view(-1))
        if self.bias is not None:
            y_F = y_F + self.bias
        return y_F.view(1, 1, -1)


def for_one_token(net: nn.Module, blocks: Mapping[str, Tensor]) -> nn.Module:
    """A network that shares all its parameters with another one, and multiplies out of these blocks.

    Args:
        net: the other one; itself, if there is nothing to multiply with.
        blocks: by the names of its parameters, those of its linear layers that were packed.
    """
    if not blocks or not products():
        return net
    shared = {id(one): one for one in (*net.parameters(), *net.buffers())}
    made = copy.deepcopy(net, shared)
    for name, part in [*made.named_modules()]:
        if isinstance(part, nn.Linear) and (own := blocks.get(f"{name}.weight")) is not None:
            made.set_submodule(name, PackedLinear(part, own))
    return made
