from __future__ import annotations

import contextlib
import json
import shutil
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from core.corpus import Corpus, delete
from core.corpus.command import main
from core.corpus.storage.manifest import FILE, FORMAT, RULES, Manifest, exists, read
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
        ({"format": FORMAT - 1}, "an older Polysee"),
        ({"rules": RULES + 1}, "damaged"),
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


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b"{}",
        b"null",
        b'"x"',
        b"[" * 100_000,
        b'{"a":' * 900,
        b'{"a":"\\ud800"}',
    ],
)
def test_a_damaged_manifest(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(CorpusError, match="damaged"):
        read(tmp_path)


ODD: list[Any] = [
    None,
    True,
    -1,
    0.5,
    2**70,
    10**400,
    "",
    "x",
    "../../../etc",
    "/tmp/etc",
    "..",
    "a\0",
    [],
    [[]],
    {},
    {"x": []},
]


@pytest.mark.few(4)
@pytest.mark.parametrize("name", [one.name for one in fields(Manifest)])
def test_any_value_of_any_field_is_read_or_refused_in_a_sentence(
    letters: Path, tmp_path: Path, name: str
) -> None:
    """By all who read it; and no name in it leads out of the folder of the corpus."""
    own = tmp_path / "inner" / "own"
    shutil.copytree(letters, own)
    given = json.loads((own / FILE).read_text())
    for value in ODD:
        (own / FILE).write_text(json.dumps({**given, name: value}))
        outside = {
            *tmp_path.iterdir(),
            *tmp_path.joinpath("inner").iterdir(),
            *own.joinpath("tables").iterdir(),
        }
        with contextlib.suppress(CorpusError):
            opened = Corpus(own)
            list(opened.occurrences("bank"))
            opened.vectors("bank")
        with contextlib.suppress(CorpusError):
            delete(own, "year = 3000")
        found = {
            *tmp_path.iterdir(),
            *tmp_path.joinpath("inner").iterdir(),
            *own.joinpath("tables").iterdir(),
        }
        assert found == outside, value
        assert main(["info", str(own)]) in (0, 2)


@pytest.mark.parametrize(
    "generation", ["../../../etc", "..", "/etc", "1/../2", "000001/", 1, None, "１２３４５６"]
)
def test_the_generation_is_the_number_of_a_folder(
    manifest: Manifest, tmp_path: Path, generation: object
) -> None:
    own = tmp_path / "a" / "b" / "own"
    own.mkdir(parents=True)
    manifest.write(own)
    given = json.loads((own / FILE).read_text())
    (own / FILE).write_text(json.dumps({**given, "generation": generation}))
    for use in (read, Corpus, lambda folder: delete(folder, "year = 1")):
        with pytest.raises(CorpusError, match="generation"):
            use(own)
    assert [one.name for one in tmp_path.rglob("*") if one.is_dir()] == ["a", "b", "own"]
