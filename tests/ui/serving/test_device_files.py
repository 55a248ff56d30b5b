"""The routes of the files with which a device computes; a small build of the test's own."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import web
from ui.serving import device_files

WEIGHTS, SCRIPT, MANIFEST = (
    bytes(range(256)) * 41,
    b"export const one = 1;\n" * 97,
    b'{"model": "minilm"}',
)


def put(folder: Path, weights: bytes = WEIGHTS) -> web.Built:
    """A build of three files."""
    files = {"model.safetensors": weights, "ort.mjs": SCRIPT, "manifest.json": MANIFEST}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    said = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
        if name != "manifest.json"
    }
    manifest = {"files": said, "stored": ["model.safetensors"]}
    return web.Built(manifest, {name: folder / name for name in files})


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[web.Built]:
    made = put(tmp_path)
    monkeypatch.setattr(web, "find", lambda: made)
    monkeypatch.setattr(device_files, "_served", False)
    device_files.built.cache_clear()
    yield made
    device_files.built.cache_clear()


@pytest.fixture
def client(found: web.Built) -> TestClient:
    return TestClient(Starlette(routes=device_files.routes()))


def test_files_are_cached_for_good_and_compressed_where_that_helps(client: TestClient) -> None:
    base = device_files.base()
    assert base is not None
    assert re.fullmatch(r"/device/[0-9a-f]{16}/", base)
    for name, content, packed in (
        ("model.safetensors", WEIGHTS, False),
        ("ort.mjs", SCRIPT, True),
        ("manifest.json", MANIFEST, True),
    ):
        answer = client.get(base + name)
        assert (answer.status_code, answer.content) == (200, content), name
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable", name
        assert answer.headers["content-encoding"] == ("gzip" if packed else "identity"), name
        plain = client.get(base + name, headers={"Accept-Encoding": "identity"})
        assert (plain.content, plain.headers["content-encoding"]) == (content, "identity"), name
        assert packed == (plain.headers.get("vary") == "Accept-Encoding"), name
    script = client.get(base + "device.js")
    assert script.headers["content-type"].startswith("text/javascript")
    # What a page loads for it: words of every language, the pictures, the ends of both models, and the
    # steps through a layer.
    assert len(gzip.compress(script.content)) < 74_000


def test_a_part_of_a_file_is_counted_in_its_own_bytes(client: TestClient) -> None:
    base = device_files.base()
    for name, content in (("model.safetensors", WEIGHTS), ("ort.mjs", SCRIPT)):
        part = client.get(f"{base}{name}", headers={"Range": "bytes=7-18"})
        assert (part.status_code, part.content) == (206, content[7:19]), name
        assert part.headers["content-range"] == f"bytes 7-18/{len(content)}"
        beyond = client.get(f"{base}{name}", headers={"Range": f"bytes={len(content)}-"})
        assert beyond.status_code == 416


def test_no_other_file_and_no_other_version_is_there(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text("{}")
    base = device_files.base()
    for address in (
        f"{base}secret.json",
        f"{base}../{tmp_path.name}/secret.json",
        f"{base}..%2F..%2Fetc%2Fpasswd",
        f"{base}{tmp_path}/ort.mjs",
        base or "",
        "/device/0000000000000000/ort.mjs",
    ):
        answer = client.get(address)
        assert answer.status_code == 404, address
        assert answer.headers.get("cache-control", "no-store") == "no-store", address


def test_another_build_has_other_addresses(
    found: web.Built, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    device_files.routes()
    first = device_files.base()
    other = put(tmp_path, WEIGHTS[1:])
    monkeypatch.setattr(web, "find", lambda: other)
    device_files.built.cache_clear()
    assert device_files.base() not in (first, None)
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": "/class/"}.get)
    assert str(device_files.base()).startswith("/class/device/")


def test_without_a_build_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "find", lambda: None)
    device_files.built.cache_clear()
    try:
        client = TestClient(Starlette(routes=device_files.routes()))
        assert device_files.base() is None
        assert client.get("/device/0000000000000000/device.js").status_code == 404
    finally:
        device_files.built.cache_clear()
