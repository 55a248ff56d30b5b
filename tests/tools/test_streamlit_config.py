from __future__ import annotations

import tomllib
from pathlib import Path

from streamlit import config

ROOT = Path(__file__).resolve().parents[2]


def test_streamlit_knows_every_option_that_is_set() -> None:
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
    assert settings["runner"]["postScriptGC"] is False  # or a class waits for it after every rerun
