"""What has no entry of its own in the menu, as links below it: sheets, and what a training changed."""

from __future__ import annotations

from core.errors import PolyseeError
from core.localization import _
from core.pretrained import models
from ui.page import leads
from ui.state import MODEL


def links() -> None:
    """Draw them; call it in the sidebar."""
    if leads.here() != "lessons":  # where the sheets are
        leads.down(_("Sheets to print"), "lessons", {"pr": "1"})
    try:
        trained = next((one for one in models() if one.made_from), None)
    except PolyseeError:  # the choice of a model says why
        return
    if trained is not None:
        both = {MODEL.url: trained.name, "m2": trained.made_from}
        leads.down(_("What a training changed"), "heads", both)
