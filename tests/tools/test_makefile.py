"""`make run`, `make test`, `make check` and `.ci/run`."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tools import environment

pytestmark = pytest.mark.check

ROOT = Path(__file__).resolve().parents[2]
MAKE = shutil.which("make")


def make(*arguments: str, root: Path) -> subprocess.CompletedProcess[str]:
    if MAKE is None:
        pytest.skip("there is no make on this machine")
    # A surrounding `make test` must not pass on its own flags and jobs.
    kept = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return subprocess.run(
        [MAKE, *arguments], cwd=root, env=kept, capture_output=True, text=True, timeout=30
    )


def touched(root: Path) -> dict[str, int]:
    """The modification times of the files that the set-up makes."""
    made = [root / ".setup.log", root / ".venv", *(root / ".venv").iterdir()]
    return {path.name: path.stat().st_mtime_ns for path in made if path.exists()}


def test_make_run_works_from_a_path_with_a_space(built: Path) -> None:
    dry = make("-n", "run", "PORT=8600", root=built)
    assert dry.returncode == 0, dry.stderr
    assert ".venv/bin/python -m streamlit run app.py" in dry.stdout
    assert '--server.port "8600"' in dry.stdout
    assert str(built) not in dry.stdout
    # The set-up itself on a complete environment: silent, and without any work.
    before = touched(built)
    done = make("ready", root=built)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert touched(built) == before


def test_make_run_refuses_a_taken_port(built: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = make("run", f"PORT={port}", "HOST=127.0.0.1", root=built)
    assert done.returncode != 0
    assert f"port {port} is taken" in done.stderr


def test_make_test_takes_every_step_in_order() -> None:
    dry = make("-n", "test", root=ROOT).stdout
    set_up = ["tools/setup.py test", "tools/browser.py"]
    # Types are checked beside the others: each of the two has an order of its own.
    style = ["-m ruff check", "-m ruff format --check", "tools/node.py lint", "tools/node.py test"]
    types = ["-m mypy", "tools/node.py types"]
    for steps in ((*style, "-m pytest"), types):
        positions = [dry.find(step) for step in (*set_up, *steps)]
        assert -1 not in positions
        assert positions == sorted(positions)


def marked(target: str) -> tuple[str, str]:
    """The marks of the tests that `make` runs for this target: in parallel, and then alone."""
    dry = make("-n", target, root=ROOT).stdout
    beside, alone = re.findall(r'-m pytest -m "(.*?)"', dry)
    return beside, alone


def test_make_test_and_make_check_run_each_test_once_but_the_long_random_ones() -> None:
    assert marked("test") == ("not check and not fuzz",) * 2
    assert marked("check") == ("check and not fuzz",) * 2


def test_make_check_needs_the_same_as_make_test_and_lints_nothing_again() -> None:
    dry = make("-n", "check", root=ROOT).stdout
    steps = ["tools/setup.py test", "tools/browser.py", "tools/nginx.py", "-m pytest"]
    places = [dry.find(step) for step in steps]
    assert -1 not in places
    assert places == sorted(places)
    assert "ruff" not in dry


def test_make_test_ends_at_the_first_failing_step(built: Path) -> None:
    python = environment.venv_python(built)
    for name in ("browser.py", "nginx.py"):
        (built / "tools" / name).write_text("")
    # Fails only at the format check.
    python.write_text(
        '#!/bin/sh\ncase "$*" in *"ruff format"*) exit 3;; *-m*) exit 0;; esac\n'
        f'exec "{sys.executable}" "$@"\n'
    )
    done = make("test", root=built)
    assert done.returncode != 0
    assert "ruff check" in done.stdout
    assert "pytest" not in done.stdout


def test_types_that_do_not_fit_fail_make_test_at_its_end(built: Path) -> None:
    for name in ("browser.py", "nginx.py", "node.py"):
        (built / "tools" / name).write_text("")
    python = environment.venv_python(built)
    python.write_text(
        f'#!/bin/sh\ncase "$*" in *mypy*) exit 1;; *-m*) exit 0;; esac\nexec "{sys.executable}" "$@"\n'
    )
    done = make("test", root=built)
    assert done.returncode != 0
    assert "pytest" in done.stdout
    assert "types" in done.stdout.splitlines()[-1]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("target", "alone", "passes"), [("test", 0, True), ("check", 1, False), ("test", 5, False)]
)
def test_what_failed_beside_others_must_pass_alone(
    built: Path, target: str, alone: int, passes: bool
) -> None:
    """5 is pytest's "no test ran": a run that was interrupted before any test failed does not pass."""
    for name in ("browser.py", "nginx.py", "node.py"):
        (built / "tools" / name).write_text("")
    python = environment.venv_python(built)
    python.write_text(
        f'#!/bin/sh\ncase "$*" in *last-failed*) exit {alone};; *pytest*) exit 1;; *-m*) exit 0;;\n'
        "esac\n"
        f'exec "{sys.executable}" "$@"\n'
    )
    done = make(target, root=built)
    assert (done.returncode == 0) == passes
    assert "once more, alone" in done.stdout


def test_make_alone_lists_every_target() -> None:
    listed = make(root=ROOT).stdout.splitlines()
    targets = [
        "help",
        "run",
        "test",
        "check",
        "bench",
        "fuzz",
        "published",
        "audit",
        "lint",
        "types",
        "node",
    ]
    targets += ["dist", "web", "static", "packs", "wheel", "docs", "pins", "clean"]
    assert [line.split()[1] for line in listed] == targets
    assert [line for line in listed if len(line.split()) < 4] == []


def test_ci_is_make_test_and_make_check_and_nothing_else() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    lines = [line.strip() for line in script.read_text("utf-8").splitlines()]
    assert lines[0] == "#!/usr/bin/env bash"
    code = [line for line in lines if line and not line.startswith("#")]
    assert code[0] == "set -euo pipefail"
    assert code[1].startswith("cd ")
    assert code[2:] == ["make test", "make check"]
