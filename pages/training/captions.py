"""The captions of the Training page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core import sentences
from core.tasks import BOUNDS, TASKS
from core.tasks.languages import readable
from core.tasks.languages.senses import SENSES
from core.tasks.languages.task import Task
from core.tasks.training.batches import NOWHERE
from ui import text

if TYPE_CHECKING:
    from core.records.frozen import Array
    from core.tasks import Recipe, Snapshot, Trained
    from core.tasks.training.queue import TrainingQueue
    from core.tasks.training.run import Run
    from pages.training.pictures import Seen

_NEEDED = 0.1  # of an accuracy that a cut takes away
LOST = (
    "The run in this link no longer exists: runs last only for a session, and end when the "
    "server restarts. The same recipe gives the same numbers again."
)
LOST_BESIDE = (
    "The run to compare with no longer exists: a session keeps its six newest runs. Train "
    "it again to compare."
)
IT_COPIES = "The same in a language model: It copies, in Next word"
ABOUT = {
    "accuracy": "on unseen examples",
    "pattern": "of rows attend correctly",
    "loss": "nats (−ln p of the right word)",
}
# Settings in which two runs of a task may differ, those changed most often first.
_APART = {
    "learning_rate": "rate {:g}",
    "steps": "{:,} steps",
    "n_heads": "heads {}",
    "d_model": "d_model {}",
    "d_ff": "d_ff {}",
    "batch": "batch {}",
    "warm_up": "warm-up {}",
    "decay": "decay {}",
    "guidance": "guidance {:g}",
}
# What each setting is called in a sentence, in the order of the form.
_CALLED = {
    "seed": "seed",
    "steps": "steps",
    "learning_rate": "learning rate",
    "n_encoder_layers": "encoder layers",
    "n_decoder_layers": "decoder layers",
    "n_heads": "heads",
    "n_cross_heads": "cross heads",
    "d_model": "d_model",
    "d_ff": "d_ff",
    "batch": "batch",
    "warm_up": "warm-up steps",
    "decay": "decay",
    "positions": "positions",
    "norm_first": "layer norm before each part",
    "guidance": "guidance",
}
_STATES = {"paused": "Paused", "stopped": "Stopped", "failed": "Aborted"}


def percent(share: float) -> str:
    """A share, never rounded up to a goal that is not reached."""
    return sentences.percent(share, down=True)


def title(run: Run, number: int) -> str:
    """The title of a run in a list."""
    return f"{number}: {run.recipe.task}"


def beside(run: Run, number: int) -> str:
    """The title of a run in a list of runs of one task: its seed, and what differs from the default."""
    own, default = run.recipe.to_dict(), TASKS[run.recipe.task].recipe.to_dict()
    apart = [form.format(own[name]) for name, form in _APART.items() if own[name] != default[name]]
    return f"{number}: {', '.join([*apart[:1], f'seed {run.recipe.seed}', *apart[1:3]])}"


def recipe(run: Recipe, changes: Sequence[tuple[int, float]] = ()) -> str:
    """The settings that a run was trained with: what the form shows first, and what is not the default.

    Args:
        run: its recipe.
        changes: (step, learning rate) for each change of the rate by hand.
    """
    own, default = run.to_dict(), TASKS[run.task].recipe.to_dict()
    said = (
        "seed",
        "steps",
        "learning_rate",
        "batch",
        "n_encoder_layers",
        "n_decoder_layers",
        "n_heads",
    )
    first = (
        f"seed {run.seed}, {run.steps:,} step{'s' * (run.steps != 1)}, learning rate "
        f"{run.learning_rate:g}, batches of {run.batch}"
    )
    others = [name for name in _CALLED if name not in said and own[name] != default[name]]
    named = [first, *(f"{_CALLED[name]} {_setting(own[name])}" for name in others)]
    by_hand = [f"from step {step:,} at rate {rate:g}, by hand" for step, rate in changes]
    return f"{TASKS[run.task].title}: {', '.join([*named, shape(run), *by_hand])}"


def other_settings(run: Recipe, now: Mapping[str, Any]) -> str:
    """In what the settings of a run differ from those of the form (Markdown); "" if in nothing."""
    own = run.to_dict()
    apart = [
        f"{_CALLED[name]} {_setting(own[name])} (above: {_setting(now[name])})"
        for name in _CALLED
        if own[name] != now[name]
    ]
    if not apart:
        return ""
    return (
        f"**Trained with other settings**: {', '.join(apart)}. Press **Start** to train with those "
        "above."
    )


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return (
        f"{value:,}"
        if isinstance(value, int)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )


def refused(title: str, name: str, typed: float, now: float) -> str:
    """A message on a number that a recipe cannot have: the permitted range, and the current value."""
    least, most = (f"{bound:f}".rstrip("0").rstrip(".") for bound in BOUNDS[name])
    return f"“{title}” can be from {least} to {most}, not {typed:.10g}. It stays {now:.10g}."


def progress(run: Run, queue: TrainingQueue) -> str:
    """The state of a run, in a line."""
    steps = f"step {run.step:,} of {run.recipe.steps:,}"
    if run.state == "waiting":
        return in_queue(queue.queue_position(run), queue.at_work)
    if run.state == "training":
        left = run.seconds_left
        return steps.capitalize() + ("" if left is None else f", {text.time_left(left)}")
    if run.state == "done":
        last = run.snapshots[-1]
        met = TASKS[run.recipe.task].goal.met(last.accuracy, last.pattern)
        return f"Done, {steps}: goal {'' if met else 'not '}reached"
    away = " while this page was closed" if run.state == "paused" and run.why else ""
    return f"{_STATES.get(run.state, 'Ready')}{away} at {steps}"


def in_queue(position: int, training: int) -> str:
    """The message for a visitor in the queue."""
    people = "1 person is" if training == 1 else f"{training} people are"
    before = "you are next in the queue" if position <= 1 else f"{position - 1} in the queue before you"
    return f"{people} training; {before}"


def number(what: str, runs: Sequence[Seen], shown: Sequence[int]) -> str:
    """The heading of a curve, with its value at the step shown (Markdown)."""
    values = [float(getattr(run.snapshots[at], what)) for run, at in zip(runs, shown, strict=True)]
    written = [f"{value:.2f}" if what == "loss" else percent(value) for value in values]
    chance = runs[0].snapshots[shown[0]].random_loss
    if what == "loss" and len(values) == 1 and chance == chance:  # not NaN: a half is random
        return f"**Loss** {chance:.2f} nats in the first half, **{written[0]}** in the second"
    if len(written) == 2:  # there is little room
        written = [f"{v:.2f}" if what == "loss" else f"{int(100 * v + 1e-6)} %" for v in values]
        return f"**{what.capitalize()}** :blue[● {written[0]}] :orange[■ {written[1]}]"
    return f"**{what.capitalize()}** {written[0]} {ABOUT[what]}"


def map_title(side: int, count: int, snapshot: Snapshot) -> str:
    """The heading of a map (Markdown)."""
    if count == 1:
        return f"**Which token attends to which** after step {snapshot.step:,}"
    return (
        f"**Which token attends to which**, {(':blue[A ●]', ':orange[B ■]')[side]} at {snapshot.step:,}"
    )


def writes(task: Task, snapshot: Snapshot) -> str:
    """The model's output for the probe at a snapshot (Markdown)."""
    predicted_at = [i for i, word in enumerate(snapshot.wanted) if word]
    if task.kind == "masked":
        got, want = snapshot.predicted[predicted_at[-1]], snapshot.wanted[predicted_at[-1]]
        return f"Predicts at the mask: {_sense(got, want)}"
    pairs = [(snapshot.wanted[i], snapshot.predicted[i]) for i in predicted_at]
    words = [f"**{text.plain(got)}**" if got == want else text.plain(got) for want, got in pairs]
    right = sum(want == got for want, got in pairs)
    verb = {"pair": "Writes", "next": "Foresees"}[task.kind]
    return f"{verb}: {' '.join(words)} ({right} of {len(pairs)} tokens right)"


def _sense(got: str, want: str) -> str:
    """A word, and its sense: any word of the right sense counts as correct."""
    word, (right, wrong) = next(
        (word, (did, [verb for verbs in senses.values() for verb in verbs if verbs is not did]))
        for word, senses in SENSES.items()
        for did in senses.values()
        if want in did
    )
    if got in right:
        return f"**{text.plain(got)}** (the right sense of “{word}”)"
    other = "the other sense" if got in wrong else "neither sense"
    return f"{text.plain(got)} ({other} of “{word}”)"


def words(seen: Seen, at: int) -> str:
    """The heading of the picture of words, or of the letters that a task has for words (Markdown)."""
    what = "Letters" if TASKS[seen.recipe.task].target.cut == "letters" else "Words"
    return f"**{what}**, in a plane with {percent(seen.planes[at].share)} of their variance"


def shape(recipe: Recipe) -> str:
    """The model of a recipe, in words."""
    halves = [
        f"{n} {half} layer{'s' * (n != 1)}"
        for half, n in (("encoder", recipe.n_encoder_layers), ("decoder", recipe.n_decoder_layers))
        if n
    ]
    return f"{' and '.join(halves)}, {recipe.n_heads} head{'s' * (recipe.n_heads != 1)} each"


def task(name: Recipe) -> str:
    """The task: an example or two, and the goal (Markdown)."""
    of = TASKS[name.task]
    probe = readable.text_of(of, of.probe())
    more = readable.examples(of, 2)
    examples = "; ".join(
        f"*{text.plain(one.input)}* → **{text.plain(one.output)}**" for one in (probe, *more)
    )
    return examples


def rows_alike(task: Task, queries: Sequence[str], weights: Array) -> str:
    """How many rows attend most to the token that the task is about, and why; "" for other tasks.

    Args:
        task: the task.
        queries: the names of the rows.
        weights: (queries, keys) of one head.
    """
    if task.kind != "masked":
        return ""
    ((row, key),) = ((i, key) for i, key in enumerate(task.probe().attend_to) if key != NOWHERE)
    there = weights.argmax(axis=1) == key
    count, own = int(there.sum()), f"*{text.plain(queries[row])}*"
    cue = f"*{text.plain(queries[key])}*"
    if not there[row]:
        return (
            f"Here {count} of {len(queries)} rows have their largest weight on {cue}; that of {own} "
            "has not."
        )
    if count == 1:
        return f"Here the row of {own} alone has its largest weight on {cue}."
    return (
        f"Here **{count} of {len(queries)}** rows have their largest weight on {cue}, and not that of "
        f"{own} alone. Only the rows of {own} and of masked words are asked for a prediction; the "
        "others are never trained, and follow because nothing keeps them elsewhere. The pattern counts "
        f"the row of {own}."
    )


def needed(accuracy: float, without: float) -> str:
    """Whether the pattern is needed for the predictions, by an intervention (Markdown).

    Args:
        accuracy: on held-out examples.
        without: on the same ones, while no row attends where it should.
    """
    first = (
        "**Is the attention needed?** Yes"
        if accuracy - without > _NEEDED
        else "**Is the attention needed?** Not for these predictions"
    )
    return (
        f"{first}: with the weight from the ambiguous word to its cue set to 0, and the others sharing "
        f"it, the accuracy on 128 unseen sentences goes from {percent(accuracy)} to "
        f"**{percent(without)}**. Guessing between two senses gives 50 %. That the pattern and the "
        "accuracy rise together shows no cause; this does."
    )


def goal(run: Run) -> str:
    """Whether the goal was reached (Markdown)."""
    wanted, last = TASKS[run.recipe.task].goal, run.snapshots[-1]
    measured = (
        f"accuracy {percent(last.accuracy)} (goal {percent(wanted.accuracy)}), "
        f"pattern {percent(last.pattern)} (goal {percent(wanted.pattern)}) at step {last.step:,}"
    )
    met = wanted.met(last.accuracy, last.pattern)
    first = "Learned" if met else "The goal is not reached"
    return f"**{first}**: {measured}, after {last.seconds:.0f} s of training."


def not_started(written: str) -> str:
    """Before the first step (Markdown)."""
    from core.tasks.training import recipe_code

    recipe = recipe_code.read(written)
    goals = TASKS[recipe.task].goal
    return (
        f"Not started: these are random weights ({shape(recipe)}). The task: "
        f"{task(recipe)}. The goal: accuracy {percent(goals.accuracy)}, pattern "
        f"{percent(goals.pattern)}. Press **Start**."
    )


def model_title(run: Run) -> str:
    """The title of a model that was trained in this session."""
    return f"Your {run.recipe.task}, seed {run.recipe.seed}, {run.step:,} steps"


def loaded_title(model: Trained) -> str:
    """The title of a model from a file."""
    return f"Your {model.recipe.task} from a file, seed {model.recipe.seed}, {model.steps:,} steps"
