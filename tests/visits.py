"""A visit to a page without a browser, by Streamlit's `AppTest`: its link, its answer, its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.sentences import without_meanings

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 120  # that an answer may take on a busy machine


def file_of(page: str) -> Path:
    """The script of a page, by its folder; of the whole app: "app"."""
    return ROOT / "app.py" if page == "app" else ROOT / "pages" / page / "page.py"


def run(app: AppTest) -> AppTest:
    """Run it, as after a choice of the visitor's; no error of ours may stand on the screen."""
    app.run()
    assert not app.exception, app.exception
    return app


def visit(
    page: str | Callable[[], None], kept: Mapping[str, Any] | None = None, /, **url: str
) -> AppTest:
    """Open a page by a link.

    Args:
        page: its folder in `pages/`; "app" for the whole app; or a function that draws one.
        kept: what the visitor's session holds already, by its names.
        url: the parameters of the link.
    """
    if callable(page):
        app = AppTest.from_function(page, default_timeout=SECONDS)
    else:
        app = AppTest.from_file(str(file_of(page)), default_timeout=SECONDS)
    for name, value in (kept or {}).items():
        app.session_state[name] = value
    app.query_params.update(url)
    return run(app)


def press(app: AppTest, key: str) -> AppTest:
    """Press the button with this key."""
    app.button(key=key).click()
    return run(app)


def link(app: AppTest) -> dict[str, str]:
    """The link that leads here, without its version."""
    found = {k: v[0] if isinstance(v, list) else v for k, v in app.query_params.items()}
    return {key: value for key, value in found.items() if key != "v"}


def said(app: AppTest) -> str:
    """All words on the page, without the meanings of terms."""
    kinds = (
        *(app.markdown, app.caption, app.info, app.warning, app.error),
        *(app.success, app.subheader, app.code),
    )
    return without_meanings("\n".join(str(one.value) for kind in kinds for one in kind))
