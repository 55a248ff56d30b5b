"""Run a model object of somebody else's, as it is, and leave it as it was.

Recording its attention takes another attention function, and reading it takes evaluation mode. Both are
set for the time of one run, and taken back. What somebody's hooks do meanwhile is theirs.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from . import edits
from .anatomy import configs

# One run at a time, however often an object was loaded.
_LOCKS: WeakKeyDictionary[nn.Module, threading.RLock] = WeakKeyDictionary()
_CAPTURING = "_output_capturing_hooks_installed"  # what transformers notes on a model
_HOOKS = (
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
)


class Lent:
    """An object, and the settings that a run of it needs.

    Attributes:
        model: the object.
        settings: for each configuration in it, by its id, the settings to change during a run.
        seed: of its random numbers, if it has any in evaluation mode: every run has the same.
    """

    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.settings: Mapping[int, Mapping[str, Any]] = {}
        self.seed = 0
        self._lock = _LOCKS.setdefault(model, threading.RLock())

    @contextmanager
    def borrowed(self) -> Iterator[None]:
        """In this context, the object is in evaluation mode, with the settings; then as before."""
        with self._lock, _ordinary_tensors(), _uncompiled(), _random_numbers(self.model, self.seed):
            parts = list(self.model.modules())
            before = [_state(part) for part in parts]
            shortened = [
                (part.weight, part.weight.detach().clone())
                for part in parts
                if getattr(part, "max_norm", None) is not None and isinstance(part.weight, Tensor)
            ]
            own = configs(self.model)
            set_before = [dict(vars(config)) for config in own]
            try:
                for part in parts:
                    part.__dict__["training"] = False
                for config in own:
                    vars(config).update(self.settings.get(id(config), {}))
                yield
            finally:
                for config, was in zip(own, set_before, strict=True):
                    vars(config).clear()
                    vars(config).update(was)
                for weight, was_so in shortened:  # a look-up has written the shorter rows into it
                    weight.data.copy_(was_so)
                for part, state in zip(parts, before, strict=True):
                    _restore(part, state)

    @contextmanager
    def learning(self) -> Iterator[None]:
        """`borrowed`; what is set on the configurations meanwhile is kept in `settings`."""
        with self.borrowed():
            before = {id(config): dict(vars(config)) for config in configs(self.model)}
            yield
            self.settings = {
                id(config): {
                    key: value
                    for key, value in vars(config).items()
                    if key not in before[id(config)] or before[id(config)][key] is not value
                }
                for config in configs(self.model)
            }


class _State:
    """What a run can change on one module."""

    def __init__(self, part: nn.Module) -> None:
        self.training = part.training
        self.captured = _CAPTURING in part.__dict__
        self.hooks = {name: set(part.__dict__.get(name, ())) for name in _HOOKS}
        self.computed = {
            name: value
            for name, value in part.__dict__.items()
            if isinstance(value, Tensor) and value.requires_grad
        }


def _state(part: nn.Module) -> _State:
    return _State(part)


def _restore(part: nn.Module, was: _State) -> None:
    part.__dict__["training"] = was.training
    # transformers sets hooks that return hidden states, at the first request for them.
    if not was.captured and part.__dict__.pop(_CAPTURING, None):
        pass
    for name, ids in was.hooks.items():
        there = part.__dict__.get(name)
        if isinstance(there, dict):
            for added in [one for one in there if one not in ids]:
                del there[added]
    # A masked weight is computed before each run; here, without its gradient.
    for name, value in was.computed.items():
        now = part.__dict__.get(name)
        if isinstance(now, Tensor) and not now.requires_grad:
            part.__dict__[name] = value


@contextmanager
def repeatable(model: nn.Module) -> Iterator[None]:
    """In this context, a copy of ours that uses random numbers gives the same in each run."""
    with _LOCKS.setdefault(model, threading.RLock()), _random_numbers(model, 0):
        yield


@contextmanager
def _ordinary_tensors() -> Iterator[None]:
    """Without gradients, but not in inference mode: somebody's hooks may keep what they see."""
    with torch.inference_mode(False), torch.no_grad():
        yield


@contextmanager
def _uncompiled() -> Iterator[None]:
    """Run what `torch.compile` has compiled as it was written: the recorder cannot see inside."""
    with ExitStack() as stack:
        if edits.compiler_is_there():
            stack.enter_context(torch.compiler.set_stance("force_eager"))
        yield


@contextmanager
def _random_numbers(model: nn.Module, seed: int) -> Iterator[None]:
    """The same random numbers in each run, and afterwards those that would have come."""
    devices = {p.device for p in model.parameters() if p.device.type == "cuda"}
    with torch.random.fork_rng(devices=list(devices)):
        torch.manual_seed(seed)
        yield
