from __future__ import annotations

import ast
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tools import environment, setup, type_cache
from tools.refusal import Refusal

ROOT = Path(__file__).resolve().parents[2]


def test_an_index_that_fails_is_followed_by_the_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[list[str]] = []

    def install(root: Path, arguments: list[str]) -> None:
        calls.append(arguments)
        if "--index-url" in arguments:
            raise Refusal("the index has no such wheel.")

    monkeypatch.setattr(setup, "torch_index", lambda *args: "http://cpu.invalid")
    monkeypatch.setattr(setup, "install", install)
    setup.install_torch(ROOT)
    torch = f"torch=={environment.pins(ROOT / 'requirements.txt')['torch']}"
    assert calls == [
        ["--no-deps", "--index-url", "http://cpu.invalid", torch],
        ["--no-deps", torch],
    ]
    assert "the index has no such wheel." in capsys.readouterr().out


def test_a_finished_environment_is_kept(built: Path) -> None:
    before = (built / ".venv" / "stamp.json").stat().st_mtime_ns
    setup.set_up(built, "run")
    setup.set_up(built, "test")
    assert (built / ".venv" / "stamp.json").stat().st_mtime_ns == before


FILES_ALONE = [f"--no-deps -r {environment.NO_DEPS}", "unpack"]


def prepare(monkeypatch: pytest.MonkeyPatch, steps: list[str]) -> None:
    """Record the steps of a set-up instead of executing them."""
    monkeypatch.setattr(setup, "install_torch", lambda root: steps.append("torch"))
    monkeypatch.setattr(setup, "provide_uv", lambda root: steps.append("uv"))
    monkeypatch.setattr(setup, "install", lambda root, arguments: steps.append(" ".join(arguments)))

    def make_venv(root: Path) -> None:
        steps.append("venv")
        assert not (root / ".venv" / "stamp.json").exists() or not environment.is_ready(root, "run")

    monkeypatch.setattr(setup, "make_venv", make_venv)
    monkeypatch.setattr(setup, "unpack_models", lambda root: steps.append("unpack"))
    monkeypatch.setattr(type_cache, "fill", lambda root: steps.append("types"))


@pytest.mark.check
def test_tests_are_added_to_what_run_made(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    prepare(monkeypatch, steps)
    environment.write_stamp(built, {"run": environment.fingerprint(built, "run")})
    setup.set_up(built, "test")
    assert steps == ["-r requirements-dev.txt", *FILES_ALONE, "types"]
    assert environment.is_ready(built, "run")
    assert environment.is_ready(built, "test")


@pytest.mark.check
def test_what_builds_the_site_is_added_to_what_the_tests_have(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    prepare(monkeypatch, steps)
    monkeypatch.setattr(setup, "wrong_packages", lambda root, kind: [])
    assert not environment.is_ready(built, "docs")
    setup.set_up(built, "docs")
    assert steps == ["-r requirements-dev.txt -r requirements-docs.txt", *FILES_ALONE, "types"]
    assert list(environment.read_stamp(built)) == ["run", "test", "docs"]
    # And it is kept when the tests are set up next.
    setup.set_up(built, "test")
    assert len(steps) == 4


def test_torch_comes_first_and_the_stamp_last(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    prepare(monkeypatch, steps)
    (built / ".venv" / "stamp.json").unlink()
    setup.set_up(built, "run")
    assert steps == ["venv", "uv", "torch", "-r requirements.txt", *FILES_ALONE]
    assert set(environment.read_stamp(built)) == {"run"}


def test_a_package_without_its_dependencies_comes_last(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    prepare(monkeypatch, steps)
    (built / environment.NO_DEPS).write_text("a-model==1.0  # only for its file\n")
    with pytest.raises(Refusal, match="a-model"):  # nothing was installed here
        setup.set_up(built, "run")
    assert steps[-3:] == ["-r requirements.txt", *FILES_ALONE]


def test_a_model_that_cannot_be_unpacked_is_said_and_the_set_up_goes_on(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    python = environment.venv_python(built)
    python.write_text("#!/bin/sh\necho 'Polysee: no room.' >&2\necho \"$@\" > asked\nexit 2\n")
    setup.unpack_models(built)
    assert (built / "asked").read_text() == "-m core.pretrained.unpack\n"
    assert "that did not work: Polysee: no room." in capsys.readouterr().out


def test_a_failed_addition_leaves_no_stamp(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(root: Path, arguments: list[str]) -> None:
        raise Refusal("no network")

    environment.write_stamp(built, {"run": environment.fingerprint(built, "run")})
    monkeypatch.setattr(setup, "install", fail)
    with pytest.raises(Refusal, match="no network"):
        setup.set_up(built, "test")
    assert environment.read_stamp(built) == {}


def test_an_old_python_is_refused_with_what_to_install() -> None:
    setup.require_python((3, 11), "python3")
    setup.require_python((4, 0), "python4")
    with pytest.raises(Refusal, match=r"needs Python 3\.11 .* apt install python3"):
        setup.require_python((3, 10), "python3")


def test_the_set_up_parses_under_an_old_python() -> None:
    for path in (ROOT / "tools").glob("*.py"):
        ast.parse(path.read_text("utf-8"), feature_version=(3, 8))


@pytest.mark.check
def test_the_set_up_needs_nothing_but_the_standard_library(built: Path) -> None:
    # From another folder, without site-packages, without the script's own folder on the path.
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(built / "tools" / "setup.py"), "run"],
        cwd="/",
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_two_set_ups_do_not_meet(checkout: Path) -> None:
    order: list[str] = []

    def second() -> None:
        with setup.alone(checkout):
            order.append("second")

    with setup.alone(checkout):
        thread = threading.Thread(target=second)
        thread.start()
        time.sleep(0.1)
        order.append("first")
    thread.join(5)
    assert order == ["first", "second"]
