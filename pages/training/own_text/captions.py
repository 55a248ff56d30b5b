"""The sentences about a model that learns a text; each is computed from its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core import sentences
from core.own_text import Copied, TextRecipe, sentence_around
from core.own_text.recipe import LEAST_TEXT, MOST_TEXT
from pages.training.captions import in_queue
from ui import text

if TYPE_CHECKING:
    from core.own_text import Pause, TextRun
    from core.tasks.training.queue import TrainingQueue

_SAME = 0.005  # bits a letter that are no difference on the screen
_WORSE = 0.1  # bits a letter above its best from which on it overfits
_TITLE = 24  # letters of a text that name it
FIRST = (
    f"Paste a text of at least {LEAST_TEXT} letters, or choose a file. Then press **Start**. A longer "
    "text gives the model more to learn from."
)
PRIVATE = (
    f"At most {MOST_TEXT:,} letters. The text stays in the memory of this server: it is written to no "
    "disk and no log. After **Start**, the link of this page names the run: whoever has that link can "
    "get the text, as long as the server keeps the run. When the server stops, only this box still has "
    "it, as long as the page is open."
)
WHERE = (
    "On the server: faster, with attention and vectors while they form. In this tab: your browser "
    "trains on one thread, and your text never leaves it. The same recipe gives the same model, to "
    "rounding."
)
KINDS = sentences.sentence("own-text.kinds")
STEPS = (
    "How often the weights are updated. The usual 400 take one core of a processor about 15 seconds."
)
LOST = (
    "The run in this link is not here: it is open in another session, or has ended with its own, or "
    "the server was started again. Press **Start**: the same text and recipe give the same numbers."
)
LOST_OWN = (
    "The run in this link is not here, nor is its text: they are open in another session, or have "
    "ended with their own, or the server was started again. Paste the text again and press **Start**: "
    "the same text and recipe give the same numbers. The link does not hold the text; it finds it only "
    "as long as the server keeps the run. A model that you saved is not lost: load its file below."
)
NOT_YET = "When its training has ended or was stopped, the model goes on from your own beginning here."
NO_TEXT = sentences.sentence("own-text.no-text")
SIDES = (":blue[A]", ":orange[B]")


def own_title(typed: str) -> str:
    """What a visitor's own text is called: by its first letters."""
    words = " ".join(typed[: 4 * _TITLE].split())
    short = words if len(words) <= _TITLE else f"{words[: _TITLE - 1].rstrip()}…"
    return f"Your text “{short}”"


def no_such_text(source: str) -> str:
    """A message on a link to a text that is not here (Markdown)."""
    return f"There is no text “{text.plain(source)}” here. The first ready text is shown instead."


def file_too_long() -> str:
    """Why a file is not read."""
    return f"The text of this file has more than {MOST_TEXT:,} characters. Take a part of it."


def refused(why: str, now: object) -> str:
    """A message on a value that no recipe has."""
    return f"{why[:1].upper()}{why[1:]} It stays {now}."


def progress(run: TextRun, queue: TrainingQueue) -> str:
    """The state of a run, in a line."""
    steps = f"step {run.step:,} of {run.recipe.steps:,}"
    if run.state == "waiting":
        return in_queue(queue.queue_position(run), queue.at_work)
    if run.state == "training":
        left = run.seconds_left
        return steps.capitalize() + ("" if left is None else f", {text.time_left(left)}")
    if run.state == "paused" and run.why:
        return f"Paused while this page was closed at {steps}"
    return {"done": "Done", "failed": "Aborted"}.get(run.state, run.state.capitalize()) + f", {steps}"


def recipe(run: TextRun) -> str:
    """What the shown model has learned, and how."""
    of, kind = run.recipe, run.recipe.kind
    reads = "letters" if kind == "letters" else f"letters and {of.pairs} byte pairs"
    layers = f"{of.layers} layer{'s' * (of.layers != 1)}"
    return (
        f"{run.title} ({len(run.text):,} letters, the last tenth held out); reads {reads}; {layers} of "
        f"{of.heads} head{'s' * (of.heads != 1)}, d_model {of.width}, window {of.window}, batches of "
        f"{of.batch}, learning rate {of.rate:g}, {of.steps:,} steps, seed {of.seed}"
    )


def other_settings(run: TextRun, now: TextRecipe, its_text: str) -> str:
    """That the shown model was trained otherwise than the form says (Markdown); "" if it was not."""
    if run.recipe == now and run.text == its_text:
        return ""
    return (
        "**The form above has changed since this model was trained.** Press **Start** to train another "
        "one; this one stays, for comparison."
    )


def headline(run: TextRun, pause: Pause) -> str:
    """Bits a letter of the held-out text beside the 5-gram, and whether it overfits (Markdown)."""
    said = sentences.sentence
    gap = round(pause.held, 2) - round(run.gram, 2)
    beside = said("own-text.beside", held=f"{pause.held:.2f}", gram=f"{run.gram:.2f}")
    if not pause.step:
        return said("own-text.before", beside=beside)
    kind = "equal" if abs(gap) < _SAME else "gram-wins" if gap > 0 else "model-wins"
    verdict = said(f"own-text.{kind}", gap=f"{abs(gap):.2f}")
    fit = overfitting(run, pause)
    return said("own-text.after", step=f"{pause.step:,}", beside=beside, verdict=verdict, fit=fit)


def overfitting(run: TextRun, pause: Pause) -> str:
    """Whether the model gets worse on what it does not read while it gets better on what it reads."""
    said = sentences.sentence
    before = [one for one in run.snapshots if one.step <= pause.step]
    best = min(before, key=lambda one: one.held)
    reads = said("own-text.reads", bits=f"{pause.bits:.2f}")
    if pause.held - best.held < _WORSE or best.bits <= pause.bits:
        return said("own-text.fits", reads=reads)
    return said("own-text.overfits", reads=reads, step=f"{best.step:,}", held=f"{best.held:.2f}")


def share(written: str, copies: Sequence[Copied]) -> str:
    """How much of what a model wrote is copied (Markdown)."""
    if not copies:
        return sentences.sentence("own-text.no-copies")
    letters = sum(one.end - one.start for one in copies)
    count = f"{len(copies)} stretch{'es' * (len(copies) != 1)}"
    part = sentences.percent(letters / len(written))
    return sentences.sentence("own-text.copies", share=part, count=count)


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
        said = text.plain(" ".join(one.sample[:110].split()))
        lines.append(f"- **Step {one.step:,}** ({one.held:.2f} bits): {said}")
    return "\n".join(lines)


def model_title(run: TextRun) -> str:
    """The title of a model in lists."""
    reads = "letters" if run.recipe.kind == "letters" else "byte pairs"
    return f"{run.title}, {reads}, {run.step:,} steps, seed {run.recipe.seed}"


def run_title(run: TextRun, number: int) -> str:
    """The title of a run in the list of runs."""
    return f"{number}: {run.title}"
