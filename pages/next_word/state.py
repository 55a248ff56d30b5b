"""The fields of the Next word page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.language.in_context import CAPITALS
from core.language.repetition import FEWEST, MOST
from core.localization import N_
from pages.next_word.conversation import MESSAGE, Turns, turns, turns_written
from ui import formats, permalink
from ui.session import SessionValue
from ui.state import Choice, Field, Location, PageState, Real, Switch, Whole, thread
from ui.state.thread import Strand

VIEWS = {
    "next": N_("What comes next"),
    "layers": N_("Layer by layer"),
    "why": N_("Why this word"),
    "prompts": N_("Two prompts"),
    "copying": N_("It copies"),
    "chat": N_("Chat"),
}
LENSES = {"fitted": N_("Fitted lens"), "plain": N_("Plain lens")}
OPENING = "When Mary and John went to the store, John gave a drink to"
SECOND = "When Mary and John went to the store, Mary gave a drink to"
PATCHED = {"position": N_("States: layer × token"), "head": N_("Heads: layer × head")}
LAST, ALL = 0, -1  # where a head is exchanged; or a token, from 1
MODEL_NAME = "smollm2"
COPYING_MEASURES = {
    "induction": N_("Induction"),
    "previous": N_("Previous token"),
    "duplicate": N_("Duplicate token"),
    "sink": N_("First token"),
}
COPYING_SOURCES = {"words": N_("Common words"), "tokens": N_("The whole vocabulary")}
MOST_WRITTEN = 200  # tokens behind the text
MOST_PATHS = 24  # continuations that the tree keeps
Path = tuple[int, ...]

# Behind a text of a model: all that was tried in this session, which an older entry of the browser's
# history does not hold; and how often a button had set the page when Back or Forward last led here.
_TREE = SessionValue[tuple[tuple[str, str], tuple[Path, ...]]]("next word tree", (("", ""), ()))
_BACK = SessionValue("next word back", -1)

_ID = formats.Whole(0, 9_999_999)
_IDS = formats.Listed(_ID)
_WRITTEN = formats.Listed(_ID, most=MOST_WRITTEN)
# One of several, between which "_" stands: no text stands for an empty one.
_PATH = formats.Listed(_ID, none="_", most=MOST_WRITTEN)
_PAIR = formats.Dotted((_ID, _ID))
_BRANCH = formats.Whole(0, MOST_PATHS - 1)


class NextWordState(PageState):
    """The text, what was written behind it, all that was tried, and how a token is drawn."""

    model = Field("m", "next word model", MODEL_NAME, parse=formats.Name())
    view = Choice("p", "next word view", "next", VIEWS)
    text = Field("t", "next word text", OPENING, parse=str)
    written = Field[Path]("g", "next word written", (), parse=_WRITTEN)
    tried = Field[tuple[Path, ...]](
        "br", "next word tried", (), parse=formats.Listed(_PATH, between="_", most=MOST_PATHS)
    )
    temperature = Real("tm", "next word temperature", 1.0, 0.0, 2.0)
    top_k = Whole("tk", "next word top k", 0, 0, 1_000)  # 0 for all
    top_p = Real("tp", "next word top p", 1.0, 0.05, 1.0)
    min_p = Real("mp", "next word min p", 0.0, 0.0, 1.0)
    seed = Whole("se", "next word seed", 13, 0, 999_999)
    stop = Field("st", "next word stop", "", parse=str)
    python = Switch("py", "next word python")
    # What comes next: a second text, and the folds.
    other = Field("o", "next word other text", "The bank closed.", parse=str)
    beside = Switch("bd", "next word beside")
    keeps = Switch("kp", "next word keeps")
    guessing = Switch("gs", "next word guessing")  # nobody sees what comes next before a class is asked
    leaves = Field("lv", "next word leaves", (0, 1), parse=formats.Dotted((_BRANCH, _BRANCH)))
    # Layer by layer: the lens, a word to follow, the chosen token (from 1; 0 for the last) and layer (0
    # for the input; 999 for the last).
    lens = Choice("ln", "next word lens", "fitted", LENSES)
    lens_word = Field("lw", "next word lens word", "", parse=str)
    lens_token = Whole("la", "next word lens token", 0, 0, 9_999)
    lens_depth = Whole("lay", "next word lens layer", 999, 0, 999)
    # Two prompts
    second = Field("t2", "next word second", SECOND, parse=str)
    patched = Choice("pb", "next word patched", "position", PATCHED)
    patched_at = Whole("pa", "next word patched at", LAST, ALL, 9_999)
    answer_a = Field("wa", "next word answer a", "", parse=str)
    answer_b = Field("wb", "next word answer b", "", parse=str)
    cell = Field[Path](
        "pc", "next word cell", (), parse=formats.Either("", (), _PAIR)
    )  # depth, position
    # the view Chat: `pages/next_word/chat/`
    chat_system = Field("cs", "next word chat system", "", parse=str)
    chat_message = Field("cm", "next word chat message", MESSAGE, parse=str)
    chat_turns = Field[Turns]("ct", "next word chat turns", (), parse=turns, write=turns_written)
    chat_answer = Field[Path]("ca", "next word chat answer", (), parse=_WRITTEN)
    chat_at = Whole("ck", "next word chat at", -1, -1, 9_999)  # the token behind which; −1 for the last
    # It copies
    copied_length = Whole("il", "copying length", 25, FEWEST, MOST)
    copied_seed = Whole("iz", "copying seed", 1, 0, 999_999)
    copied_from = Choice("iv", "copying source", "words", COPYING_SOURCES)
    copied_without = Whole("ia", "copying without", 3, 0, 10)
    copied_measure = Choice("im", "copying measure", "induction", COPYING_MEASURES)
    copied_head = Whole("ih", "copying head", 0, 0, 99_999)  # from 1, over all layers; 0 for none
    copied_shots = Switch("ix", "copying shots")
    copied_pairs = Field("ip", "copying pairs", CAPITALS, parse=str)
    copied_sink = Switch("ik", "copying sink")
    copied_hidden = Switch("iq", "copying hidden")
    # Why this word
    explained = Field("wy", "next word explained", "", parse=str)  # "" for the likeliest
    rather = Field("wo", "next word rather", "", parse=str)  # "" for its rival, "-" for none
    at = Whole("at", "next word at", 0, 0, 9_999)  # the token that predicts, from 1; 0 for the last
    cut = Field[Path]("wc", "next word cut", (), parse=_IDS)  # tokens, from 1
    ablated = Field[tuple[Path, ...]](
        "wh", "next word ablated", (), parse=formats.Listed(_PAIR, between="_", most=MOST_PATHS)
    )  # layer and head, from 1
    replaced = Whole("wr", "next word replaced", 0, 0, 9_999)  # a word, from 1; 0 for none
    by = Field("wn", "next word by", "", parse=str)

    @classmethod
    def thread(cls) -> Mapping[str, Strand]:
        """The text."""
        return {"sentence": thread.sentence(cls.text)}

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """What comes out behind the last layer."""
        return (Location("vector"),)

    def enter(self, along: Mapping[str, Any]) -> None:
        """Another text has its own continuations."""
        if along.get("sentence", self.text.get()) != self.text.get():
            self.forget()
        super().enter(along)

    def complete(self) -> None:
        """Note that Back or Forward led here: what was tried since is still there (`branches`)."""
        if permalink.by_history():
            _BACK.set(permalink.now().went)

    def branches(self) -> tuple[Path, ...]:
        """All continuations that were tried: those of the link, and after Back those written since."""
        own, (about, since) = self.tried.get(), _TREE.get()
        if about != (self.model.get(), self.text.get()) or _BACK.get() != permalink.now().went:
            return own
        for ids in since:
            own = with_path(own, ids)
        return own

    def forget(self) -> None:
        """Forget what was written, which belongs to one text of one model."""
        self.written.set(())
        self.tried.set(())
        self.unchange()

    def unchange(self) -> None:
        """Forget the words that are explained, and the changes: they belong to one text."""
        self.explained.set("")
        self.rather.set("")
        self.at.set(0)
        self.cut.set(())
        self.ablated.set(())
        self.replaced.set(0)
        self.by.set("")

    def uncell(self) -> None:
        """Forget the chosen run of two prompts."""
        self.cell.set(())

    def sampling(self) -> dict[str, Any]:
        """How a token is drawn, in the format of the picture's state."""
        return {
            "temperature": self.temperature.get(),
            "topK": self.top_k.get(),
            "topP": self.top_p.get(),
            "minP": self.min_p.get(),
        }

    def take_sampling(self, state: Mapping[str, Any]) -> None:
        """Take what a visitor chose in the picture."""
        self.temperature.set(float(state["temperature"]))
        self.top_k.set(int(state["topK"]))
        self.top_p.set(float(state["topP"]))
        self.min_p.set(float(state["minP"]))

    def put(self, ids: Path) -> None:
        """Go to a continuation, and keep it among those that were tried."""
        ids = ids[:MOST_WRITTEN]
        self.written.set(ids)
        if ids:
            self.tried.set(with_path(self.branches(), ids))
            _TREE.set(((self.model.get(), self.text.get()), self.tried.get()))


def with_path(tried: Sequence[Path], ids: Path) -> tuple[Path, ...]:
    """Continuations with one more; those that it goes on from are parts of it."""
    kept = [one for one in tried if one != ids[: len(one)]]
    if not any(one[: len(ids)] == ids for one in kept):
        kept.append(ids)
    return tuple(kept[-MOST_PATHS:])
