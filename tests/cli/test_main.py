"""The command line: its help, and one sentence with status 2 for each error."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import core
from core.cli import main as command_line
from core.cli import start
from core.cli.main import main
from core.console import FAILED

ROOT = Path(__file__).resolve().parents[2]


def sentence(said: str) -> bool:
    """Whether it is a single sentence for a person, without a traceback."""
    return said.startswith("Polysee: ") and said.count("\n") == 1 and "Traceback" not in said


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["trace", ""], "empty"),
        (["trace", " \n"], "empty"),
        (["trace", "the river", "--word", "bank"], "bank.*the, river"),
        (
            ["trace", "a bank", "--word", "bank", "--occurrence", "2"],
            r"occurs here once; occurrence 2 .*the first is 1\)",
        ),
        (
            ["trace", "a bank, a bank", "--word", "bank", "--occurrence", "0"],
            r"2 times; occurrence 0 .*the first is 1\)",
        ),
        (["trace", "a bank", "--word", "bank", "--occurrence", "-1"], "occurrence -1 "),
        (["trace", "the bank " * 300, "--word", "bank"], "too long.*512 tokens"),
        (["trace", "a bank", "--model", "/no/such/folder"], "/no/such/folder"),
        (["compare", "", "b bank", "--word", "bank", "--out", "{here}/x.html"], "empty"),
        (["compare", "a", "b bank", "--word", "bank", "--out", "{here}/x.html"], "“bank”.*words here"),
        (
            ["compare", "a bank", "b bank", "--word", "bank", "--out", "{here}/no/x.html"],
            "does not exist",
        ),
        (["compare", "a bank", "b bank", "--word", "bank", "--out", "{here}"], "is a folder"),
        (["compare", "a bank", "b " * 600 + "bank", "--word", "bank", "--out", "{here}/x"], "too long"),
        (
            [
                "compare",
                "a bank",
                "b bank",
                "--word",
                "bank",
                "--out",
                "{here}/x",
                "--model",
                "nothing",
            ],
            "nothing.*not offered",
        ),
        (
            ["compare", "a bank", "b bank", "--word", "bank", "--out", "{here}/x", "--low", "money"],
            "--low and --high",
        ),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    arguments: list[str], why: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = sorted(tmp_path.iterdir())
    assert main([part.replace("{here}", str(tmp_path)) for part in arguments]) == FAILED
    out, said = capfd.readouterr()
    assert out == ""
    assert sentence(said), said
    assert re.search(why, said), said
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["nothing"],
        ["--port", "0"],
        ["--port", "65536"],
        ["--port", "²"],
        ["trace"],
        ["trace", "a", "--occurrence", "two"],
        ["compare", "a", "b"],
    ],
)
def test_arguments_that_are_none_are_one_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == FAILED
    assert sentence(capsys.readouterr().err)


def test_the_version_and_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--version", "--help"):
        with pytest.raises(SystemExit) as ended:
            main([option])
        assert not ended.value.code
    said = capsys.readouterr().out
    assert f"polysee {core.__version__}" in said
    for word in ("trace", "compare", "--port", "--host"):
        assert word in said


def test_every_command_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    for name in command_line.COMMANDS:
        with pytest.raises(SystemExit):
            main([name.strip("."), "--help"])
        # Reading files needs no model.
        assert ("--model" in capsys.readouterr().out) == (name != ".read")


def test_the_app_starts_with_the_settings_beside_its_script() -> None:
    app = start.script()
    assert app == ROOT / "app.py"
    assert (app.parent / ".streamlit" / "config.toml").is_file()
    assert start.command(app, None, None) == ["run", str(app)]
    assert start.command(app, 8600, "0.0.0.0") == [
        *("run", str(app)),
        *("--server.port", "8600", "--server.address", "0.0.0.0"),
    ]


def test_a_setting_that_is_none_is_said_before_the_app_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POLYSEE_HUB", "everything")
    assert main([]) == FAILED
    said = capsys.readouterr().err
    assert sentence(said)
    assert "POLYSEE_HUB" in said


@pytest.mark.check
def test_it_runs_in_the_repository() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "core", "trace", ""],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert sentence(done.stderr)
