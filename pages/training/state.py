"""The fields of the Training page, and how a run and a recipe change them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import SettingError
from core.localization import N_, _
from ui import text
from ui.models.session_models import recipe_of, source_of, this_session
from ui.state import Choice, Field, Location, OwnModel, PageState, Switch, Whole
from ui.state.location import Stack

if TYPE_CHECKING:
    from core.own_text import TextRecipe, TextRun
    from core.tasks.training.run import Run

WHERE = {"server": N_("On the server"), "tab": N_("In this tab")}
VIEWS = {"task": N_("A small task"), "text": N_("A text of your own")}
FIRST = "reverse"  # the task with which the page opens
FIRST_TEXT = "island"
NEWEST = -1


def _short(typed: str) -> str:
    if len(typed) > 300:
        raise ValueError(typed)
    return typed


def _run(typed: str) -> str:
    """Parse a name from `SessionModels`: a token, with a number or long by itself, then the recipe."""
    if typed and not re.fullmatch(r"([0-9a-f]{8}-[0-9]+|[0-9a-f]{32})~.+", _short(typed)):
        raise ValueError(typed)
    return typed


class TrainingState(PageState):
    """The recipe of the form, the run, the run to compare with, the snapshot, the head."""

    recipe = Field("rc", "training recipe", "", parse=_short)  # "" for that of the run, or `FIRST`
    run = Field("r", "training run", "", parse=_run)
    beside = Field("rb", "training beside", "", parse=_run)
    step = Whole("st", "training step", NEWEST, 0, 10_000)
    block = Choice("e", "training block", "", ("", "encoder", "decoder", "cross"))
    layer = Whole("l", "training layer", 0, 0, 4)  # 0 for the last
    head = Whole("h", "training head", 1, 0, 8)  # 0 for the mean of all
    python = Switch("py", "training python")
    view = Choice("p", "training view", "task", VIEWS)
    # a text of one's own: `pages/training/own_text/`
    source = Field(
        "tx", "training text", FIRST_TEXT, parse=_short
    )  # a ready text, a corpus, `OWN_TEXT`
    text_recipe = Field("tc", "training text recipe", "", parse=_short)  # "" for the default
    text_run = Field("tr", "training text run", "", parse=_run)
    beside_model = Field("tb", "training text beside", "", parse=_short)
    where = Choice("tw", "training text where", "server", WHERE)
    every_pause = Switch("ta", "training text pauses")
    prompt = Field("pt", "training prompt", "In the morning", parse=str)
    prompt_seed = Whole("ps", "training prompt seed", 13, 0, 999_999)

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """The whole of a small model."""
        return (Location("layers"),)

    def on_map(self) -> OwnModel:
        """The model that is trained, or would be, for the drawing in the sidebar."""
        if self.view.get() == "text":
            return self._text_on_map()
        from core.tasks.training import recipe_code

        run = self.shown_run()
        # A recipe whose values do not fit together has its layers all the same.
        recipe = recipe_code.values(self.written()) if run is None else run.recipe.to_dict()
        stacks: dict[Stack, int] = {
            "encoder": recipe["n_encoder_layers"],
            "decoder": recipe["n_decoder_layers"],
        }
        across = recipe["n_cross_heads"] if all(stacks.values()) else 0
        return OwnModel(stacks, recipe["n_heads"], self.block, self.layer, self.head, across)

    def _text_on_map(self) -> OwnModel:
        recipe = self.written_text()
        run = self.shown_text()
        shown = recipe if run is None else run.recipe
        return OwnModel({"decoder": shown.layers}, shown.heads, self.block, self.layer, self.head)

    def written_text(self) -> TextRecipe:
        """The recipe of the form for a text; what a link has wrong becomes the default."""
        from core.own_text import TextRecipe
        from core.own_text import recipe as recipes

        try:
            return recipes.read(self.text_recipe.get()) if self.text_recipe.get() else TextRecipe()
        except SettingError as error:
            usual = _("The form shows the usual one instead.")
            st.warning(f"{text.of_error(error)} {usual}")
            self.text_recipe.set("")
            return TextRecipe()

    def shown_text(self) -> TextRun | None:
        """The run of a text on the page; None if none was started, or if the link's is not here."""
        own, name = this_session(), self.text_run.get()
        if name and (here := own.restore_text(name)) is not None:
            return here
        if name:
            return None
        source, recipe = self.source.get(), self.written_text()
        of_form = (
            one
            for one in reversed(own.texts.values())
            if one.recipe == recipe and source_of(one.name) == source
        )
        last = next(of_form, None)  # back from another page, or to another text
        if last is not None:
            self.text_run.set(last.name)
        return last

    def show_text(self, name: str) -> None:
        """Show a run of a text, at its newest pause."""
        self.text_run.set(name)
        self.step.set(NEWEST)

    def shown_run(self) -> Run | None:
        """The run on the page; None if none was started, or if the link's run is not here."""
        runs, name = this_session().runs, self.run.get()
        if name and (here := this_session().restore(name)) is not None:
            return here
        last = next(reversed(runs.values()), None)
        if name or self.recipe.get() or last is None:
            return None
        self.run.set(last.name)  # back from another page
        return last

    def run_beside(self) -> Run | None:
        """The run to compare with."""
        name = self.beside.get()
        return this_session().restore(name) if name else None

    def lost(self) -> str:
        """The recipe of a run that the link names but that is not here; "" if there is none."""
        name = self.run.get()
        return recipe_of(name) if name and self.shown_run() is None else ""

    def lost_beside(self) -> bool:
        """Whether the run to compare with is not here; it is then removed from the link."""
        lost = bool(self.beside.get()) and self.run_beside() is None
        if lost:
            self.beside.set("")
        return lost

    def written(self) -> str:
        """The code of the form's recipe, from `recipe_code`; never an invalid one."""
        from core.tasks.training import recipe_code

        shown = self.shown_run()
        wanted = self.recipe.get() or (recipe_of(shown.name) if shown else self.lost()) or FIRST
        try:
            recipe_code.values(wanted)
        except SettingError as error:
            instead = _("The form shows “{task}” instead.").format(task=FIRST)
            st.warning(f"{text.of_error(error)} {instead}")
            wanted = FIRST
            self.recipe.set(wanted)
        return wanted

    def fill(self, written: str) -> None:
        """Put a recipe into the form, with no run for it yet."""
        for one in self.fields:
            one.set(one.default)
        self.recipe.set(written)

    def begin(self, written: str) -> None:
        """Start a run with a recipe, and show it. For the callbacks of buttons."""
        from core.tasks.training import recipe_code

        run = this_session().begin(recipe_code.read(written))
        self.recipe.set(written)
        self.run.set(run.name)
        self.step.set(NEWEST)
