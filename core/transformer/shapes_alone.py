"""Build a module for its shapes: without memory, and without the numbers it would start from.

Torch alone would still compute them: on the device "meta" by its compiler's Python code, whose import
takes 1.4 seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode


class _Unfilled(TorchFunctionMode):
    """Leaves out what `torch.nn.init` would do to a tensor. A mode holds in its own thread alone."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        named = kwargs or {}
        if getattr(func, "__module__", "") == "torch.nn.init":
            return args[0] if args else named["tensor"]
        return func(*args, **named)


@contextmanager
def shapes_alone() -> Iterator[None]:
    """Modules that are built in this context have shapes only, on the device "meta"."""
    with torch.device("meta"), _Unfilled():
        yield
