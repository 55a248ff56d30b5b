"""The packages of the extra `corpus`, imported when a corpus is first used."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ..errors import CorpusError
from ..localization import _

PACKAGES = ("lancedb", "pyarrow")
HOW = 'pip install "polysee[corpus]", or, in a checkout, pip install -r requirements.txt'


def missing() -> tuple[str, ...]:
    """The packages of the extra that are not installed here."""
    return tuple(name for name in PACKAGES if find_spec(name) is None)


def require(name: str) -> Any:
    """One of `PACKAGES`, imported.

    Raises:
        CorpusError: it is not installed; the message says how to get it.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise CorpusError(
            _("A corpus needs the package {name}, which is not installed. Get it with: {how}").format(
                name=name, how=HOW
            )
        ) from error
