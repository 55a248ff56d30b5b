"""The chat template in a folder: a text, which only `core.chat` ever runs."""

from __future__ import annotations

from pathlib import Path

from ...chat.render import MOST_TEMPLATE
from .tokenizer_files import SETTINGS
from .tokenizer_probe import Unfit, bytes_of
from .weight_files import read_json

FILE = "chat_template.jinja"


def of_folder(folder: Path, name: str) -> str | None:
    """The template, from chat_template.jinja or tokenizer_config.json; None if there is none.

    Of several in one setting, the default. One that is too long is no template that Polysee runs.

    Raises:
        ModelBroken: tokenizer_config.json is damaged.
    """
    if (folder / FILE).is_file():
        try:
            return bytes_of(folder / FILE, 4 * MOST_TEMPLATE).decode("utf-8", "replace")
        except Unfit:
            return None
    if not (folder / SETTINGS).is_file():
        return None
    found = read_json(folder / SETTINGS, name).get("chat_template")
    if isinstance(found, list):
        named = {one.get("name"): one.get("template") for one in found if isinstance(one, dict)}
        found = named.get("default")
    return found if isinstance(found, str) else None
