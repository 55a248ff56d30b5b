"""The controls, a module a kind: each takes a field, shows its value, and returns it.

`single_choice` and `multiple_choice` offer options; `numbers`, `switches` and `uploads` take what their
names say; `prepared_values` sets several fields at once, and `editable_table` has cells to type in.
`binding` is what all of them do: it ties a control to its field. A box for text is our own, in
`ui.state.texts`.
"""

from ui.state.controls.editable_table import table
from ui.state.controls.multiple_choice import open_parts, several, some
from ui.state.controls.numbers import entry, number, predict_number, slider
from ui.state.controls.prepared_values import presets
from ui.state.controls.single_choice import offer, predict, select
from ui.state.controls.switches import fold, toggle
from ui.state.controls.uploads import upload

__all__ = [
    "entry",
    "fold",
    "number",
    "offer",
    "open_parts",
    "predict",
    "predict_number",
    "presets",
    "select",
    "several",
    "slider",
    "some",
    "table",
    "toggle",
    "upload",
]
