"""One run as `transformers` exposes it: its outputs, its modules’ values, its table of positions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from ....errors import NotSupported, in_short
from .. import edits
from .forward import asked, takes

# Inputs of a model that reads more than text.
_OTHER_INPUTS = re.compile(r"input_(values|features)|(\w+_)?(pixel|image|audio|video|speech|visual)\w*")


class PlainRun(NamedTuple):
    """One run: the output of `transformers` for a type of model, and the values recorded meanwhile."""

    kind: str
    out: Any
    leaves: tuple[tuple[str, Tensor, Tensor], ...]  # name, input, output
    rows: int | None


def run_plainly(model: Any, inputs: Mapping[str, Tensor], name: str) -> PlainRun:
    """Run a model with the outputs that `transformers` exposes."""
    lookups = _Positions(inputs, model.get_input_embeddings().weight)
    try:
        with torch.no_grad(), _leaves(model) as leaves, lookups:
            out = asked(model, inputs, output_hidden_states=True, output_attentions=True)
    except Exception as error:  # a model may raise any exception of its parts
        message = in_short(error)
        if any(map(_OTHER_INPUTS.fullmatch, takes(model))):
            raise NotSupported(
                "“{name}” cannot read a text on its own: transformers says “{message}” Choose "
                "a text-only model.",
                name=name,
                message=message,
            ) from error
        raise NotSupported(
            "“{name}” cannot read a text with these settings: {blamed}",
            name=name,
            blamed=_blamed(error, model, message),
        ) from error
    if not isinstance(out, Mapping):
        raise NotSupported(
            "“{name}” returns a {name2}, not the outputs of its class by their names: its "
            "forward was replaced, or a hook on it returns something else. Let it return "
            "what the class returns.",
            name=name,
            name2=type(out).__name__,
        )
    return PlainRun(model.config.model_type, out, tuple(leaves), lookups.rows)


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
