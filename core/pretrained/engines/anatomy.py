"""The anatomy of a model of `transformers`, found by running it on a few tokens.

No list of families says how many layers a model has, which of them have attention, whether a token sees
what comes after it, or where the norm behind the last layer is: the model itself does. It is run as
`transformers` means it to be looked at (eager, with the outputs that it gives), and again with our
recorder in place of its attention (`core.pretrained.engines.recording`). Both must say the same.
Where they do not, or where query and key do not lead to the weights, the weights alone are read, and
the reason is kept.
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
from . import families, recording
from .engine import Shape
from .recording import Call

Part = Literal["own", "encoder", "decoder", "cross"]
Owner = Literal["own", "encoder", "decoder", "cross", "merged", "none"]
Where = tuple[Part, int]  # and its layer
# Of source and target; a cross-attention shows itself by having both. The shorter ones are for models
# that have few positions.
LENGTHS = (7, 5)
SHORT = (3, 2)
# How far two runs, or the softmax of scores and the weights, may lie apart, relative to their size.
SAME = 1e-4
CROSS: Part = "cross"
# What a model takes that reads more than texts.
_OTHER_INPUTS = re.compile(r"input_(values|features)|(\w+_)?(pixel|image|audio|video|speech|visual)\w*")
ELSEWHERE = "transformers computes the attention of this architecture in code of its own."


class Stack(NamedTuple):
    """The layers of an encoder or decoder.

    Attributes:
        shape: its sizes; of heads and widths that differ from layer to layer, the largest.
        causal: whether a token sees itself and those before it only.
        raw: the module that the last layer's output goes into, where `transformers` gives that output
            only behind a norm; "" where it gives it.
        final: the module whose output is the last word on each token; "" where it is what
            `transformers` says; None where nothing stands behind the last layer.
        biases: how many biases are added to scores: none, one for all layers, or one for each.
        width: how many numbers the last word on a token has.
        streams_first: whether layers that hand on several vectors a token give them as (S, B, L, D),
            and not as (B, L, S, D).
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
        stacks: "own" of a model of one stack, else "encoder" and "decoder".
        calls: of each call of attention in a run, in their order: whose it is, and in which layer; see
            `sorted_out`.
        why: whose attention is in no call, so that its weights alone are read: the reason, a sentence.
        outside: in whose attention a part of each row goes to no key, and where it goes.
        rows: how many positions the model's table has, where it looks them up in one.
        leaks: whether a text's own vectors change with the padding behind it.
        headed: whether its last words are to be had among the layers' outputs alone.
    """

    stacks: Mapping[Part, Stack]
    calls: tuple[tuple[Owner, int], ...]
    why: Mapping[Part, str]
    outside: Mapping[Part, Outside]
    rows: int | None
    leaks: bool
    headed: bool


class _Seen(NamedTuple):
    """One run: what `transformers` says of a type of model, and what was noted on the way."""

    kind: str
    out: Any
    leaves: tuple[tuple[str, Tensor, Tensor], ...]  # name, what went in, what came out
    rows: int | None


def paired(model: Any) -> bool:
    """Whether it is an encoder–decoder, which reads two texts."""
    return "decoder_input_ids" in takes(model)


def takes(model: Any) -> frozenset[str]:
    """The names of the parameters of a model's `forward`."""
    return frozenset(inspect.signature(model.forward).parameters)


def needs(model: Any, name: str) -> bool:
    """Whether a model's `forward` cannot be called without this."""
    parameter = inspect.signature(model.forward).parameters.get(name)
    return parameter is not None and parameter.default is inspect.Parameter.empty


def explore(model: Any, name: str, most: int = max(LENGTHS)) -> Anatomy:
    """Find the anatomy of a model, and leave its attention ready to run.

    Args:
        model: a `transformers` model of our own, in evaluation mode, without a head.
        name: what to call it.
        most: how many tokens it takes.

    Raises:
        NotSupported: it does not read a text by itself, has no attention, or does not give it.
    """
    reads = getattr(model, "main_input_name", "input_ids")
    if reads != "input_ids":
        raise NotSupported(f"“{name}” is not a text model: it reads {reads}. Choose a text model.")
    lengths = LENGTHS if most >= max(LENGTHS) else SHORT
    inputs = _inputs(model, name, lengths)
    for part in model.modules():
        if (config := getattr(part, "config", None)) is not None:
            # What is given is asked for at each run.
            config.output_attentions = config.output_hidden_states = False
            config.return_dict = True
    attend(model, "eager")
    plain = _run(model, inputs, name)
    if says_last(plain.out):
        for part in model.modules():
            # transformers would give the last layer's output only behind the final norm.
            if getattr(part, "config", None) is not None:
                part.config.tie_last_hidden_states = False
        plain = _run(model, inputs, name)
    parts: tuple[Part, ...] = ("encoder", "decoder") if paired(model) else ("own",)
    stacks = {part: _stack(plain, part, name, lengths) for part in parts}
    owners, calls, why = _recorded(model, inputs, plain, stacks)
    if not calls:
        attend(model, "eager")
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
        leaks=not paired(model) and _leaks(model, inputs),
        headed=not says_last(plain.out),
    )


def _layer(one: tuple[Where, Call]) -> int:
    return one[0][1]


def attend(model: Any, implementation: str) -> None:
    """Let all attention of a model be computed in this way, whatever its settings say."""
    model.set_attn_implementation(implementation)
    for part in model.modules():  # it leaves alone, with a warning, models that read the setting later
        if (config := getattr(part, "config", None)) is not None:
            config._attn_implementation_internal = implementation


def hidden_of(out: Any, part: Part, streams_first: bool = False) -> tuple[Tensor, ...]:
    """What goes into the first layer and comes out of each. `streams_first`: see `Stack`."""
    states = out.get("hidden_states" if part == "own" else f"{part}_hidden_states") or ()
    tensors = (state[0] if isinstance(state, tuple) else state for state in states)
    return tuple(side_by_side(state, streams_first) for state in tensors)


def side_by_side(state: Tensor, streams_first: bool) -> Tensor:
    """(B, L, D) of a layer that may hand on several vectors a token: one behind the other."""
    if state.ndim == 4:
        state = (state.permute(1, 2, 0, 3) if streams_first else state).flatten(2)
    return state


def says_last(out: Any) -> bool:
    """Whether a model gives its last word on each token apart from the layers' outputs."""
    return out.get("last_hidden_state") is not None


def last_of(out: Any, part: Part) -> Tensor:
    """The model's last word on each token. Behind a head, it is the last of the layers' outputs."""
    last = out.get("encoder_last_hidden_state" if part == "encoder" else "last_hidden_state")
    return hidden_of(out, part)[-1] if last is None else last


def weights_of(out: Any, part: Part, kind: str) -> tuple[Tensor, ...]:
    """The attention weights that `transformers` gives of a type of model."""
    names = {"own": "attentions", "cross": "cross_attentions"}
    given = out.get(names.get(part, f"{part}_attentions")) or ()
    every = [families.as_weights(weights, kind) for weights in given if weights is not None]
    if part == CROSS:
        # ProphetNet foresees several tokens at once: what reads the target comes first.
        every = [weights[:, :, : last_of(out, "decoder").shape[1]] for weights in every]
    return tuple(every)


def _inputs(model: Any, name: str, lengths: tuple[int, int]) -> dict[str, Tensor]:
    """A few tokens that mean nothing of their own to the model: no padding, mask or picture."""
    try:
        table = model.get_input_embeddings().weight
    except (AttributeError, NotImplementedError, TypeError) as error:
        raise NotSupported(
            f"“{name}” has no table with a learned vector for each token. A word has "
            "nothing to start from there, and Polysee does not read it."
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
    """The ids that a configuration gives a meaning of their own."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _signs(value)
        elif str(key).endswith(("_id", "_ids", "_index", "_indices")):
            listed = value if isinstance(value, list | tuple) else [value]
            yield from (one for one in listed if type(one) is int)


def _run(model: Any, inputs: Mapping[str, Tensor], name: str) -> _Seen:
    """Run a model as `transformers` means it to be looked at."""
    lookups = _Positions(inputs, model.get_input_embeddings().weight)
    try:
        with torch.inference_mode(), _leaves(model) as leaves, lookups:
            out = model(**inputs, **quietly(model), output_hidden_states=True, output_attentions=True)
    except Exception as error:  # a model raises whatever its parts raise
        message = in_short(error)
        if any(map(_OTHER_INPUTS.fullmatch, takes(model))):
            raise NotSupported(
                f"“{name}” cannot read a text on its own: transformers says “{message}” "
                "Choose a text-only model."
            ) from error
        raise NotSupported(
            f"“{name}” cannot read a text with these settings: transformers says "
            f"“{message}” The settings contradict each other. Choose another copy of the "
            "model, or another model."
        ) from error
    return _Seen(model.config.model_type, out, tuple(leaves), lookups.rows)


def quietly(model: Any) -> dict[str, Any]:
    """What a run is asked for beside its outputs: no memory of past keys, which is for generating."""
    wanted = {"use_cache": False, "return_dict": True}
    return {name: value for name, value in wanted.items() if name in takes(model)}


@contextmanager
def _leaves(model: nn.Module) -> Iterator[list[tuple[str, Tensor, Tensor]]]:
    """Inside, each module that has no other in it and turns one tensor into one is noted."""
    seen: list[tuple[str, Tensor, Tensor]] = []

    def noted(name: str) -> Any:
        def hook(_: nn.Module, given: Any, out: Any) -> None:
            if given and isinstance(given[0], Tensor) and isinstance(out, Tensor):
                seen.append((name, given[0], out))

        return hook

    leaves = [(n, m) for n, m in model.named_modules() if not next(m.children(), None)]
    hooks = [module.register_forward_hook(noted(name)) for name, module in leaves]
    try:
        yield seen
    finally:
        for hook in hooks:
            hook.remove()


class _Positions(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Notes which tables are looked up row by row, 0, 1, 2, …: those are tables of positions."""

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
    """The anatomy of a stack without its attention."""
    given = seen.out.get("hidden_states" if part == "own" else f"{part}_hidden_states") or ()
    first = any(isinstance(state, Tensor) and len(state) > 1 for state in given)  # of one text
    hidden, length = hidden_of(seen.out, part, first), lengths[part == "decoder"]
    if len(hidden) < 2 or any(state.shape != (1, length, hidden[0].shape[-1]) for state in hidden):
        shapes = ", ".join(dict.fromkeys(" × ".join(map(str, state.shape[1:])) for state in hidden))
        raise NotSupported(
            f"“{name}” does not give one vector for each token after each layer: for "
            f"{length} tokens it gives {shapes or 'nothing'}. Polysee does not read it."
        )
    shape = Shape(len(hidden) - 1, 0, 0, hidden[0].shape[-1], 0)
    last = last_of(seen.out, part)
    behind = _behind(last, seen.leaves)
    tied = _same(hidden[-1], last)
    if tied and not behind:
        return Stack(shape, width=last.shape[-1], streams_first=first)
    final: str | None = ""
    if behind and behind[-1][1].shape[-1] != behind[-1][2].shape[-1]:
        # A last matrix turns the vectors back to the width of the table: no part of the stack (OPT).
        final = behind[-2][0] if len(behind) > 1 else None
    raw = behind[0][0] if tied else ""
    return Stack(shape, raw=raw, final=final, width=last.shape[-1], streams_first=first)


def _behind(
    last: Tensor, leaves: Sequence[tuple[str, Tensor, Tensor]]
) -> Sequence[tuple[str, Tensor, Tensor]]:
    """The modules behind the last layer, in their order, found from the last vectors backwards."""
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
        if not _same(given, out):  # a dropout, in evaluation, hands on what it gets
            chain.insert(0, (name, given, out))
        wanted, end = given, at


def _numbered(name: str) -> bool:
    """Whether a module is a part of one layer: layers are counted."""
    return any(part.isdigit() for part in name.split("."))


def _same(a: Tensor, b: Tensor) -> bool:
    return a is b or (a.shape == b.shape and torch.equal(a, b))


def _recorded(
    model: Any, inputs: Mapping[str, Tensor], plain: _Seen, stacks: Mapping[Part, Stack]
) -> tuple[tuple[tuple[Owner, int], ...], dict[Where, Call], dict[Part, str]]:
    """Whose the calls of attention are; the calls of use, by part and layer; who has none, and why."""
    parts: tuple[Part, ...] = (*stacks, *((CROSS,) if "decoder" in stacks else ()))
    try:
        attend(model, recording.register())
        with torch.inference_mode(), recording.recording() as calls:
            out = model(**inputs, **quietly(model), output_hidden_states=True)
    except Exception:  # not all that can be set can be run
        return (), {}, dict.fromkeys(parts, ELSEWHERE)
    if not _agree(out, plain.out, stacks):
        return (
            (),
            {},
            dict.fromkeys(parts, "When recorded, it gives other numbers than eager transformers."),
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
        elif not own:
            why[part] = ELSEWHERE
        elif len(given) == len(flat) and not all(
            _near(call.weights_BHLM, weights) for call, weights in zip(flat, given, strict=True)
        ):
            why[part] = "When recorded, it gives other weights than eager transformers."
        elif not all(map(recording.can_be_joined, own)):
            why[part] = "Several blocks of attention in one layer do not see the same tokens."
        elif not all(map(_leads_to_weights, flat)):
            why[part] = "Its weights depend on more than query, key and a bias."
    made = {where: recording.joined(some) for where, some in by_layer.items() if where[0] not in why}
    return (owners if made else ()), made, why


def sorted_out(
    calls: Sequence[Call], owners: Sequence[tuple[Owner, int]], target: int
) -> dict[Where, Call]:
    """The calls of one run by whose they are and their layer.

    Several blocks of attention in one layer are one, their heads side by side.

    Args:
        calls: as they were recorded.
        owners: `Anatomy.calls`.
        target: how many tokens the decoder reads.
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
    """Whose each call is, by how many tokens are on its two sides, and in which layer."""
    source, target = lengths[0], lengths[-1]
    kinds: dict[tuple[int, ...], Owner] = {(source, source): "own"}
    if "decoder" in stacks:
        kinds = {
            (source, source): "encoder",
            (target, target): "decoder",
            (target, source): "cross",
            (target, target + source): "merged",  # of self- and cross-attention (T5Gemma 2)
        }
    names = {id(module): name for name, module in model.named_modules()}
    whose = [kinds.get(tuple(call.weights_BHLM.shape[2:]), "none") for call in calls]
    layers = [_number(names.get(id(call.module), "")) for call in calls]
    for owner in set(whose) - {"none"}:
        own = [i for i, one in enumerate(whose) if one == owner]
        part: Part = owner if owner in ("own", "encoder", "decoder") else "decoder"
        n_layers = stacks[part].shape.n_layers
        counted = [layers[i] for i in own]
        if len(own) == n_layers:  # layers may share their modules, as ALBERT's do
            for layer, i in enumerate(own):
                layers[i] = layer
        elif counted != sorted(counted) or not 0 <= counted[0] <= counted[-1] < n_layers:
            for i in own:
                whose[i] = "none"
    return tuple(zip(whose, layers, strict=True))


def _number(name: str) -> int:
    """The layer that a module's name says it is in; −1 if none."""
    return next((int(part) for part in name.split(".") if part.isdigit()), -1)


def _agree(out: Any, plain: Any, stacks: Mapping[Part, Stack]) -> bool:
    """Whether two runs of a model come to the same vectors."""
    pairs = [(last_of(out, part), last_of(plain, part)) for part in stacks]
    for part, stack in stacks.items():
        first = stack.streams_first
        pairs += zip(hidden_of(out, part, first), hidden_of(plain, part, first), strict=True)
    return all(_near(a, b) for a, b in pairs)


def _near(a: Tensor, b: Tensor) -> bool:
    if a.shape != b.shape:
        return False
    return bool((a - b).abs().max() <= SAME * max(1.0, float(b.abs().max())))


def _leads_to_weights(call: Call) -> bool:
    """Whether softmax of the scores gives the weights, but for what goes into a sink."""
    made = torch.softmax(recording.masked_scores(call), dim=-1)
    weights = call.weights_BHLM
    return _near(made, weights / weights.sum(-1, keepdim=True))


def _by_calls(stack: Stack, own: Sequence[Call]) -> Stack:
    """The stack with the sizes of its heads, and which tokens a token may attend to."""
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
    """The same of a model that gives its weights alone."""
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
    """The weights that `transformers` gives, one table of these lengths a layer."""
    weights = weights_of(seen.out, part, seen.kind)
    if not weights:
        raise NotSupported(
            f"“{name}” has no attention that transformers exposes: it gives no weights, and "
            "Polysee has nothing to show."
        )
    if any(w.ndim != 4 for w in weights):  # RWKV, YOSO
        raise NotSupported(
            f"“{name}” gives no attention weights: what it computes instead has none for a "
            "pair of tokens, and Polysee has nothing to show."
        )
    odd = [w for w in weights if w.shape[2:] != lengths]
    if odd or len(weights) != n_layers:
        shape = " × ".join(map(str, (odd or weights)[0].shape[1:]))
        raise NotSupported(
            f"“{name}” does not give a weight for each pair of tokens in each of its "
            f"{n_layers} layers: for {lengths[0]} and {lengths[1]} tokens it gives "
            f"{len(weights)} tables, one of them {shape}. Polysee does not read it."
        )
    if any(not (w.min() >= 0 and w.sum(dim=-1).max() <= 1 + SAME) for w in weights):
        raise NotSupported(
            f"“{name}” gives no attention weights: the rows that transformers gives instead "
            "do not add up to 1. Polysee does not read it."
        )
    return weights


def _lacks(seen: _Seen, calls: Mapping[Where, Call], part: Part) -> bool:
    """Whether rows of weights sum to less than 1."""
    weights = [call.weights_BHLM for (whose, _), call in calls.items() if whose == part]
    weights = weights or list(weights_of(seen.out, part, seen.kind))
    return any(float(w.sum(-1).min()) < 1 - SAME for w in weights)


def _outside(part: Part, owners: Sequence[tuple[Owner, int]], kind: str) -> Outside:
    """Where the part of each row goes that goes to no key of its own."""
    if any(owner == "merged" for owner, _ in owners):
        return "target" if part == CROSS else "source"
    return "prompt" if kind in families.PROMPTED else "sink"


def _sees_no_later(weights_BHLM: Tensor) -> bool:
    return not bool(torch.triu(weights_BHLM, diagonal=1).any())


def _leaks(model: Any, inputs: Mapping[str, Tensor]) -> bool:
    """Whether padding changes the vectors of the tokens before it, as a convolution lets it."""
    ids = inputs["input_ids"]
    n = ids.shape[1]
    more, mask = torch.cat([ids, ids], dim=1), torch.ones(1, 2 * n, dtype=torch.long)
    mask[:, n:] = 0
    with torch.inference_mode():
        states = quietly(model) | {"output_hidden_states": True}
        alone = last_of(model(**inputs, **states), "own")
        given = {"input_ids": more, "attention_mask": mask.to(ids.device)}
        padded = model(**given, **states)
    return not _near(last_of(padded, "own")[:, :n], alone)
