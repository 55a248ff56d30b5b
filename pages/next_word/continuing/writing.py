"""The text goes on: one token or many, drawn or chosen; it can be stopped, and taken back.

A visitor's click waits until a run of this part of the page ends. So the model writes for half a second
a run, and each run asks for the next: a click on Stop is heard between two of them. The writing itself,
with its keys and values, waits in the session.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import PolyseeError
from core.localization import _
from core.records.generated import Generated
from core.records.prediction import Expectation
from core.sentences import listed, percent, sentence
from pages.next_word import ending, hidden, reading
from pages.next_word.state import MOST_WRITTEN, NextWordState, Path
from ui import state, text
from ui.models import model_cache
from ui.models.long_texts import turn
from ui.state import Part, SessionValue

AT_ONCE = 20  # tokens that one click writes
SLICE = 0.5  # seconds of writing before a click is heard
MOST_STOPS = 10
MOST_SAID = 2_000  # letters of it that are shown while it is written
_GREEDY, _SAMPLE = "greedy", "sample"


@dataclass
class Writing:
    """What is being written: it belongs to one text, one model and one way of drawing.

    Attributes:
        about: what it belongs to.
        tokens: the tokens that come, one more than are wanted: the last tells what comes next.
        start: what was written before.
        count: how many tokens are wanted.
        done: what has been written.
    """

    about: tuple[object, ...]
    tokens: Iterator[Generated]
    start: Path
    count: int
    done: list[Generated] = field(default_factory=list)

    @property
    def path(self) -> Path:
        """All that is written now."""
        return (*self.start, *(one.id for one in self.done))


_ASKED = SessionValue("next word asked", 0)  # tokens to write
_NOW = SessionValue[Writing | None]("next word writing", None)
_ENDED = SessionValue("next word ended", "")
_AT_END = SessionValue("next word at its end", False)  # the likeliest token would end the text at once


def ask(count: int) -> None:
    """Have so many tokens written in the next runs."""
    _ASKED.set(count)
    _NOW.set(None)
    _forget()


def _forget() -> None:
    _ENDED.set("")
    _AT_END.set(False)


def buttons(s: NextWordState, model: str) -> None:
    """Draw the buttons: go on, take back, start over."""
    drawn = s.temperature.get() > 0
    none, full = not s.written.get(), len(s.written.get()) >= MOST_WRITTEN
    with st.container(horizontal=True, gap="small", key="writing"):
        one = _("Draw one") if drawn else _("Take the likeliest")
        st.button(one, on_click=ask, args=(1,), type="primary", disabled=full)
        st.button(
            _("Write {count}").format(count=AT_ONCE), on_click=ask, args=(AT_ONCE,), disabled=full
        )
        st.button(
            _("Run"),
            on_click=ask,
            args=(MOST_WRITTEN,),
            disabled=full,
            help=_("Writes until the text ends, you stop it, or {most} tokens are written.").format(
                most=MOST_WRITTEN
            ),
        )
        if drawn:
            st.button(_("Roll again"), on_click=_roll, args=(s,))
        if not none:  # on a phone, a line less above the bars
            st.button(_("Undo one"), on_click=_back, args=(s,))
            st.button(_("Start over"), on_click=_to, args=(s, ()))
        if further := taken_back(s):
            st.button(
                _("Bring it back"),
                on_click=_to,
                args=(s, further),
                help=_(
                    "{tokens} that were written behind this and taken back, by a button here or the "
                    "browser’s."
                ).format(tokens=_counted(len(further) - len(s.written.get()))),
            )
    if ended := _ENDED.get():
        st.caption(ended)
    if _AT_END.get():
        st.button(
            _("Go on with the likeliest word"),
            on_click=_past_the_end,
            args=(s, model),
            help=_("Takes the likeliest token that does not end the text."),
        )


def choices(s: NextWordState) -> None:
    """Draw how a token is chosen, and the words at which the model stops."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="how it writes"):
        how = Part(
            "next word how",
            lambda: _SAMPLE if s.temperature.get() else _GREEDY,
            lambda to: s.temperature.set(0.0 if to == _GREEDY else s.temperature.get() or 1.0),
        )
        names = {_SAMPLE: _("Draw by chance"), _GREEDY: _("Always the likeliest")}
        state.select(how, names, _("How it chooses"), style="segments")
        state.text(
            s.stop,
            _("Stop behind these words"),
            width=260,
            most=200,
            placeholder=_("none; several: . | ! | ↵"),
            follows=False,
        )


def stops(typed: str) -> tuple[str, ...]:
    """The stop words in the box: with "|" between them, ↵ for a line break and ␣ for a space."""
    words = (one.strip(" ").replace("↵", "\n").replace("␣", " ") for one in typed.split("|"))
    return tuple(dict.fromkeys(filter(None, words)))[:MOST_STOPS]


def _roll(s: NextWordState) -> None:
    """Another number falls."""
    s.seed.set((s.seed.get() + 1) % (s.seed.most + 1))


def _back(s: NextWordState) -> None:
    _to(s, s.written.get()[:-1])


def taken_back(s: NextWordState) -> Path:
    """The continuation that was written last among those that go on from here; () for none."""
    now = s.written.get()
    further = (one for one in reversed(s.branches()) if len(one) > len(now) and one[: len(now)] == now)
    return next(further, ())


def _to(s: NextWordState, ids: Path) -> None:
    _forget()
    s.written.set(ids)


def _stop() -> None:
    """Write no more; one more token is computed, since it tells what would come next."""
    now = _NOW.get()
    if now is not None:
        now.count = len(now.done)
        _ENDED.set(sentence("next-word.stopped", tokens=_counted(now.count)))


def _past_the_end(s: NextWordState, model: str) -> None:
    """Take the likeliest token that does not end the text."""
    ids = s.written.get()
    ends = model_cache.model(model).ends
    ids = ids[:-1] if ids and ids[-1] in ends else ids
    found = reading.read(model, ending.read_of(s, model), ids)
    _to(s, ids)
    s.put((*ids, next((one for one in found.ids if one not in ends), found.ids[0])))


def begun(s: NextWordState, model: str) -> Writing | None:
    """What is to be written in this run; None if nothing is.

    Raises:
        PolyseeError: see `Model.generate`.
    """
    typed, path = ending.read_of(s, model), s.written.get()
    about = (model, typed, *s.sampling().values(), s.seed.get(), s.stop.get())
    if count := min(_ASKED.get(), MOST_WRITTEN - len(path)):
        _ASKED.set(0)
        if count > 0:
            # One more than is wanted: the last is computed behind all others, and tells what is next.
            _NOW.set(Writing(about, written(s, model, count + 1), path, count))
    now = _NOW.get()
    if now is None or now.about != about or path not in (now.path, now.path[:-1]):
        _NOW.set(None)
        return None
    return now


def go_on(s: NextWordState, model: str, shown: Callable[[Writing], object]) -> bool:
    """Write what was asked for, for a moment; what is written stays if a visitor stops it.

    Args:
        s: the state of the page.
        model: the name of the model.
        shown: draws what has been written so far.

    Returns:
        Whether more is to be written: the part then runs again (`again`).
    """
    try:
        now = begun(s, model)
        if now is None:
            return False
        shown(now)
        end = time.monotonic() + SLICE
        with turn(ending.read_of(s, model)):
            for one in now.tokens:
                if len(now.done) >= now.count:
                    _finish(s, model, now, one.expectation)
                    return False
                now.done.append(one)
                s.put(now.path)
                if one.end:
                    _ENDED.set(_why(s, now))
                    _AT_END.set(
                        one.id in model_cache.model(model).ends
                        and not "".join(each.added for each in now.done).strip()
                    )
                    _finish(s, model, now, None)
                    return False
                shown(now)
                if time.monotonic() >= end:
                    return True
        if not now.done:
            _ENDED.set(sentence("next-word.nothing"))
        elif len(now.done) < now.count:
            _ENDED.set(sentence("next-word.stopped.long"))
        _finish(s, model, now, None)
    except PolyseeError as error:
        _NOW.set(None)
        _ENDED.set(text.of_error(error))
    return False


def again() -> None:
    """Run this part of the page again, or the page if it is drawn as a whole."""
    context = get_script_run_ctx(suppress_warning=True)
    alone = context is not None and context.fragment_ids_this_run
    st.rerun(scope="fragment" if alone else "app")


def _finish(s: NextWordState, model: str, now: Writing, then: Expectation | None) -> None:
    """Keep what the writing has computed: the surprise at each token, and what comes next."""
    _NOW.set(None)
    typed = ending.read_of(s, model)
    before = reading.kept(model, typed, now.start)
    if then is None or before is None:
        return
    after = model_cache.model(model).untraced.next_token_after(
        before, typed, now.done, then, more=now.start
    )
    reading.keep(model, typed, now.path, after)


def progress(now: Writing) -> None:
    """Draw what is being written, and the button that stops it."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="being written"):
        st.button(_("Stop"), key="stop writing", type="primary", on_click=_stop, icon=":material/stop:")
        st.caption(_("{count} of {all} at most").format(count=len(now.done), all=_counted(now.count)))


def said(now: Writing) -> str:
    """What has been written in this go (Markdown)."""
    tail = hidden.text("".join(one.added for one in now.done))[-MOST_SAID:]
    return text.plain(tail.replace("\n", " ↵ "))


def written(s: NextWordState, model: str, count: int) -> Iterator[Generated]:
    """The next tokens, each as soon as it is written."""
    return model_cache.model(model).untraced.generate(
        ending.read_of(s, model),
        count,
        more=s.written.get(),
        temperature=s.temperature.get(),
        top_k=s.top_k.get() or None,
        top_p=s.top_p.get() if s.top_p.get() < 1 else None,
        min_p=s.min_p.get() or None,
        seed=s.seed.get(),
        stop=stops(s.stop.get()),
    )


def _why(s: NextWordState, now: Writing) -> str:
    """Why the text ends (Markdown)."""
    last = now.done[-1]
    added = "".join(one.added for one in now.done)
    found = [one for one in stops(s.stop.get()) if one in added]
    if found and added:
        words = [sentence("next-word.quoted", word=text.plain(one.replace("\n", "↵"))) for one in found]
        tokens = _counted(len(now.done))
        return sentence("next-word.stopped.words", words=listed(words), tokens=tokens)
    share = percent(last.probability)
    return sentence("next-word.stopped.end", token=last.token, share=share)


def _counted(count: int) -> str:
    return sentence("next-word.token" if count == 1 else "next-word.tokens", count=str(count))
