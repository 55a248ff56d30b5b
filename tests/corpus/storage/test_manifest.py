from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.corpus.storage.manifest import FILE, FORMAT, Manifest, exists, read
from core.errors import CorpusError


def test_it_comes_back_as_it_was_written(manifest: Manifest, tmp_path: Path) -> None:
    assert not exists(tmp_path)
    manifest.write(tmp_path)
    assert read(tmp_path) == manifest
    replace(manifest, words=7).write(tmp_path)
    assert read(tmp_path).words == 7


def test_it_names_what_the_vectors_come_from(manifest: Manifest) -> None:
    assert manifest.model == "minilm"
    assert manifest.checksum.startswith("53aa51172d142c89")
    assert [(one.layer, one.names) for one in manifest.layers] == [(1, ("2",)), (5, ("last",))]
    assert set(manifest.versions) == {"lancedb", "pyarrow", "sentencex", "icu4py"}
    assert manifest.columns == {"year": "int", "genre": "text"}
    assert list(manifest.sources) == ["letters.csv", "note.txt"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": FORMAT + 1}, "a newer Polysee"),
        ({"format": 0}, "an older Polysee"),
        ({"layers": 3}, "damaged"),
        ({"unknown": 3}, "damaged"),
    ],
)
def test_another_manifest_is_refused_in_a_sentence(
    manifest: Manifest, tmp_path: Path, change: dict[str, object], why: str
) -> None:
    manifest.write(tmp_path)
    given = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps({**given, **change}))
    with pytest.raises(CorpusError, match=why):
        read(tmp_path)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b"{}"])
def test_a_damaged_manifest(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(CorpusError):
        read(tmp_path)
