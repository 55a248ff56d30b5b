"""Install packages into `.venv`: by uv, and by pip wherever uv cannot be had or does not succeed.

uv is a package like any other, which pip installs. It then needs half a minute where pip needs five.
Both read the same requirement files. uv knows nothing of pip's settings, which say on many machines
where packages come from: we hand them on. Neither ever prompts.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tools.environment import pins, venv_python
from tools.refusal import NoNetwork, Refusal, say

NO_NETWORK = re.compile(
    r"NewConnectionError|Failed to establish|name resolution|Name or service not known"
    r"|nodename nor servname|ConnectTimeout|ReadTimeout|Read timed out|Network is unreachable"
    r"|ProxyError|Cannot connect to proxy|Connection refused|Connection reset"
    r"|dns error|client error \(Connect\)|operation timed out|error sending request"
)
# How pip and uv say that an index has no such package, version or wheel.
NO_PACKAGE = re.compile(
    r"No matching distribution found for (?P<pip>\S+)"
    r"|there is no version of (?P<version>\S+)"
    r"|Because (?P<name>\S+) was not found in"
    r"|Because (?P<wheel>\S+) has no (?:usable )?wheels"
)

# Settings of pip, and the options of uv that mean the same. uv takes each value by itself.
AS_OPTION = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "constraint": "--constraints",
    "trusted-host": "--allow-insecure-host",
    "only-binary": "--only-binary",
    "no-binary": "--no-binary",
}
AS_SWITCH = {"no-index": "--no-index", "no-cache-dir": "--no-cache"}
AS_VARIABLE = {
    "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT",
    "proxy": "ALL_PROXY",
    "timeout": "UV_HTTP_TIMEOUT",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "retries": "UV_HTTP_RETRIES",
    "keyring-provider": "UV_KEYRING_PROVIDER",
}
# What names an index: left out where a call names its own.
INDEXES = ("index-url", "extra-index-url")


def own_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """`environment` without settings that would make an installer look or install outside `.venv`."""
    elsewhere = ("PYTHONPATH", "PYTHONHOME", "UV_SYSTEM_PYTHON")
    return {**{k: v for k, v in environment.items() if k not in elsewhere}, "PIP_USER": "0"}


def pip_settings(listed: str) -> dict[str, list[str]]:
    """The settings of pip, from the output of `pip config list`: name -> its values.

    As for pip, a setting for `install` outranks one for all commands, and the environment both.
    """
    ranked: dict[str, tuple[int, list[str]]] = {}
    for line in listed.splitlines():
        found = re.match(r"(global|install|:env:)\.([\w-]+)=(.+)", line)
        if found:
            rank = ("global", "install", ":env:").index(found[1])
            values = str(ast.literal_eval(found[3])).split()
            if values and rank >= ranked.get(found[2], (0, []))[0]:
                ranked[found[2]] = rank, values
    return {name: values for name, (_, values) in ranked.items()}


def for_uv(
    settings: Mapping[str, Sequence[str]], arguments: Iterable[str]
) -> tuple[list[str], dict[str, str]]:
    """The options and the variables that tell uv what `settings` tell pip.

    Args:
        settings: as `pip_settings` returns them.
        arguments: those of the call, which may name an index of its own.
    """
    own_index = "--index-url" in arguments
    options = []
    for name, option in AS_OPTION.items():
        if not (own_index and name in INDEXES):
            options += [part for value in settings.get(name, []) for part in (option, value)]
    # pip takes the best version of all indexes; uv would take the first index that has the package.
    if "--index" in options:
        options += ["--index-strategy", "unsafe-best-match"]
    on = ("1", "true", "yes", "on")
    options += [
        switch for name, switch in AS_SWITCH.items() if settings.get(name, ["no"])[0].lower() in on
    ]
    variables = {AS_VARIABLE[name]: settings[name][0] for name in AS_VARIABLE if name in settings}
    # Like pip, trust the certificates of the system, which may hold those of a company's proxy.
    return options, {"UV_SYSTEM_CERTS": "true", **variables}


def reason(words: str) -> Refusal:
    """Why an installer failed, from its output, in one sentence."""
    if "No space left on device" in words:
        return Refusal("the disk is full: about 2 GB are needed (a machine with a GPU: 8 GB).")
    if NO_NETWORK.search(words):
        return NoNetwork(
            "the package index cannot be reached. Check the network or the proxy and try again."
        )
    missing = NO_PACKAGE.search(words)
    if missing:
        package = next(found for found in missing.groups() if found)
        return Refusal(
            f"the package index has no {package} for this Python and machine. "
            "Python 3.11 to 3.13 are known to be served: make run PYTHON=python3.11"
        )
    # uv puts the particulars below its error.
    lines = [line.strip() for line in words.splitlines()]
    errors = [line for line in lines if line.startswith(("ERROR:", "error:", "cause:", "×", "╰─▶"))]
    return Refusal(errors[-1] if errors else "the installer ended without a word.")


def provide_uv(root: Path) -> None:
    """Let pip install uv into `.venv`, in the version of requirements-dev.txt; it may be missing.

    Raises:
        NoNetwork: if the index cannot be reached.
    """
    uv = f"uv=={pins(root / 'requirements-dev.txt')['uv']}"
    try:
        _run(root, _pip(root, ["--no-deps", "--only-binary", "uv", uv]), {})
    except NoNetwork:
        raise
    except Refusal as refusal:
        say(f"{refusal} pip installs everything instead, which takes some minutes longer.")


def install(root: Path, arguments: Sequence[str]) -> None:
    """Install into `.venv`; the installer's output goes to `.setup.log`.

    Args:
        root: the checkout.
        arguments: of `pip install`, which `uv pip install` takes as well.

    Raises:
        Refusal: if neither uv nor pip can.
    """
    uv = root / ".venv" / "bin" / "uv"
    if uv.exists():
        options, variables = for_uv(settings_here(root), arguments)
        command = [str(uv), "pip", "install", "--python", str(venv_python(root))]
        try:
            _run(root, [*command, *options, *arguments], variables)
            return
        except Refusal as refusal:
            say(f"uv did not succeed: {refusal} Trying pip ...")
    _run(root, _pip(root, arguments), {})


def settings_here(root: Path) -> dict[str, list[str]]:
    """The settings of the pip in `.venv`."""
    listed = subprocess.run(
        [str(venv_python(root)), "-m", "pip", "config", "list"],
        cwd=root,
        env=own_environment(os.environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return pip_settings(listed.stdout)


def _pip(root: Path, arguments: Sequence[str]) -> list[str]:
    options = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    return [str(venv_python(root)), "-m", "pip", "install", *options, *arguments]


def _run(root: Path, command: Sequence[str], variables: Mapping[str, str]) -> None:
    """Run an installer; on a terminal, its latest line is shown, so that a slow download is visible.

    Raises:
        Refusal: if it cannot be started, or fails.
    """
    words = []
    try:
        installer = subprocess.Popen(
            command,
            cwd=root,
            env={**variables, **own_environment(os.environ)},  # what a user has set for uv stays
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as error:  # such as a uv that does not run on this machine
        raise Refusal(f"{error}.") from None
    with installer, (root / ".setup.log").open("a", encoding="utf-8") as log:
        assert installer.stdout is not None
        try:
            for line in installer.stdout:
                log.write(line)
                words.append(line)
                show_passing(line)
        except BaseException:  # interrupted: an installer left running would write into the next .venv
            installer.terminate()
            raise
    show_passing("")
    if installer.returncode:
        refusal = reason("".join(words))
        raise type(refusal)(f"{refusal} (The installer's own words: .setup.log)")


def show_passing(line: str) -> None:
    """On a terminal, replace the line shown before by `line`."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - 1
        print("\r\033[K" + line.strip()[:width], end="", flush=True)
