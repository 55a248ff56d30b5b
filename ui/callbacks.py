"""What a visitor does is heard to its end, though something else is done before it was heard.

Streamlit ends a run where it next touches the session once a browser asks for another run. It does so
in the midst of a callback too: what that had not yet done is lost, and nothing says so. A text was
noted as heard, and not taken; a button set the first of five choices. It takes two messages a few
milliseconds apart, such as those of two boxes to a server that was begun anew.

So a run that is asked for meanwhile waits until all callbacks have returned. Streamlit looks for it
right after them, before the page itself begins. Only what a callback draws could still cut it off: ours
draw nothing. What they compute may have left the cache and be computed anew; what draws while one waits
asks `running` first. For a callback draws at the top of the page: before a part that runs alone, its
message would take the place of the page's title.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import wraps
from typing import Any

from streamlit.runtime.state.safe_session_state import SafeSessionState

_running: ContextVar[bool] = ContextVar("callbacks are running", default=False)


def running() -> bool:
    """Whether this thread is calling back, before a run: nothing may be drawn then."""
    return _running.get()


def keep_whole() -> None:
    """Have Streamlit call back to the end, in all visits; once a process."""
    begin = SafeSessionState.on_script_will_rerun
    if hasattr(begin, "__wrapped__"):  # this module was loaded anew, after an edit
        return

    @wraps(begin)
    def begin_whole(session: SafeSessionState, *args: Any, **more: Any) -> None:
        look_for_another_run = session._yield_callback
        look_for_another_run()  # one that is asked for already goes first, as ever
        # Past its own `__setattr__`, which sets what a page stores.
        object.__setattr__(session, "_yield_callback", lambda: None)
        now = _running.set(True)
        try:
            begin(session, *args, **more)
        finally:
            _running.reset(now)
            object.__setattr__(session, "_yield_callback", look_for_another_run)

    setattr(SafeSessionState, begin.__name__, begin_whole)
