"""How a command ends: quietly where nobody reads any more, and with a sentence otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.console import FAILED, INTERRUPTED, NOBODY_READS, status_of
from core.errors import SettingError

ROOT = Path(__file__).parent.parent


def test_statuses_and_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    def fail(error: BaseException) -> None:
        print("begun")
        raise error

    assert status_of(lambda: print("done")) == 0
    assert status_of(lambda: fail(SettingError("Wrong."))) == FAILED
    assert status_of(lambda: fail(KeyboardInterrupt())) == INTERRUPTED
    assert status_of(lambda: fail(KeyboardInterrupt()), interrupted="Stopped.") == INTERRUPTED
    assert capsys.readouterr().err.splitlines() == ["Polysee: Wrong.", "Stopped."]
    with pytest.raises(ZeroDivisionError):  # an error of ours is no sentence
        status_of(lambda: 1 / 0)
    with pytest.raises(SystemExit):
        status_of(lambda: sys.exit(3))


def closed(*arguments: str, stream: str) -> tuple[int, str]:
    """The status of a command whose output nobody reads, and what it says on the other stream."""
    read, write = os.pipe()
    os.close(read)
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: write}
    process = subprocess.Popen(  # as `command | head` once head has gone
        [sys.executable, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, text=True, **streams
    )
    os.close(write)
    out, err = process.communicate(timeout=120)
    return process.returncode, (err if stream == "stdout" else out) or ""


LONG = "from core.console import status_of; import sys; sys.exit(status_of({}))"
OUTPUT = "lambda: [print('x' * 100) for _ in range(10_000)]"


@pytest.mark.parametrize(
    "command", [OUTPUT, "lambda: print('short')", "lambda: [] .append(print('x'))"]
)
def test_a_closed_pipe_is_no_error(command: str) -> None:
    assert closed("-c", LONG.format(command), stream="stdout") == (NOBODY_READS, "")


def test_a_closed_pipe_of_errors_hides_no_status() -> None:
    fails = "(_ for _ in ()).throw(__import__('core').errors.SettingError('no'))"
    status, out = closed(
        "-c", "import core.errors; " + LONG.format(f"lambda: {fails}"), stream="stderr"
    )
    assert (status, out) == (FAILED, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("output", ["full", "closed"])
def test_an_output_that_cannot_be_written_is_one_sentence(output: str, unbuffered: str) -> None:
    run = LONG.format("lambda: print('x')")
    redirect = "> /dev/full" if output == "full" else ">&-"
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -c "$1" {redirect}', sys.executable, run],
        cwd=ROOT,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
    )
    said = done.stderr.splitlines()
    assert (done.returncode, len(said)) == ((FAILED, 1) if output == "full" else (0, 0))
    assert all(line.startswith("Polysee: ") and "written" in line for line in said)
