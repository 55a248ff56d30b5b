from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tools import environment, installer
from tools.refusal import NoNetwork, Refusal

NOWHERE = "http://127.0.0.1:9/simple"  # nobody listens there


def wheel(folder: Path, name: str, version: str, *requires: str) -> None:
    """A package that holds one empty module, in a folder that `--find-links` reads."""
    folder.mkdir(exist_ok=True)
    info = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {one}\n" for one in requires)
    files = {
        f"{name}.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for path, content in {**files, f"{info}/RECORD": ""}.items():
            archive.writestr(path, content)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with a real, empty `.venv`, in which there is only our pip."""
    root = tmp_path_factory.mktemp("Poly see")
    venv = root / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    (packages,) = venv.glob("lib/python3*/site-packages")
    ours = Path(sysconfig.get_path("purelib"))
    for part in (ours / "pip", *ours.glob("pip-*.dist-info")):
        (packages / part.name).symlink_to(part)
    return root


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """pip's only settings, a file: no index, and the packages of a folder."""
    for name in [*os.environ]:
        if name.startswith(("PIP_", "UV_")):
            monkeypatch.delenv(name)
    file = tmp_path / "pip.conf"
    file.write_text(f"[global]\nno-index = true\nfind-links = {tmp_path / 'links'}\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(file))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    return tmp_path / "links"


def installed(root: Path, name: str) -> str | None:
    """The version of a package in `.venv`."""
    found = [*root.glob(f".venv/lib/python3*/site-packages/{name}-*.dist-info")]
    return found[0].name.removesuffix(".dist-info").partition("-")[2] if found else None


@pytest.mark.check
@pytest.mark.parametrize("with_uv", [True, False])
def test_packages_come_from_where_pip_would_take_them(
    real: Path, settings: Path, capsys: pytest.CaptureFixture[str], with_uv: bool
) -> None:
    """Where uv does not run, pip installs. Without its dependencies, a package needs nothing else."""
    name = f"heavy_{with_uv}".lower()
    wheel(settings, name, "1.0", "compiles-for-an-hour==1.0")
    uv = real / ".venv" / "bin" / "uv"
    uv.unlink(missing_ok=True)
    if with_uv:
        uv.symlink_to(Path(sys.executable).with_name("uv"))
    else:
        uv.write_text("no program of this machine")
        uv.chmod(0o755)
    (real / "alone.txt").write_text(f"{name.replace('_', '-')}==1.0  # why\n")
    installer.install(real, ["--no-deps", "-r", "alone.txt"])
    assert installed(real, name) == "1.0"
    assert ("Trying pip" in capsys.readouterr().out) is not with_uv
    if with_uv:
        with pytest.raises(Refusal, match="no compiles-for-an-hour"):
            installer.install(real, ["-r", "alone.txt", "--force-reinstall"])


@pytest.mark.check
@pytest.mark.parametrize("network", [True, False])
def test_where_the_index_has_no_uv_pip_does_the_rest(
    real: Path, settings: Path, capsys: pytest.CaptureFixture[str], network: bool
) -> None:
    (real / "requirements-dev.txt").write_text("uv==0.13.9\n")
    if network:
        installer.provide_uv(real)
        assert "pip installs everything instead" in capsys.readouterr().out
    else:
        no_index = f"[global]\nindex-url = {NOWHERE}\nretries = 1\n"
        Path(os.environ["PIP_CONFIG_FILE"]).write_text(no_index)
        with pytest.raises(NoNetwork, match="cannot be reached"):
            installer.provide_uv(real)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("WARNING: Retrying after 'NewConnectionError(...)'\nERROR: No matching", "cannot be reach"),
        ("ERROR: No matching distribution found for torch==2.13.0", "has no torch==2.13.0 for"),
        ("ERROR: Could not install: [Errno 28] No space left on device", "the disk is full"),
        ("noise\nERROR: something else\n", "ERROR: something else"),
        ("", "ended without a word"),
        (
            "error: No solution found when resolving dependencies\n  cause: Because there is no "
            "version of torch==9.0 and you require torch==9.0, we can conclude that …",
            "has no torch==9.0 for",
        ),
        (
            "error: No solution found\n  cause: Because nosuch was not found in the package registry …",
            "has no nosuch for",
        ),
        (
            "error: Failed to fetch: http://x/\n  cause: error sending request for url (http://x/)\n"
            "  cause: client error (Connect)\n  cause: dns error",
            "cannot be reached",
        ),
        ("error: Failed\n  cause: Failed to extract archive: zip: bad checksum\n", "bad checksum"),
        ("error: Failed to write\n  cause: No space left on device (os error 28)", "the disk is full"),
    ],
)
def test_a_failure_ends_in_a_sentence(words: str, sentence: str) -> None:
    assert sentence in str(installer.reason(words))


def test_uv_itself_is_understood(tmp_path: Path) -> None:
    """Its words for no network, and for no such package: they may change with its version."""
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--python", sys.executable]
    for options, kind, sentence in (
        (["--default-index", NOWHERE], NoNetwork, "cannot be reached"),
        (["--no-index", "--find-links", str(tmp_path)], Refusal, "no no-such-package"),
        (["--offline", "--cache-dir", str(tmp_path)], Refusal, "no no-such-package"),
    ):
        done = subprocess.run(
            [*uv, *options, "no-such-package"],
            env={**os.environ, "UV_HTTP_RETRIES": "0", "NO_PROXY": "127.0.0.1"},
            capture_output=True,
            text=True,
            check=False,
        )
        refusal = installer.reason(done.stdout + done.stderr)
        assert done.returncode != 0
        assert (type(refusal), sentence in str(refusal)) == (kind, True), done.stderr


def test_installers_look_nowhere_else() -> None:
    foreign = {
        "PYTHONPATH": "/x",
        "PYTHONHOME": "/y",
        "PIP_USER": "1",
        "UV_SYSTEM_PYTHON": "1",
        "A": "b",
    }
    assert installer.own_environment(foreign) == {"PIP_USER": "0", "A": "b"}


def test_pips_settings_are_handed_on() -> None:
    settings = installer.pip_settings(
        ":env:.find-links='/wheels'\n:env:.default-timeout='180'\n"
        "global.cert='/etc/ca.crt'\nglobal.constraint='/etc/c.txt'\nglobal.find-links='/other'\n"
        "global.extra-index-url='file:///a/simple\\nfile:///b/simple'\ninstall.index-url='http://mine/'\n"
        "global.index-url='http://theirs/'\nglobal.no-cache-dir='true'\nlist.format='columns'\nnonsense\n"
    )
    assert settings["find-links"] == ["/wheels"]
    assert settings["index-url"] == ["http://mine/"]
    options, variables = installer.for_uv(settings, ["-r", "requirements.txt"])
    assert " ".join(options) == (
        "--default-index http://mine/ --index file:///a/simple --index file:///b/simple "
        "--find-links /wheels --constraints /etc/c.txt --index-strategy unsafe-best-match --no-cache"
    )
    assert variables == {
        "UV_SYSTEM_CERTS": "true",
        "SSL_CERT_FILE": "/etc/ca.crt",
        "UV_HTTP_TIMEOUT": "180",
    }
    # A call that names its index is not answered by another.
    options, _ = installer.for_uv(settings, ["--index-url", "http://cpu/", "torch==2.13.0"])
    assert "--default-index" not in options
    assert "--index" not in options


def test_no_settings_are_none_for_uv() -> None:
    assert installer.pip_settings("") == {}
    assert installer.for_uv({}, ["x"]) == ([], {"UV_SYSTEM_CERTS": "true"})


def test_every_requirement_of_a_kind_is_one_file_for_both_installers(checkout: Path) -> None:
    for files in environment.READS.values():
        for name in files:
            lines = (checkout / name).read_text("utf-8").splitlines()
            options = [line for line in lines if line.startswith("-")]
            assert options == [], name
