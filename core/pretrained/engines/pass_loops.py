"""What a pass does besides multiplying matrices, in LLVM's language, and how it all runs in one call.

Each step of a pass is a function of one record: up to eleven arguments of eight bytes, addresses and
counts. `run` calls the steps of a list one after the other. So a pass of a decoder is one call, during
which Python's lock is free: one step a call asks for it hundreds of times, and waits each time while
the pages of other visitors are built.

Numbers are float32, in rows one behind the other; widths are multiples of `LANES`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from string import Template

LANES = 16  # numbers that are computed with at a time
ARGUMENTS = 11  # of a step, at most
WORDS = ARGUMENTS + 1  # eight bytes each of a step in the list: the function, then its arguments

_STEP = 8 * WORDS


class _Code:
    """The lines of a function, one behind the other, with its loops."""

    def __init__(self, name: str, arguments: str) -> None:
        """`arguments`: "type name" of each, in the order of the record."""
        self._lines = [f"define void @{name}(ptr %record) {{", "entry:"]
        self._block = "entry"
        self._names = 0
        for i, one in enumerate(arguments.split(", ")):
            kind, its = one.split()
            at = f"%record.{i} = getelementptr i64, ptr %record, i64 {i}"
            self.add(at, f"%{its} = load {kind}, ptr %record.{i}, align 8")

    def add(self, *lines: str) -> None:
        """Append lines."""
        self._lines += [f"  {one}" for one in lines]

    @contextmanager
    def loop(self, i: str, end: str, step: int = 1, **carried: tuple[str, str]) -> Iterator[None]:
        """Run the block for %i = 0, step, … below `end`, which is above 0.

        `carried`: name -> type and first value of what one round hands to the next. The block gives
        %name.next, which is the last value behind the loop.
        """
        before = self._block
        self.add(f"br label %{i}.body")
        self._lines.append(f"{i}.body:")
        self._block = f"{i}.body"
        self.add(f"%{i} = phi i64 [0, %{before}], [%{i}.next, %{i}.latch]")
        for name, (kind, first) in carried.items():
            self.add(f"%{name} = phi {kind} [{first}, %{before}], [%{name}.next, %{i}.latch]")
        yield
        self.add(f"br label %{i}.latch")
        self._lines.append(f"{i}.latch:")
        self.add(
            f"%{i}.next = add i64 %{i}, {step}",
            f"%{i}.more = icmp ult i64 %{i}.next, {end}",
            f"br i1 %{i}.more, label %{i}.body, label %{i}.end",
        )
        self._lines.append(f"{i}.end:")
        self._block = f"{i}.end"

    def at(self, name: str, base: str, index: str) -> str:
        """The address of a number of an array, %name."""
        self.add(f"%{name} = getelementptr float, ptr {base}, i64 {index}")
        return f"%{name}"

    def some(self, name: str, base: str, index: str) -> str:
        """Sixteen numbers of an array from an index on, %name."""
        self.add(f"%{name} = load {_V}, ptr {self.at(f'{name}.at', base, index)}, align 4")
        return f"%{name}"

    def store(self, what: str, base: str, index: str) -> None:
        """Sixteen numbers into an array from an index on."""
        self._names += 1
        self.add(f"store {_V} {what}, ptr {self.at(f'to{self._names}', base, index)}, align 4")

    def many(self, name: str, one: str) -> str:
        """A number sixteen times, %name."""
        self.add(
            f"%{name}.first = insertelement {_V} poison, float {one}, i32 0",
            f"%{name} = shufflevector {_V} %{name}.first, {_V} poison, <16 x i32> zeroinitializer",
        )
        return f"%{name}"

    def sum(self, name: str, some: str) -> str:
        """The sum of sixteen numbers, %name."""
        call = "call reassoc float @llvm.vector.reduce.fadd.v16f32"
        self.add(f"%{name} = {call}(float 0.0, {_V} {some})")
        return f"%{name}"

    @property
    def text(self) -> str:
        """The function."""
        return "\n".join([*self._lines, "  ret void", "}", ""])


_V = "<16 x float>"


def _norm() -> str:
    """RMSNorm: γ ⊙ x / √(mean of x² + ε), for each row."""
    code = _Code("norm", "ptr x, ptr gamma, ptr out, i64 rows, i64 width, double eps.double")
    code.add("%eps = fptrunc double %eps.double to float", "%count = uitofp i64 %width to float")
    with code.loop("row", "%rows"):
        code.add("%far = mul i64 %row, %width")
        x, out = code.at("x.row", "%x", "%far"), code.at("out.row", "%out", "%far")
        with code.loop("i", "%width", LANES, squares=(_V, "zeroinitializer")):
            one = code.some("one", x, "%i")
            code.add(_fma("squares.next", one, one, "%squares"))
        code.add(
            f"%mean = fdiv float {code.sum('total', '%squares.next')}, %count",
            "%mean.eps = fadd float %mean, %eps",
            "%root = call float @llvm.sqrt.f32(float %mean.eps)",
            "%inverse = fdiv float 1.0, %root",
        )
        factor = code.many("factor", "%inverse")
        with code.loop("j", "%width", LANES):
            now, gamma = code.some("now", x, "%j"), code.some("gamma.j", "%gamma", "%j")
            code.add(f"%scaled = fmul {_V} {now}, {factor}", f"%normed = fmul {_V} %scaled, {gamma}")
            code.store("%normed", out, "%j")
    return code.text


def _turn() -> str:
    """Rotary positions in place: halves of each head turn together (`transformer.positions.turned`).

    x is (tokens, heads, 2 · half), the cosines and sines are (tokens, half).
    """
    code = _Code("turn", "ptr x, ptr cos, ptr sin, i64 tokens, i64 heads, i64 half")
    code.add("%d_head = shl i64 %half, 1", "%width = mul i64 %heads, %d_head")
    with code.loop("t", "%tokens"):
        code.add("%t.x = mul i64 %t, %width", "%t.angle = mul i64 %t, %half")
        own_cos, own_sin = code.at("cos.t", "%cos", "%t.angle"), code.at("sin.t", "%sin", "%t.angle")
        with code.loop("h", "%heads"):
            code.add("%h.far = mul i64 %h, %d_head", "%h.x = add i64 %t.x, %h.far")
            first = code.at("first.at", "%x", "%h.x")
            second = code.at("second.at", first, "%half")
            with code.loop("i", "%half", LANES):
                a, b = code.some("a", first, "%i"), code.some("b", second, "%i")
                c, s = code.some("c", own_cos, "%i"), code.some("s", own_sin, "%i")
                code.add(
                    f"%ac = fmul {_V} {a}, {c}",
                    f"%bs = fmul {_V} {b}, {s}",
                    f"%as = fmul {_V} {a}, {s}",
                    f"%bc = fmul {_V} {b}, {c}",
                    f"%one = fsub {_V} %ac, %bs",
                    f"%other = fadd {_V} %as, %bc",
                )
                code.store("%one", first, "%i")
                code.store("%other", second, "%i")
    return code.text


def _copy() -> str:
    """(heads, rows, width) numbers, of which each is `apart` from the next: of heads, and of rows."""
    code = _Code(
        "copy",
        "ptr x, ptr out, i64 heads, i64 rows, i64 width, i64 x.heads.apart, i64 x.rows.apart, "
        "i64 heads.apart, i64 rows.apart",
    )
    with code.loop("h", "%heads"):
        code.add("%h.x = mul i64 %h, %x.heads.apart", "%h.out = mul i64 %h, %heads.apart")
        x, out = code.at("x.h", "%x", "%h.x"), code.at("out.h", "%out", "%h.out")
        with code.loop("row", "%rows"):
            code.add("%r.x = mul i64 %row, %x.rows.apart", "%r.out = mul i64 %row, %rows.apart")
            x_row, out_row = code.at("x.r", x, "%r.x"), code.at("out.r", out, "%r.out")
            with code.loop("i", "%width", LANES):
                code.store(code.some("x.i", x_row, "%i"), out_row, "%i")
    return code.text


def _attend() -> str:
    """Causal attention: softmax(q · k · scale) v, for each new token and head.

    q and out are (tokens, heads, d_head), k and v (kv_heads, before + tokens, d_head). `work` holds the
    scores of one row, and up to fifteen more.
    """
    code = _Code(
        "attend",
        "ptr q, ptr k, ptr v, ptr out, ptr work, i64 tokens, i64 before, i64 heads, i64 kv_heads, "
        "i64 d_head, double scale.double",
    )
    code.add(
        "%scale = fptrunc double %scale.double to float",
        "%every = add i64 %before, %tokens",
        "%size = mul i64 %every, %d_head",
        "%share = udiv i64 %heads, %kv_heads",
    )
    with code.loop("t", "%tokens"):
        code.add("%t.keys = add i64 %before, %t", "%keys = add i64 %t.keys, 1")
        code.add("%t.heads = mul i64 %t, %heads")
        with code.loop("h", "%heads"):
            code.add(
                "%h.all = add i64 %t.heads, %h",
                "%h.far = mul i64 %h.all, %d_head",
                "%h.kv = udiv i64 %h, %share",
                "%h.keys = mul i64 %h.kv, %size",
            )
            q, out = code.at("q.h", "%q", "%h.far"), code.at("out.h", "%out", "%h.far")
            k, v = code.at("k.h", "%k", "%h.keys"), code.at("v.h", "%v", "%h.keys")
            with code.loop("j", "%keys", largest=("float", "0xFFF0000000000000")):
                code.add("%j.far = mul i64 %j, %d_head")
                key = code.at("k.j", k, "%j.far")
                with code.loop("d", "%d_head", LANES, dot=(_V, "zeroinitializer")):
                    one, other = code.some("q.d", q, "%d"), code.some("k.d", key, "%d")
                    code.add(_fma("dot.next", one, other, "%dot"))
                code.add(
                    f"%score = fmul float {code.sum('product', '%dot.next')}, %scale",
                    f"store float %score, ptr {code.at('score.at', '%work', '%j')}, align 4",
                    "%largest.next = call float @llvm.maxnum.f32(float %largest, float %score)",
                )
            # What fills the last sixteen weighs nothing.
            code.store("splat (float 0xFFF0000000000000)", "%work", "%keys")
            most = code.many("most", "%largest.next")
            with code.loop("n", "%keys", LANES, total=(_V, "zeroinitializer")):
                code.add(f"%below = fsub {_V} {code.some('score.n', '%work', '%n')}, {most}")
                code.add(f"%weight = call {_V} @exp16({_V} %below)")
                code.store("%weight", "%work", "%n")
                code.add(f"%total.next = fadd {_V} %total, %weight")
            code.add(f"%part = fdiv float 1.0, {code.sum('whole', '%total.next')}")
            part = code.many("parts", "%part")
            with code.loop("e", "%d_head", LANES):
                with code.loop("m", "%keys", mixed=(_V, "zeroinitializer")):
                    code.add("%m.row = mul i64 %m, %d_head", "%m.far = add i64 %m.row, %e")
                    code.add(f"%w.m = load float, ptr {code.at('w.at', '%work', '%m')}, align 4")
                    weight = code.many("w", "%w.m")
                    code.add(_fma("mixed.next", weight, code.some("v.m", v, "%m.far"), "%mixed"))
                code.add(f"%output = fmul {_V} %mixed.next, {part}")
                code.store("%output", out, "%e")
    return code.text


def _gate() -> str:
    """The product silu(x) ⊙ y = x / (1 + exp(−x)) · y, in place of x."""
    code = _Code("gate", "ptr x, ptr y, i64 count")
    with code.loop("i", "%count", LANES):
        x, y = code.some("x.i", "%x", "%i"), code.some("y.i", "%y", "%i")
        code.add(
            f"%minus = fneg {_V} {x}",
            f"%power = call {_V} @exp16({_V} %minus)",
            f"%below = fadd {_V} %power, splat (float 1.0)",
            f"%silu = fdiv {_V} {x}, %below",
            f"%gated = fmul {_V} %silu, {y}",
        )
        code.store("%gated", "%x", "%i")
    return code.text


def _add() -> str:
    """The sum x + y, in place of x."""
    code = _Code("add", "ptr x, ptr y, i64 count")
    with code.loop("i", "%count", LANES):
        x, y = code.some("x.i", "%x", "%i"), code.some("y.i", "%y", "%i")
        code.add(f"%sum = fadd {_V} {x}, {y}")
        code.store("%sum", "%x", "%i")
    return code.text


def _fma(name: str, a: str, b: str, c: str) -> str:
    """%name = a · b + c."""
    return f"%{name} = call {_V} @llvm.fma.v16f32({_V} {a}, {_V} {b}, {_V} {c})"


# exp x = 2ⁿ · exp r with |r| ≤ ln 2 / 2, where a polynomial of degree 6 serves (S. L. Moshier's Cephes,
# expf). Below −87 it gives 1.6e−38 in place of 0, above 88 no more than 1.7e38.
_EXP_TERMS = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 0.5)


def _exp() -> str:
    """Sixteen powers of e."""
    lines = [
        f"%low = call {_V} @llvm.maxnum.v16f32({_V} %x, {_V} {_splat(-87.0)})",
        f"%in = call {_V} @llvm.minnum.v16f32({_V} %low, {_V} {_splat(88.0)})",
        _fma("n.half", "%in", _splat(1.44269504088896341), _splat(0.5)),
        f"%n = call {_V} @llvm.floor.v16f32({_V} %n.half)",
        # ln 2 in two parts, of which the first has few digits: their products are exact.
        _fma("r.high", "%n", _splat(-0.693359375), "%in"),
        _fma("r", "%n", _splat(2.12194440e-4), "%r.high"),
        f"%square = fmul {_V} %r, %r",
    ]
    now = _splat(_EXP_TERMS[0])
    for i, term in enumerate(_EXP_TERMS[1:]):
        lines.append(_fma(f"p{i}", now, "%r", _splat(term)))
        now = f"%p{i}"
    lines += [
        f"%r.one = fadd {_V} %r, {_splat(1.0)}",
        _fma("small", now, "%square", "%r.one"),
        f"%n.int = fptosi {_V} %n to <16 x i32>",
        "%biased = add <16 x i32> %n.int, splat (i32 127)",
        "%bits = shl <16 x i32> %biased, splat (i32 23)",
        f"%power = bitcast <16 x i32> %bits to {_V}",
        f"%exp = fmul {_V} %small, %power",
        f"ret {_V} %exp",
    ]
    body = "\n".join(f"  {one}" for one in lines)
    return f"define internal {_V} @exp16({_V} %x) {{\n{body}\n}}\n"


def _splat(number: float) -> str:
    """A float32 constant sixteen times, written as LLVM reads it: the bits of the equal float64."""
    (rounded,) = struct.unpack("f", struct.pack("f", number))
    (bits,) = struct.unpack("Q", struct.pack("d", rounded))
    return f"splat (float 0x{bits:016X})"


_RUN = f"""
define void @run(ptr %steps, i64 %count) {{
entry:
  br label %step
step:
  %i = phi i64 [0, %entry], [%i.next, %step]
  %far = mul i64 %i, {_STEP}
  %at = getelementptr i8, ptr %steps, i64 %far
  %function = load ptr, ptr %at, align 8
  %record = getelementptr i8, ptr %at, i64 8
  call void %function(ptr %record)
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %count
  br i1 %more, label %step, label %end
end:
  ret void
}}
"""

_DECLARED = """
declare float @llvm.sqrt.f32(float)
declare float @llvm.maxnum.f32(float, float)
declare <16 x float> @llvm.maxnum.v16f32(<16 x float>, <16 x float>)
declare <16 x float> @llvm.minnum.v16f32(<16 x float>, <16 x float>)
declare <16 x float> @llvm.floor.v16f32(<16 x float>)
"""

_CALLED = Template("""
define void @$name.step(ptr %record) {
$loads
  call void @$name($arguments)
  ret void
}
""")

STEPS = ("norm", "turn", "copy", "attend", "gate", "add")


def step_of(name: str, kinds: str) -> str:
    """A step that calls a function with the arguments of its record: "ptr i64 …", the type of each."""
    of_each = kinds.split()
    loads = "\n".join(
        f"  %at{i} = getelementptr i64, ptr %record, i64 {i}\n"
        f"  %a{i} = load {kind}, ptr %at{i}, align 8"
        for i, kind in enumerate(of_each)
    )
    given = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(of_each))
    return _CALLED.substitute(name=name, loads=loads, arguments=given)


def source() -> str:
    """All steps but the products of matrices, and `run`."""
    parts = [_exp(), _norm(), _turn(), _copy(), _attend(), _gate(), _add(), _RUN, _DECLARED]
    return "".join(parts)
