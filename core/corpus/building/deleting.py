"""Delete texts from a corpus, old versions too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from ...errors import CorpusError
from ..extra import require
from ..storage import manifest as manifests
from ..storage.filters import checked
from ..storage.manifest import Manifest
from ..storage.store import SENTENCES, batches, published, roll_back
from ..storage.tables import sentences_schema
from .alone import alone, remove
from .build import STAGING
from .progress import Report
from .publishing import rewrite

_OTHERWISE = "Nothing was deleted: make room, and delete the texts again."


@dataclass(frozen=True)
class Deleted:
    """What has left a corpus, and the manifest of what stayed.

    Attributes:
        sentences: how many sentences have left.
        words: how many word occurrences.
        files: how many files of which nothing is left; a file may have had no sentence at all.
        manifest: what stayed.
    """

    sentences: int
    words: int
    files: int
    manifest: Manifest


def delete(folder: Path | str, where: str, *, on_progress: Report = lambda progress: None) -> Deleted:
    """Delete the sentences for which a filter holds, with all their words.

    The tables are written anew and the old ones removed, so that no file of the corpus holds the texts
    or their vectors any more; nor does a build that was interrupted. The manifest forgets each file of
    which nothing is left, and what was left out of it.

    Args:
        folder: the folder of the corpus.
        where: a filter over `source`, `text`-independent columns of the texts, such as
            `source = 'letters/1914.txt'` or `year < 1900`.
        on_progress: called now and then.

    Raises:
        CorpusError: there is no corpus, the filter is wrong, another program is changing the corpus, or
            the disk is full; nothing is deleted then.
    """
    folder = Path(folder)
    manifests.read(folder)  # before anything is written
    with alone(folder, _OTHERWISE):
        now = manifests.read(folder)
        roll_back(folder, now)
        words, sentences = published(folder, now)
        condition = checked(sentences, where)
        checked(words, where)  # it must mean the same in both: `text` and `word` stand in one alone
        gone = sentences.count_rows(condition)
        if gone == now.sentences:
            raise CorpusError("Nothing would be left. Remove the folder of the corpus instead.")
        # NOT would also drop rows in which the condition is unknown, because a column is empty there.
        stays = f"{condition} IS NOT TRUE"
        left = sources_of(sentences, stays)
        left |= _chosen(_named(now) - sources_of(sentences, None), now, stays)
        after = now.of_sources(left)
        if gone:
            after = rewrite(folder, after, on_progress, keep=stays)
        elif after != now:
            after.write(folder)
        if after != now:
            # Last, as the old tables: a deletion that fails must cost nobody an unfinished build.
            remove(folder / STAGING)
        return Deleted(
            now.sentences - after.sentences,
            now.words - after.words,
            len(_named(now) - left),
            after,
        )


def _named(manifest: Manifest) -> set[str]:
    """The files that a manifest names, with sentences or without."""
    return {*manifest.sources, *(one.source for one in manifest.skipped)}


def sources_of(sentences: Any, where: str | None) -> set[str]:
    """The files of the sentences for which a filter holds."""
    return {
        name
        for batch in batches(sentences, where, ("source",))
        for name in batch.column("source").unique().to_pylist()
    }


def _chosen(sources: Iterable[str], manifest: Manifest, where: str) -> set[str]:
    """Those files for which a filter holds. They have no sentence, and thus no value but their name."""
    schema = sentences_schema(manifest.columns)
    names = sorted(sources)
    if not names:
        return set()
    rows = pa.Table.from_pydict(
        {field.name: names if field.name == "source" else [None] * len(names) for field in schema},
        schema=schema,
    )
    table = require("lancedb").connect("memory://").create_table(SENTENCES, rows)
    return sources_of(table, where)
