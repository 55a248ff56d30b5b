"""Python code for the numbers of each view of Positions."""

from __future__ import annotations

from collections.abc import Callable

from core.records.frozen import Array
from core.walkthroughs import word_and_position
from pages.positions.state import PositionsState, numbers
from ui import same_in_python


def lines(s: PositionsState, model: str = "") -> dict[str, str]:
    """Code for the open view, at the chosen position and dimension.

    Args:
        s: the state of the page.
        model: the model shown, if any.
    """
    if s.view.get() == "sinusoidal":
        return _sinusoidal(s)
    if s.view.get() == "rotary":
        return _rotary(s)
    if s.view.get() == "sum":
        return {"NumPy": "\n".join([*_words_and_positions(s, 5), *_added(s)])}
    if s.view.get() == "padding":
        return _padding_of_the_text(s) if s.whose.get() == "text" else _padding_of_a_model(s, model)
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
    """Code for our transformer's function, and the same in plain NumPy."""
    from core.walkthroughs import in_numpy
    from core.walkthroughs.code.excerpt import Excerpt, lines  # its package imports torch

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
    """Code for query and key at their positions, and their product."""
    vectors = {"query": numbers(s.query.get()), "key": numbers(s.key.get())}
    at, width = {"query": s.m.get(), "key": s.n.get()}, min(map(len, vectors.values()))
    code = ["import torch", "from core.transformer import rotary", ""]
    for name, vector in vectors.items():
        given = f"torch.tensor([{list(vector[:width])!r}])"
        code.append(f"{name} = rotary({given}, torch.tensor([{at[name]}]), {s.base.get()})")
    return {"PyTorch (our transformer)": "\n".join([*code, "(query * key).sum()"])}


def _words_and_positions(s: PositionsState, length: int, *more: Callable[..., object]) -> list[str]:
    """Code for the text's current tables; unchanged positions come from the formula."""
    from core.walkthroughs import in_numpy
    from core.walkthroughs.code.excerpt import Excerpt
    from core.walkthroughs.code.excerpt import lines as source

    edits = word_and_position.TABLES.read(s.edits.get())
    tables = word_and_position.TABLES.changed(edits)
    parts = ["import numpy as np", "", "Array = np.ndarray", ""]
    for one in (in_numpy.sinusoidal, *more):
        parts += [source(Excerpt(one)), "", ""]
    parts.append(f"E = np.array({_written(tables['E'])})")
    own = any(name == "P" for name, _, _ in edits)
    positions = f"np.array({_written(tables['P'][:length])})" if own else f"sinusoidal({length}, 3)"
    return [*parts, f"P = {positions}"]


def _added(s: PositionsState) -> list[str]:
    return ["E + P.round(2)" if s.round_first.get() else "E + P"]


def reach(s: PositionsState, count: int) -> dict[str, str]:
    """The steps from one of so many words to each, and Table 1 with its numbers."""
    sizes = f"d={s.layer_width.get()}, kernel={s.kernel.get()}, window={s.window.get()}"
    code = [
        "from core.walkthroughs.reach import layer_costs, steps_from",
        "",
        f"n = {count}  # words",
        f"steps = steps_from({s.word.get()}, n, window={s.window.get()})",
        f"costs = layer_costs(n, {sizes})",
        "steps, [(one.name, one.operations, one.sequential, one.path) for one in costs]",
    ]
    return {"Python": "\n".join(code)}


def _padding_of_the_text(s: PositionsState) -> dict[str, str]:
    """Code for the five words with and without padding, and their difference."""
    from core.walkthroughs import in_numpy

    length, count = s.padded.get(), word_and_position.N_WORDS
    tables = word_and_position.TABLES.changed(word_and_position.TABLES.read(s.edits.get()))
    attended = (in_numpy.softmax, in_numpy.scaled_dot_product_attention)
    mask = f"np.arange({length}) < {count}" if s.masked.get() else "None"
    code = [
        *_words_and_positions(s, length, *attended),
        f"PAD = np.array({_written(tables['PAD'])})",
        f"X = np.concatenate([E, PAD.repeat({length - count}, axis=0)]) + P",
        f"padded, _ = scaled_dot_product_attention(X, X, X, {mask})",
        f"alone, _ = scaled_dot_product_attention(X[:{count}], X[:{count}], X[:{count}])",
        f"np.abs(padded[:{count}] - alone).max()",
    ]
    return {"NumPy": "\n".join(code)}


def _padding_of_a_model(s: PositionsState, model: str) -> dict[str, str]:
    """Code for two texts in one batch, and the difference of the shorter one from itself alone."""
    code = [
        same_in_python.imports(model),
        "from core.walkthroughs.padding import in_batch",
        "",
        f"model = core.load({model!r})",
        f"read = [model.read(text) for text in ({s.shorter.get()!r}, {s.longer.get()!r})]",
        "pieces = [(one.ids, one.types) for one in read]",
        f"run = in_batch(model.scratch_encoder, pieces, model.pad_id, masked={s.masked.get()})",
        "run.apart[-1]",
    ]
    return {"PyTorch (our transformer)": "\n".join(code)}


def _written(table: Array) -> str:
    """Numbers as a list, each as it was typed."""
    return repr([[float(f"{x:.7g}") for x in row] for row in table])
