"""The lines of a step as one cell of a notebook: imports, numbers, lines of the source, the result."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from ..steps.record import Step
from . import in_plain_numpy, in_torch
from .excerpt import Excerpt, lines
from .origin import Origin

# The import of each undefined name, in the order of a file's imports.
_IMPORTS: Mapping[str, str] = {
    "math": "import math",
    "np": "import numpy as np",
    "torch": "import torch",
    "Tensor": "from torch import Tensor",
    "F": "from torch.nn import functional as F",
    "core": "import core",
    "causal_mask": "from core.transformer import causal_mask, mask_bias",
    "mask_bias": "from core.transformer import mask_bias",
    "scaled_dot_product_attention": "from core.transformer import scaled_dot_product_attention",
    "turned": "from core.transformer.positions import turned",
    "turns": "from core.transformer.positions import turns",
    "paper": "from core.walkthroughs import paper",
    "tiny": "from core.walkthroughs import tiny, tiny_numbers",
}


def in_pytorch(
    origin: Origin, steps: Sequence[Step], name: str, *, which: str = "embedded", token: int = 0
) -> str:
    """The lines of a step in `core.transformer`, runnable as they are.

    Args:
        origin: the origin of the numbers.
        steps: all steps on the page.
        name: the name of the step to show.
        which: for attention without weights, its initial rows: "embedded" or "learned".
        token: its word, from 0.

    Raises:
        ValueError: if the source no longer contains the lines; a test makes sure that it does.
    """
    if name == "pieces":
        return _pieces(origin)
    gated = any(step.kind == "times" for step in steps)
    code = in_torch.code(origin, name, gated=gated)
    setup = [line.format(token=token) for line in code.setup] if name in in_torch.PLAIN else code.setup
    before = (*origin.text, *origin.vectors[which]) if name in in_torch.PLAIN else ()
    shared = _shared(steps, origin.head)
    result = code.result.format(head=origin.head, shared=shared) + _columns(steps, name)
    excerpt = () if code.excerpt is None else (code.excerpt,)
    return _cell([*before, *setup, *excerpt], result, steps, name, origin)


def in_numpy(
    origin: Origin, steps: Sequence[Step], name: str, *, which: str = "embedded", token: int = 0
) -> str:
    """The same in plain NumPy: lines of `core.walkthroughs.in_numpy`. See `in_pytorch`."""
    if name == "pieces":
        return _pieces(origin)
    parts = in_plain_numpy.parts(origin, steps, name, which, token)
    result = in_plain_numpy.code(name, origin, steps).result + _columns(steps, name)
    return _cell(parts, result, steps, name, origin)


def _shared(steps: Sequence[Step], head: int) -> int:
    """The key and value of a head, which several heads may share; from 0."""
    groups = next((one.groups for one in steps if one.groups), None)
    return head if groups is None else head // groups.size


def _pieces(origin: Origin) -> str:
    """The lines for the ids, which the tokenizer produces."""
    if origin.kind in ("trained", "alone", "recorded"):
        return _with_imports(origin.text, "model.read(text).ids", origin)
    return _with_imports(origin.text[:1], "ids", origin)


def _columns(steps: Sequence[Step], name: str) -> str:
    """The part of a wide product that is on the screen."""
    step = next(step for step in steps if step.name == name)
    if step.part is None:
        return ""
    first = step.part[0]
    return f"[:, {first}:{first + step.result.values.shape[1]}]"


def _cell(
    parts: Sequence[str | Excerpt], result: str, steps: Sequence[Step], name: str, origin: Origin
) -> str:
    step = next(step for step in steps if step.name == name)
    written: list[str] = []
    for part in parts:
        if isinstance(part, Excerpt):
            written += ["", f"# {part.location}", lines(part), ""]
        else:
            written.append(part)
    rows, columns = step.result.values.shape
    note = "; the lowest number stands for −∞" if step.kind == "mask" else ""
    return _with_imports(written, f"{result}  # {step.result.name}, {rows} × {columns}{note}", origin)


def _with_imports(written: Sequence[str], result: str, origin: Origin) -> str:
    body = "\n".join([*written, result]).strip()
    while "\n\n\n" in body:
        body = body.replace("\n\n\n", "\n\n")
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    if "causal_mask" in used:  # one line imports both
        used.discard("mask_bias")
    heads = [line for name, line in _IMPORTS.items() if name in used]
    heads = [
        f"{line}  # {origin.note}" if line == "import core" and origin.note else line for line in heads
    ]
    if "Array" in used:
        heads += ["", "Array = np.ndarray"]
    return "\n".join([*heads, "", body]).strip()
