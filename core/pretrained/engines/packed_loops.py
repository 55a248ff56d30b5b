"""The loops that multiply packed matrices, in LLVM's language, compiled for this processor.

A matrix is (rows, width). Its rows are blocks of 32 weights, as a GGUF file packs them. Each loop makes
of them the very float32 numbers that unpacking makes; what differs from the float32 product is the
order of the sum alone. There are two kinds:

- for a few tokens, what takes time is to fetch the weights from memory: sixteen weights of a row at a
  time are unpacked in registers, and multiplied with the same sixteen numbers of each token;
- for more tokens, multiplying takes time as well: sixteen rows are unpacked, and each weight is
  multiplied with sixteen tokens at a time, for which the tokens' vectors are transposed. A token's
  numbers are then the same to the last bit, whatever stands beside it.

`llvmlite`, a part of numba, compiles them at their first use, in two tenths of a second.
"""

from __future__ import annotations

import ctypes
import platform
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from string import Template
from typing import Any, NamedTuple

from . import pass_loops
from .pass_loops import LANES, step_of

WEIGHTS = 32  # of a block
BYTES = {"Q4_1": 20, "Q8_0": 34}  # of a block
FEW = 4  # tokens that are multiplied as they lie
# Weights of each of sixteen rows that are unpacked at a time: they stay in the first cache. Each chunk
# is summed by itself: beside one large product, hundreds of small ones would be rounded away.
CHUNK = 96

# Address of blocks, of vectors (tokens, width) and of products (tokens, rows); rows; width.
Few = Callable[[int, int, int, int, int], None]
# The same, with the address of memory to work in before the numbers, and the tokens first among them.
Many = Callable[[int, int, int, int, int, int, int], None]


class Loops(NamedTuple):
    """The loops for one packing.

    Attributes:
        few: for 1, 2, … tokens; for one token alone on older processors.
        many: for more of them; None on older processors.
    """

    few: Sequence[Few]
    many: Many | None


def memory(tokens: int, width: int) -> int:
    """How many float32 numbers `Loops.many` works in."""
    groups = -(-tokens // LANES)
    return LANES * CHUNK + groups * LANES * (LANES + width)


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

_WEIGHTS = {"Q4_1": _Q4_1, "Q8_0": _Q8_0}

# y = W x for each of a few tokens. Sixteen sums of products run along a row for the first halves of its
# blocks, and sixteen for the second.
_FEW = Template("""
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
$sums
$weights
$products
  %block.next = getelementptr i8, ptr %at, i64 $bytes
  %j.next = add i64 %j, 32
  %again = icmp ult i64 %j.next, %width
  br i1 %again, label %block, label %sum
sum:
$results
  %i.next = add i64 %i, 1
  %another = icmp ult i64 %i.next, %rows
  br i1 %another, label %row, label %end
end:
  ret void
}
""")

_SUMS = Template("""
  %sum$t.0 = phi <16 x float> [zeroinitializer, %row], [%more$t.0, %block]
  %sum$t.1 = phi <16 x float> [zeroinitializer, %row], [%more$t.1, %block]
""")

_PRODUCTS = Template("""
  %x$t.far = mul i64 %width, $t
  %x$t.on = add i64 %x$t.far, %j
  %x$t.0.at = getelementptr float, ptr %x, i64 %x$t.on
  %x$t.1.at = getelementptr float, ptr %x$t.0.at, i64 16
  %x$t.0 = load <16 x float>, ptr %x$t.0.at, align 4
  %x$t.1 = load <16 x float>, ptr %x$t.1.at, align 4
  %more$t.0 = call <16 x float> @llvm.fma.v16f32(<16 x float> %w0, <16 x float> %x$t.0,
    <16 x float> %sum$t.0)
  %more$t.1 = call <16 x float> @llvm.fma.v16f32(<16 x float> %w1, <16 x float> %x$t.1,
    <16 x float> %sum$t.1)
""")

_RESULTS = Template("""
  %both$t = fadd <16 x float> %more$t.0, %more$t.1
  %y$t = call reassoc float @llvm.vector.reduce.fadd.v16f32(float 0.0, <16 x float> %both$t)
  %y$t.far = mul i64 %rows, $t
  %y$t.on = add i64 %y$t.far, %i
  %y$t.at = getelementptr float, ptr %y, i64 %y$t.on
  store float %y$t, ptr %y$t.at
""")


def _few(packing: str, tokens: int) -> str:
    def each(part: Template) -> str:
        return "".join(part.substitute(t=t) for t in range(tokens))

    return _FEW.substitute(
        name=_few_name(packing, tokens),
        sums=each(_SUMS),
        weights=_WEIGHTS[packing],
        products=each(_PRODUCTS),
        bytes=BYTES[packing],
        results=each(_RESULTS),
    )


def _few_name(packing: str, tokens: int) -> str:
    return f"{packing}_few_{tokens}"


# Sixteen rows by so many weights: (16, CHUNK) float32.
_UNPACK = Template("""
define internal void @${packing}_unpack(ptr noalias %blocks, ptr noalias %w, i64 %row.bytes, i64 %width)
noinline {
entry:
  br label %row
row:
  %i = phi i64 [0, %entry], [%i.next, %row.end]
  %from.far = mul i64 %i, %row.bytes
  %from = getelementptr i8, ptr %blocks, i64 %from.far
  %to.far = mul i64 %i, $chunk
  %to = getelementptr float, ptr %w, i64 %to.far
  br label %block
block:
  %j = phi i64 [0, %row], [%j.next, %block]
  %at = phi ptr [%from, %row], [%at.next, %block]
$weights
  %w0.at = getelementptr float, ptr %to, i64 %j
  %w1.at = getelementptr float, ptr %w0.at, i64 16
  store <16 x float> %w0, ptr %w0.at, align 4
  store <16 x float> %w1, ptr %w1.at, align 4
  %at.next = getelementptr i8, ptr %at, i64 $bytes
  %j.next = add i64 %j, 32
  %again = icmp ult i64 %j.next, %width
  br i1 %again, label %block, label %row.end
row.end:
  %i.next = add i64 %i, 1
  %another = icmp ult i64 %i.next, 16
  br i1 %another, label %row, label %end
end:
  ret void
}
""")

# Sixteen rows after the other, and chunk by chunk of their weights; the last sixteen end with the
# matrix. %t has the vectors of sixteen tokens transposed, (width, 16), group after group; %y the
# products of sixteen rows, (16, 16) for each group.
_MANY = Template("""
define void @${packing}_many(ptr noalias %blocks, ptr noalias %x, ptr noalias %out, ptr noalias %w,
  i64 %tokens, i64 %rows, i64 %width) {
entry:
  %tokens.up = add i64 %tokens, 15
  %groups = udiv i64 %tokens.up, 16
  %y = getelementptr float, ptr %w, i64 $cells
  %y.size = mul i64 %groups, 256
  %t = getelementptr float, ptr %y, i64 %y.size
  call void @in(ptr %x, ptr %t, i64 %tokens, i64 %width)
  %row.blocks = udiv i64 %width, 32
  %row.bytes = mul i64 %row.blocks, $bytes
  %w8 = getelementptr float, ptr %w, i64 $half
  %apart = mul i64 %width, 16
  %last = sub i64 %rows, 16
  br label %some
some:
  %n.far = phi i64 [0, %entry], [%n.next, %some.end]
  %n = call i64 @llvm.umin.i64(i64 %n.far, i64 %last)
  %n.bytes = mul i64 %n, %row.bytes
  %blocks.n = getelementptr i8, ptr %blocks, i64 %n.bytes
  br label %chunk
chunk:
  %k = phi i64 [0, %some], [%k.next, %chunk.end]
  %left = sub i64 %width, %k
  %k.size = call i64 @llvm.umin.i64(i64 %left, i64 $chunk)
  %k.blocks = udiv i64 %k, 32
  %k.bytes = mul i64 %k.blocks, $bytes
  %blocks.k = getelementptr i8, ptr %blocks.n, i64 %k.bytes
  call void @${packing}_unpack(ptr %blocks.k, ptr %w, i64 %row.bytes, i64 %k.size)
  %first = icmp eq i64 %k, 0
  %k16 = mul i64 %k, 16
  %t.k = getelementptr float, ptr %t, i64 %k16
  br label %group
group:
  %g = phi i64 [0, %chunk], [%g.next, %group.end]
  %t.far = mul i64 %g, %apart
  %t.g = getelementptr float, ptr %t.k, i64 %t.far
  %y.far = mul i64 %g, 256
  %y.g = getelementptr float, ptr %y, i64 %y.far
  %y.g8 = getelementptr float, ptr %y.g, i64 128
  %g.left = sub i64 %groups, %g
  %g.some = call i64 @llvm.umin.i64(i64 %g.left, i64 3)
  switch i64 %g.some, label %three [ i64 1, label %one i64 2, label %two ]
one:
  call void @tile1(ptr %w, ptr %t.g, i64 %apart, ptr %y.g, i64 %k.size, i1 %first)
  br label %group.end
two:
  call void @tile2(ptr %w, ptr %t.g, i64 %apart, ptr %y.g, i64 %k.size, i1 %first)
  call void @tile2(ptr %w8, ptr %t.g, i64 %apart, ptr %y.g8, i64 %k.size, i1 %first)
  br label %group.end
three:
  call void @tile3(ptr %w, ptr %t.g, i64 %apart, ptr %y.g, i64 %k.size, i1 %first)
  call void @tile3(ptr %w8, ptr %t.g, i64 %apart, ptr %y.g8, i64 %k.size, i1 %first)
  br label %group.end
group.end:
  %g.next = add i64 %g, %g.some
  %g.more = icmp ult i64 %g.next, %groups
  br i1 %g.more, label %group, label %chunk.end
chunk.end:
  %k.next = add i64 %k, $chunk
  %k.more = icmp ult i64 %k.next, %width
  br i1 %k.more, label %chunk, label %some.end
some.end:
  %out.n = getelementptr float, ptr %out, i64 %n
  call void @out(ptr %y, ptr %out.n, i64 %groups, i64 %rows)
  %n.next = add i64 %n.far, 16
  %n.more = icmp ult i64 %n.next, %rows
  br i1 %n.more, label %some, label %end
end:
  ret void
}
""")


def _many(packing: str) -> str:
    names = {"packing": packing, "bytes": BYTES[packing], "chunk": CHUNK}
    return _UNPACK.substitute(names, weights=_WEIGHTS[packing]) + _MANY.substitute(
        names, cells=LANES * CHUNK, half=LANES * CHUNK // 2
    )


def _tile(rows: int, groups: int) -> str:
    """So many rows times so many groups of sixteen tokens, a sum each in a register.

    Behind the first chunk, the sums are added to those of the chunks before.
    """
    cells = [f"{n}.{g}" for n in range(rows) for g in range(groups)]
    places = "".join(
        f"  %y{n}.{g} = getelementptr float, ptr %y, i64 {256 * g + 16 * n}\n"
        for n in range(rows)
        for g in range(groups)
    )
    vectors = "".join(
        f"  %x{g}.at = getelementptr float, ptr {f'%x{g - 1}.at' if g else '%x.k'}, "
        f"i64 {'%apart' if g else 0}\n  %x{g} = load <16 x float>, ptr %x{g}.at, align 4\n"
        for g in range(groups)
    )
    products = "".join(
        f"  %w{n}.at = getelementptr float, ptr %w.k, i64 {n * CHUNK}\n"
        f"  %w{n}.one = load float, ptr %w{n}.at, align 4\n"
        f"  %w{n}.first = insertelement <16 x float> poison, float %w{n}.one, i32 0\n"
        f"  %w{n} = shufflevector <16 x float> %w{n}.first, <16 x float> poison, "
        "<16 x i32> zeroinitializer\n"
        + "".join(
            f"  %more{n}.{g} = call <16 x float> @llvm.fma.v16f32(<16 x float> %w{n}, "
            f"<16 x float> %x{g}, <16 x float> %sum{n}.{g})\n"
            for g in range(groups)
        )
        for n in range(rows)
    )

    def each(line: str) -> str:
        return "".join(f"  {line.replace('CELL', cell)}\n" for cell in cells)

    sums = each("%sumCELL = phi <16 x float> [zeroinitializer, %entry], [%moreCELL, %step]")
    kept = each("%keptCELL = load <16 x float>, ptr %yCELL, align 4")
    both = each("%bothCELL = fadd <16 x float> %keptCELL, %moreCELL")
    added = each("store <16 x float> %bothCELL, ptr %yCELL, align 4")
    results = each("store <16 x float> %moreCELL, ptr %yCELL, align 4")
    return f"""
define internal void @tile{groups}(ptr noalias %w, ptr noalias %x, i64 %apart, ptr noalias %y,
  i64 %width, i1 %first) noinline {{
entry:
{places}
  br label %step
step:
  %k = phi i64 [0, %entry], [%k.next, %step]
{sums}
  %k16 = mul i64 %k, 16
  %x.k = getelementptr float, ptr %x, i64 %k16
{vectors}
  %w.k = getelementptr float, ptr %w, i64 %k
{products}
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %width
  br i1 %more, label %step, label %done
done:
  br i1 %first, label %new, label %on
new:
{results}
  ret void
on:
{kept}
{both}
{added}
  ret void
}}
"""


def _transposed() -> tuple[str, list[str]]:
    """The lines that transpose the sixteen vectors %v0, %v1, …, and the names of the columns.

    In four steps, each swaps halves of squares: of 16 by 16 numbers, of 8 by 8, of 4 by 4, of 2 by 2.
    """
    lines, now = [], [f"%v{i}" for i in range(LANES)]
    for size in (8, 4, 2, 1):
        then = list(now)
        for i in (i for i in range(LANES) if not i & size):
            left = [LANES + j - size if j & size else j for j in range(LANES)]
            right = [LANES + j if j & size else j + size for j in range(LANES)]
            for place, picked in ((i, left), (i + size, right)):
                then[place] = f"%v{place}.{size}"
                mask = ", ".join(f"i32 {j}" for j in picked)
                lines.append(
                    f"  {then[place]} = shufflevector <16 x float> {now[i]}, "
                    f"<16 x float> {now[i + size]}, <16 x i32> <{mask}>\n"
                )
        now = then
    return "".join(lines), now


def _transposing_in() -> str:
    """(tokens, width) to (width, 16) for each sixteen tokens; the last one stands for those missing."""
    lines, columns = _transposed()
    rows = "".join(
        f"  %i{i} = add i64 %g, {i}\n  %there{i} = call i64 @llvm.umin.i64(i64 %i{i}, i64 %last)\n"
        f"  %far{i} = mul i64 %there{i}, %width\n  %row{i} = getelementptr float, ptr %x, i64 %far{i}\n"
        for i in range(LANES)
    )
    loads = "".join(
        f"  %v{i}.at = getelementptr float, ptr %row{i}, i64 %k\n"
        f"  %v{i} = load <16 x float>, ptr %v{i}.at, align 4\n"
        for i in range(LANES)
    )
    stores = "".join(
        f"  %to{i} = getelementptr float, ptr %to, i64 {LANES * i}\n"
        f"  store <16 x float> {columns[i]}, ptr %to{i}, align 4\n"
        for i in range(LANES)
    )
    return f"""
define internal void @in(ptr noalias %x, ptr noalias %t, i64 %tokens, i64 %width) noinline {{
entry:
  %last = sub i64 %tokens, 1
  %size = mul i64 %width, 16
  br label %group
group:
  %g = phi i64 [0, %entry], [%g.next, %group.end]
  %t.g = phi ptr [%t, %entry], [%t.next, %group.end]
{rows}
  br label %some
some:
  %k = phi i64 [0, %group], [%k.next, %some]
{loads}
{lines}
  %k16 = mul i64 %k, 16
  %to = getelementptr float, ptr %t.g, i64 %k16
{stores}
  %k.next = add i64 %k, 16
  %k.more = icmp ult i64 %k.next, %width
  br i1 %k.more, label %some, label %group.end
group.end:
  %g.next = add i64 %g, 16
  %t.next = getelementptr float, ptr %t.g, i64 %size
  %g.more = icmp ult i64 %g.next, %tokens
  br i1 %g.more, label %group, label %end
end:
  ret void
}}
"""


def _transposing_out() -> str:
    """(16, 16) for each group of tokens, of sixteen rows, to the places of these rows."""
    lines, columns = _transposed()
    loads = "".join(
        f"  %v{i}.at = getelementptr float, ptr %y.g, i64 {LANES * i}\n"
        f"  %v{i} = load <16 x float>, ptr %v{i}.at, align 4\n"
        for i in range(LANES)
    )
    stores = "".join(
        f"  %far{i} = mul i64 %rows, {i}\n  %to{i} = getelementptr float, ptr %out.g, i64 %far{i}\n"
        f"  store <16 x float> {columns[i]}, ptr %to{i}, align 4\n"
        for i in range(LANES)
    )
    return f"""
define internal void @out(ptr noalias %y, ptr noalias %out, i64 %groups, i64 %rows) noinline {{
entry:
  %size = mul i64 %rows, 16
  br label %group
group:
  %g = phi i64 [0, %entry], [%g.next, %group]
  %y.g = phi ptr [%y, %entry], [%y.next, %group]
  %out.g = phi ptr [%out, %entry], [%out.next, %group]
{loads}
{lines}
{stores}
  %g.next = add i64 %g, 1
  %y.next = getelementptr float, ptr %y.g, i64 256
  %out.next = getelementptr float, ptr %out.g, i64 %size
  %g.more = icmp ult i64 %g.next, %groups
  br i1 %g.more, label %group, label %end
end:
  ret void
}}
"""


_DECLARED = """
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare float @llvm.vector.reduce.fadd.v16f32(float, <16 x float>)
declare i64 @llvm.umin.i64(i64, i64)
"""


def _source(few: int, many: bool) -> str:
    """All loops: for up to so many tokens as they lie; and `many`, those for more."""
    parts = [_few(packing, tokens) for packing in BYTES for tokens in range(1, few + 1)]
    if many:
        parts += [_transposing_in(), _transposing_out(), _tile(16, 1), _tile(8, 2), _tile(8, 3)]
        parts += [_many(packing) for packing in BYTES]
        parts += [step_of(f"{packing}_many", "ptr ptr ptr ptr i64 i64 i64") for packing in BYTES]
    for packing in BYTES:
        parts += [step_of(_few_name(packing, n), "ptr ptr ptr i64 i64") for n in range(1, few + 1)]
    return "".join(parts) + _DECLARED + pass_loops.source()


_compiling = threading.Lock()


def loops() -> Mapping[str, Loops]:
    """Those for each packing, compiled; empty where they cannot be. They run without the GIL."""
    with _compiling:
        return _compiled()


@cache
def _compiled() -> Mapping[str, Loops]:
    made = _machine_code()
    if made is None:
        return {}
    engine, few, many = made
    pointer, count = ctypes.c_void_p, ctypes.c_int64
    for_few = ctypes.CFUNCTYPE(None, *[pointer] * 3, *[count] * 2)
    for_many = ctypes.CFUNCTYPE(None, *[pointer] * 4, *[count] * 3)

    def address(name: str) -> int:
        found: int = engine.get_function_address(name)
        return found

    return {
        packing: Loops(
            [for_few(address(_few_name(packing, n))) for n in range(1, few + 1)],
            for_many(address(f"{packing}_many")) if many else None,
        )
        for packing in BYTES
    }


@cache
def _machine_code() -> tuple[Any, int, bool] | None:
    """What holds the loops as long as the process runs, and which; None where there can be none."""
    try:
        from llvmlite import binding as llvm

        features = llvm.get_host_cpu_features()
        if not _is_able(platform.machine().lower(), features):
            return None
        # The sums of more tokens than one need the 32 wide registers of newer processors.
        wide = features.get("avx512f", False)
        few = FEW if wide else 1
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module = llvm.parse_assembly(_source(few, wide))
        module.verify()
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=features.flatten(), opt=3
        )
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
    except (ImportError, OSError, RuntimeError):  # what llvmlite raises is a RuntimeError
        return None
    return engine, few, wide


class Steps(NamedTuple):
    """The addresses of the steps of a pass (`pass_loops`), and what runs a list of them.

    Attributes:
        run: the address of the list, and their number.
        few: by packing, the steps of `Loops.few`.
        many: by packing, that of `Loops.many`; empty on older processors.
        others: the other steps by their names.
    """

    run: Callable[[int, int], None]
    few: Mapping[str, Sequence[int]]
    many: Mapping[str, int]
    others: Mapping[str, int]


def steps() -> Steps | None:
    """The steps of a pass, compiled; None where they cannot be. `Steps.run` runs without the GIL."""
    if not loops():
        return None
    with _compiling:
        made = _machine_code()
    assert made is not None
    engine, few, many = made
    at = engine.get_function_address
    return Steps(
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(at("run")),
        {each: [at(f"{_few_name(each, n)}.step") for n in range(1, few + 1)] for each in BYTES},
        {each: at(f"{each}_many.step") for each in BYTES} if many else {},
        {name: at(name) for name in pass_loops.STEPS},
    )


def _is_able(machine: str, features: Mapping[str, bool]) -> bool:
    """Whether a processor converts float16 and fuses products with sums by itself.

    For another one, LLVM would call routines of a C library, which need not be there.
    """
    if machine in ("x86_64", "amd64"):
        return all(features.get(one, False) for one in ("avx2", "f16c", "fma"))
    return machine in ("aarch64", "arm64")
