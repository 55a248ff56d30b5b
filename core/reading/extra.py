"""The packages of the extra `files`, imported when such a file is read."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .understood import Refused

HOW = 'pip install "polysee[files]", or, in a checkout, pip install -r requirements.txt'
_PACKAGES = {"docx": "python-docx", "pypdf": "pypdf", "openpyxl": "openpyxl", "pyarrow": "pyarrow"}


def require(name: str) -> Any:
    """One of the packages, imported.

    Raises:
        Refused: it is not installed; the message says how to get it.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise Refused(
            f"it needs the package {_PACKAGES.get(name.partition('.')[0], name)}, which is not "
            f"installed. Get it with: {HOW}"
        ) from error
