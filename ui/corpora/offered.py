"""Which corpora there are, and each opened once for all visitors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core import settings
from core.corpus import extra, python_docs
from core.corpus.storage import manifest
from core.errors import CorpusError
from core.memory import cached

if TYPE_CHECKING:
    from core.corpus import Corpus

DOCS = ""  # the name of Python's documentation in a link
_STAGING = "staging"  # of an unfinished build (`core.corpus.building.build`)


@dataclass(frozen=True)
class Offered:
    """A corpus of the list.

    Attributes:
        name: in a link.
        title: on the screen.
        folder: where it lies.
    """

    name: str
    title: str
    folder: Path


def docs_folder() -> Path:
    """Where the corpus of Python's documentation lies."""
    return settings.read().cache / "corpora" / python_docs.NAME


def every() -> Mapping[str, Offered]:
    """All corpora by their names: those of `POLYSEE_CORPORA`, then Python's documentation."""
    found: list[Offered] = []
    folder = settings.read().corpora
    if folder is not None:
        try:
            inside = sorted(one for one in folder.iterdir() if one.is_dir())
        except OSError as error:
            raise CorpusError(
                f"The folder of POLYSEE_CORPORA cannot be read: {error.strerror}."
            ) from error
        found += [Offered(one.name, one.name, one) for one in inside if not one.name.startswith(".")]
    found.append(Offered(DOCS, python_docs.TITLE, docs_folder()))
    return {one.name: one for one in found}


def version(one: Offered) -> str:
    """Changes with every change of a corpus.

    Raises:
        CorpusError: there is none, or it is not finished.
    """
    try:
        status = (one.folder / manifest.FILE).stat()
    except OSError:
        if (one.folder / _STAGING).is_dir():
            raise CorpusError(
                f"The corpus “{one.title}” is not finished: its build is still running, or was "
                "interrupted. The same “polysee corpus build” goes on where it stopped."
            ) from None
        raise CorpusError(
            f"“{one.title}” is no corpus: it has no {manifest.FILE}. Build one with “polysee corpus "
            "build”."
        ) from None
    return f"{status.st_mtime_ns:x}-{status.st_size:x}"


def opened(one: Offered) -> tuple[Corpus, str]:
    """A corpus as it is published now, and its version.

    Raises:
        CorpusError: the extra is not installed; or there is no corpus, or it cannot be read.
    """
    require_extra()
    now = version(one)
    try:
        return _opened(one.folder, now), now
    except CorpusError as error:
        # Visitors need not know where an operator keeps it.
        raise CorpusError(str(error).replace(str(one.folder), one.title)) from error


def require_extra() -> None:
    """Raise a CorpusError that says how to get the extra, if it is not installed."""
    for name in extra.missing():
        extra.require(name)


@cached(weigh=lambda corpus: 1_000_000 + 8 * corpus.manifest.sentences)  # their numbers
def _opened(folder: Path, version: str) -> Corpus:
    from core.corpus import Corpus  # LanceDB takes a while to import

    return Corpus(folder)
