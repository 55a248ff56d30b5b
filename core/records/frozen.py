"""Arrays that nothing changes, and the base of the records that hold them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def frozen(array: npt.ArrayLike, dtype: npt.DTypeLike = np.float32) -> Array:
    """`array` as a read-only array that owns its data.

    What does not own its data is copied: a frozen *view* would still change through its base, and a
    slice would keep its whole batch alive.
    """
    own = np.asarray(array, dtype=dtype)
    if not own.flags.owndata:
        own = own.copy()
    own.flags.writeable = False
    return own


class Record:
    """The base of frozen records: it freezes their arrays, and again after unpickling."""

    def _freeze(self, *names: str) -> None:
        for name in names:
            array = getattr(self, name)
            if array is not None:
                object.__setattr__(self, name, frozen(array))

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value = frozen(value, value.dtype)
            object.__setattr__(self, name, value)

    @property
    def nbytes(self) -> int:
        """The memory that the arrays of this record take, in bytes."""
        values = (getattr(self, f.name) for f in fields(self))  # type: ignore[arg-type]
        return sum(v.nbytes for v in values if isinstance(v, np.ndarray | Record))
