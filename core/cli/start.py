"""`polysee`: start the app."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path

from .. import settings


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the options of the app."""
    parser.add_argument("--port", type=_port, help="listen on this port (8501, or the next free one)")
    parser.add_argument(
        "--host",
        help="listen on this address (localhost: only this computer); 0.0.0.0 is for a class",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Serve the app until it is interrupted. See `command` for the arguments.

    Raises:
        SettingError: an environment variable is invalid.
    """
    settings.read()
    from streamlit.web import cli  # imported here, because it takes a second

    cli.main(command(script(), options.port, options.host), prog_name="streamlit")


def script() -> Path:
    """The script of the app, beside which Streamlit finds the settings in `.streamlit/config.toml`."""
    pages = find_spec("pages")
    assert pages is not None
    assert pages.submodule_search_locations is not None
    return Path(pages.submodule_search_locations[0]).with_name("app.py")


def command(app: Path, port: int | None, host: str | None) -> list[str]:
    """The arguments for Streamlit.

    Args:
        app: the script.
        port: None for its default, or the next port that is free.
        host: None for the address in `.streamlit/config.toml`.
    """
    given = {"--server.port": port, "--server.address": host}
    options = [part for name, to in given.items() if to is not None for part in (name, str(to))]
    return ["run", str(app), *options]


def _port(typed: str) -> int:
    if not (typed.isascii() and typed.isdigit() and len(typed) < 6 and 0 < int(typed) < 2**16):
        raise argparse.ArgumentTypeError(f"{typed} is not a port: it must be a number from 1 to 65535")
    return int(typed)
