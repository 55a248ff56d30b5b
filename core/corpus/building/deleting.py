"""Delete texts from a corpus, old versions too."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from ...errors import CorpusError
from ..storage import manifest as manifests
from ..storage.filters import checked
from ..storage.manifest import Manifest
from ..storage.store import SENTENCES, WORDS, Generation, roll_back
from .build import STAGING, alone
from .progress import Report
from .publishing import rewrite


@dataclass(frozen=True)
class Deleted:
    """What has left a corpus, and the manifest of what stayed."""

    sentences: int
    words: int
    manifest: Manifest


def delete(folder: Path | str, where: str, *, on_progress: Report = lambda progress: None) -> Deleted:
    """Delete the sentences for which a filter holds, with all their words.

    The tables are written anew and the old ones removed, so that no file of the corpus holds the texts
    or their vectors any more; nor does a build that was interrupted.

    Args:
        folder: the folder of the corpus.
        where: a filter over `source`, `text`-independent columns of the texts, such as
            `source = 'letters/1914.txt'` or `year < 1900`.
        on_progress: called now and then.

    Raises:
        CorpusError: there is no corpus, the filter is wrong, or another program is changing the corpus.
    """
    folder = Path(folder)
    with alone(folder):
        now = manifests.read(folder)
        roll_back(folder, now)
        generation = Generation(folder, now.generation)
        words = generation.table(WORDS, now.words_version)
        sentences = generation.table(SENTENCES, now.sentences_version)
        condition = checked(sentences, where)
        checked(words, where)  # it must mean the same in both: `text` and `word` stand in one alone
        shutil.rmtree(folder / STAGING, ignore_errors=True)
        gone = sentences.count_rows(condition)
        if not gone:
            return Deleted(0, 0, now)
        if gone == now.sentences:
            raise CorpusError("Nothing would be left. Remove the folder of the corpus instead.")
        # NOT would also drop rows in which the condition is unknown, because a column is empty there.
        after = rewrite(folder, now, on_progress, keep=f"{condition} IS NOT TRUE")
        return Deleted(now.sentences - after.sentences, now.words - after.words, after)
