"""Capture query, key, value and weights in `transformers`, without changing how it computes them.

`transformers` lets anyone register an attention function by name. Ours passes every call on to the
eager function of the same model, which may modify the scores in any way (a cap, a sink, a position
bias); while a recorder is active in the current context, it stores inputs and outputs. Each thread has
its own context, so that two requests on one model never mix.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

ATTENTION = "polysee_recorded"
# A value below this that is added to a score hides its key: older models add −10,000, others the
# smallest float.
HIDES = -9e3
# Added if a head hides a key that other heads of its layer see: exp() of it is 0.
_HIDES_OF_ONE = -1e4
_EAGER = "eager_attention_forward"  # the name of the eager attention in every model of transformers


class Call(NamedTuple):
    """One call of attention: one layer in one forward pass.

    A key or value that several heads share is repeated for each of them. `mask_BHLM` and `bias_BHLM`
    are added to the scores after `softcap` has been applied; their batch and head axes may have length
    1.
    """

    module: nn.Module
    query_BHLK: Tensor
    key_BHMK: Tensor
    value_BHMK: Tensor
    weights_BHLM: Tensor
    scale: float
    softcap: float | None
    mask_BHLM: Tensor | None
    bias_BHLM: Tensor | None


_recorder: ContextVar[list[Call] | None] = ContextVar("polysee_recorder", default=None)


@contextmanager
def recording() -> Iterator[list[Call]]:
    """Within this context, every recorded attention call appends a `Call` to the list."""
    calls: list[Call] = []
    token = _recorder.set(calls)
    try:
        yield calls
    finally:
        _recorder.reset(token)


def recorded_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *args: Any,
    through: _Attention | None = None,
    **more: Any,
) -> tuple[Tensor, Tensor]:
    """The model's own eager attention, recorded. The arguments are named as in `transformers`.

    `through`: another function in place of the eager one.
    """
    attention_mask = _chosen(attention_mask, more.get("indices"), query, key)
    made = through or _eager(type(module))
    out, weights = made(module, query, key, value, attention_mask, *args, **more)
    calls = _recorder.get()
    if calls is not None and weights is not None:
        shared = query.shape[1] // key.shape[1]
        if shared > 1:  # several adjacent query heads share one key (Ainslie et al. 2023)
            key, value = (t.repeat_interleave(shared, dim=1) for t in (key, value))
        if calls and calls[-1].query_BHLK is query:
            # The same weights, applied to the other half of the values (Ye et al. 2024, section 2).
            last = calls.pop()
            calls.append(last._replace(value_BHMK=torch.cat([last.value_BHMK, value], dim=-1)))
            return out, weights
        scale = args[0] if args else more.get("scaling")
        softcap = more.get("softcap")
        calls.append(
            Call(
                module,
                query,
                key,
                value,
                weights,
                _scale(module, query) if scale is None else float(scale),
                None if softcap is None else float(softcap),
                attention_mask,
                more.get("position_bias"),
            )
        )
    return out, weights


def scores(call: Call) -> Tensor:
    """(B, H, L, M) before softmax, without the mask: query·key · scale, soft-capped, plus the bias."""
    made = call.query_BHLK @ call.key_BHMK.transpose(-2, -1) * call.scale
    if call.softcap is not None:
        made = call.softcap * torch.tanh(made / call.softcap)
    return made if call.bias_BHLM is None else made + call.bias_BHLM


def masked_scores(call: Call) -> Tensor:
    """(B, H, L, M): the input of the softmax."""
    return scores(call) if call.mask_BHLM is None else scores(call) + call.mask_BHLM


def hidden_and_bias(mask_BHLM: Tensor) -> tuple[Tensor, Tensor | None]:
    """What a mask hides from all heads, (B, L, M) bool, and what else it adds, (B, H, L, M).

    The rest is a bias by distance (ALiBi), or hides different keys from different heads (Doge). The
    batch, head and query axes may have length 1.
    """
    hidden_BLM = (mask_BHLM < HIDES).all(dim=1)
    bias_BHLM = mask_BHLM.masked_fill(hidden_BLM[:, None], 0).clamp(min=_HIDES_OF_ONE)
    return hidden_BLM, bias_BHLM if bool(bias_BHLM.any()) else None


def bias_of(call: Call) -> Tensor | None:
    """(B, H, L, M): everything added to the scores that hides no key; None if there is nothing."""
    of_mask = None if call.mask_BHLM is None else hidden_and_bias(call.mask_BHLM)[1]
    if of_mask is None or call.bias_BHLM is None:
        return call.bias_BHLM if of_mask is None else of_mask
    return of_mask + call.bias_BHLM


def can_be_joined(calls: Sequence[Call]) -> bool:
    """Whether the calls of one layer see the same tokens, and scale their scores by the same factor."""
    first = calls[0]
    return all(
        call.scale == first.scale
        and call.softcap == first.softcap
        and _same_mask(call.mask_BHLM, first.mask_BHLM)
        for call in calls[1:]
    )


def _same_mask(a: Tensor | None, b: Tensor | None) -> bool:
    return a is b or (a is not None and b is not None and torch.equal(a, b))


def joined(calls: Sequence[Call]) -> Call:
    """Several calls merged into one, with their heads side by side."""
    first = calls[0]
    if len(calls) == 1:
        return first
    heads = ["query_BHLK", "key_BHMK", "value_BHMK", "weights_BHLM"]
    if first.mask_BHLM is not None and first.mask_BHLM.shape[1] > 1:
        heads.append("mask_BHLM")
    both: dict[str, Any] = {
        name: torch.cat([getattr(call, name) for call in calls], dim=1) for name in heads
    }
    biases = [call.bias_BHLM for call in calls]
    if any(bias is not None for bias in biases):
        shapes = [call.weights_BHLM.shape for call in calls]
        none = torch.zeros((), device=first.query_BHLK.device)
        each = zip(biases, shapes, strict=True)
        both["bias_BHLM"] = torch.cat(
            [(none if bias is None else bias).expand(shape) for bias, shape in each], dim=1
        )
    return first._replace(**both)


def split(call: Call, target: int) -> tuple[Call, Call]:
    """Split a call that attends to both the decoder's own tokens and the source.

    Each part receives its share of every row of weights; the other part has the rest.
    """

    def part(keys: slice) -> Call:
        def across(added: Tensor | None) -> Tensor | None:
            return None if added is None else added[..., keys]

        return call._replace(
            key_BHMK=call.key_BHMK[:, :, keys],
            value_BHMK=call.value_BHMK[:, :, keys],
            weights_BHLM=call.weights_BHLM[..., keys],
            mask_BHLM=across(call.mask_BHLM),
            bias_BHLM=across(call.bias_BHLM),
        )

    return part(slice(target)), part(slice(target, None))


def _chosen(mask: Tensor | None, indices: Tensor | None, query: Tensor, key: Tensor) -> Tensor | None:
    """The mask of a model that lists the keys that each query may see (DeepSeek's sparse attention).

    In these models, the eager attention receives, because of its name, a mask that hides all other
    keys; any other attention receives the (B, L, n) `indices` of the visible keys.
    """
    if indices is None:
        return mask
    seen = indices.long()
    hidden_BLM = torch.ones(*seen.shape[:2], key.shape[2], dtype=torch.bool, device=query.device)
    hidden_BHLM = hidden_BLM.scatter(-1, seen, False)[:, None]
    added = torch.zeros_like(hidden_BHLM, dtype=query.dtype) if mask is None else mask
    return added.masked_fill(hidden_BHLM, torch.finfo(query.dtype).min)


def _scale(module: nn.Module, query: Tensor) -> float:
    """The factor that a model leaves to its attention function."""
    width = getattr(module, "head_dim", None)
    return float((width if isinstance(width, int) else query.shape[-1]) ** -0.5)


_Attention = Callable[..., tuple[Tensor, Tensor]]


_EAGER_OF: dict[type, _Attention] = {}  # looked up once per class


def _eager(kind: type) -> _Attention:
    """The eager attention of a model class, from the module that defines the calling `forward`."""
    if kind not in _EAGER_OF:
        from transformers.models.bert.modeling_bert import eager_attention_forward as default

        forward = inspect.unwrap(kind.forward)  # type: ignore[attr-defined]
        beside = getattr(forward, "__globals__", {}), vars(sys.modules[kind.__module__])
        _EAGER_OF[kind] = next((names[_EAGER] for names in beside if _EAGER in names), default)
    return _EAGER_OF[kind]


@cache
def register(attention: str = "eager") -> str:
    """Register the recorded attention with `transformers`, once; returns its name.

    Args:
        attention: what is recorded: the eager attention of each model, or a function that somebody has
            registered under this name. It must return the weights.
    """
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import eager_mask

    if attention == "eager":
        AttentionInterface.register(ATTENTION, recorded_attention)
        AttentionMaskInterface.register(ATTENTION, eager_mask)
        return ATTENTION
    from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    name = f"{ATTENTION}: {attention}"
    own = ALL_ATTENTION_FUNCTIONS[attention]
    AttentionInterface.register(name, partial(recorded_attention, through=own))
    if attention in ALL_MASK_ATTENTION_FUNCTIONS.valid_keys():
        AttentionMaskInterface.register(name, ALL_MASK_ATTENTION_FUNCTIONS[attention])
    return name
