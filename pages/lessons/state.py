"""The choices on the page of lessons, in the session and in the link."""

from __future__ import annotations

from ui.state import Field, PageState, Switch


class LessonsState(PageState):
    """The search among the lessons; progress is stored only in the browser."""

    typed = Field("f", "lessons typed", "", parse=str)
    sheets = Switch("pr", "lessons sheets")  # the fold with what is printed
    python = Switch("py", "lessons python")
