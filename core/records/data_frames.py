"""Records as tidy pandas tables: one row for each observation, one named column for each variable.

pandas is imported when a table is made, because nothing else here needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import NotSupported

if TYPE_CHECKING:
    import pandas as pd


def frame(columns: dict[str, Any]) -> pd.DataFrame:
    """A table with these columns.

    Raises:
        NotSupported: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise NotSupported("A table needs pandas: pip install pandas.") from error
    return pd.DataFrame(columns)
