"""The anatomy of a `transformers` model, found by running it on a few tokens.

No list of model families says how many layers a model has, which of them have attention, whether a
token sees later tokens, or where the final norm is: the model itself shows it. It runs once as
`transformers` exposes it (eager, with its own outputs), and once with our recorder in place of its
attention (`core.pretrained.engines.recording`). The two must agree. If they do not, or if query and key
do not yield the weights, only the weights are used, and the reason is stored.
"""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from ...errors import NotSupported, in_short
from ...records.attention import Outside
from . import edits, families, recording
from .engine import Shape
from .recording import Call

Part = Literal["own", "encoder", "decoder", "cross"]
Owner = Literal["own", "encoder", "decoder", "cross", "merged", "none"]
Where = tuple[Part, int]  # a part and one of its layers
# Lengths of source and target; having both identifies a cross-attention. The shorter ones are for
# models with few positions.
LENGTHS = (7, 5)
SHORT = (3, 2)
# The largest relative difference allowed between two runs, and between the weights and the softmax of
# the scores.
SAME = 1e-4
CROSS: Part = "cross"
# Inputs of a model that reads more than text.
_OTHER_INPUTS = re.compile(r"input_(values|features)|(\w+_)?(pixel|image|audio|video|speech|visual)\w*")
ELSEWHERE = (
    "transformers computes the attention of this architecture in a way that Polysee cannot record."
)


class Stack(NamedTuple):
    """The layers of an encoder or decoder.

    Attributes:
        shape: its sizes; the largest, if heads and widths differ from layer to layer.
        causal: whether a token sees only itself and earlier tokens.
        raw: the module that receives the last layer's output, if `transformers` returns that output
            only after a norm; "" if it returns it directly.
        final: the module whose output is the final vector of each token; "" if `transformers` returns
            it; None if nothing follows the last layer.
        biases: the number of biases added to the scores: none, one for all layers, or one per layer.
        width: the width of the final vector of a token.
        streams_first: whether layers that pass on several vectors per token return them as (S, B, L, D)
            instead of (B, L, S, D).
    """

    shape: Shape
    causal: bool = False
    raw: str = ""
    final: str | None = None
    biases: int = 0
    width: int = 0
    streams_first: bool = False


class Anatomy(NamedTuple):
    """The findings of a few runs of a model.

    Attributes:
        stacks: "own" for a model with a single stack, otherwise "encoder" and "decoder".
        calls: for each call of attention in a run, in order: its owner and its layer; see `sorted_out`.
        why: parts whose attention appears in no call, so that only their weights are read, with the
            reason in a sentence.
        outside: parts in whose attention each row gives a share to something other than a key, and to
            what.
        rows: the number of positions in the model's table, if it has one.
        headed: whether the final vectors are available only as the last of the layers' outputs.
    """

    stacks: Mapping[Part, Stack]
    calls: tuple[tuple[Owner, int], ...]
    why: Mapping[Part, str]
    outside: Mapping[Part, Outside]
    rows: int | None
    headed: bool


class _Seen(NamedTuple):
    """One run: the output of `transformers` for a type of model, and the values recorded meanwhile."""

    kind: str
    out: Any
    leaves: tuple[tuple[str, Tensor, Tensor], ...]  # name, input, output
    rows: int | None


def paired(model: Any) -> bool:
    """Whether it is an encoder–decoder, which reads two texts."""
    return "decoder_input_ids" in takes(model)


def takes(model: Any) -> frozenset[str]:
    """The names of the parameters of a model's `forward`; of its class, if it only passes them on."""
    signature = inspect.signature(model.forward)
    names = frozenset(signature.parameters)
    if "input_ids" in names or not _open(signature):
        return names
    written = (vars(kind)["forward"] for kind in type(model).__mro__ if "forward" in vars(kind))
    return names.union(*(inspect.signature(function).parameters for function in written))


def _open(signature: inspect.Signature) -> bool:
    """Whether a function accepts arguments of any name."""
    return any(one.kind is inspect.Parameter.VAR_KEYWORD for one in signature.parameters.values())


def configs(model: nn.Module) -> list[Any]:
    """The configurations of `transformers` inside a model, each once."""
    from transformers import PreTrainedConfig

    found: dict[int, Any] = {}
    rest = [getattr(part, "config", None) for part in model.modules()]
    while rest:
        config = rest.pop()
        if isinstance(config, PreTrainedConfig) and id(config) not in found:
            found[id(config)] = config
            rest += vars(config).values()
    return list(found.values())


def needs(model: Any, name: str) -> bool:
    """Whether a model's `forward` requires this argument."""
    parameter = inspect.signature(model.forward).parameters.get(name)
    return parameter is not None and parameter.default is inspect.Parameter.empty


def explore(model: Any, name: str, most: int = max(LENGTHS), attention: str = "eager") -> Anatomy:
    """Find the anatomy of a model, and leave its attention ready to run.

    Args:
        model: a `transformers` model, in evaluation mode, whose settings may be changed.
        name: its name in messages.
        most: the largest number of tokens that it accepts.
        attention: the attention function to record: eager, or one of its owner's that returns weights.

    Raises:
        NotSupported: if it cannot read a text on its own, has no attention, or does not expose it.
    """
    lengths = LENGTHS if most >= max(LENGTHS) else SHORT
    inputs = probe(model, name, lengths)
    for config in configs(model):
        # We request every output explicitly in each run.
        config.output_attentions = config.output_hidden_states = False
        config.return_dict = True
    attend(model, attention)
    plain = _run(model, inputs, name)
    if returns_final(plain.out):
        for config in configs(model):
            # transformers would return the last layer's output only after the final norm.
            config.tie_last_hidden_states = False
        plain = _run(model, inputs, name)
    parts: tuple[Part, ...] = ("encoder", "decoder") if paired(model) else ("own",)
    stacks = {part: _stack(plain, part, name, lengths) for part in parts}
    owners, calls, why = _recorded(model, inputs, plain, stacks, attention)
    if not calls:
        attend(model, attention)
    for part, stack in stacks.items():
        own = [call for (whose, _), call in sorted(calls.items(), key=_layer) if whose == part]
        stacks[part] = _by_calls(stack, own) if own else _by_weights(stack, plain, part, name, lengths)
    if CROSS in why:
        _checked(plain, CROSS, stacks["decoder"].shape.n_layers, lengths[::-1], name)
    return Anatomy(
        stacks,
        owners,
        why,
        {
            part: _outside(part, owners, plain.kind)
            for part in (*stacks, CROSS)
            if _lacks(plain, calls, part)
        },
        plain.rows,
        headed=not returns_final(plain.out),
    )


def _layer(one: tuple[Where, Call]) -> int:
    return one[0][1]


def attend(model: Any, implementation: str) -> None:
    """Make all attention modules of a model use this implementation, whatever its settings say."""
    model.set_attn_implementation(implementation)
    # transformers skips, with a warning, models that read the setting later
    for config in configs(model):
        config._attn_implementation_internal = implementation


def hidden_of(out: Any, part: Part, streams_first: bool = False) -> tuple[Tensor, ...]:
    """The input of the first layer, and the output of each layer. `streams_first`: see `Stack`."""
    states = out.get("hidden_states" if part == "own" else f"{part}_hidden_states") or ()
    tensors = (state[0] if isinstance(state, tuple) else state for state in states)
    return tuple(side_by_side(state, streams_first) for state in tensors)


def side_by_side(state: Tensor, streams_first: bool) -> Tensor:
    """(B, L, D) for a layer that may pass on several vectors per token, concatenated."""
    if state.ndim == 4:
        state = (state.permute(1, 2, 0, 3) if streams_first else state).flatten(2)
    return state


def returns_final(out: Any) -> bool:
    """Whether a model returns its final vectors separately from the layers' outputs."""
    return out.get("last_hidden_state") is not None


def last_of(out: Any, part: Part) -> Tensor:
    """The final vector of each token; for a model with a head, the last of the layers' outputs."""
    last = out.get("encoder_last_hidden_state" if part == "encoder" else "last_hidden_state")
    return hidden_of(out, part)[-1] if last is None else last


def weights_of(out: Any, part: Part, kind: str) -> tuple[Tensor, ...]:
    """The attention weights that `transformers` returns for a type of model."""
    names = {"own": "attentions", "cross": "cross_attentions"}
    given = out.get(names.get(part, f"{part}_attentions")) or ()
    every = [families.as_weights(weights, kind) for weights in given if weights is not None]
    if part == CROSS:
        # ProphetNet predicts several tokens at once: the stream that reads the target comes first.
        every = [weights[:, :, : last_of(out, "decoder").shape[1]] for weights in every]
    return tuple(every)


def probe(model: Any, name: str, lengths: tuple[int, int] = LENGTHS) -> dict[str, Tensor]:
    """A few ordinary tokens of the model: no padding, mask or image token.

    Raises:
        NotSupported: if it does not read text, or has no table of learned vectors.
    """
    reads = getattr(model, "main_input_name", "input_ids")
    if reads != "input_ids":
        raise NotSupported(f"“{name}” is not a text model: it reads {reads}. Choose a text model.")
    try:
        table = model.get_input_embeddings().weight
        if not isinstance(table, Tensor):
            raise TypeError(type(table).__name__)
    except (AttributeError, NotImplementedError, TypeError) as error:
        raise NotSupported(
            f"“{name}” has no table with a learned vector for each token. Polysee needs "
            "such a table, and does not read this model."
        ) from error
    signs = set(_signs(model.config.to_dict()))
    plain = [i for i in range(len(table)) if i not in signs] or [0]
    step = max(1, len(plain) // sum(lengths))
    rows = [plain[i * step % len(plain)] for i in range(sum(lengths))]
    n = lengths[0]
    ids = {"input_ids": rows[:n]} | ({"decoder_input_ids": rows[n:]} if paired(model) else {})
    return {key: torch.tensor([row], device=table.device) for key, row in ids.items()} | {
        "attention_mask": torch.ones((1, n), dtype=torch.long, device=table.device)
    }


def _signs(settings: Mapping[str, Any]) -> Iterator[int]:
    """The ids to which a configuration gives a special meaning."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _signs(value)
        elif str(key).endswith(("_id", "_ids", "_index", "_indices")):
            listed = value if isinstance(value, list | tuple) else [value]
            yield from (one for one in listed if type(one) is int)


def _run(model: Any, inputs: Mapping[str, Tensor], name: str) -> _Seen:
    """Run a model with the outputs that `transformers` exposes."""
    lookups = _Positions(inputs, model.get_input_embeddings().weight)
    try:
        with torch.no_grad(), _leaves(model) as leaves, lookups:
            out = asked(model, inputs, output_hidden_states=True, output_attentions=True)
    except Exception as error:  # a model may raise any exception of its parts
        message = in_short(error)
        if any(map(_OTHER_INPUTS.fullmatch, takes(model))):
            raise NotSupported(
                f"“{name}” cannot read a text on its own: transformers says “{message}” "
                "Choose a text-only model."
            ) from error
        raise NotSupported(
            f"“{name}” cannot read a text with these settings: {_blamed(error, model, message)}"
        ) from error
    if not isinstance(out, Mapping):
        raise NotSupported(
            f"“{name}” returns a {type(out).__name__}, not the outputs of its class by their names: "
            "its forward was replaced, or a hook on it returns something else. Let it return what the "
            "class returns."
        )
    return _Seen(model.config.model_type, out, tuple(leaves), lookups.rows)


def _blamed(error: Exception, model: Any, message: str) -> str:
    """Whose fault an error in a run is, and what to do."""
    from transformers import __version__

    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    raised_in = "" if trace is None else trace.tb_frame.f_globals.get("__name__", "")
    if not f"{raised_in}.".startswith(("transformers.", "torch.")):
        return f"its own code ({raised_in}) raises “{message}” Mend that, or choose another model."
    if found := edits.changes(model):
        changed = "; ".join(map(str, found[:3]))
        return f"it has {changed}, and raises “{message}” Mend that, or pass the model without it."
    if isinstance(error, TypeError | AttributeError | NameError | KeyError | NotImplementedError):
        return (
            f"transformers {__version__} itself fails, in its class {type(model).__name__}, with "
            f"“{message}” Every model of this class fails so with these settings. Try another version "
            "of transformers, or choose another model."
        )
    return (
        f"transformers says “{message}” The settings contradict each other. Choose another copy of the "
        "model, or another model."
    )


def asked(model: Any, inputs: Mapping[str, Any], **outputs: bool) -> Any:
    """Run a model once for these outputs (`output_hidden_states`, `output_attentions`).

    A `forward` that somebody has replaced may not accept them as arguments. Then the configuration asks
    for them; that is safe because such an object runs for one caller at a time.
    """
    refused = outputs.keys() - takes(model)
    if not refused or _open(inspect.signature(model.forward)):
        return model(**inputs, **quietly(model), **outputs)
    names = {f"_{name}" if name == "output_attentions" else name: outputs[name] for name in refused}
    own = configs(model)
    before = [dict(vars(config)) for config in own]
    try:
        for config in own:
            vars(config).update(names)
        accepted = {name: value for name, value in outputs.items() if name not in refused}
        return model(**inputs, **quietly(model), **accepted)
    finally:
        for config, was in zip(own, before, strict=True):
            vars(config).update({name: was[name] for name in names if name in was})


def quietly(model: Any) -> dict[str, Any]:
    """Arguments of every run: no cache of past keys, which only serves generation."""
    wanted = {"use_cache": False, "return_dict": True}
    return {name: value for name, value in wanted.items() if name in takes(model)}


@contextmanager
def _leaves(model: nn.Module) -> Iterator[list[tuple[str, Tensor, Tensor]]]:
    """Within this context, record each module without submodules that maps one tensor to one."""
    seen: list[tuple[str, Tensor, Tensor]] = []

    def noted(name: str) -> Any:
        def hook(_: nn.Module, given: Any, out: Any) -> None:
            if given and isinstance(given[0], Tensor) and isinstance(out, Tensor):
                seen.append((name, given[0], out))

        return hook

    leaves = [(n, m) for n, m in model.named_modules() if next(m.children(), None) is None]
    hooks = [module.register_forward_hook(noted(name)) for name, module in leaves]
    try:
        yield seen
    finally:
        for hook in hooks:
            hook.remove()


class _Positions(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Record the tables that are looked up row by row, 0, 1, 2, …: those are tables of positions."""

    def __init__(self, inputs: Mapping[str, Tensor], words: Tensor) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.rows: int | None = None
        self._lengths = {ids.shape[1] for ids in inputs.values()}
        self._words = words

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        if func is torch.ops.aten.embedding.default:
            table, indices = args[:2]
            one = indices.reshape(-1, indices.shape[-1])[0] if indices.ndim else indices
            if table is not self._words and one.numel() in self._lengths and _counts_up(one):
                rows = table.shape[0] - int(one[0])
                self.rows = rows if self.rows is None else min(rows, self.rows)
        return func(*args, **(kwargs or {}))


def _counts_up(indices: Tensor) -> bool:
    return torch.equal(indices, torch.arange(len(indices), device=indices.device) + indices[0])


def _stack(seen: _Seen, part: Part, name: str, lengths: tuple[int, int]) -> Stack:
    """The anatomy of a stack, apart from its attention."""
    given = seen.out.get("hidden_states" if part == "own" else f"{part}_hidden_states") or ()
    first = any(isinstance(state, Tensor) and len(state) > 1 for state in given)  # of one text
    hidden, length = hidden_of(seen.out, part, first), lengths[part == "decoder"]
    if len(hidden) < 2 or any(state.shape != (1, length, hidden[0].shape[-1]) for state in hidden):
        shapes = ", ".join(dict.fromkeys(" × ".join(map(str, state.shape[1:])) for state in hidden))
        raise NotSupported(
            f"“{name}” does not give one vector for each token after each layer: for "
            f"{length} tokens it gives {shapes or 'nothing'}. Polysee does not read it."
        )
    for layer, state in enumerate(hidden):
        refuse_not_numbers(state, layer, name)
    shape = Shape(len(hidden) - 1, 0, 0, hidden[0].shape[-1], 0)
    last = last_of(seen.out, part)
    after = _after_last_layer(last, seen.leaves)
    tied = _same(hidden[-1], last)
    if tied and not after:
        return Stack(shape, width=last.shape[-1], streams_first=first)
    final: str | None = ""
    if after and after[-1][1].shape[-1] != after[-1][2].shape[-1]:
        # A last matrix maps the vectors back to the width of the table: it is no part of the stack
        # (OPT).
        final = after[-2][0] if len(after) > 1 else None
    raw = after[0][0] if tied else ""
    return Stack(shape, raw=raw, final=final, width=last.shape[-1], streams_first=first)


def refuse_not_numbers(hidden: Tensor, layer: int, name: str) -> None:
    """Raise NotSupported for vectors that are no finite numbers. Layer 0 is the input of the first."""
    if not bool(torch.isfinite(hidden).all()):
        where = f"after layer {layer}" if layer else "before its first layer"
        raise NotSupported(
            f"“{name}” computes numbers that are infinite or not a number (NaN) {where}. "
            "Look for what makes them: a hook, a replaced part, or too few bits for large numbers."
        )


def _after_last_layer(
    last: Tensor, leaves: Sequence[tuple[str, Tensor, Tensor]]
) -> Sequence[tuple[str, Tensor, Tensor]]:
    """The modules after the last layer, in order, found backwards from the final vectors."""
    chain: list[tuple[str, Tensor, Tensor]] = []
    wanted, end = last, len(leaves)
    while True:
        at = next(
            (i for i in range(end - 1, -1, -1) if _same(leaves[i][2], wanted)),
            None,
        )
        if at is None or _numbered(leaves[at][0]):
            return chain
        name, given, out = leaves[at]
        if not _same(given, out):  # in evaluation mode, a dropout returns its input
            chain.insert(0, (name, given, out))
        wanted, end = given, at


def _numbered(name: str) -> bool:
    """Whether a module belongs to a single layer: the names of layers contain numbers."""
    return any(part.isdigit() for part in name.split("."))


def _same(a: Tensor, b: Tensor) -> bool:
    return a is b or (a.shape == b.shape and torch.equal(a, b))


def _recorded(
    model: Any,
    inputs: Mapping[str, Tensor],
    plain: _Seen,
    stacks: Mapping[Part, Stack],
    attention: str,
) -> tuple[tuple[tuple[Owner, int], ...], dict[Where, Call], dict[Part, str]]:
    """The owners of attention calls; usable calls, by part and layer; reasons why a part has none."""
    parts: tuple[Part, ...] = (*stacks, *((CROSS,) if "decoder" in stacks else ()))
    try:
        attend(model, recording.register(attention))
        with torch.no_grad(), recording.recording() as calls:
            out = asked(model, inputs, output_hidden_states=True)
    except Exception:  # some implementations cannot be run although they can be set
        return (), {}, dict.fromkeys(parts, ELSEWHERE)
    if not _agree(out, plain.out, stacks):
        return (
            (),
            {},
            dict.fromkeys(
                parts, "When its attention is recorded, it gives other numbers than eager transformers."
            ),
        )
    lengths = tuple(ids.shape[1] for key, ids in inputs.items() if key.endswith("input_ids"))
    owners = _owners(model, calls, stacks, lengths)
    by_layer: dict[Where, list[Call]] = _by_layer(calls, owners, lengths[-1])
    why: dict[Part, str] = {}
    for part in parts:
        n_layers = stacks["decoder" if part == CROSS else part].shape.n_layers
        own = [by_layer[part, layer] for layer in range(n_layers) if (part, layer) in by_layer]
        flat, given = [call for some in own for call in some], weights_of(plain.out, part, plain.kind)
        if len(own) < n_layers and any(owner == "none" for owner, _ in owners):
            why[part] = "Its heads attend to more than the tokens of the text."
        elif not own or len(given) > len(flat):  # a layer with another attention than the others
            why[part] = ELSEWHERE
        elif len(given) == len(flat) and not all(
            _near(call.weights_BHLM, weights) for call, weights in zip(flat, given, strict=True)
        ):
            why[part] = (
                "When its attention is recorded, it gives other weights than eager transformers."
            )
        elif not all(map(recording.can_be_joined, own)):
            why[part] = "The attention blocks of one layer do not see the same tokens."
        elif not all(map(_leads_to_weights, flat)):
            why[part] = "Its weights depend on more than query, key and a bias."
    made = {where: recording.joined(some) for where, some in by_layer.items() if where[0] not in why}
    return (owners if made else ()), made, why


def sorted_out(
    calls: Sequence[Call], owners: Sequence[tuple[Owner, int]], target: int
) -> dict[Where, Call]:
    """The calls of one run, by owner and layer.

    Several attention blocks in one layer are joined, with their heads side by side.

    Args:
        calls: the recorded calls.
        owners: `Anatomy.calls`.
        target: the number of tokens that the decoder reads.
    """
    by_layer = _by_layer(calls, owners, target)
    return {where: recording.joined(some) for where, some in by_layer.items()}


def _by_layer(
    calls: Sequence[Call], owners: Sequence[tuple[Owner, int]], target: int
) -> dict[Where, list[Call]]:
    by_layer: dict[Where, list[Call]] = defaultdict(list)
    for call, (owner, layer) in zip(calls, owners, strict=True):
        if owner == "merged":
            own, cross = recording.split(call, target)
            by_layer["decoder", layer].append(own)
            by_layer[CROSS, layer].append(cross)
        elif owner != "none":
            by_layer[owner, layer].append(call)
    return by_layer


def _owners(
    model: nn.Module, calls: Sequence[Call], stacks: Mapping[Part, Stack], lengths: Sequence[int]
) -> tuple[tuple[Owner, int], ...]:
    """The owner of each call, from the numbers of queries and keys, and its layer."""
    source, target = lengths[0], lengths[-1]
    kinds: dict[tuple[int, ...], Owner] = {(source, source): "own"}
    if "decoder" in stacks:
        kinds = {
            (source, source): "encoder",
            (target, target): "decoder",
            (target, source): "cross",
            # self-attention and cross-attention in one (T5Gemma 2)
            (target, target + source): "merged",
        }
    names = {id(module): name for name, module in model.named_modules()}
    whose = [kinds.get(tuple(call.weights_BHLM.shape[2:]), "none") for call in calls]
    layers = [_number(names.get(id(call.module), "")) for call in calls]
    for owner in set(whose) - {"none"}:
        own = [i for i, one in enumerate(whose) if one == owner]
        part: Part = owner if owner in ("own", "encoder", "decoder") else "decoder"
        n_layers = stacks[part].shape.n_layers
        counted = [layers[i] for i in own]
        if len(own) == n_layers:  # layers may share their modules, as in ALBERT
            for layer, i in enumerate(own):
                layers[i] = layer
        elif counted != sorted(counted) or not 0 <= counted[0] <= counted[-1] < n_layers:
            for i in own:
                whose[i] = "none"
    return tuple(zip(whose, layers, strict=True))


def _number(name: str) -> int:
    """The number of the layer in a module's name; −1 if there is none."""
    return next((int(part) for part in name.split(".") if part.isdigit()), -1)


def _agree(out: Any, plain: Any, stacks: Mapping[Part, Stack]) -> bool:
    """Whether two runs of a model yield the same vectors."""
    pairs = [(last_of(out, part), last_of(plain, part)) for part in stacks]
    for part, stack in stacks.items():
        first = stack.streams_first
        pairs += zip(hidden_of(out, part, first), hidden_of(plain, part, first), strict=True)
    return all(_near(a, b) for a, b in pairs)


def _near(a: Tensor, b: Tensor) -> bool:
    if a.shape != b.shape:
        return False
    return bool((a - b).abs().max() <= _same_for(b) * max(1.0, float(b.abs().max())))


def _same_for(tensor: Tensor) -> float:
    """`SAME`; for half precision, what its rounding allows."""
    return max(SAME, 8 * torch.finfo(tensor.dtype).eps)


def _leads_to_weights(call: Call) -> bool:
    """Whether softmax of the scores yields the weights, apart from what goes into a sink."""
    made = torch.softmax(recording.masked_scores(call), dim=-1)
    weights = call.weights_BHLM
    return _near(made, weights / weights.sum(-1, keepdim=True))


def _by_calls(stack: Stack, own: Sequence[Call]) -> Stack:
    """The stack with the sizes of its heads, and whether it is causal."""
    shape = stack.shape._replace(
        n_heads=max(call.query_BHLK.shape[1] for call in own),
        d_head=max(call.query_BHLK.shape[3] for call in own),
    )
    causal = all(_sees_no_later(call.weights_BHLM) for call in own)
    biases = [bias for call in own if (bias := recording.bias_of(call)) is not None]
    same = all(_same(bias, biases[0]) for bias in biases)
    several = shape.n_layers if biases and not same else int(bool(biases))
    return stack._replace(shape=shape, causal=causal, biases=several)


def _by_weights(stack: Stack, seen: _Seen, part: Part, name: str, lengths: tuple[int, int]) -> Stack:
    """The same for a model that exposes only its weights."""
    length = lengths[part == "decoder"]
    weights = _checked(seen, part, stack.shape.n_layers, (length, length), name)
    heads = max(w.shape[1] for w in weights)
    return stack._replace(
        shape=stack.shape._replace(n_heads=heads, d_head=max(1, stack.shape.d_model // heads)),
        causal=all(map(_sees_no_later, weights)),
    )


def _checked(
    seen: _Seen, part: Part, n_layers: int, lengths: tuple[int, int], name: str
) -> tuple[Tensor, ...]:
    """The weights that `transformers` returns, checked: one table of these lengths per layer."""
    weights = weights_of(seen.out, part, seen.kind)
    if not weights:
        raise NotSupported(
            f"“{name}” returns no attention weights from transformers, and Polysee has nothing to show."
        )
    if any(w.ndim != 4 for w in weights):  # RWKV, YOSO
        raise NotSupported(
            f"“{name}” has no attention weights: what it computes instead has no weight "
            "for each pair of tokens, and Polysee has nothing to show."
        )
    odd = [w for w in weights if w.shape[2:] != lengths]
    if odd or len(weights) != n_layers:
        shape = " × ".join(map(str, (odd or weights)[0].shape[1:]))
        raise NotSupported(
            f"“{name}” does not give a weight for each pair of tokens in each of its "
            f"{n_layers} layers: for {lengths[0]} and {lengths[1]} tokens it gives "
            f"{len(weights)} tables, one of them {shape}. Polysee does not read it."
        )
    if any(not (w.min() >= 0 and w.sum(dim=-1).max() <= 1 + _same_for(w)) for w in weights):
        raise NotSupported(
            f"“{name}” gives no attention weights: the rows that transformers gives instead "
            "do not add up to 1. Polysee does not read it."
        )
    return weights


def _lacks(seen: _Seen, calls: Mapping[Where, Call], part: Part) -> bool:
    """Whether rows of weights sum to less than 1."""
    weights = [call.weights_BHLM for (whose, _), call in calls.items() if whose == part]
    weights = weights or list(weights_of(seen.out, part, seen.kind))
    return any(float(w.sum(-1).min()) < 1 - _same_for(w) for w in weights)


def _outside(part: Part, owners: Sequence[tuple[Owner, int]], kind: str) -> Outside:
    """What receives the share of each row that goes to no key."""
    if any(owner == "merged" for owner, _ in owners):
        return "target" if part == CROSS else "source"
    return "prompt" if kind in families.PROMPTED else "sink"


def _sees_no_later(weights_BHLM: Tensor) -> bool:
    return not bool(torch.triu(weights_BHLM, diagonal=1).any())
