"""The closed list of operations, each with its arguments and its result.

Values alone: `logic`, `arithmetic`, `lists`, `linear_algebra` (vectors) and `probabilities` (softmax,
entropy). What a model gives: `tokens`, `representations` (vectors of words and texts), `positions`
(the formulas as well), `attention` in one head, `heads` among all heads, `senses`, `translation` and
`training`; of a model that speaks, `next_word`, `copying` and `parts`. `arguments` has what all of them
use to declare their parameters and to read what was given.

All counting starts at 1. Sums are 64-bit; numbers from a record were 32-bit floats there.
"""

from collections.abc import Mapping

from ..expressions import Operation
from . import (
    arithmetic,
    attention,
    copying,
    heads,
    linear_algebra,
    lists,
    logic,
    next_word,
    parts,
    positions,
    probabilities,
    representations,
    senses,
    tokens,
    training,
    translation,
)

_ALL = (
    *logic.OPERATIONS,
    *arithmetic.OPERATIONS,
    *lists.OPERATIONS,
    *linear_algebra.OPERATIONS,
    *probabilities.OPERATIONS,
    *tokens.OPERATIONS,
    *representations.OPERATIONS,
    *positions.OPERATIONS,
    *attention.OPERATIONS,
    *heads.OPERATIONS,
    *senses.OPERATIONS,
    *translation.OPERATIONS,
    *training.OPERATIONS,
    *next_word.OPERATIONS,
    *copying.OPERATIONS,
    *parts.OPERATIONS,
)
OPERATIONS: Mapping[str, Operation] = {one.name: one for one in _ALL}

__all__ = ["OPERATIONS"]
