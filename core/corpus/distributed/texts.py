"""The sentences of a part, staged beside it, for whoever is going to embed them.

They go through the folder of the corpus and not through Ray's object store: whoever writes a part must
see this folder anyway, a part that is embedded again reads the same sentences, and the object store
holds nothing but numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from ...errors import CorpusError, in_short
from ..building.embed import Sentence
from ..building.parts import Parts
from ..storage.columns import Kind
from ..storage.tables import sentences_schema


def stage(
    parts: Parts, number: int, sentences: Sequence[Sentence], columns: Mapping[str, Kind]
) -> None:
    """Stage the sentences of a part.

    Raises:
        CorpusError: they cannot be written, because the disk is full or otherwise.
    """
    schema = sentences_schema(columns)
    rows = {
        "id": [one.id for one in sentences],
        "text": [one.text for one in sentences],
        "source": [one.source for one in sentences],
        **{name: [one.columns.get(name) for one in sentences] for name in columns},
    }
    try:
        parts.stage(number, "texts", pa.table(rows, schema=schema))
    except (OSError, pa.ArrowException) as error:
        raise CorpusError(
            f"The texts of part {number + 1} could not be written to {parts.folder}: {in_short(error)}"
        ) from error


def staged(parts: Parts, number: int) -> list[Sentence]:
    """The sentences of a part, as they were staged.

    Raises:
        CorpusError: they are not there: this machine does not see the folder of the corpus.
    """
    try:
        rows = parts.table(number, "texts").to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise CorpusError(
            f"The folder {parts.folder} does not hold the texts of part {number + 1}. All nodes of the "
            f"cluster must see the folder of the corpus under this path. {in_short(error)}"
        ) from error
    return [Sentence(one.pop("id"), one.pop("text"), one.pop("source"), one) for one in rows]
