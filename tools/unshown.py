"""Make the list of words that a class's screen never shows: `python -m tools.unshown FILE`.

The file has words with spaces or line breaks between them; it is read by people and is not kept here.
Plural forms are added. The list holds only sums.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from core.dictionary.unshown import LIST, sum_of


def listed(words: Iterable[str]) -> list[str]:
    """The sums of these words and of their plurals, sorted."""
    every = {one.casefold() for one in words}
    every |= {one + "s" for one in every} | {one + "es" for one in every if one.endswith(("s", "h"))}
    every |= {one[:-1] + "ies" for one in every if one.endswith("y")}
    return sorted(map(sum_of, every))


def main(arguments: list[str]) -> None:
    """Write the list."""
    (file,) = arguments
    found = listed(Path(file).read_text("utf-8").split())
    LIST.write_text("[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]\n", "ascii")
    print(f"{LIST}: {len(found)} sums")


if __name__ == "__main__":
    main(sys.argv[1:])
