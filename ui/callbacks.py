"""Let every callback run to its end, even if the browser requests another run meanwhile.

Once a browser requests another run, Streamlit aborts the current one at its next access to the session,
even in the middle of a callback. The rest of the callback is then lost without a message: a text was
noted as received but not stored, or a button set only the first of five choices. Two messages a few
milliseconds apart are enough, such as those of two boxes to a restarted server.

With this module, a requested run waits until all callbacks have returned. Streamlit checks for it right
after them, before the page itself begins. Only drawing could still abort a callback, and ours draw
nothing. A callback may recompute a result that has left the cache; code that draws progress meanwhile
checks `running` first. A callback would draw at the top of the page: before a part that runs alone, its
message would replace the page's title.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import wraps
from typing import Any

from streamlit.runtime.state.safe_session_state import SafeSessionState

_running: ContextVar[bool] = ContextVar("callbacks are running", default=False)


def running() -> bool:
    """Whether this thread is in a callback, before a run: nothing may be drawn then."""
    return _running.get()


def keep_whole() -> None:
    """Make Streamlit finish callbacks, in all sessions; called once per process."""
    begin = SafeSessionState.on_script_will_rerun
    if hasattr(begin, "__wrapped__"):  # this module was reloaded after an edit
        return

    @wraps(begin)
    def begin_whole(session: SafeSessionState, *args: Any, **more: Any) -> None:
        look_for_another_run = session._yield_callback
        look_for_another_run()  # an earlier request goes first, as usual
        # Bypasses its own `__setattr__`, which sets the values that a page stores.
        object.__setattr__(session, "_yield_callback", lambda: None)
        now = _running.set(True)
        try:
            begin(session, *args, **more)
        finally:
            _running.reset(now)
            object.__setattr__(session, "_yield_callback", look_for_another_run)

    setattr(SafeSessionState, begin.__name__, begin_whole)
