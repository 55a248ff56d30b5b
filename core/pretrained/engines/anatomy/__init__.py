"""The anatomy of a `transformers` model, found by running it on a few tokens.

No list of model families says how many layers a model has, which of them have attention, whether a
token sees later tokens, or where the final norm is: the model itself shows it. `exploring` runs it once
as `transformers` exposes it (`plain_run`: eager, with its own outputs), and once with our recorder in
place of its attention (`recorded_run`). The two must agree (`tolerances`). If they do not, or if query
and key do not yield the weights, only the weights are used, and the reason is stored.

`parts` has the records of what is found. A run needs `probe_tokens`, the way a model is called
(`forward`), and what it returns (`outputs`). Out of the runs come the layers and final norm of a stack
(`stacks`), the part and layer of each call of attention (`call_owners`), and the `heads`.
"""

from .call_owners import sorted_out
from .exploring import explore
from .forward import asked, configs, needs, paired, quietly, takes
from .outputs import hidden_of, last_of, refuse_not_numbers, side_by_side, weights_of
from .parts import Anatomy, Part
from .probe_tokens import LENGTHS, SHORT, probe
from .tolerances import SAME

__all__ = [
    "LENGTHS",
    "SAME",
    "SHORT",
    "Anatomy",
    "Part",
    "asked",
    "configs",
    "explore",
    "hidden_of",
    "last_of",
    "needs",
    "paired",
    "probe",
    "quietly",
    "refuse_not_numbers",
    "side_by_side",
    "sorted_out",
    "takes",
    "weights_of",
]
