"""The command: see the package."""

from __future__ import annotations

import argparse
from pathlib import Path

from .starts import PARTS, tasks

SEEDS = 10_000  # more than a part has tasks: no two batches have the same seed


def main() -> None:
    """Write texts, or keep those that can be read."""
    parser = argparse.ArgumentParser(prog="python -m tools.written_corpus", description=__doc__)
    parser.add_argument("what", choices=("write", "keep", "add"))
    parser.add_argument("raw", type=Path)
    parser.add_argument("--part", type=int, choices=range(1, PARTS + 1), default=1)
    asked = parser.parse_args()
    if asked.what == "write":
        from .writing import write  # torch takes a while to import

        for line in write(tasks(asked.part), asked.raw, seed=SEEDS * (asked.part - 1)):
            print(line, flush=True)
    else:
        from .cleaning import keep

        print(keep(asked.raw, adds=asked.what == "add"))


if __name__ == "__main__":
    main()
