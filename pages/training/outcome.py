"""The outcome of a run: whether it reached its goal; its model on other pages, and as a file."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from core import untrusted
from core.errors import NotSupported, PolyseeError, SettingError
from core.localization import N_, _, gettext
from core.tasks import TASKS
from pages.training import captions, form
from pages.training.own_text import captions as own
from pages.training.state import VIEWS, TrainingState
from ui import state, text
from ui.models import trained_links
from ui.models.session_models import find_model, source_of, this_session

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from core.tasks import Trained
    from core.tasks.training.run import Run

MOST_MB = 18  # the limit of `core.own_text.load`; that of `core.tasks.load` is 16
# The file, whether it could be read, and the message about it.
_WITHOUT = state.SessionValue("train without pattern", ("", 0.0))  # of the run shown
_LOADED = state.SessionValue("train said", ("", False, ""))


def lost(s: TrainingState) -> None:
    """Say which runs of a link are gone, and offer to train the one shown again."""
    if s.lost_beside():
        st.warning(gettext(captions.LOST_BESIDE))
    written = s.lost()
    if not written:
        return
    st.warning(gettext(captions.LOST))
    if form.readable(written):
        st.button(_("Train it again"), key="train again", on_click=s.begin, args=(written,))


def show(s: TrainingState, run: Run | None) -> None:
    """Show what can be done with the model of a run, and with the other models of this session."""
    if run is not None:
        _outcome(run)
    with st.container():  # keeps the elements below in place when the first model appears
        if _of_tasks():
            _models()
    load(s)


def load(s: TrainingState) -> None:
    """A box for the file of a model or a recipe, whichever view it is of."""
    with st.expander(_("Load from a file")):
        file = state.upload(
            "train file",
            _("A model saved here (.safetensors), or its recipe (.json)"),
            endings=["safetensors", "json"],
            most_mb=MOST_MB,
            take=partial(_load, s),
        )
        # While the file is there, a rerun of the page must not remove the message.
        of, read, sentence = _LOADED.get()
        if file is not None and file.file_id == of:
            (st.success if read else st.error)(text.plain(sentence))


def _outcome(run: Run) -> None:
    """Say how the run ended, and add its model to the session."""
    if run.state == "failed":
        st.error(text.of_error(SettingError(run.why)))
    elif run.state in ("done", "stopped") and run.snapshots:
        st.markdown(captions.goal(run))
        st.markdown(captions.try_next(run))
        this_session().take(run, captions.model_title(run))
        if TASKS[run.recipe.task].kind == "masked":
            st.markdown(captions.needed(run.snapshots[-1].accuracy, _without(run.name)))
    elif run.state == "paused" and run.snapshots:
        st.button(_("Use the model as it is now"), key="train keep", on_click=_keep, args=(run.name,))


def _without(name: str) -> float:
    """The accuracy of a run's model without its pattern, computed once a visit."""
    known = _WITHOUT.get()
    if known[0] != name:
        known = name, this_session().runs[name].trained().accuracy_without_pattern()
        _WITHOUT.set(known)
    return known[1]


def _keep(name: str) -> None:
    run = this_session().runs.get(name)
    if run is None:
        return
    with suppress(NotSupported):  # it has been started again in the meantime
        name = this_session().keep(run.trained(), captions.model_title(run))
        _chosen().set(name)


def _chosen() -> state.SessionValue[str]:
    """The chosen model; a new model has a new list, in which it is chosen."""
    newest = next(reversed(_of_tasks()))
    return state.SessionValue(f"train model {newest}", newest)


def _of_tasks() -> dict[str, str]:
    """The models of this session that learned a task, by name, with their titles."""
    every = this_session().models.items()
    return {name: one.title for name, one in every if not source_of(name)}


def _models() -> None:
    """List the models of this session, with links to other pages and as files."""
    name = state.select(
        _chosen(),
        _of_tasks(),
        _("Your models, in this session"),
        about=_("They disappear when you close the page. Save those that you want to keep."),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        trained_links.show(name, _model_of(name))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        of = _model_of(name)
        file = f"polysee-{of.recipe.task}-{of.steps}"
        for label, make, ending, about in (
            (
                _("Save the model"),
                partial(_weights, name),
                "safetensors",
                _("Saves weights, recipe and vocabulary in one file."),
            ),
            (
                _("Its recipe"),
                partial(_about, name),
                "json",
                _("Saves the settings, to read or to train again."),
            ),
        ):
            st.download_button(
                label,
                make,
                file_name=f"{file}.{ending}",
                mime="application/octet-stream",
                key=f"train save {ending}",
                on_click="ignore",
                help=about,
            )
        st.button(_("Remove"), key="train drop", on_click=_drop, args=(name,))


def _drop(name: str) -> None:
    this_session().drop(name)


def _weights(name: str) -> bytes:
    from core.tasks import dump

    return dump(_model_of(name))


def _about(name: str) -> str:
    of = _model_of(name)
    about = {
        "recipe": of.recipe.to_dict(),
        "steps": of.steps,
        "changes": of.changes,
        "source": None if of.source is None else of.source.words,
        "target": of.target.words,
    }
    return json.dumps(about, indent=1, ensure_ascii=False)


def _model_of(name: str) -> Trained:
    model = find_model(name)
    assert model is not None  # its button disappears with it
    return model


def _load(s: TrainingState, file: UploadedFile) -> None:
    """Read the chosen file; anything that is not a model or a recipe is refused in a sentence."""
    is_recipe = file.name.lower().endswith(".json")
    read = partial(_load_recipe, s) if is_recipe else _load_model
    try:
        _LOADED.set((file.file_id, True, read(file.getvalue())))
    except PolyseeError as error:
        _LOADED.set((file.file_id, False, gettext(str(error))))


def _load_model(data: bytes) -> str:
    from core import own_text
    from core.tasks import load

    if own_text.is_dumped(data):
        learned = own_text.load(data)
        title = own.loaded_title(learned)
        name = this_session().keep_text(learned, title)
        return _(
            "Loaded: {title}. Find it under “{view}”, and on the pages Next word and Heads."
        ).format(title=this_session().models[name].title, view=gettext(VIEWS["text"]))
    model = load(data)
    name = this_session().keep(model, captions.loaded_title(model))
    return _("Loaded: {title}.").format(title=this_session().models[name].title)


def _load_recipe(s: TrainingState, data: bytes) -> str:
    from core.tasks import Recipe
    from core.tasks.training import recipe_code

    try:
        about = untrusted.parse(data)
    except untrusted.NotJson:
        about = None
    if not isinstance(about, dict) or "recipe" not in about:
        raise SettingError(N_("This file is not a recipe that was saved here."))
    recipe = Recipe.from_dict(about["recipe"])
    s.fill(recipe_code.write(recipe))
    return _("The form above now shows this recipe: press Start to train it.")
