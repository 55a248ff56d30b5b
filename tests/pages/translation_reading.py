"""Actions and readings for tests of the encoder–decoder page, without a browser."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from pages.encoder_decoder.state import TranslationState
from tests import visits
from tests.pages.reading import drawn

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "encoder_decoder" / "page.py")


visit = partial(visits.visit, "encoder_decoder")


def pictures(app: AppTest) -> dict[str, tuple[dict[str, Any], np.ndarray]]:
    """Header and numbers of each picture, by the start of its file's name."""
    found = {}
    for header, sent in drawn(app):
        found[header["file"].removeprefix("polysee-")] = header, np.frombuffer(sent, "<f4")
    return found


def words(app: AppTest) -> list[str]:
    """The words of the translation, as the page offers them for choice."""
    found = app.button_group(key=TranslationState.step.control)
    unseen = str.maketrans("", "", "\\\u2060")
    return [option.content.translate(unseen) for option in found.proto.options]
