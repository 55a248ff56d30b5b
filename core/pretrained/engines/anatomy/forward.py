"""How a model is called: what its `forward` takes, its configurations, and a run with outputs."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from torch import nn


def paired(model: Any) -> bool:
    """Whether it is an encoder–decoder, which reads two texts."""
    return "decoder_input_ids" in takes(model)


def takes(model: Any) -> frozenset[str]:
    """The names of the parameters of a model's `forward`; of its class, if it only passes them on."""
    signature = inspect.signature(model.forward)
    names = frozenset(signature.parameters)
    if "input_ids" in names or not accepts_any(signature):
        return names
    written = (vars(kind)["forward"] for kind in type(model).__mro__ if "forward" in vars(kind))
    return names.union(*(inspect.signature(function).parameters for function in written))


def accepts_any(signature: inspect.Signature) -> bool:
    """Whether a function accepts arguments of any name."""
    return any(one.kind is inspect.Parameter.VAR_KEYWORD for one in signature.parameters.values())


def needs(model: Any, name: str) -> bool:
    """Whether a model's `forward` requires this argument."""
    parameter = inspect.signature(model.forward).parameters.get(name)
    return parameter is not None and parameter.default is inspect.Parameter.empty


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


def attend(model: Any, implementation: str) -> None:
    """Make all attention modules of a model use this implementation, whatever its settings say."""
    model.set_attn_implementation(implementation)
    # transformers skips, with a warning, models that read the setting later
    for config in configs(model):
        config._attn_implementation_internal = implementation


def asked(model: Any, inputs: Mapping[str, Any], **outputs: bool) -> Any:
    """Run a model once for these outputs (`output_hidden_states`, `output_attentions`).

    A `forward` that somebody has replaced may not accept them as arguments. Then the configuration asks
    for them; that is safe because such an object runs for one caller at a time.
    """
    refused = outputs.keys() - takes(model)
    if not refused or accepts_any(inspect.signature(model.forward)):
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
