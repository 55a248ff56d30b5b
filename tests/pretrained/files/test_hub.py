"""The model hub, simulated by our own server: downloads, requests, and failures."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import huggingface_hub
import numpy as np
import pytest
from huggingface_hub import constants, file_download

import core
from core import settings
from core.pretrained import load_model
from core.pretrained.files import hub as our_hub
from tests.pretrained.fake_hub import COMMIT, FakeHub, serve
from tests.pretrained.fakes import (
    ENGINES,
    PROXIES,
    minilm_folder,
    python,
    readable,
    refusal,
    tensors,
    write_bert,
    write_shards,
)

pytestmark = pytest.mark.check

ID = "someone/tiny"
WEIGHTS = "model.safetensors"
NEEDED = ["config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt", WEIGHTS]
BANK = 2924
TABLE = "embeddings.word_embeddings.weight"


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with serve() as fake:
        yield fake


@pytest.fixture
def cache(hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and the fake hub in place of the real one."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    for variable in PROXIES:
        monkeypatch.delenv(variable, raising=False)
    ask(monkeypatch, hub.url)
    return folder


@pytest.fixture
def tiny(hub: FakeHub, cache: Path, tmp_path: Path) -> Path:
    """A repository with one small model."""
    hub.repos[ID] = write_bert(tmp_path / "repo")
    return hub.repos[ID]


def ask(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", url)
    template = url + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    huggingface_hub.close_session()


def is_the_model(model: core.Model, seed: int = 0) -> bool:
    return np.array_equal(model.trace("bank").learned[1], tensors(seed)[TABLE][BANK])


# Successful downloads.


@pytest.mark.parametrize("engine", ENGINES)
def test_a_model_comes_from_the_hub_and_then_from_the_disk(
    engine: Any, hub: FakeHub, cache: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = core.load(ID, engine=engine)
    assert (model.name, model.engine) == (ID, engine)
    assert is_the_model(model)
    assert sorted(hub.downloads()) == sorted(NEEDED)
    assert hub.downloads()[-1] == WEIGHTS  # last, so that a part never looks whole
    asked = len(hub.asked)
    ask(monkeypatch, "http://127.0.0.1:9")  # the hub is gone
    assert is_the_model(core.load(ID, engine=engine))
    assert len(hub.asked) == asked


def test_only_what_loading_reads_is_downloaded(hub: FakeHub, tiny: Path) -> None:
    for name in ("pytorch_model.bin", "tf_model.h5", "README.md", "training_args.bin", "modeling.py"):
        (tiny / name).write_text("not this")
    for name in ("onnx", "1_Pooling", "checkpoint-500"):
        (tiny / name).mkdir()
        (tiny / name / "config.json").write_text("nor this")
        shutil.copy(tiny / WEIGHTS, tiny / name)
    (tiny / "model-00001-of-00002.safetensors").write_text("the same once more")
    (tiny / f"{WEIGHTS}.index.json").write_text('{"weight_map": {}}')
    assert is_the_model(core.load(ID))
    assert sorted(hub.downloads()) == sorted(NEEDED)


def test_nobody_but_the_hub_is_asked_and_never_for_a_conversion(hub: FakeHub, tiny: Path) -> None:
    core.load(ID)
    core.load(ID, engine="huggingface")
    assert hub.asked[0].startswith(f"GET /api/models/{ID}")
    for path in hub.paths()[1:]:
        assert path.startswith(f"/{ID}/resolve/"), path
    assert not any("discussions" in path or "convert" in path for path in hub.paths())
    assert os.environ["DISABLE_SAFETENSORS_CONVERSION"]


def test_the_weights_may_lie_in_several_files(hub: FakeHub, tiny: Path) -> None:
    write_shards(tiny)
    assert is_the_model(core.load(ID))
    assert is_the_model(core.load(ID, engine="huggingface"))
    assert len([f for f in hub.downloads() if f.startswith("model-0000")]) == 2


def test_progress_only_grows_and_ends_at_the_total(hub: FakeHub, tiny: Path) -> None:
    seen: list[tuple[int, int]] = []
    core.load(ID, progress=lambda now, total: seen.append((now, total)))
    total = sum((tiny / name).stat().st_size for name in NEEDED)
    assert {t for _, t in seen} == {total}
    now = [n for n, _ in seen]
    assert now == sorted(set(now))
    assert len(now) >= len(NEEDED)
    assert now[-1] == total
    seen.clear()
    core.load(ID, progress=lambda now, total: seen.append((now, total)))
    assert not seen  # nothing comes from the disk


def test_a_hub_that_tells_no_sizes_serves_all_the_same(hub: FakeHub, tiny: Path) -> None:
    hub.sizes = False
    assert is_the_model(core.load(ID, progress=lambda *_: None))


def test_without_a_progress_function_a_bar_is_drawn_where_it_can_be(
    hub: FakeHub, tiny: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    core.load(ID)
    out, err = capfd.readouterr()
    assert out == ""
    assert "Downloading" not in err  # no terminal


def test_an_error_in_the_progress_function_ends_the_download(hub: FakeHub, tiny: Path) -> None:
    class Enough(BaseException):
        """Raised as when Streamlit ends a script."""

    def stop(now: int, total: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        core.load(ID, progress=stop)
    assert WEIGHTS not in hub.downloads()
    assert is_the_model(core.load(ID))


# The cache.


def test_a_part_in_the_cache_is_completed(hub: FakeHub, cache: Path, tiny: Path) -> None:
    """As left by older tools: only the configuration, without a list of files."""
    huggingface_hub.hf_hub_download(ID, "config.json", endpoint=hub.url)
    assert hub.downloads() == ["config.json"]
    assert our_hub.cached(ID) is None
    assert is_the_model(core.load(ID))
    assert sorted(hub.downloads()) == sorted(NEEDED)  # the first of them only once


def test_one_of_two_parts_of_the_weights_is_not_the_whole(
    hub: FakeHub, cache: Path, tiny: Path
) -> None:
    write_shards(tiny)
    names = [p.name for p in tiny.iterdir() if p.name != "model-00002-of-00002.safetensors"]
    for name in names:
        huggingface_hub.hf_hub_download(ID, name, endpoint=hub.url)
    assert our_hub.cached(ID) is None
    assert is_the_model(core.load(ID))


def test_a_cache_that_another_tool_filled_is_used(hub: FakeHub, cache: Path, tiny: Path) -> None:
    (tiny / "onnx").mkdir()
    (tiny / "onnx" / "config.json").write_text("{}")
    huggingface_hub.snapshot_download(ID, endpoint=hub.url, ignore_patterns=["onnx/*"])
    asked = len(hub.asked)
    assert is_the_model(core.load(ID))
    assert len(hub.asked) == asked


def test_a_cached_model_may_be_known_by_its_owner_or_without(
    hub: FakeHub, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = settings.CATALOGUE["distilbert"]
    hub.repos[entry.also[0]] = write_bert(tmp_path / "distil")
    huggingface_hub.snapshot_download(entry.also[0], endpoint=hub.url)
    asked = len(hub.asked)
    monkeypatch.setenv("POLYSEE_HUB", "off")
    assert is_the_model(core.load("distilbert"))
    assert len(hub.asked) == asked


@pytest.mark.parametrize("damage", ["cut", "gone", "pickle only"])
def test_a_damaged_cache_says_how_to_be_rid_of_it(
    damage: str, hub: FakeHub, cache: Path, tiny: Path
) -> None:
    core.load(ID)
    weights = cache / "models--someone--tiny" / "snapshots" / COMMIT / WEIGHTS
    if damage == "cut":
        os.truncate(weights.resolve(), 999)
        error = refusal(ID)
        assert f"Delete the folder {cache / 'models--someone--tiny'} and try again" in str(error)
        shutil.rmtree(cache / "models--someone--tiny")
    else:
        weights.resolve().unlink()  # the link leads nowhere
        if damage == "pickle only":
            weights.unlink()
            weights.with_name("pytorch_model.bin").write_text("evil")
    assert is_the_model(core.load(ID))


# minilm, where its package is absent.


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_model, "find_spec", lambda name: None)


def test_minilm_comes_from_the_hub_where_its_package_is_absent(
    hub: FakeHub, cache: Path, no_package: None
) -> None:
    hub.repos[settings.CATALOGUE["minilm"].hub_id] = minilm_folder()
    model = core.load("minilm")
    assert model.shape.d_model == 384
    assert WEIGHTS in hub.downloads()


def test_another_minilm_than_the_published_one_is_refused_from_the_hub_too(
    hub: FakeHub, cache: Path, no_package: None, tmp_path: Path
) -> None:
    hub.repos[settings.CATALOGUE["minilm"].hub_id] = write_bert(tmp_path / "false")
    for _ in range(2):
        error = refusal("minilm")
        assert type(error) is core.ModelBroken
        assert "SHA-256" in str(error)
        assert "Delete the folder" in str(error)


def test_a_package_without_the_model_is_as_none(
    hub: FakeHub, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = dataclasses.replace(settings.CATALOGUE["minilm"], package="json")
    monkeypatch.setattr(settings, "CATALOGUE", MappingProxyType({"minilm": entry}))
    assert type(refusal("minilm")) is core.ModelNotFound
    assert hub.asked


# Answers of the hub.


def test_an_unknown_repository(hub: FakeHub, cache: Path) -> None:
    error = refusal("someone/unknown")
    assert type(error) is core.ModelNotFound
    assert "knows no “someone/unknown”" in str(error)
    assert len(hub.asked) == 1


@pytest.mark.parametrize("kind", ["gated", "closed"])
def test_a_gated_repository(kind: str, hub: FakeHub, tiny: Path) -> None:
    getattr(hub, kind).add(ID)
    error = refusal(ID)
    assert type(error) is core.ModelNotFound
    assert "hf auth login" in str(error)
    assert not hub.downloads()


@pytest.mark.parametrize("name", ["pytorch_model.bin", "tf_model.h5", "flax_model.msgpack"])
def test_only_pickles_are_refused_before_anything_is_downloaded(
    name: str, hub: FakeHub, tiny: Path
) -> None:
    (tiny / WEIGHTS).rename(tiny / name)
    for engine in ENGINES:
        error = refusal(ID, engine=engine)
        assert type(error) is core.ModelBroken
        assert "pickle" in str(error)
    assert [line.split("?")[0] for line in hub.asked] == [f"GET /api/models/{ID}"] * 2


@pytest.mark.parametrize("missing", [("tokenizer.json", "vocab.txt"), ("config.json",)])
def test_no_tokenizer_or_no_configuration(missing: tuple[str, ...], hub: FakeHub, tiny: Path) -> None:
    for name in missing:
        (tiny / name).unlink()
    error = refusal(ID)
    assert type(error) is core.ModelBroken
    assert "no tokenizer" in str(error)
    assert not hub.downloads()


def test_a_model_that_brings_code_is_refused_from_the_hub_too(hub: FakeHub, tiny: Path) -> None:
    config = json.loads((tiny / "config.json").read_text())
    config["auto_map"] = {"AutoModel": "modeling_evil.Evil", "AutoConfig": "someone/evil--c.Config"}
    (tiny / "config.json").write_text(json.dumps(config))
    (tiny / "modeling_evil.py").write_text("raise SystemExit('evil')")
    for engine in ENGINES:
        assert "program code" in str(refusal(ID, engine=engine))
    assert "modeling_evil.py" not in hub.downloads()


# Failures of the network.


def unanswered(error: core.PolyseeError) -> None:
    assert type(error) is core.ModelNotFound
    assert "did not answer" in str(error)
    assert "Go online" in str(error)


def test_a_hub_with_an_error_of_its_own(hub: FakeHub, tiny: Path) -> None:
    hub.broken = True
    unanswered(refusal(ID, seconds=2))


def test_something_else_at_its_address(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        ask(monkeypatch, f"http://127.0.0.1:{server.getsockname()[1]}")

        def greet() -> None:
            connection, _ = server.accept()
            connection.recv(100)
            connection.sendall(b"220 mail.example.org ESMTP\r\n" * 3)
            connection.close()

        threading.Thread(target=greet, daemon=True).start()
        unanswered(refusal(ID))


def test_a_hub_that_is_down(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    ask(monkeypatch, f"http://127.0.0.1:{port}")
    unanswered(refusal(ID, seconds=2))


def test_a_hub_that_takes_the_question_and_never_answers(hub: FakeHub, tiny: Path) -> None:
    hub.silent.set()
    unanswered(refusal(ID, seconds=5))  # the real probe, its real 3 seconds


@pytest.mark.parametrize("engine", ENGINES)
def test_a_name_that_is_not_found_and_a_look_up_that_hangs(
    engine: Any, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(monkeypatch, "http://hub.invalid")
    monkeypatch.setattr(settings, "HUB_PROBE_SECONDS", 0.5)

    def unknown(*_: object, **__: object) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    unanswered(refusal(ID, engine=engine, seconds=2))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(30))
    unanswered(refusal(ID, engine=engine, seconds=2))


@pytest.mark.fuzz
def test_a_fresh_process_without_network_tells_within_5_seconds(tmp_path: Path) -> None:
    """Nothing is patched here: the environment and the 3 seconds are real."""
    code = (
        "import time, torch, transformers.modeling_utils, core\n"
        "start = time.perf_counter()\n"
        "try:\n    core.load('bert')\n"
        "except core.ModelNotFound as error:\n    message = str(error)\n"
        "print(time.perf_counter() - start)\nprint(message)\n"
    )
    with serve() as hub:
        hub.silent.set()
        done = python(code, HF_ENDPOINT=hub.url, HF_HOME=str(tmp_path), HF_HUB_OFFLINE="0")
        assert len(hub.asked) == 1
    assert done.returncode == 0, done.stderr
    took, message = done.stdout.strip().split("\n")
    assert float(took) < 5
    assert "did not answer" in message
    readable(message)


@pytest.mark.parametrize("switch", ["POLYSEE_HUB", "HF_HUB_OFFLINE"])
@pytest.mark.parametrize("source", [ID, "bert", "distilbert"])
def test_who_forbids_the_network_is_obeyed(
    switch: str, source: str, hub: FakeHub, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if switch == "POLYSEE_HUB":
        monkeypatch.setenv(switch, "off")
    else:
        monkeypatch.setattr(constants, switch, True)
    error = refusal(source, seconds=2)
    assert type(error) is core.ModelNotFound
    assert switch in str(error)
    assert not hub.asked


@pytest.mark.parametrize("switch", ["POLYSEE_HUB", "HF_HUB_OFFLINE"])
def test_what_is_on_the_disk_loads_where_the_network_is_forbidden(
    switch: str, hub: FakeHub, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core.load(ID)
    asked = len(hub.asked)
    if switch == "POLYSEE_HUB":
        monkeypatch.setenv(switch, "off")
    else:
        monkeypatch.setattr(constants, switch, True)
    for engine in ENGINES:
        assert is_the_model(core.load(ID, engine=engine))
    assert len(hub.asked) == asked


@pytest.mark.fuzz  # of the app: `test_server_asks_nobody`
def test_nothing_on_this_machine_asks_any_host(tmp_path: Path) -> None:
    """Watched from inside the interpreter: a local model needs no network at all."""
    folder = write_bert(tmp_path / "plain")
    code = (
        "import sys\n"
        "asked = []\n"
        "names = ('socket.connect', 'socket.getaddrinfo', 'socket.gethostbyname', 'socket.sendto')\n"
        "sys.addaudithook(lambda name, args: asked.append((name, args)) if name in names else None)\n"
        "import core\n"
        "for engine in ('scratch', 'huggingface'):\n"
        f"    for source in ('minilm', {str(folder)!r}):\n"
        "        model = core.load(source, engine=engine)\n"
        "        model.trace('On the river bank')\n"
        "        model.trace('On the river bank', 'In the money bank')\n"
        "        list(model.vectors(['a bank', 'no'], 'bank'))\n"
        "core.models()\n"
        "assert not asked, asked\n"
        "import socket\n"
        "try:\n    socket.create_connection(('127.0.0.1', 9), 1)\nexcept OSError:\n    pass\n"
        "assert asked, 'the hook sees nothing'\n"
    )
    # The hub is reachable and would answer: only our own code prevents requests.
    with serve() as hub:
        done = python(code, HF_ENDPOINT=hub.url, HF_HOME=str(tmp_path / "home"), HF_HUB_OFFLINE="0")
        assert not hub.asked
    assert done.returncode == 0, done.stderr


# Interrupted downloads.


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """`huggingface_hub` retries a connection five times, a second apart; here without the second."""

    class Time:
        def __getattr__(self, name: str) -> Any:
            return (lambda _: None) if name == "sleep" else getattr(time, name)

    monkeypatch.setattr(file_download, "time", Time())


def test_a_download_that_breaks_off_goes_on_when_asked_again(
    hub: FakeHub, cache: Path, tiny: Path, hasty: None
) -> None:
    seen: list[int] = []
    hub.cut[WEIGHTS] = 200_000
    error = refusal(ID, progress=lambda now, total: seen.append(now), seconds=10)
    assert type(error) is core.ModelNotFound
    assert "was interrupted" in str(error)
    assert "Try again" in str(error)
    assert seen == sorted(seen)
    assert our_hub.cached(ID) is None
    assert not list(cache.rglob("*.incomplete"))
    hub.cut.clear()
    hub.asked.clear()
    assert is_the_model(core.load(ID))
    assert hub.downloads() == [WEIGHTS]  # what had come was kept


def test_a_connection_that_breaks_once_is_taken_up_by_itself(
    hub: FakeHub, cache: Path, tmp_path: Path, hasty: None
) -> None:
    seen: list[int] = []
    folder = write_bert(tmp_path / "repo", vocab_size=30_522)  # of several pieces
    hub.repos[ID] = folder

    def progress(now: int, total: int) -> None:
        seen.append(now)
        if now > total - 1_000_000:
            hub.cut.clear()

    hub.cut[WEIGHTS] = 700_000
    model = core.load(ID, progress=progress)
    assert np.array_equal(model.trace("bank").learned[1], tensors(vocab_size=30_522)[TABLE][BANK])
    assert seen == sorted(set(seen))
    assert seen[-1] == sum((folder / name).stat().st_size for name in NEEDED)
    assert hub.downloads().count(WEIGHTS) > 1


def test_files_that_are_listed_but_not_there(hub: FakeHub, cache: Path, tiny: Path) -> None:
    hub.gone = True
    error = refusal(ID)
    assert type(error) is core.ModelNotFound
    assert "was interrupted" in str(error)


def test_a_cache_that_cannot_be_written(hub: FakeHub, cache: Path, tiny: Path) -> None:
    cache.parent.mkdir(exist_ok=True)
    cache.write_text("a file where the folder should be: nothing can be written")
    error = refusal(ID)
    assert type(error) is core.ModelNotFound
    assert "was interrupted" in str(error)


def test_a_full_disk_is_told_and_what_has_come_is_kept(
    hub: FakeHub, cache: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(url: str, stream: Any, *rest: Any, **more: Any) -> None:
        if WEIGHTS in str(more.get("displayed_filename", url)):
            raise OSError(errno.ENOSPC, "No space left on device")
        written(url, stream, *rest, **more)

    written = file_download.http_get
    monkeypatch.setattr(file_download, "http_get", full)
    error = refusal(ID)
    assert type(error) is core.ModelNotFound
    assert "The disk is full: there is no room for" in str(error)
    assert str(cache) in str(error)
    assert our_hub.cached(ID) is None
    monkeypatch.setattr(file_download, "http_get", written)
    hub.asked.clear()
    assert is_the_model(core.load(ID))
    assert hub.downloads() == [WEIGHTS]


@pytest.mark.parametrize("where", ["in a file", "before a file"])
def test_a_download_that_stands_still_is_given_up(
    where: str, hub: FakeHub, cache: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hub answers the query and then hangs. `huggingface_hub` alone would wait for minutes."""
    monkeypatch.setattr(settings, "HUB_STALL_SECONDS", 1.0)
    if where == "in a file":
        hub.hold[WEIGHTS] = 300_000
    else:
        hub.hold_head.add("config.json")
    error = refusal(ID, seconds=4)
    assert type(error) is core.ModelNotFound
    assert "no byte arrived for 1 s" in str(error)
    assert our_hub.cached(ID) is None


def test_a_slow_download_does_not_stand_still(
    hub: FakeHub, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "HUB_STALL_SECONDS", 0.8)
    hub.pause = 0.2
    start = time.perf_counter()
    assert is_the_model(core.load(ID))
    assert time.perf_counter() - start > 1


def test_who_gives_up_can_end_the_program_at_once(tmp_path: Path) -> None:
    """Threads that still wait for the hub do not delay the exit."""
    code = (
        "import core, time\n"
        "from core import settings\n"
        "settings.HUB_STALL_SECONDS = 0.5\n"
        f"try:\n    core.load({ID!r})\n"
        "except core.ModelNotFound as error:\n    print(error)\n"
        "print(time.time())\n"
    )
    with serve() as hub:
        hub.repos[ID] = write_bert(tmp_path / "repo")
        hub.hold_head = {"config.json"}
        done = python(code, HF_ENDPOINT=hub.url, HF_HOME=str(tmp_path), HF_HUB_OFFLINE="0")
        ended = time.time()
    assert done.returncode == 0, done.stderr
    message, last = done.stdout.strip().split("\n")
    assert "no byte arrived" in message
    assert ended - float(last) < 5


def test_two_who_ask_at_once_both_get_the_model(hub: FakeHub, cache: Path, tiny: Path) -> None:
    hub.pause = 0.01
    results: list[Any] = []

    def load() -> None:
        try:
            results.append(is_the_model(core.load(ID)))
        except Exception as error:
            results.append(error)

    threads = [threading.Thread(target=load) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 3


def test_what_to_do_instead_fits_where_one_stands(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page may show encoder–decoders alone, to which no encoder is an alternative."""
    monkeypatch.setenv("POLYSEE_HUB", "any")
    ask(monkeypatch, "http://127.0.0.1:9")
    with pytest.raises(core.ModelNotFound, match="use “minilm”"):
        core.load(ID)
    with pytest.raises(core.ModelNotFound, match="one of the models in this page’s list") as caught:
        core.load(ID, paths=False)
    assert "minilm" not in str(caught.value)
