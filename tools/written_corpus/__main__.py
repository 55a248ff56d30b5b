"""The command: see the package."""

from __future__ import annotations

import argparse
from pathlib import Path

from .starts import tasks


def main() -> None:
    """Write texts, or keep those that can be read."""
    parser = argparse.ArgumentParser(prog="python -m tools.written_corpus", description=__doc__)
    parser.add_argument("what", choices=("write", "keep"))
    parser.add_argument("raw", type=Path)
    asked = parser.parse_args()
    if asked.what == "write":
        from .writing import write  # torch takes a while to import

        for line in write(tasks(), asked.raw):
            print(line, flush=True)
    else:
        from .cleaning import keep

        print(keep(asked.raw))


if __name__ == "__main__":
    main()
