"""Cases of names, sentences, numbers and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core import spreadsheet, untrusted
from core.figures import labels as figure_labels
from core.figures import style
from core.figures.scales import square_root, weight_scale
from core.sentences import MOST_OF_TEXT, MOST_OF_WORD, listed, sentence
from tests.figures.web.twins.common import (
    TEXTS,
    Table,
    each,
)
from ui import text

# What is typed where a number is asked for.
TYPED = (
    *(".5", "0,5", "50 %", "50%", "0.5", "5", "5.", "1,5", "−1", "–1.25", "- 2", "+2", "-0", " 7 "),
    *("34,560", "34 560", "1,234.5", "0,125", "1,23,456", "1,2345", "120 %", "12.5 %", "−20 %"),
    *("", " ", ".", "%", "-", "about one", "1e3", "0x10", "Infinity", "NaN", "٠٫٥", "1/2", "1" * 30),
    *("5\u00a0%", "0,5\n", "𝟙"),
)


def of_names() -> Table:
    odd = (*TEXTS, "##ing", "##", "   ", "\u200dx\u200b", "\u00ad", "\x7f\x80", "a" * 20, "אב a", "a א")
    return {
        "derive/labels.js": {
            "label": each(figure_labels.label, odd),
            "written": each(figure_labels.written, odd),
            "namedEdges": each(figure_labels.named_edges, odd),
            "runsLeft": [
                ([list(some)], figure_labels.runs_left(some))
                for some in (*((one,) for one in odd), ("a", "אב"), ("אבa", "b1"), ())
            ],
            "short": each(style.short, odd),
            "layerName": each(style.layer_name, (0, 11)),
        },
        "derive/sentences.js": {
            "sentence": [
                (
                    ["list.and", {"others": "{last}$&", "last": "$1"}],
                    sentence("list.and", others="{last}$&", last="$1"),
                )
            ],
            "listed": each(listed, (["a"], ["a", "b"], ["a", "b", "c"])),
            "plain": each(text.plain, (*odd, "a->b <= c => www.x ~= @d :streamlit:", "١٢٣")),
            "ofWord": each(lambda one: one[:MOST_OF_WORD], ("", "🎣" * 50)),
            "ofText": each(lambda one: one[:MOST_OF_TEXT], ("", "🎣" * 70)),
        },
        "derive/scales.js": {
            "isRoot": each(square_root, (0, 32, 33)),
            "weightScale": each(weight_scale, (2, 40)),
        },
        "derive/numbers.js": {
            "rounded": each(
                round,
                (0.0, 1 / 32, 3 / 32, 0.5, 1.5, 2.5, -0.125, 0.1, 2 / 3, 1e-9, 0.99995),
                (0, 1, 2, 4, 6),
            ),
            "seven": each(
                lambda x: float(f"{np.float32(x):.7g}"), (0.0, 1 / 3, -1e-9, 123456.789, 1e20)
            ),
            "inner": [([[1.5, -2], [3, 4]], -3.5)],
            "lengthOf": [([[3, 4]], 5.0)],
            "cosine": [([[1, 0], [1, 1]], 0.5**0.5), ([[0, 0], [1, 1]], 0.0)],
            "mean": [([[[1, 2], [3, 5]]], [2, 3.5])],
            "range": [([3], [0, 1, 2])],
        },
        "derive/typed.js": {
            "number": each(untrusted.number, TYPED, ("number", "whole", "share")),
        },
        "static/numbers.js": {
            "csvOf": [
                (
                    [
                        {
                            "columns": columns,
                            "rows": [{"name": name, "numbers": row} for name, row in rows.items()],
                        }
                    ],
                    _csv(columns, rows),
                )
                for columns, rows in (
                    (
                        ["A: position", '=1+"x"'],
                        {"Layer 1": [0.1, -2.0], "=2, 3": [1e-7, 123456789012.0]},
                    ),
                    (
                        ["a\nb"],
                        {
                            "": [0.0],
                            "-": [1 / 3],
                            "x": [100.0],
                            "y": [1e-5],
                            "z": [0.00012345678949],
                            "w": [999999999.5],
                        },
                    ),
                )
            ],
            "inert": each(
                spreadsheet.inert,
                (
                    *odd,
                    "+1.5e3",
                    "-",
                    "+",
                    "1.",
                    ".5",
                    " \u00a0=a",
                    "x;\t@y",
                    "\n=1",
                    "＝a",
                    "\ufeff=a",
                    "a\r-b",
                ),
            ),
        },
    }


def _csv(columns: Sequence[str], rows: Mapping[str, Sequence[float]]) -> str:
    index = pd.Index([*rows], name="after")
    return spreadsheet.csv(pd.DataFrame([*rows.values()], index=index, columns=[*columns]))
