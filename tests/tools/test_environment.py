from __future__ import annotations

from pathlib import Path

import pytest

from tools import environment
from tools.refusal import Refusal


def test_a_changed_requirement_is_noticed(built: Path) -> None:
    with (built / "requirements-dev.txt").open("a") as file:
        file.write("# changed\n")
    assert environment.is_ready(built, "run")
    assert not environment.is_ready(built, "test")
    with (built / environment.NO_DEPS).open("a") as file:
        file.write("# changed\n")
    assert not environment.is_ready(built, "run")


def test_a_half_finished_environment_is_not_trusted(built: Path) -> None:
    (built / ".venv" / "stamp.json").unlink()
    assert not environment.is_ready(built, "run")


@pytest.mark.parametrize("stamp", ["", "[]", "{}", '{"run": "x"}', "\0"])
def test_a_spoilt_stamp_is_not_trusted(built: Path, stamp: str) -> None:
    (built / ".venv" / "stamp.json").write_text(stamp)
    assert environment.read_stamp(built) == {}


def test_a_moved_environment_is_not_trusted(built: Path) -> None:
    moved = built.with_name("elsewhere")
    built.rename(moved)
    assert not environment.is_ready(moved, "run")


def test_an_environment_whose_python_is_gone_is_not_trusted(built: Path) -> None:
    environment.venv_python(built).unlink()
    assert environment.wrong_packages(built, "run") is None
    assert not environment.is_ready(built, "run")


def test_an_environment_with_another_version_is_not_trusted(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"pytest": "0.0.1", "no-such-package-here": "1.0"}
    monkeypatch.setattr(environment, "pins", lambda file: wanted)
    assert environment.wrong_packages(built, "run") == list(wanted)
    assert not environment.is_ready(built, "run")


def test_a_python_without_ensurepip_is_refused_with_what_to_install() -> None:
    with pytest.raises(Refusal, match="apt install python3-venv"):
        environment.require_ensurepip("/usr/bin/python3", has_ensurepip=False)


def test_a_pin_is_read_as_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "requirements.txt"
    file.write_text(
        "# a comment==1\nruamel-yaml==0.19.1    # via x\nmy.own_one==1.0.post1\n"
        "colorama==0.4.6 ; sys_platform == 'win32'  # via click\n"
    )
    # What only some machines have is not looked for on this one.
    assert environment.pins(file) == {"ruamel-yaml": "0.19.1", "my.own_one": "1.0.post1"}
