"""Actions and readings for tests of the encoder–decoder page, without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from pages.encoder_decoder.state import TranslationState
from tests.pages.reading import drawn
from tests.sentences import without_meanings

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "encoder_decoder" / "page.py")


def visit(**url: str) -> AppTest:
    app = AppTest.from_file(PAGE, default_timeout=120)
    app.query_params.update(url)
    return run(app)


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception, app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click()
    return run(app)


def link(app: AppTest) -> dict[str, str]:
    found = {k: v[0] if isinstance(v, list) else v for k, v in app.query_params.items()}
    found.pop("v", None)
    return found


def pictures(app: AppTest) -> dict[str, tuple[dict[str, Any], np.ndarray]]:
    """Header and numbers of each picture, by the start of its file's name."""
    found = {}
    for header, sent in drawn(app):
        found[header["file"].removeprefix("polysee-")] = header, np.frombuffer(sent, "<f4")
    return found


def said(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error)
    return without_meanings("\n".join(str(element.value) for kind in kinds for element in kind))


def words(app: AppTest) -> list[str]:
    """The words of the translation, as the page offers them for choice."""
    found = app.button_group(key=TranslationState.step.control)
    unseen = str.maketrans("", "", "\\\u2060")
    return [option.content.translate(unseen) for option in found.proto.options]
