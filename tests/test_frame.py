"""The frame: set-up, browser, Makefile, requirement files. No network, no installation."""

from __future__ import annotations

import http.server
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import browser, setup

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENT_FILES = ("requirements.txt", "requirements-dev.txt")
MAKE = shutil.which("make")


def requirement_lines(name: str) -> list[str]:
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in (ROOT / name).open("r"))
    return [line for line in lines if line]


def repository_files() -> list[Path]:
    """All files that git tracks or would track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("this is no git checkout: which files belong to it is not known")
    names = listed.stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


# --- requirement files -------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*REQUIREMENT_FILES, "constraints.txt"])
def test_every_requirement_is_pinned(name: str) -> None:
    loose = [
        line
        for line in requirement_lines(name)
        if not line.startswith(("-c ", "-r ")) and not re.fullmatch(r"[\w.-]+==[\w.]+", line)
    ]
    assert loose == []


def test_requirement_files_read_each_other() -> None:
    assert "-c constraints.txt" in requirement_lines("requirements.txt")
    assert requirement_lines("requirements-dev.txt")[0] == "-r requirements.txt"


@pytest.mark.parametrize("name", REQUIREMENT_FILES)
def test_every_direct_requirement_says_why(name: str) -> None:
    pinned = [line for line in (ROOT / name).open("r") if re.match(r"[\w.-]+==", line)]
    assert pinned
    assert [line for line in pinned if not re.search(r"\s# \w", line)] == []


def test_nothing_is_pinned_twice_and_nothing_for_one_platform_only() -> None:
    names = [
        re.sub(r"[-_.]+", "-", line.split("==")[0]).lower()
        for name in (*REQUIREMENT_FILES, "constraints.txt")
        for line in requirement_lines(name)
        if "==" in line
    ]
    assert sorted(names) == sorted(set(names))
    assert [name for name in names if name.startswith(("nvidia", "cuda", "triton"))] == []


def test_the_package_takes_the_pinned_versions() -> None:
    import tomllib

    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pins = {name.lower().replace("_", "-"): at for name, at in setup.pins(ROOT, "test").items()}
    extras = project["optional-dependencies"]
    for text in [*project["dependencies"], *extras["minilm"], *extras["app"]]:
        wanted = Requirement(text)
        assert pins[wanted.name.lower().replace("_", "-")] in wanted.specifier, text


def test_no_registry_is_named() -> None:
    # In pieces, so that this file does not name one either.
    hosts = [
        "pypi" + r"\.org",
        "pythonhosted" + r"\.org",
        "registry" + r"\.npmjs",
        "npm" + r"js\.(com|org)",
        "conda" + r"\.anaconda",
        "yarn" + r"pkg\.com",
    ]
    named = re.compile("|".join(hosts).encode(), re.IGNORECASE)
    files = repository_files()
    assert ROOT / "Makefile" in files
    assert [str(path.relative_to(ROOT)) for path in files if named.search(path.read_bytes())] == []


# --- where torch comes from --------------------------------------------------------------------


@pytest.fixture
def index() -> Iterator[tuple[str, list[str], dict[str, float]]]:
    """A stand-in for PyTorch's index: its address, the paths asked for, and how it behaves."""
    asked: list[str] = []
    manner = {"delay": 0.0, "status": 200.0}
    over = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            asked.append(self.path)
            over.wait(manner["delay"])
            self.send_response(int(manner["status"]))
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/whl/cpu", asked, manner
    over.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def test_without_gpu_an_index_that_answers_is_taken(
    index: tuple[str, list[str], dict[str, float]],
) -> None:
    url, asked, _ = index
    assert setup.torch_index("linux", gpu=False, url=url) == url
    assert asked == ["/whl/cpu/torch/"]


@pytest.mark.parametrize(("platform", "gpu"), [("linux", True), ("darwin", False)])
def test_with_gpu_or_on_macos_the_index_is_not_even_asked(
    index: tuple[str, list[str], dict[str, float]], platform: str, gpu: bool
) -> None:
    url, asked, _ = index
    assert setup.torch_index(platform, gpu=gpu, url=url) is None
    assert asked == []


def test_an_index_that_refuses_is_not_taken(
    index: tuple[str, list[str], dict[str, float]],
) -> None:
    url, _, manner = index
    manner["status"] = 403
    assert setup.torch_index("linux", gpu=False, url=url) is None


def test_a_slow_index_is_not_waited_for(index: tuple[str, list[str], dict[str, float]]) -> None:
    url, _, manner = index
    manner["delay"] = 30
    start = time.monotonic()
    assert setup.torch_index("linux", gpu=False, url=url, seconds=0.3) is None
    assert time.monotonic() - start < 1.5


def test_a_slow_name_server_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()

    def no_answer(*args: object, **kwargs: object) -> None:
        over.wait(30)
        raise OSError("no answer")

    monkeypatch.setattr(socket, "getaddrinfo", no_answer)
    start = time.monotonic()
    found = setup.torch_index("linux", gpu=False, url="http://name.invalid", seconds=0.3)
    took = time.monotonic() - start
    over.set()
    assert found is None
    assert took < 1.5


def test_a_server_that_does_not_speak_http_is_no_index() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def talk() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"this is not HTTP\r\n\r\n")

        threading.Thread(target=talk, daemon=True).start()
        assert not setup.answers(f"http://127.0.0.1:{port}/", seconds=3)


def test_an_index_that_fails_is_followed_by_the_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[list[str]] = []

    def pip_install(root: Path, arguments: list[str]) -> None:
        calls.append(arguments)
        if "--index-url" in arguments:
            raise setup.Refusal("the index has no such wheel.")

    monkeypatch.setattr(setup, "torch_index", lambda *args: "http://cpu.invalid")
    monkeypatch.setattr(setup, "pip_install", pip_install)
    setup.install_torch(ROOT)
    torch = f"torch=={setup.pins(ROOT, 'run')['torch']}"
    assert calls == [
        ["--no-deps", "--index-url", "http://cpu.invalid", torch],
        ["--no-deps", torch],
    ]
    assert "the index has no such wheel." in capsys.readouterr().out


# --- is .venv to be trusted? -------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a space in its name that holds the set-up and the requirement files."""
    root = tmp_path / "Poly see"
    (root / "tools").mkdir(parents=True)
    for name in ("Makefile", "tools/__init__.py", "tools/setup.py", *setup.READS["test"]):
        shutil.copy(ROOT / name, root / name)
    return root


@pytest.fixture
def built(checkout: Path) -> Path:
    """The same with a finished `.venv`, whose Python is ours: the one that has the pins."""
    python = setup.venv_python(checkout)
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    done = {kind: setup.fingerprint(checkout, kind) for kind in ("run", "test")}
    setup.write_stamp(checkout, done)
    return checkout


def test_a_finished_environment_is_kept(built: Path) -> None:
    before = (built / ".venv" / "stamp.json").stat().st_mtime_ns
    setup.set_up(built, "run")
    setup.set_up(built, "test")
    assert (built / ".venv" / "stamp.json").stat().st_mtime_ns == before


def test_a_changed_requirement_is_noticed(built: Path) -> None:
    with (built / "requirements-dev.txt").open("a") as file:
        file.write("# changed\n")
    assert setup.is_ready(built, "run")
    assert not setup.is_ready(built, "test")
    with (built / "constraints.txt").open("a") as file:
        file.write("# changed\n")
    assert not setup.is_ready(built, "run")


def test_a_half_finished_environment_is_not_trusted(built: Path) -> None:
    (built / ".venv" / "stamp.json").unlink()
    assert not setup.is_ready(built, "run")


@pytest.mark.parametrize("stamp", ["", "[]", "{}", '{"run": "x"}', "\0"])
def test_a_spoilt_stamp_is_not_trusted(built: Path, stamp: str) -> None:
    (built / ".venv" / "stamp.json").write_text(stamp)
    assert setup.read_stamp(built) == {}


def test_a_moved_environment_is_not_trusted(built: Path) -> None:
    moved = built.with_name("elsewhere")
    built.rename(moved)
    assert not setup.is_ready(moved, "run")


def test_an_environment_whose_python_is_gone_is_not_trusted(built: Path) -> None:
    setup.venv_python(built).unlink()
    assert setup.wrong_packages(built, "run") is None
    assert not setup.is_ready(built, "run")


def test_an_environment_with_another_version_is_not_trusted(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"pytest": "0.0.1", "no-such-package-here": "1.0"}
    monkeypatch.setattr(setup, "pins", lambda root, kind: wanted)
    assert setup.wrong_packages(built, "run") == list(wanted)
    assert not setup.is_ready(built, "run")


def prepare(monkeypatch: pytest.MonkeyPatch, steps: list[str]) -> None:
    """Record the steps of a set-up in place of taking them."""
    monkeypatch.setattr(setup, "install_torch", lambda root: steps.append("torch"))
    monkeypatch.setattr(setup, "pip_install", lambda root, arguments: steps.append(arguments[-1]))

    def make_venv(root: Path) -> None:
        steps.append("venv")
        assert not (root / ".venv" / "stamp.json").exists() or not setup.is_ready(root, "run")

    monkeypatch.setattr(setup, "make_venv", make_venv)


def test_tests_are_added_to_what_run_made(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    prepare(monkeypatch, steps)
    setup.write_stamp(built, {"run": setup.fingerprint(built, "run")})
    setup.set_up(built, "test")
    assert steps == ["requirements-dev.txt"]
    assert setup.is_ready(built, "run")
    assert setup.is_ready(built, "test")


def test_torch_comes_first_and_the_stamp_last(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    prepare(monkeypatch, steps)
    (built / ".venv" / "stamp.json").unlink()
    setup.set_up(built, "run")
    assert steps == ["venv", "torch", "requirements.txt"]
    assert set(setup.read_stamp(built)) == {"run"}


def test_a_failed_addition_leaves_no_stamp(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(root: Path, arguments: list[str]) -> None:
        raise setup.Refusal("no network")

    setup.write_stamp(built, {"run": setup.fingerprint(built, "run")})
    monkeypatch.setattr(setup, "pip_install", fail)
    with pytest.raises(setup.Refusal, match="no network"):
        setup.set_up(built, "test")
    assert setup.read_stamp(built) == {}


# --- sentences ---------------------------------------------------------------------------------


def test_an_old_python_is_refused_with_what_to_install() -> None:
    setup.require_python((3, 11), "python3")
    setup.require_python((4, 0), "python4")
    with pytest.raises(setup.Refusal, match=r"needs Python 3\.11 .* apt install python3"):
        setup.require_python((3, 10), "python3")


def test_the_set_up_parses_under_an_old_python() -> None:
    import ast

    for name in ("setup.py", "browser.py"):
        ast.parse((ROOT / "tools" / name).read_text("utf-8"), feature_version=(3, 8))


def test_a_python_without_ensurepip_is_refused_with_what_to_install() -> None:
    with pytest.raises(setup.Refusal, match="apt install python3-venv"):
        setup.require_ensurepip("/usr/bin/python3", found=False)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("WARNING: Retrying after 'NewConnectionError(...)'\nERROR: No matching", "cannot be reach"),
        ("ERROR: No matching distribution found for torch==2.13.0", "has no torch==2.13.0 for"),
        ("ERROR: Could not install: [Errno 28] No space left on device", "the disk is full"),
        ("noise\nERROR: something else\n", "ERROR: something else"),
        ("", "ended without a word"),
    ],
)
def test_a_failing_pip_ends_in_a_sentence(words: str, sentence: str) -> None:
    assert sentence in setup.why_pip_failed(words)


def test_pip_looks_nowhere_else() -> None:
    kept = setup.pip_environment({"PYTHONPATH": "/x", "PYTHONHOME": "/y", "PIP_USER": "1", "A": "b"})
    assert kept == {"PIP_USER": "0", "A": "b"}


@pytest.mark.parametrize("port", ["", "abc", "0", "65536", "-1", "8501;ls", "99999999"])
def test_what_is_no_port_is_refused(port: str) -> None:
    with pytest.raises(setup.Refusal, match="is no port"):
        setup.require_port("localhost", port)


def test_a_taken_port_is_refused_and_a_free_one_is_not() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        with pytest.raises(setup.Refusal, match=f"port {port} is taken"):
            setup.require_port("127.0.0.1", port)
    setup.require_port("127.0.0.1", port)


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


# --- Makefile and .ci/run ----------------------------------------------------------------------


def make(*arguments: str, root: Path) -> subprocess.CompletedProcess[str]:
    if MAKE is None:
        pytest.skip("there is no make on this machine")
    # A `make test` around this test must not hand its own flags and jobs down.
    kept = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return subprocess.run(
        [MAKE, *arguments], cwd=root, env=kept, capture_output=True, text=True, timeout=30
    )


def test_make_run_works_from_a_path_with_a_space(built: Path) -> None:
    dry = make("-n", "run", "PORT=8600", root=built)
    assert dry.returncode == 0, dry.stderr
    assert ".venv/bin/python -m streamlit run app.py" in dry.stdout
    assert '--server.port "8600"' in dry.stdout
    assert str(built) not in dry.stdout
    # The set-up itself, on an environment that is finished: quick and silent.
    start = time.monotonic()
    done = make("ready", root=built)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert time.monotonic() - start < 5


def test_make_run_refuses_a_taken_port(built: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = make("run", f"PORT={port}", "HOST=127.0.0.1", root=built)
    assert done.returncode != 0
    assert f"port {port} is taken" in done.stderr


def test_make_test_takes_every_step_in_order() -> None:
    dry = make("-n", "test", root=ROOT).stdout
    steps = [
        "tools/setup.py test",
        "tools/browser.py",
        "-m ruff check",
        "-m ruff format --check",
        "-m mypy",
        "-m pytest",
    ]
    places = [dry.find(step) for step in steps]
    assert -1 not in places
    assert places == sorted(places)


def test_make_test_ends_at_the_first_failing_step(built: Path) -> None:
    python = setup.venv_python(built)
    (built / "tools" / "browser.py").write_text("")
    # Fails at the format check, and only there.
    python.write_text(
        '#!/bin/sh\ncase "$*" in *"ruff format"*) exit 3;; *-m*) exit 0;; esac\n'
        f'exec "{sys.executable}" "$@"\n'
    )
    done = make("test", root=built)
    assert done.returncode != 0
    assert "ruff check" in done.stdout
    assert "pytest" not in done.stdout


def test_make_alone_lists_every_target() -> None:
    listed = make(root=ROOT).stdout.splitlines()
    targets = ["help", "run", "test", "bench", "fuzz", "lint", "types", "clean"]
    assert [line.split()[1] for line in listed] == targets
    assert [line for line in listed if len(line.split()) < 4] == []


def test_ci_is_make_test_and_nothing_else() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    lines = [line.strip() for line in script.read_text("utf-8").splitlines()]
    assert lines[0] == "#!/usr/bin/env bash"
    code = [line for line in lines if line and not line.startswith("#")]
    assert code[0] == "set -euo pipefail"
    assert code[1].startswith("cd ")
    assert code[2:] == ["make test"]


# --- the browser -------------------------------------------------------------------------------


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
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "playwright_browser", lambda: "/playwright/chrome")
    monkeypatch.setattr(browser, "ON_MACOS", "/none")
    assert list(browser.candidates()) == [found, "/playwright/chrome"]


def test_without_a_browser_the_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, no_memory: None, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(browser, "candidates", lambda: iter([]))
    monkeypatch.setattr(browser, "installers", lambda: iter([("trying ...", [["false"]])]))
    assert browser.main() == 1
    assert "apt install chromium" in capsys.readouterr().err


def test_what_was_installed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_memory: None
) -> None:
    path = tmp_path / "chromium"
    script = f"printf '#!/bin/sh\\necho C 1\\n' > '{path}'; chmod +x '{path}'"
    monkeypatch.setattr(browser, "candidates", lambda: iter([str(path)]))
    install = [("installing ...", [["sh", "-c", script]]), ("not this ...", [["false"]])]
    monkeypatch.setattr(browser, "installers", lambda: iter(install))
    assert browser.ensure_browser() == str(path)


@pytest.mark.parametrize(
    ("root", "may_sudo", "apt", "first"),
    [
        (True, False, True, "env"),
        (False, True, True, "sudo"),
        (False, False, True, None),
        (True, False, False, None),
    ],
)
def test_debian_is_asked_only_where_the_user_may(
    root: bool, may_sudo: bool, apt: bool, first: str | None
) -> None:
    commands = browser.debian_commands(root, may_sudo, apt)
    assert [command[0] for command in commands] == ([first, first] if first else [])
    if first:
        assert commands[-1][-1] == "chromium"


def test_the_found_browser_exists_here() -> None:
    # `make test` sees to it, so a missing browser is a failure and no reason to skip.
    assert Path(browser.find_browser()).is_file()


# --- settings of Streamlit ---------------------------------------------------------------------


def test_streamlit_knows_every_option_that_is_set() -> None:
    import tomllib

    from streamlit import config

    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    known = config.get_config_options(force_reparse=False)
    unknown = [
        f"{section}.{name}"
        for section, options in settings.items()
        for name, value in options.items()
        if not isinstance(value, dict) and f"{section}.{name}" not in known
    ]
    assert unknown == []
    assert settings["browser"] == {"serverAddress": "localhost", "gatherUsageStats": False}
    assert settings["server"]["headless"] is True
