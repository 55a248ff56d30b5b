"""A visitor who closes a page ends what was computed for it.

Streamlit ends a run at the next thing that it draws. A text with many contexts keeps a model busy for
minutes in between; it is therefore asked before each run of a model. What others wait for as well, they
compute themselves from then on.
"""

from __future__ import annotations

from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from core.pretrained import cancellation
from ui import callbacks
from ui.models import session_models


def end_work() -> None:
    """End the work of visitors who have left; called once, for the whole server."""
    cancellation.ask_before_each_run(_look)


def _look() -> None:
    """End a page's run if its visitor has left. A visitor who has only asked for another run waits.

    Otherwise, one who clicks again and again would never see what takes longer than a click.
    """
    if get_script_run_ctx(suppress_warning=True) is None or callbacks.running():
        return
    if not session_models.presence()():
        raise StopException
