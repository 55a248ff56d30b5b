"""The sentences about a model that learns a text; each is computed from its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from core import sentences
from core.localization import N_, _, decimal, gettext, ngettext
from core.memory import cached
from core.own_text import Copied, TextRecipe, learned_share, readable, repeated, sentence_around
from core.own_text.recipe import LEAST_TEXT, MOST_TEXT, parted
from pages.training.captions import going, in_queue, steps_done
from pages.training.own_text import pictures
from ui import text

if TYPE_CHECKING:
    from core.own_text import Learned, Pause, TextRun
    from core.tasks.training.queue import TrainingQueue

_SAME = 0.005  # bits a letter that are no difference on the screen
_LETTERS, _KNOWN, _COPIED = 0.97, 0.75, 0.5  # shares of what it writes from which on it can do that
_BY_HEART = 0.8  # of what it writes stands in the text: from there on, it writes by heart
_KNOWS = (
    0.5  # bits a letter of what it reads: below, it knows the text, whatever it writes from nothing
)
_MEMORY = 0.5  # of the held-out end that is read as well: from there on, its bits tell memory
_WORSE = 0.1  # bits a letter above its best from which on it overfits
_TITLE = 24  # letters of a text that name it
FIRST = N_(
    "Paste a text of at least {least} letters, or choose a file. Then press **Start**. A longer text "
    "gives the model more to learn from."
)
PRIVATE = N_(
    "At most {most} letters. The text stays in the memory of this server: it is written to no "
    "disk and no log. After **Start**, the link of this page names the run: whoever has that link can "
    "get the text, as long as the server keeps the run. When the server stops, only this box still has "
    "it, as long as the page is open."
)
WHERE = N_(
    "On the server: faster, with attention and vectors while they form. In this tab: your browser "
    "trains on one thread, and your text never leaves it. The same recipe gives the same model, to "
    "rounding."
)
STEPS = N_(
    "How often the weights are updated. While it trains, the page says how many steps it makes a "
    "second."
)
LOST = N_(
    "The run in this link is not here: it is open in another session, or has ended with its own, or "
    "the server was started again. Press **Start**: the same text and recipe give the same numbers."
)
LOST_OWN = N_(
    "The run in this link is not here, nor is its text: they are open in another session, or have "
    "ended with their own, or the server was started again. Paste the text again and press **Start**: "
    "the same text and recipe give the same numbers. The link does not hold the text; it finds it only "
    "as long as the server keeps the run. A model that you saved is not lost: load its file below."
)
NOT_YET = N_(
    "When its training has ended or was stopped, the model goes on from your own beginning here."
)
_STATES = {
    "new": N_("Ready, {steps}"),
    "paused": N_("Paused, {steps}"),
    "stopped": N_("Stopped, {steps}"),
    "done": N_("Done, {steps}"),
    "failed": N_("Aborted, {steps}"),
}
_AWAY = N_("Paused while this page was closed at {steps}")
_SECOND = N_("Learn a second text as well, and let both models go on from the same words.")
SIDES = (":blue[A]", ":orange[B]")


def first() -> str:
    """What to do before there is a text (Markdown)."""
    return gettext(FIRST).format(least=LEAST_TEXT)


def private() -> str:
    """Where a text stays."""
    return gettext(PRIVATE).format(most=decimal(f"{MOST_TEXT:,}"))


def own_title(typed: str) -> str:
    """What a visitor's own text is called: by its first letters."""
    words = " ".join(typed[: 4 * _TITLE].split())
    short = words if len(words) <= _TITLE else f"{words[: _TITLE - 1].rstrip()}…"
    return _("Your text “{text}”").format(text=short)


def no_such_text(source: str) -> str:
    """A message on a link to a text that is not here (Markdown)."""
    said = _("There is no text “{text}” here. The first ready text is shown instead.")
    return said.format(text=text.plain(source))


def file_too_long() -> str:
    """Why a file is not read."""
    said = _("The text of this file has more than {most} characters. Take a part of it.")
    return said.format(most=decimal(f"{MOST_TEXT:,}"))


def refused(why: str, now: object) -> str:
    """A message on a value that no recipe has."""
    stays = _("It stays {now}.").format(now=decimal(str(now)))
    return f"{why[:1].upper()}{why[1:]} {stays}"


def progress(run: TextRun, queue: TrainingQueue) -> str:
    """The state of a run, in a line."""
    steps = steps_done(run.step, run.recipe.steps)
    if run.state == "waiting":
        return in_queue(queue.queue_position(run), queue.at_work)
    if run.is_ending:
        return _("Stops after this step …")
    if run.state == "training":
        if not (speed := run.speed):
            return going(steps, None)
        often = _("{speed} steps a second").format(speed=decimal(f"{speed:.1f}"))
        return f"{going(steps, run.seconds_left)} ({often})"
    away = run.state == "paused" and run.why
    return gettext(_AWAY if away else _STATES[run.state]).format(steps=steps)


def recipe(run: TextRun) -> str:
    """What the shown model has learned, and how."""
    of = run.recipe
    reads = _("letters")
    if of.kind != "letters":
        reads = _("letters and {count} byte pairs").format(count=of.pairs)
    layers = ngettext("{count} layer", "{count} layers", of.layers).format(count=of.layers)
    heads = ngettext("{count} head each", "{count} heads each", of.heads).format(count=of.heads)
    return _(
        "{title} ({letters} letters, the last tenth held out); reads {reads}; {layers}, {heads}, "
        "d_model {width}, window {window}, batches of {batch}, learning rate {rate}, {steps} steps, "
        "seed {seed}"
    ).format(
        title=run.title,
        letters=decimal(f"{len(run.text):,}"),
        reads=reads,
        layers=layers,
        heads=heads,
        width=of.width,
        window=of.window,
        batch=of.batch,
        rate=decimal(f"{of.rate:g}"),
        steps=decimal(f"{of.steps:,}"),
        seed=of.seed,
    )


def other_settings(run: TextRun, now: TextRecipe, its_text: str) -> str:
    """That the shown model was trained otherwise than the form says (Markdown); "" if it was not."""
    if run.recipe == now and run.text == its_text:
        return ""
    return _(
        "**The form above has changed since this model was trained.** Press **Start** to train another "
        "one; this one stays, for comparison."
    )


def another_text(run: TextRun, number: int, text_now: str) -> str:
    """That what is shown below a text was learned from another one; "" if it was not."""
    if run.text == text_now:
        return ""
    return _("This is run {number}, of another text than the one above.").format(number=number)


def vectors(run: TextRun, at: int) -> str:
    """What the picture of the vectors shows (Markdown)."""
    said = _("The {count} commonest, in a plane with {share} of their variance.").format(
        count=len(run.shown), share=sentences.percent(run.planes[at].share)
    )
    if pictures.has_vowels(run):
        more = _("Vowels are blue; nobody tells the model which letters are vowels.")
        said = f"{said} {more}"
    if name := pictures.byte_token(run, run.snapshots[at]):
        more = _(
            "*{name}* is a part of a character, by its bytes: an emoji, or a letter beyond ASCII, is "
            "several bytes, and each byte is a token unless a pair joins them."
        ).format(name=name)
        said = f"{said} {more}"
    return said


def folded(typed: str) -> str:
    """The label under which a text of one's own is folded while it is learned."""
    words = " ".join(typed[: 4 * _TITLE].split())
    short = words if len(words) <= _TITLE else f"{words[: _TITLE - 1].rstrip()}…"
    if not short:
        return _("Your text")
    return _("Your text “{text}” ({count} characters)").format(
        text=text.plain(short), count=decimal(f"{len(typed):,}")
    )


def headline(run: TextRun, pause: Pause) -> str:
    """What the model can do after so many steps (Markdown)."""
    if not pause.step:
        return sentences.sentence("own-text.before")
    return sentences.sentence("own-text.after", step=_step(pause), does=does(run, pause))


def numbers(run: TextRun, pause: Pause) -> str:
    """How the model does beside the 5-gram, and on what it has read (Markdown)."""
    said = sentences.sentence
    gap = round(pause.held, 2) - round(run.gram, 2)
    beside = said("own-text.beside", held=_two(pause.held), gram=_two(run.gram))
    share = memory(run.text)
    tells_memory = (
        "" if share < _MEMORY else f" {said('own-text.memory', share=sentences.percent(share))}"
    )
    if not pause.step:
        return said("own-text.numbers.before", beside=beside) + tells_memory
    kind = "equal" if abs(gap) < _SAME else "gram-wins" if gap > 0 else "model-wins"
    verdict = said(f"own-text.{kind}", gap=_two(abs(gap)))
    fit = overfitting(run, pause)
    return said("own-text.numbers", beside=beside, verdict=verdict, fit=fit) + tells_memory


@cached()
def memory(learned: str) -> float:
    """How much of the held-out end of a text stands in the part that is read, from 0 to 1."""
    read, held = parted(learned)
    return repeated(held, read)


def does(run: TextRun, pause: Pause) -> str:
    """What the model does by now, by what it writes: words of its own, words of the text, copies."""
    shares = learned_share(pause.sample, run.text)
    if shares.copied < _COPIED and pause.bits < _KNOWS:
        return sentences.sentence(
            "own-text.does.stumbles", bits=_two(pause.bits), share=sentences.percent(shares.words)
        )
    which = "words" if shares.words >= _KNOWN else "letters"
    if copies := shares.copied >= _COPIED:
        which = "copies" if shares.copied >= _BY_HEART else "stretches"
    share = shares.copied if copies else shares.words
    return sentences.sentence(f"own-text.does.{which}", share=sentences.percent(share))


def order(run: TextRun, pause: Pause) -> str:
    """In which order it was first able to do what (Markdown); "" for nothing.

    One sample may stumble again, and then `does` says so: what it once wrote, it had learned. Stretches
    of the text hold its words, and words its letters: neither comes before what it holds.
    """
    least = {"letters": _LETTERS, "words": _KNOWN, "copied": _COPIED}
    reached: dict[str, Pause] = {}
    for one in run.snapshots:
        shares = learned_share(one.sample, run.text)
        for what, share in least.items():
            if 0 < one.step <= pause.step and getattr(shares, what) >= share:
                reached.setdefault(what, one)
    for held, holder in (("words", "copied"), ("letters", "words")):
        if holder in reached and (held not in reached or reached[held].step > reached[holder].step):
            reached[held] = reached[holder]
    if not reached:
        return ""
    said = sentences.sentence
    came: dict[str, list[str]] = {}  # what it could do by a step
    for what, one in sorted(reached.items(), key=lambda item: (item[1].step, [*least].index(item[0]))):
        came.setdefault(_step(one), []).append(said(f"own-text.order.{what}"))
    told = [
        said(
            "own-text.order.together" if len(those) > 1 else "own-text.order.one",
            what=sentences.listed(those),
            step=step,
        )
        for step, those in came.items()
    ]
    order = reduce(lambda one, other: said("own-text.order.then", first=one, next=other), told)
    return said("own-text.order", order=order)


def try_next(run: TextRun) -> str:
    """What a visitor may do with a model that has learned (Markdown)."""
    last = run.snapshots[-1]
    which = "own-text.next"
    if learned_share(last.sample, run.text).copied >= _BY_HEART:
        which = "own-text.next-by-heart"
    elif last.bits < _KNOWS:
        which = "own-text.next-stumbles"
    elif _best(run, last) is not None:
        which = "own-text.next-overfits"
    return f"{sentences.sentence(which)} {gettext(_SECOND)}"


def overfitting(run: TextRun, pause: Pause) -> str:
    """Whether the model gets worse on what it does not read while it gets better on what it reads."""
    said, best = sentences.sentence, _best(run, pause)
    reads = said("own-text.reads", bits=_two(pause.bits))
    if best is None:
        return said("own-text.fits", reads=reads)
    return said("own-text.overfits", reads=reads, step=_step(best), held=_two(best.held))


def _best(run: TextRun, pause: Pause) -> Pause | None:
    """The pause from which on it has overfitted; None if it has not."""
    best = min((one for one in run.snapshots if one.step <= pause.step), key=lambda one: one.held)
    return None if pause.held - best.held < _WORSE or best.bits <= pause.bits else best


def _two(bits: float) -> str:
    return decimal(f"{bits:.2f}")


def _step(pause: Pause) -> str:
    return decimal(f"{pause.step:,}")


def share(written: str, copies: Sequence[Copied], learned: str) -> str:
    """How much of what a model wrote is copied (Markdown)."""
    noise = "" if readable(written, learned) == written else f" {sentences.sentence('own-text.noise')}"
    if not copies:
        return sentences.sentence("own-text.no-copies") + noise
    letters = sum(one.end - one.start for one in copies)
    share = sentences.percent(letters / len(written))
    if len(copies) == 1:
        return sentences.sentence("own-text.one-copy", share=share) + noise
    return sentences.sentence("own-text.copies", share=share, count=str(len(copies))) + noise


def longest(copies: Sequence[Copied], learned: str) -> str:
    """The longest copy, and the sentence that it comes from (Markdown); "" if there is none."""
    if not copies:
        return ""
    one = max(copies, key=lambda copy: copy.end - copy.start)
    source = sentence_around(learned, one.source, one.source + one.end - one.start)
    said = text.plain(" ".join(source.split()))
    return sentences.sentence("own-text.longest", count=str(one.end - one.start), **{"from": said})


def pauses(run: TextRun) -> str:
    """What the model wrote at every pause, a line each (Markdown)."""
    lines = []
    for one in run.snapshots:
        said = text.plain(" ".join(readable(one.sample[:110], run.text).split()))
        line = sentences.sentence("own-text.pause", step=_step(one), bits=_two(one.held), said=said)
        lines.append(f"- {line}")
    return "\n".join(lines)


def model_title(run: TextRun) -> str:
    """The title of a model in lists."""
    return _("{title}, {reads}, {steps} steps, seed {seed}").format(
        title=run.title,
        reads=_reads(run.recipe),
        steps=decimal(f"{run.step:,}"),
        seed=run.recipe.seed,
    )


def loaded_title(learned: Learned) -> str:
    """The title of a model from a file."""
    return _("A text from a file, {reads}, {steps} steps").format(
        reads=_reads(learned.recipe), steps=decimal(f"{learned.steps:,}")
    )


def _reads(recipe: TextRecipe) -> str:
    return _("letters") if recipe.kind == "letters" else _("byte pairs")


def run_title(run: TextRun, number: int) -> str:
    """The title of a run in the list of runs."""
    return f"{number}: {run.title}"
