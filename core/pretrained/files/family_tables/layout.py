"""How a family names its weights: which tensor of a checkpoint, or which part of one, is which of ours.

A `Family` is one entry of `table`. Nothing here knows one family from another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from torch import Tensor

    from ....transformer import TransformerConfig

HEAD = "lm_head.weight"  # the matrix that predicts tokens, in every family
HEAD_BIAS = "lm_head.bias"


class Fused(NamedTuple):
    """Our modules that one of theirs computes at once, in the order of its outputs.

    Attributes:
        modules: ours. A query has as many outputs as there are heads, a key or a value as many as there
            are heads of them; others share the outputs evenly.
        by_group: whether the outputs come group by group: the queries that share a key, then this key,
            then its value; otherwise all queries, all keys, all values.
    """

    modules: tuple[str, ...]
    by_group: bool = False

    def split(self, config: TransformerConfig) -> tuple[int, tuple[int, ...]]:
        """The number of groups, and the outputs of each module in a group, in any unit."""
        shared = config.parts.n_kv_heads or config.n_heads
        heads = {"attention.query": config.n_heads, "attention.key": shared, "attention.value": shared}
        if not heads.keys() >= {*self.modules}:
            return 1, (1,) * len(self.modules)
        groups = shared if self.by_group else 1
        return groups, tuple(heads[module] // groups for module in self.modules)


class Family(NamedTuple):
    """One family of stacks.

    Attributes:
        prefix: what stands before the names of a model's tensors if it has a head.
        stack: where its layers are.
        outside: our modules outside the layers -> theirs.
        layer: our modules inside a layer -> theirs.
        fused: one of their modules in a layer -> those of ours that it computes at once.
        inputs_first: their modules in a layer whose matrices are (in, out), not (out, in).
        twice: one of their modules in a layer -> another of ours, which has the same weights.
        less_one: their modules, anywhere, whose γ is stored less 1.
        times: their modules, anywhere -> a factor of what they give, which ours has in their weights.
        plain_norms: whether the norms have no γ of their own: in ours it is 1.
        unused_rows: their tables -> the number of first rows that no token reads.
        biases: which layers have biases, by the names in `core.transformer.Parts`: always, never, or
            the setting that says so.
        more: the rest of our configuration; None for settings that our transformer does not know.
        causal: whether it is a decoder; else an encoder.
        head: tensors of its head that predicts, where that is more than the one matrix; and others that
            need not be read.
        source_stack: of an encoder–decoder, where the layers of its encoder are; the others are then
            those of its decoder.
        source_layer: our modules inside one of them -> theirs.
        tables: other names under which a file may have its table of vectors.
    """

    prefix: str
    stack: str
    outside: Mapping[str, str]
    layer: Mapping[str, str]
    biases: Mapping[str, bool | str]
    more: Callable[[Any], dict[str, Any] | None]
    fused: Mapping[str, Fused] = MappingProxyType({})
    inputs_first: tuple[str, ...] = ()
    twice: Mapping[str, str] = MappingProxyType({})
    less_one: tuple[str, ...] = ()
    times: Mapping[str, float] = MappingProxyType({})
    plain_norms: bool = False
    unused_rows: Mapping[str, int] = MappingProxyType({})
    causal: bool = True
    head: tuple[str, ...] = ()
    source_stack: str = ""
    source_layer: Mapping[str, str] = MappingProxyType({})
    tables: tuple[str, ...] = (HEAD,)

    @property
    def paired(self) -> bool:
        """Whether it is an encoder–decoder."""
        return bool(self.source_stack)

    def whole_in(self, names: Iterable[str]) -> bool:
        """Whether both halves of an encoder–decoder are among these tensors, or it is none."""
        halves = (f"{self.stack}.0.", f"{self.source_stack}.0.")
        listed = list(names)
        return not self.paired or all(any(half in name for name in listed) for half in halves)


class Piece(NamedTuple):
    """A weight of ours in a checkpoint: some of the outputs of a tensor.

    Attributes:
        name: the tensor.
        inputs_first: whether it is (in, out), not (out, in).
        groups: into how many equal groups its outputs fall.
        shares: how those of each group are divided, in any unit.
        part: which of these shares ours is.
        skipped: how many of its first rows ours does not have.
        plus: what is added to each number.
        times: what each number is multiplied by.
    """

    name: str
    inputs_first: bool = False
    groups: int = 1
    shares: tuple[int, ...] = (1,)
    part: int = 0
    skipped: int = 0
    plus: float = 0.0
    times: float = 1.0

    @property
    def is_whole(self) -> bool:
        """Whether it is the tensor itself."""
        return self == Piece(self.name)

    @property
    def keeps_numbers(self) -> bool:
        """Whether its numbers are those of the tensor."""
        return not self.plus and self.times == 1

    @property
    def lies_in_tensor(self) -> bool:
        """Whether it is a part of the tensor's own memory: some of its rows, one behind the other."""
        return self.keeps_numbers and not self.inputs_first and self.groups == 1

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the piece, as ours is, in a tensor of this shape; this shape if none fits."""
        turned = shape[::-1] if self.inputs_first else shape
        if not turned or turned[0] % (self.groups * sum(self.shares)):
            return shape
        outputs = turned[0] // sum(self.shares) * self.shares[self.part]
        return (outputs - self.skipped, *turned[1:])

    def taken(self, tensor: Tensor) -> Tensor:
        """The piece, in memory of its own unless it `lies_in_tensor`."""
        turned = tensor.T if self.inputs_first and tensor.ndim == 2 else tensor
        piece = turned
        if len(self.shares) > 1:
            start = sum(self.shares[: self.part])
            each = turned.reshape(self.groups, sum(self.shares), -1, *turned.shape[1:])
            piece = each[:, start : start + self.shares[self.part]].flatten(0, 2)
        if self.skipped:
            piece = piece[self.skipped :]
        if self.plus:
            piece = piece.float() + self.plus
        if self.times != 1:
            piece = piece.float() * self.times
        return piece if piece is tensor else piece.contiguous()


def ours(config: TransformerConfig, family: Family) -> Mapping[str, str]:
    """The pieces' (current) names -> the names in the state dict of ours; see `pieces`."""
    modules = {theirs: our for our, theirs in family.outside.items()}
    if family.paired:
        halves = [
            ("encoder", family.source_stack, family.source_layer, config.n_encoder_layers),
            ("decoder", family.stack, family.layer, config.n_decoder_layers),
        ]
    else:
        halves = [("stack", family.stack, family.layer, config.n_layers)]
    for our_stack, stack, layer, n_layers in halves:
        for i in range(n_layers):
            inside = {theirs: our for our, theirs in layer.items()}
            if i == 0 and not config.first_norm:
                del inside[layer["attention_norm"]]
            for theirs, fused in family.fused.items():
                inside |= {_piece(theirs, part): our for part, our in enumerate(fused.modules)}
            inside |= {_piece(theirs, 1): our for theirs, our in family.twice.items()}
            modules |= {f"{stack}.{i}.{k}": f"{our_stack}.layers.{i}.{v}" for k, v in inside.items()}
    names = {
        f"{k}.{half}": f"{our}.{half}" for k, our in modules.items() for half in ("weight", "bias")
    }
    if config.tied_output:
        return names
    return names | {HEAD: "output.weight", HEAD_BIAS: "output.bias"}


def pieces(config: TransformerConfig, family: Family, names: Iterable[str]) -> dict[str, Piece]:
    """The tensors of a checkpoint, taken apart: for each piece, its name and where it is."""
    made: dict[str, Piece] = {}
    for name in names:
        module, _, half = name.rpartition(".")
        of_weight = half == "weight"
        whole = Piece(
            name,
            inputs_first=of_weight and _which(module, family.inputs_first) is not None,
            skipped=family.unused_rows.get(_which(module, family.unused_rows) or "", 0),
            plus=1.0 if of_weight and _which(module, family.less_one) is not None else 0.0,
            times=family.times.get(_which(module, family.times) or "", 1.0),
        )
        if (fused := _which(module, family.fused)) is not None:
            groups, shares = family.fused[fused].split(config)
            for part in range(len(shares)):
                key = f"{_piece(module, part)}.{half}"
                made[key] = whole._replace(groups=groups, shares=shares, part=part)
            continue
        made[name] = whole
        if _which(module, family.twice) is not None:
            made[f"{_piece(module, 1)}.{half}"] = whole
    return made


def _which(module: str, listed: Iterable[str]) -> str | None:
    """The one of these names that a module's ends in."""
    return next((one for one in listed if module == one or module.endswith(f".{one}")), None)


def _piece(module: str, part: int) -> str:
    return f"{module}[{part}]"
