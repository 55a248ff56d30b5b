"""The lines of Python that give the numbers of each view of Positions."""

from __future__ import annotations

from pages.positions.state import PositionsState, numbers
from ui import same_in_python


def lines(s: PositionsState) -> dict[str, str]:
    """The view that is open, at the position and the dimension that are read."""
    if s.view.get() == "sinusoidal":
        return _sinusoidal(s)
    if s.view.get() == "rotary":
        return _rotary(s)
    model = s.model.get()
    return {
        "Python": "\n".join(
            [
                same_in_python.imports(model),
                "",
                f"table = core.load({model!r}).position_table()",
                f"table[{s.position.get()}, {s.dimension.get()}]",
            ]
        )
    }


def _sinusoidal(s: PositionsState) -> dict[str, str]:
    """Our transformer’s function, and the same in plain NumPy."""
    from core.walkthroughs import in_numpy
    from core.walkthroughs.code.excerpt import Excerpt, lines  # its folder brings torch

    call = [
        f"table = sinusoidal({s.length.get()}, {s.width.get()}, {s.base.get()})",
        f"table[{s.position.get()}, {s.dimension.get()}]",
    ]
    numpy = [
        "import numpy as np",
        "",
        "Array = np.ndarray",
        "",
        lines(Excerpt(in_numpy.sinusoidal)),
        "",
    ]
    return {
        "PyTorch (our transformer)": "\n".join(["from core.transformer import sinusoidal", "", *call]),
        "NumPy": "\n".join([*numpy, *call]),
    }


def _rotary(s: PositionsState) -> dict[str, str]:
    """Query and key at their positions, and their product."""
    vectors = {"query": numbers(s.query.get()), "key": numbers(s.key.get())}
    at, width = {"query": s.m.get(), "key": s.n.get()}, min(map(len, vectors.values()))
    code = ["import torch", "from core.transformer import rotary", ""]
    for name, vector in vectors.items():
        given = f"torch.tensor([{list(vector[:width])!r}])"
        code.append(f"{name} = rotary({given}, torch.tensor([{at[name]}]), {s.base.get()})")
    return {"PyTorch (our transformer)": "\n".join([*code, "(query * key).sum()"])}
