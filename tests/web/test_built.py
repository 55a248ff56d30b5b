"""What `make web` built is found if it is complete and fits the installed model; otherwise, why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.web import built


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A build of empty files that names the real weights."""
    weights = built.weights()
    assert weights is not None
    for name in (built.GRAPH, built.ADJOINT, built.TOKENIZER, *built.RUNTIME):
        (tmp_path / name).write_bytes(b"")
    files = {built.GRAPH: {"bytes": 0}, built.WEIGHTS: {"bytes": weights.stat().st_size}}
    said = {"files": files, "stored": [built.GRAPH, built.WEIGHTS]}
    (tmp_path / built.MANIFEST).write_text(json.dumps(said))
    return tmp_path


def test_a_checkout_without_make_web_says_why(tmp_path: Path) -> None:
    found, why = built.look((tmp_path / "nothing", tmp_path))
    assert found is None
    assert "make web" in why


def test_everything_is_served_side_by_side_and_the_weights_are_the_packages(folder: Path) -> None:
    found, why = built.look((folder / "nothing", folder))
    assert not why
    assert found is not None
    names = {
        built.MANIFEST,
        built.GRAPH,
        built.ADJOINT,
        built.TOKENIZER,
        built.WEIGHTS,
        *built.RUNTIME,
        *built.SCRIPTS,
    }
    assert set(found.files) == names
    assert found.files[built.WEIGHTS] == built.weights()
    assert all(file.is_file() for file in found.files.values())


@pytest.mark.parametrize("name", [built.WEIGHTS, built.GRAPH])
def test_files_for_another_copy_of_the_model_are_refused(folder: Path, name: str) -> None:
    manifest = json.loads((folder / built.MANIFEST).read_text())
    manifest["files"][name]["bytes"] += 1
    (folder / built.MANIFEST).write_text(json.dumps(manifest))
    found, why = built.look((folder,))
    assert found is None
    assert name in why


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"files": {"model.onnx": {}}}', '{"files": {"x": {}}}']
)
def test_a_damaged_manifest_is_no_build(folder: Path, content: str) -> None:
    (folder / built.MANIFEST).write_text(content)
    found, why = built.look((folder,))
    assert found is None
    assert why


def test_a_missing_run_time_is_no_build(folder: Path) -> None:
    manifest = json.loads((folder / built.MANIFEST).read_text())
    manifest["files"][built.RUNTIME[2]] = {"bytes": 0}
    (folder / built.MANIFEST).write_text(json.dumps(manifest))
    (folder / built.RUNTIME[2]).unlink()
    assert built.look((folder,))[0] is None


def test_the_run_time_of_a_graphics_card_is_served_where_it_was_built(folder: Path) -> None:
    without = built.look((folder,))[0]
    assert without is not None
    assert (without.graphics, without.graphics_bytes_fetched) == (None, 0)
    for size, name in enumerate(built.GRAPHICS, 5):
        (folder / name).write_bytes(bytes(size))
    files = {name: {"bytes": size, "sha256": ""} for size, name in enumerate(built.GRAPHICS, 5)}
    said = {"files": files, "stored": [built.GRAPHICS[2]]}
    (folder / built.GRAPHICS_MANIFEST).write_text(json.dumps(said))
    found = built.look((folder,))[0]
    assert found is not None
    assert {*found.files} - {*without.files} == {built.GRAPHICS_MANIFEST, *built.GRAPHICS}
    assert found.graphics_bytes_fetched == 7
    assert built.GRAPHICS[2] in found.stored
    assert found.bytes_fetched == without.bytes_fetched  # a first visit takes no more
    (folder / built.GRAPHICS[0]).write_bytes(b"")
    damaged = built.look((folder,))[0]
    assert damaged is not None
    assert damaged.graphics is None
    assert {*damaged.files} == {*without.files}
