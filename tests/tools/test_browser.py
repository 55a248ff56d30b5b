from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import browser


@pytest.fixture
def no_memory() -> Iterator[None]:
    browser.look_for_browser.cache_clear()
    yield
    browser.look_for_browser.cache_clear()


def program(folder: Path, name: str, body: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_a_browser_that_does_not_run_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_memory: None
) -> None:
    stub = program(tmp_path, "chromium", "echo 'install the snap' >&2; exit 1")
    mute = program(tmp_path, "chromium-browser", "exit 0")
    good = program(tmp_path, "google-chrome", "echo Chrome 1")
    monkeypatch.setattr(browser, "candidates", lambda: iter([stub, mute, good]))
    assert browser.find_browser() == good
    assert browser.version(good) == "Chrome 1"


def test_the_path_is_searched_before_playwright(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = program(tmp_path, "google-chrome", "echo Chrome 1")
    shell = program(tmp_path, browser.SHELL, "echo Chrome 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "playwright_browser", lambda: "/playwright/chrome")
    monkeypatch.setattr(browser, "ON_MACOS", "/none")
    assert list(browser.candidates()) == [shell, found, "/playwright/chrome"]


def test_without_a_browser_the_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, no_memory: None, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(browser, "candidates", lambda: iter([]))
    monkeypatch.setattr(browser, "installers", lambda: iter([("trying ...", [["false"]])]))
    assert browser.main() == 1
    assert "sudo apt install chromium" in capsys.readouterr().err


def test_what_was_installed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_memory: None
) -> None:
    path = tmp_path / "chromium"
    script = f"printf '#!/bin/sh\\necho C 1\\n' > '{path}'; chmod +x '{path}'"
    monkeypatch.setattr(browser, "candidates", lambda: iter([str(path)]))
    install = [("installing ...", [["sh", "-c", script]]), ("not this ...", [["false"]])]
    monkeypatch.setattr(browser, "installers", lambda: iter(install))
    monkeypatch.setattr(browser, "TRIED", tmp_path / "tried")
    assert browser.ensure_browser() == str(path)


def test_beside_a_browser_with_windows_the_one_without_is_installed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_memory: None
) -> None:
    windows, shell = tmp_path / "chromium", tmp_path / browser.SHELL
    program(tmp_path, "chromium", "echo C 1")
    monkeypatch.setattr(browser, "candidates", lambda: iter([str(shell), str(windows)]))
    monkeypatch.setattr(browser, "TRIED", tmp_path / "tried")
    asked: list[str] = []

    def installs(package: str) -> list[list[str]]:
        asked.append(package)
        return [["false"]]  # as where the package is not known

    monkeypatch.setattr(browser, "debian_installs", installs)
    for _ in range(2):
        assert browser.ensure_browser() == str(windows)
    assert asked == [browser.SHELL]
    browser.TRIED.unlink()
    script = f"printf '#!/bin/sh\necho C 1\n' > '{shell}'; chmod +x '{shell}'"
    monkeypatch.setattr(browser, "debian_installs", lambda package: [["sh", "-c", script]])
    assert browser.ensure_browser() == str(shell)


@pytest.mark.parametrize(("root", "apt"), [(True, True), (False, True), (True, False)])
def test_debian_is_asked_by_root_alone(root: bool, apt: bool) -> None:
    commands = browser.debian_commands(root, apt)
    assert len(commands) == (2 if root and apt else 0)
    assert "sudo" not in [word for command in commands for word in command]
    if commands:
        assert commands[-1][-1] == "chromium"


def test_the_found_browser_exists_here() -> None:
    # `make test` installs one; a missing browser is therefore a failure, not a reason to skip.
    assert Path(browser.find_browser()).is_file()
