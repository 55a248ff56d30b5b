"""The choice of a model in the sidebar; on some pages, of a second model beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from core import settings
from core.errors import PolyseeError
from core.localization import N_, _, decimal, gettext, ngettext, pgettext, said
from core.pretrained import models, short_of_memory
from ui import text
from ui.models import model_cache, session_models, trained_links
from ui.models.attempt import attempt
from ui.session import SessionValue
from ui.state import MODEL, Field, Part, select

if TYPE_CHECKING:
    from core.pretrained import ModelChoice, TextModel

Load = Callable[[str], "TextModel"]
MOST_NAMED = 3  # models that the list leaves out
LONGEST_NAME = 100  # characters of a name that a link may have from anybody
_LAST_GOOD = SessionValue[str | None]("last good model", None)
_OF_PAGE = SessionValue("model of a page", "")  # of one that asks for another kind than all others do
# Why models were not shown, by name and by how each was to be loaded: the next run does not try again.
_REFUSED = SessionValue[Mapping[tuple[str, str], str]]("refused models", {})


def choose_model(
    load: Load = model_cache.model,
    *,
    chosen: Field[str] = MODEL,
    fits: Callable[[ModelChoice], bool] | None = None,
    changed: Callable[[], None] | None = None,
) -> str | None:
    """Load the chosen model; if that fails, show the previous one, and say so.

    The link keeps the model that was chosen, until a visitor chooses another one.

    Args:
        load: `model_cache.reader`, for a page on which a model reads a single text.
        chosen: the field of the choice: that of all pages, or one of a page that asks for another kind
            of model than they do.
        fits: of such a page, which of the models it offers.
        changed: called when a visitor chooses another model.

    Returns:
        The name of the model that is shown; or None if no model could be loaded, with the reason on the
        page.
    """
    choices = attempt(models)
    _OF_PAGE.set("")
    if choices is None:
        return None
    titles = _titles(choices) if fits is None else _speaking(filter(fits, choices))
    unfit = _paired(choices) if load is model_cache.reader and fits is None else {}
    wanted = chosen.get() or chosen.default
    chosen.set(wanted)
    if any_id() and wanted not in titles and not session_models.is_own(wanted):
        titles[wanted] = _("{name} (from the model hub)").format(name=wanted)
    # The progress bar has a permanent place. Without it, everything below would be drawn anew, and lose
    # the keyboard focus, in the first run after loading.
    with st.container():
        good = _LAST_GOOD.get() if chosen is MODEL else next(iter(titles), None)
        unfit_for = "" if fits is None else _unfit(wanted, choices, fits)
        shown = _load_one_of((wanted, good, chosen.default), titles, load, quiet=bool(unfit_for))
        if shown is not None:
            (_LAST_GOOD if chosen is MODEL else _OF_PAGE).set(shown)
        if shown is not None and shown != wanted:
            say_instead(chosen, shown, model_cache.title(shown), unfit_for)
        if shown is not None:
            say_notes(shown, load)
    about = _("Type the id of a model on the hub to load it.") if any_id() else None
    offered = {name: title for name, title in titles.items() if name not in unfit}
    _choose(chosen, offered, _("Model"), about, changed, shown or wanted)
    with st.sidebar:
        if unfit:
            st.caption(_left_out(tuple(unfit.values())))
        for why in filter(None, map(short_of_memory, settings.CATALOGUE)):
            st.caption(text.plain(_("Not in this list: {why}").format(why=why)))
    return shown


def _unfit(name: str, choices: Sequence[ModelChoice], fits: Callable[[ModelChoice], bool]) -> str:
    """Why a page that asks for a kind of model does not offer one of the models; "" if it does."""
    one = next((one for one in choices if one.name == name), None)
    return "" if one is None or fits(one) else gettext(_KINDS[fits])


def speaks(one: ModelChoice) -> bool:
    """Whether a model was saved to continue a text: what the page Next word offers."""
    return one.speaks


def alone(one: ModelChoice) -> bool:
    """Whether a model reads a single text, as its files say, whatever it predicts."""
    return not one.paired


# Of a page that asks for a kind of model: what it says of any other.
_KINDS: Mapping[Callable[[ModelChoice], bool], str] = {
    speaks: N_("was not trained to go on with a text"),
    alone: N_("reads a text with its target, and this page reads one text"),
}


def choose_second(
    chosen: Field[str], label: str, about: str, *, changed: Callable[[], None] | None = None
) -> str | None:
    """Load the second model, beside the first; None if there is none. The link keeps what was chosen.

    Args:
        chosen: its name; "" for none.
        label: the label above the list.
        about: the help text of the label.
        changed: called when a visitor chooses another model.
    """
    titles = {"": pgettext("of models", "none"), **_titles(attempt(models) or ())}
    wanted = shown = chosen.get()
    with st.container():
        if wanted and not loaded(wanted, titles, model_cache.model):
            shown = ""
            say_instead(chosen, shown, "")
        if shown:
            say_notes(shown, model_cache.model)
    _choose(chosen, titles, label, about, changed, shown)
    return shown or None


def offer_origin(chosen: Field[str], first: str) -> None:
    """Where a model was trained from one that is here, a button that puts that one beside it.

    Args:
        chosen: the second model.
        first: the model that is shown.
    """
    found = next((one.made_from for one in attempt(models) or () if one.name == first), "")
    if found:
        label = _("Beside what it was trained from: {model}").format(model=model_cache.title(found))
        st.sidebar.button(label, key=f"origin {chosen.key}", on_click=chosen.set, args=(found,))


def shown() -> str:
    """The model that is shown: another one than the link has, where that cannot be shown."""
    return _OF_PAGE.get() or _LAST_GOOD.get() or MODEL.get()


def say_notes(name: str, load: Load) -> None:
    """What a reader of a model's numbers should know about how its folder was read.

    A model of the catalogue says in its title that it is a copy.
    """
    if name in settings.CATALOGUE:
        return
    for note in load(name).notes:
        st.caption(text.plain(said(note).replace(name, model_cache.title(name))))


def loaded(
    name: str, titles: Mapping[str, str], load: Callable[[str], object], *, quiet: bool = False
) -> bool:
    """Load a model; whether it is there. If not, the page says why, and no other run tries again.

    Args:
        name: its name, perhaps from a link.
        titles: the models that are offered.
        load: loads it, and raises a PolyseeError if it cannot be shown.
        quiet: whether the page says in other words that it is in no list.
    """
    if name not in titles and (session_models.is_own(name) or not any_id()):
        if not quiet:
            st.warning(_not_offered(name))
        if session_models.is_own(name):
            trained_links.again(name)
        return False
    key = name, f"{load.__module__}.{load.__name__}"
    reason = _REFUSED.get().get(key)
    if reason is None:
        try:
            load(name)
        except PolyseeError as error:
            reason = error.args[0]  # its template with it: the next run may be in another language
            _REFUSED.set({**_REFUSED.get(), key: reason})
    if reason is not None:
        st.error(text.of_error(PolyseeError(reason)))
    return reason is None


def try_again(name: str) -> None:
    """Try to load a model again that was not shown, since a visitor has chosen it."""
    _REFUSED.set({key: why for key, why in _REFUSED.get().items() if key[0] != name})


def _not_offered(name: str) -> str:
    """Why a model that is in no list is not loaded (Markdown)."""
    if session_models.is_own(name):
        return gettext(session_models.GONE)
    if why := short_of_memory(name):
        return text.plain(why)
    return _("“{name}” is not offered here.").format(name=text.plain(name[:LONGEST_NAME]))


def _load_one_of(
    names: Sequence[str | None], titles: Mapping[str, str], load: Load, *, quiet: bool
) -> str | None:
    """The first of these models that can be loaded; of each one before it, the page says why not.

    With `quiet`, it says elsewhere why the first is in no list.
    """
    for i, name in enumerate(dict.fromkeys(names)):
        if name is not None and loaded(name, titles, load, quiet=quiet and not i):
            return name
    return None


def say_instead(chosen: Field[str], shown: str, title: str, why: str = "") -> None:
    """Say what is shown in place of the chosen model, and offer to stay with that.

    Args:
        chosen: the model that the link has.
        shown: the one that is shown; "" for none.
        title: what a sentence calls that one.
        why: what the chosen model does not do that the page needs; "" if that is said already.
    """
    wanted = chosen.get()
    own = session_models.is_own(wanted)
    called = _("that model") if own else model_cache.markdown_title(wanted[:LONGEST_NAME])
    instead = (
        _("**{title}** is shown instead").format(title=text.plain(title))
        if shown
        else _("no second model is shown")
    )
    # A name that begins a sentence stays as it is: “my-t5” is no “My-t5”.
    start = _("That model") if own else called
    cannot = why or _("cannot be shown here")
    st.info(
        _(
            "{start} {cannot}: {instead}. The link of this page still asks for {called}, until you "
            "choose another model."
        ).format(start=start, cannot=cannot, instead=instead, called=called)
    )
    label = _("Stay with {title}").format(title=title) if shown else _("Stay without a second model")
    st.button(label, key=f"stay {chosen.key}", on_click=chosen.set, args=(shown,))


def any_id() -> bool:
    """Whether the settings allow any model of the hub."""
    return settings.read().hub == "any"


def _paired(choices: Sequence[ModelChoice]) -> dict[str, str]:
    """The encoder–decoders among the models, and how a sentence calls each.

    Of a model that is loaded, the model says what it is; of any other, its files.
    """
    paired = {one.name: one.paired for one in choices}
    for name in paired:
        if (there := model_cache.if_loaded(name)) is not None:
            paired[name] = there.kind == "encoder-decoder"
    named = {name: model_cache.title(name) for name, is_pair in paired.items() if is_pair}
    return named | session_models.own_titles("pair")


def _left_out(named: Sequence[str]) -> str:
    """Which models the list leaves out, and where they are shown (Markdown)."""
    some = ", ".join(f"*{text.plain(one)}*" for one in named[:MOST_NAMED])
    more = ""
    if len(named) > MOST_NAMED:
        more = _(" and {count} more").format(count=decimal(f"{len(named) - MOST_NAMED:,}"))
    return ngettext(
        "Not in this list: {models}. It is an encoder–decoder and reads a text with its target, and a "
        "model on this page reads one text. *Heads* and *Encoder–decoder* show it.",
        "Not in this list: {models}. They are encoder–decoders and read a text with its target, and a "
        "model on this page reads one text. *Heads* and *Encoder–decoder* show them.",
        len(named),
    ).format(models=some + more)


def _titles(choices: Sequence[ModelChoice]) -> dict[str, str]:
    """The models to choose from, and those of this session, with their titles."""
    return {choice.name: said(choice.title) for choice in choices} | session_models.own_titles()


def _speaking(choices: Iterable[ModelChoice]) -> dict[str, str]:
    """These models, and those of this session that go on, with their titles."""
    return {choice.name: said(choice.title) for choice in choices} | session_models.own_titles(
        "decoder"
    )


def _choose(
    chosen: Field[str],
    titles: Mapping[str, str],
    label: str,
    about: str | None,
    changed: Callable[[], None] | None,
    shown: str,
) -> None:
    """Draw the list in the sidebar; if the settings allow it, a visitor can type any hub id into it.

    Args:
        chosen: the model that the link has.
        titles: the models to choose from.
        label: above the list.
        about: the help text of the label.
        changed: called when a visitor chooses another model.
        shown: the model that the list names: another one where the chosen one cannot be shown.
    """

    def take(name: str) -> None:
        chosen.set(name)
        try_again(name)

    options = {**titles, shown: titles.get(shown, shown)}
    with st.sidebar:
        listed = Part(chosen.key, lambda: shown, take)
        select(listed, options, label, about=about, more=any_id(), changed=changed)
