"""The marks on lines of a corpus: a visitor's own, or those that are kept with it for all.

`POLYSEE_MARKS` decides. Where they are kept with the corpus, a lock of their file keeps two visitors,
of one process or of two, from losing each other's marks. A visitor can undo the last change of his own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core import settings
from core.corpus import marking
from core.corpus.marking import Mark, Place
from core.errors import CorpusError
from core.localization import _, decimal
from core.memory import cached
from ui.corpora.offered import Offered, opened
from ui.session import SessionValue

_OWN = SessionValue[dict[str, dict[Place, Mark]]]("corpus marks", {})


class _Change(NamedTuple):
    """The last change of a visitor: of which corpus, what stood there before, and what it set."""

    name: str
    before: dict[Place, Mark]
    now: dict[Place, Mark]


_NONE = _Change("", {}, {})
_LAST = SessionValue[_Change]("corpus marks before", _NONE)


def are_kept() -> bool:
    """Whether marks are kept with their corpus, for all visitors."""
    return settings.read().marks == "corpus"


def of(shown: Offered) -> Mapping[Place, Mark]:
    """The marks of a corpus.

    Raises:
        CorpusError: their file is damaged.
    """
    if not are_kept():
        return _OWN.get().get(shown.name, {})
    return _read(shown.folder, _version(shown.folder))


def change(shown: Offered, places: Sequence[tuple[Place, Mark]]) -> None:
    """Set some marks anew; an empty one takes a mark away.

    Raises:
        CorpusError: they cannot be kept.
    """
    _LAST.set(_Change(shown.name, _set(shown, places), dict(places)))


def _set(
    shown: Offered, places: Sequence[tuple[Place, Mark]], still: Mapping[Place, Mark] | None = None
) -> dict[Place, Mark]:
    """Set some marks, and return what stood there. `still`: see `marking.update`."""
    if are_kept():
        return marking.update(shown.folder, places, still)
    there = _OWN.get().get(shown.name, {})
    places = places if still is None else marking.untouched(there, places, still)
    _OWN.set({**_OWN.get(), shown.name: marking.changed(there, places)})
    return marking.replaced(there, places)


def can_undo(shown: Offered) -> int:
    """How many marks the visitor's last change has set or taken away; 0 if there is none to undo."""
    last = _LAST.get()
    return len(last.before) if last.name == shown.name else 0


def undo(shown: Offered) -> None:
    """Set what stood there before the visitor's last change; a mark that another has set since stays.

    Raises as `change`.
    """
    last = _LAST.get()
    if last.name == shown.name and last.before:
        _set(shown, [*last.before.items()], last.now)
        _LAST.set(_NONE)


def refuse_other_corpus(shown: Offered, marks: Mapping[Place, Mark]) -> None:
    """Compare the sentences of marks with those of the corpus.

    Raises:
        CorpusError: some are of another corpus; or this one cannot be read.
    """
    found = opened(shown)[0]
    numbers = np.unique(np.array([place.sentence for place in marks], np.int64))
    other = marking.elsewhere(marks, found.texts(numbers)) if len(numbers) else 0
    if other:
        raise CorpusError(
            _(
                "{count} of {all} marks stand in sentences that this corpus does not have there. The "
                "file is of another corpus, or of an earlier state of this one."
            ).format(count=decimal(f"{other:,}"), all=decimal(f"{len(marks):,}"))
        )


def _version(folder: Path) -> tuple[int, int]:
    try:
        status = (folder / marking.FILE).stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@cached()
def _read(folder: Path, version: tuple[int, int]) -> Mapping[Place, Mark]:
    return marking.read(folder)
