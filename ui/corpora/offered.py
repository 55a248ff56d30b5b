"""Which corpora there are, and each opened once for all visitors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from core import settings
from core.corpus import extra, python_docs, written
from core.corpus.storage import manifest
from core.errors import CorpusError
from core.localization import N_, _
from core.memory import cached

if TYPE_CHECKING:
    from core.corpus import Corpus

# The names in a link of the corpora that come with Polysee: Python's documentation, which older links
# mean that name none, and English by SmolLM2.
DOCS, WRITTEN = "", "written"
AHEAD = 1_000_000  # words of a corpus whose table for queries is read before the first one
_A_WORD = 60  # bytes of that table
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


@dataclass(frozen=True)
class Supplied:
    """A corpus that comes with Polysee, as texts that are embedded at first use.

    Attributes:
        title: on the screen.
        folder: the name of its folder, and of the file of its texts.
        write: writes its texts into a folder, and returns their path.
        layers: the layers that it keeps.
        size: how large it is, in words, as the page says while it is built.
        about: who wrote it, in a sentence or two of Markdown; "" for nothing to say.
    """

    title: str
    folder: str
    write: Callable[[Path], Path]
    layers: Sequence[str]
    size: str
    about: str = ""


SUPPLIED: Mapping[str, Supplied] = {
    WRITTEN: Supplied(
        written.TITLE,
        f"{written.NAME}-{written.VERSION}",
        written.write,
        written.LAYERS,
        N_("English written by SmolLM2, 94,000 words"),
        N_(
            "A language model of 135 million parameters wrote these texts; the first few words of each "
            "are ours. It is English to look at, invented, and often odd."
        ),
    ),
    DOCS: Supplied(
        python_docs.TITLE,
        python_docs.NAME,
        python_docs.write,
        python_docs.LAYERS,
        N_("the documentation inside Python, 50,000 words"),
    ),
}


def supplied_folder(of: Supplied) -> Path:
    """Where a corpus that comes with Polysee lies."""
    return settings.read().cache / "corpora" / of.folder


def every() -> Mapping[str, Offered]:
    """All corpora by their names: those of `POLYSEE_CORPORA`, then those that come with Polysee."""
    found: list[Offered] = []
    folder = settings.read().corpora
    if folder is not None:
        try:
            inside = sorted(one for one in folder.iterdir() if one.is_dir())
        except OSError as error:
            raise CorpusError(
                _("The folder of POLYSEE_CORPORA cannot be read: {why}.").format(why=error.strerror)
            ) from error
        found += [Offered(one.name, one.name, one) for one in inside if not one.name.startswith(".")]
    own = {one.name for one in found}
    found += [
        Offered(name, of.title, supplied_folder(of)) for name, of in SUPPLIED.items() if name not in own
    ]
    return {one.name: one for one in found}


def is_supplied(one: Offered) -> bool:
    """Whether a corpus comes with Polysee; an operator's own may have its name, and then counts."""
    of = SUPPLIED.get(one.name)
    return of is not None and one.folder == supplied_folder(of)


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
                _(
                    "The corpus “{name}” is not finished: its build is still running, or was "
                    "interrupted. The same “polysee corpus build” goes on where it stopped."
                ).format(name=one.title)
            ) from None
        raise CorpusError(
            _("“{name}” is no corpus: it has no {file}. Build one with “polysee corpus build”.").format(
                name=one.title, file=manifest.FILE
            )
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


def _bytes_of(corpus: Corpus) -> int:
    ahead = corpus.manifest.words if corpus.manifest.words <= AHEAD else 0
    return 1_000_000 + 8 * corpus.manifest.sentences + _A_WORD * ahead  # numbers, and the table


@cached(weigh=_bytes_of)
def _opened(folder: Path, version: str) -> Corpus:
    from core.corpus import Corpus  # LanceDB takes a while to import

    corpus = Corpus(folder)
    if corpus.manifest.words <= AHEAD:
        Thread(target=_read_ahead, args=(corpus,), daemon=True).start()
    return corpus


def _read_ahead(corpus: Corpus) -> None:
    """While a visitor looks at the first page; what is wrong with the corpus, a query says."""
    with suppress(CorpusError, OSError, RuntimeError, ValueError):
        corpus.read_ahead()
