"""What somebody has changed on a model object, so that its weights alone do not say what it computes.

Hooks, replaced methods and submodules, adapters, parametrizations, pruning masks, quantised modules and
compiled ones are the ordinary ways to edit a model. None of them shows in a comparison of tensor names.
They are found in the structure of the object, which takes milliseconds and runs nothing of it.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import FunctionType, MethodType
from typing import Any, NamedTuple

import torch
from torch import nn

# Modules and functions from here are those that every model of transformers has.
_STOCK = ("torch.", "transformers.")
_QUANTISED = ("torch.ao.", "torch.nn.quantized", "torch.nn.intrinsic")
_CALLED = ("forward", "__call__", "_call_impl")  # what calling a module runs
_SHOWS_ALONE = ("__init__", "__repr__", "__str__", "extra_repr")
# What `transformers` and `torch` offer as the attention of any model.
_ATTENTION = ("eager", "sdpa", "flash_attention", "flex_attention", "paged|", "polysee_recorded")


class Change(NamedTuple):
    """One kind of change, and the modules that have it.

    Attributes:
        what: the change, as a noun in the plural: "forward hooks".
        where: the names of the modules; "" is the model itself.
    """

    what: str
    where: tuple[str, ...]

    def __str__(self) -> str:
        first = self.where[0] or "the model itself"
        others = len(self.where) - 1
        more = f" and {others} more place{'s' if others > 1 else ''}" if others else ""
        return f"{self.what} (on {first}{more})"


def changes(model: nn.Module) -> tuple[Change, ...]:
    """The changes that can alter what a model computes, by their kind."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, module in model.named_modules():
        for what in dict.fromkeys(_of_module(module)):
            found[what].append(name)
    globally = nn.modules.module
    if globally._global_forward_hooks or globally._global_forward_pre_hooks:
        found["forward hooks of torch for all modules"].append("")
    return tuple(Change(what, tuple(where)) for what, where in found.items())


def backward_hooks(model: nn.Module) -> tuple[str, ...]:
    """The modules with hooks that change gradients alone."""
    return tuple(
        name
        for name, module in model.named_modules()
        if module._backward_hooks or getattr(module, "_backward_pre_hooks", None)
    )


def attention_of(config: Any) -> str:
    """The name of an attention function that somebody has registered and set; "" for a usual one."""
    name = getattr(config, "_attn_implementation", None)
    usual = not isinstance(name, str) or name.startswith(_ATTENTION)
    return "" if usual else str(name)


def compiled(module: nn.Module) -> bool:
    """Whether a module is what `torch.compile` returns, or was compiled in place."""
    return hasattr(module, "_orig_mod") or module.__dict__.get("_compiled_call_impl") is not None


def own_class(kind: type) -> type | None:
    """The class that somebody has written, where a module is of one; None for a usual module.

    A class that only adds methods of its own to a usual one computes the same.
    """
    for base in kind.__mro__:
        if _is_stock(base.__module__):
            usual = base
            break
    else:
        return kind
    if usual is nn.Module or usual is object:
        return kind
    written = kind.__mro__[: kind.__mro__.index(usual)]
    replaced = (
        name
        for one in written
        for name, value in vars(one).items()
        if name not in _SHOWS_ALONE and _computes(value) and hasattr(usual, name)
    )
    return kind if next(replaced, None) is not None else None


def _of_module(module: nn.Module) -> Iterator[str]:
    kind = type(module)
    if compiled(module):
        yield "torch.compile"
    yield from _of_class(module, kind)
    for hook in (*module._forward_hooks.values(), *module._forward_pre_hooks.values()):
        what = _of_hook(hook)
        if what:
            yield what
    replaced = [name for name, value in vars(module).items() if _replaces(kind, name, value)]
    if replaced:
        yield f"a replaced {replaced[0]}"
    if getattr(module, "max_norm", None) is not None:
        yield "a max_norm, which shortens vectors as they are looked up"
    for tensor in (*module._parameters.values(), *module._buffers.values()):
        if tensor is not None and not _is_stock(type(tensor).__module__ + "."):
            yield f"weights of the class {type(tensor).__name__}"
    if name := attention_of(getattr(module, "config", None)):
        yield f"an attention function named “{name[:40]}”"


def _of_class(module: nn.Module, kind: type) -> Iterator[str]:
    if kind.__module__.startswith("peft."):
        yield "an adapter of PEFT"
    elif kind.__module__.startswith(_QUANTISED):
        yield "quantised modules"
    elif _parametrized(module):
        yield "parametrizations"
    elif not compiled(module) and (own := own_class(kind)) is not None:
        yield f"the class {own.__name__}, which transformers does not have"
    else:
        patched = next((name for name in _CALLED if _patched(kind, name)), None)
        if patched:
            yield f"a replaced {patched} of the class {kind.__name__}"


def _of_hook(hook: Any) -> str:
    """The kind of a forward hook; "" for those that `transformers` sets to return hidden states."""
    written: Any = type(hook) if not isinstance(hook, FunctionType | MethodType) else hook
    if isinstance(hook, functools.partial):
        written = hook.func
    where = getattr(written, "__module__", "") or ""
    if "utils.prune" in where or any(
        base.__module__ == "torch.nn.utils.prune" for base in getattr(written, "__mro__", ())
    ):
        return "pruning masks"
    if where.startswith("torch.nn.utils."):
        return "parametrizations"
    return "" if _is_stock(where + ".") else "forward hooks"


def _parametrized(module: nn.Module) -> bool:
    return isinstance(module.__dict__.get("_modules", {}).get("parametrizations"), nn.ModuleDict) or (
        type(module).__module__ == "torch.nn.utils.parametrize"
    )


def _replaces(kind: type, name: str, value: Any) -> bool:
    """Whether an attribute of a module hides a method of its class."""
    if not callable(value) or isinstance(value, nn.Module | type):
        return False
    return inspect.isroutine(inspect.getattr_static(kind, name, None))


def _patched(kind: type, name: str) -> bool:
    """Whether a method of a usual class is a function from elsewhere."""
    function = inspect.unwrap(getattr(kind, name))
    where = getattr(function, "__module__", None)
    return isinstance(where, str) and not _is_stock(where + ".")


def _is_stock(where: str) -> bool:
    return (where + ".").startswith(_STOCK)


def _computes(value: Any) -> bool:
    return inspect.isroutine(value) or isinstance(value, property | staticmethod | classmethod)


def effective(model: nn.Module) -> Mapping[str, torch.Tensor]:
    """The tensors of a model by their usual names, as its modules use them.

    A mask, a parametrization or an adapter stores other tensors; the attribute of the module has the
    result. An adapter's layer is named like the layer that it wraps.
    """
    state: dict[str, torch.Tensor] = {}
    for name, module in model.named_modules():
        parts = name.split(".") if name else []
        if "parametrizations" in parts or any(part.startswith("lora_") for part in parts):
            continue
        prefix = "".join(f"{part}." for part in parts if part not in ("base_layer", "_orig_mod"))
        for own in _tensors_of(module):
            tensor = getattr(module, own, None)
            if isinstance(tensor, torch.Tensor):
                state[prefix + own] = tensor.detach()
    return state


def _tensors_of(module: nn.Module) -> list[str]:
    """The names of the tensors that a module stores; of those that are computed, not what from."""
    names = [name for name, tensor in module._parameters.items() if tensor is not None]
    names += [
        name
        for name, tensor in module._buffers.items()
        if tensor is not None and name not in module._non_persistent_buffers_set
    ]
    for name in ("weight", "bias"):
        if name in module._non_persistent_buffers_set:  # a mask
            continue
        if name not in names and isinstance(getattr(module, name, None), torch.Tensor):
            names = [other for other in names if not other.startswith(f"{name}_")] + [name]
    return names


def compiler_is_there() -> bool:
    """Whether torch's compiler is loaded, so that something can be compiled."""
    return "torch._dynamo" in sys.modules
