"""What runs on the machines of a cluster: an actor holds the model, and embeds part after part."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import CorpusError, PolyseeError
from ...pretrained import load
from ...pretrained.load_model import weights_checksum
from ...pretrained.text_model import TextModel
from ...version import VERSION
from ..building.embed import embed
from ..building.parts import Parts
from ..storage.columns import Kind
from ..storage.layers import Layer
from .texts import staged

# What decides the bits of a vector, besides the weights.
_DECIDE = ("torch", "numpy", "tokenizers", "pyarrow")


def versions() -> dict[str, str]:
    """The versions here of all that must be the same on each node."""
    return {"polysee": VERSION, **{name: version(name) for name in _DECIDE}}


@dataclass(frozen=True)
class Job:
    """What each actor is to do.

    Attributes:
        folder: of the parts, as all nodes see it.
        model: its name.
        checksum: SHA-256 of its weights.
        versions: those of the driver.
        layers: the layers to keep.
        columns: the columns of the corpus.
    """

    folder: Path
    model: str
    checksum: str
    versions: Mapping[str, str]
    layers: tuple[Layer, ...]
    columns: Mapping[str, Kind]


class Embedder:
    """Embeds parts; Ray makes one for each actor.

    A failure that has a sentence comes back as a row and not as an exception: Ray would wrap it into
    its own, and try it again.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._parts = Parts(job.folder)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Embed the parts whose numbers are in `part`, unless that is done already.

        Returns:
            A row for each: `part`, its rows of `sentences` and `words`, and a `failure` or "".
        """
        rows = [self._row(int(number)) for number in batch["part"]]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def _row(self, number: int) -> dict[str, object]:
        row = {"part": number, "sentences": 0, "words": 0, "failure": ""}
        try:
            # A node that died may have finished it, or a driver that did.
            if not self._parts.has(number):
                sentences = staged(self._parts, number)
                part = embed(sentences, self._model, self._job.layers, self._job.columns)
                self._parts.write(number, part)
            counts = {of: self._parts.table(number, of).num_rows for of in ("sentences", "words")}
            return row | counts
        except PolyseeError as error:
            return row | {"failure": f"On the node {socket.gethostname()}: {error}"}

    @cached_property
    def _model(self) -> TextModel:
        here = versions()
        differing = [
            f"{name} {here[name]} instead of {wanted}"
            for name, wanted in self._job.versions.items()
            if here[name] != wanted
        ]
        if differing:
            raise CorpusError(f"All nodes need the same versions; here is {', '.join(differing)}.")
        if weights_checksum(self._job.model) != self._job.checksum:
            raise CorpusError(f"The weights of “{self._job.model}” are other ones here.")
        return load(self._job.model)
