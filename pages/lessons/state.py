"""What is chosen on the page of lessons, in the session and in the link."""

from __future__ import annotations

from ui.state import Field, PageState, Switch


class LessonsState(PageState):
    """What is looked for among the lessons; progress is in the browser alone."""

    typed = Field("f", "lessons typed", "", parse=str)
    python = Switch("py", "lessons python")
