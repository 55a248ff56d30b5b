"""The captions of the Training page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core import sentences
from core.localization import N_, _, decimal, each, gettext, ngettext, pgettext
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
LOST = N_(
    "The run in this link no longer exists: runs last only for a session, and end when the "
    "server restarts. The same recipe gives the same numbers again."
)
LOST_BESIDE = N_(
    "The run to compare with no longer exists: a session keeps its six newest runs. Train "
    "it again to compare."
)
IT_COPIES = N_("The same in a language model: It copies, in Next word")
NAMES = {"accuracy": N_("accuracy"), "pattern": N_("pattern"), "loss": N_("loss")}
_HEADINGS = {"accuracy": N_("Accuracy"), "pattern": N_("Pattern"), "loss": N_("Loss")}
_NUMBERS = {
    "accuracy": N_("**Accuracy** {value} on unseen examples"),
    "pattern": N_("**Pattern** {value} of rows attend correctly"),
    "loss": N_("**Loss** {value} nats (−ln p of the right word)"),
}
# Settings in which two runs of a task may differ, those changed most often first.
_APART = {
    "learning_rate": N_("rate {value}"),
    "steps": N_("{value} steps"),
    "n_heads": N_("heads {value}"),
    "d_model": N_("d_model {value}"),
    "d_ff": N_("d_ff {value}"),
    "batch": N_("batch {value}"),
    "warm_up": N_("warm-up {value}"),
    "decay": N_("decay {value}"),
    "guidance": N_("guidance {value}"),
}
# What each setting is called in a sentence, in the order of the form.
_CALLED = {
    "seed": N_("seed"),
    "steps": N_("steps"),
    "learning_rate": N_("learning rate"),
    "n_encoder_layers": N_("encoder layers"),
    "n_decoder_layers": N_("decoder layers"),
    "n_heads": N_("heads"),
    "n_cross_heads": N_("cross heads"),
    "d_model": N_("d_model"),
    "d_ff": N_("d_ff"),
    "batch": N_("batch"),
    "warm_up": N_("warm-up steps"),
    "decay": N_("decay"),
    "positions": N_("positions"),
    "norm_first": N_("layer norm before each part"),
    "guidance": N_("guidance"),
}
# The values of a recipe that are words.
VALUES = {
    "none": N_("none"),
    "linear": N_("linear"),
    "cosine": N_("cosine"),
    "sinusoidal": N_("sinusoidal"),
    "learned": N_("learned"),
    "rotary": N_("rotary"),
}
_STATES = {
    "new": N_("Ready at {steps}"),
    "paused": N_("Paused at {steps}"),
    "stopped": N_("Stopped at {steps}"),
    "failed": N_("Aborted at {steps}"),
}


def percent(share: float) -> str:
    """A share, never rounded up to a goal that is not reached."""
    return sentences.percent(share, down=True)


def title(run: Run, number: int) -> str:
    """The title of a run in a list."""
    return f"{number}: {run.recipe.task}"


def beside(run: Run, number: int) -> str:
    """The title of a run in a list of runs of one task: its seed, and what differs from the default."""
    own, default = run.recipe.to_dict(), TASKS[run.recipe.task].recipe.to_dict()
    apart = [
        gettext(form).format(value=_setting(own[name]))
        for name, form in _APART.items()
        if own[name] != default[name]
    ]
    seed = _("seed {value}").format(value=run.recipe.seed)
    return f"{number}: {', '.join([*apart[:1], seed, *apart[1:3]])}"


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
    first = ngettext(
        "seed {seed}, {steps} step, learning rate {rate}, batches of {batch}",
        "seed {seed}, {steps} steps, learning rate {rate}, batches of {batch}",
        run.steps,
    ).format(
        seed=run.seed,
        steps=decimal(f"{run.steps:,}"),
        rate=decimal(f"{run.learning_rate:g}"),
        batch=run.batch,
    )
    others = [name for name in _CALLED if name not in said and own[name] != default[name]]
    named = [first, *(f"{gettext(_CALLED[name])} {_setting(own[name])}" for name in others)]
    by_hand = [
        _("from step {step} at rate {rate}, by hand").format(
            step=decimal(f"{step:,}"), rate=decimal(f"{rate:g}")
        )
        for step, rate in changes
    ]
    return f"{gettext(TASKS[run.task].title)}: {', '.join([*named, shape(run), *by_hand])}"


def other_settings(run: Recipe, now: Mapping[str, Any]) -> str:
    """In what the settings of a run differ from those of the form (Markdown); "" if in nothing."""
    own = run.to_dict()
    apart = [
        _("{setting} {value} (above: {now})").format(
            setting=gettext(_CALLED[name]), value=_setting(own[name]), now=_setting(now[name])
        )
        for name in _CALLED
        if own[name] != now[name]
    ]
    if not apart:
        return ""
    return _(
        "**Trained with other settings**: {settings}. Press **Start** to train with those above."
    ).format(settings=", ".join(apart))


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return pgettext("a setting", "on") if value else pgettext("a setting", "off")
    if isinstance(value, int):
        return decimal(f"{value:,}")
    return decimal(f"{value:g}") if isinstance(value, float) else choices()[str(value)]


def choices() -> dict[str, str]:
    """The values of a recipe that are words, as the screen calls them."""
    return each(VALUES)


def refused(title: str, name: str, typed: float, now: float) -> str:
    """A message on a number that a recipe cannot have: the permitted range, and the current value."""
    least, most = (decimal(f"{bound:f}".rstrip("0").rstrip(".")) for bound in BOUNDS[name])
    return _("“{title}” can be from {least} to {most}, not {typed}. It stays {now}.").format(
        title=title,
        least=least,
        most=most,
        typed=decimal(f"{typed:.10g}"),
        now=decimal(f"{now:.10g}"),
    )


def progress(run: Run, queue: TrainingQueue) -> str:
    """The state of a run, in a line."""
    steps = steps_done(run.step, run.recipe.steps)
    if run.state == "waiting":
        return in_queue(queue.queue_position(run), queue.at_work)
    if run.state == "training":
        return going(steps, run.seconds_left)
    if run.state == "done":
        last = run.snapshots[-1]
        met = TASKS[run.recipe.task].goal.met(last.accuracy, last.pattern)
        said = _("Done, {steps}: goal reached") if met else _("Done, {steps}: goal not reached")
        return said.format(steps=steps)
    if run.state == "paused" and run.why:
        return _("Paused while this page was closed at {steps}").format(steps=steps)
    return gettext(_STATES[run.state]).format(steps=steps)


def steps_done(step: int, steps: int) -> str:
    """How far a run is, in the middle of a sentence."""
    return _("step {step} of {steps}").format(step=decimal(f"{step:,}"), steps=decimal(f"{steps:,}"))


def going(steps: str, left: float | None) -> str:
    """That a run is being trained, and for how long still."""
    begins = steps[:1].upper() + steps[1:]
    return begins if left is None else f"{begins}, {text.time_left(left)}"


def in_queue(position: int, training: int) -> str:
    """The message for a visitor in the queue."""
    people = ngettext("{count} person is training", "{count} people are training", training)
    before = _("you are next in the queue")
    if position > 1:
        before = _("{count} in the queue before you").format(count=position - 1)
    return f"{people.format(count=training)}; {before}"


def number(what: str, runs: Sequence[Seen], shown: Sequence[int]) -> str:
    """The heading of a curve, with its value at the step shown (Markdown)."""
    values = [float(getattr(run.snapshots[at], what)) for run, at in zip(runs, shown, strict=True)]
    chance = runs[0].snapshots[shown[0]].random_loss
    if what == "loss":
        written = [decimal(f"{value:.2f}") for value in values]
        if len(values) == 1 and chance == chance:  # not NaN: a half is random
            return _("**Loss** {first} nats in the first half, **{second}** in the second").format(
                first=decimal(f"{chance:.2f}"), second=written[0]
            )
    else:
        written = [percent(value) for value in values]
    if len(written) == 2:  # there is little room
        if what != "loss":
            written = [f"{int(100 * value + 1e-6)} %" for value in values]
        return f"**{gettext(_HEADINGS[what])}** :blue[● {written[0]}] :orange[■ {written[1]}]"
    return gettext(_NUMBERS[what]).format(value=written[0])


def map_title(side: int, count: int, snapshot: Snapshot) -> str:
    """The heading of a map (Markdown)."""
    step = decimal(f"{snapshot.step:,}")
    if count == 1:
        return _("**Which token attends to which** after step {step}").format(step=step)
    return _("**Which token attends to which**, {run} at {step}").format(
        run=(":blue[A ●]", ":orange[B ■]")[side], step=step
    )


def recorded(seed: int, steps: int) -> str:
    """Where the curves come from that are there before the first step."""
    return _(
        "In grey: this recipe, recorded with seed {seed}, {steps} steps. Press **Start** to see it "
        "happen."
    ).format(seed=seed, steps=decimal(f"{steps:,}"))


def map_after(step: int) -> str:
    """The heading of the map of a recorded training (Markdown)."""
    return _("**What it becomes:** after step {step}, recorded").format(step=decimal(f"{step:,}"))


def writes(task: Task, snapshot: Snapshot) -> str:
    """The model's output for the probe at a snapshot (Markdown)."""
    predicted_at = [i for i, word in enumerate(snapshot.wanted) if word]
    if task.kind == "masked":
        got, want = snapshot.predicted[predicted_at[-1]], snapshot.wanted[predicted_at[-1]]
        return _sense(got, want)
    pairs = [(snapshot.wanted[i], snapshot.predicted[i]) for i in predicted_at]
    words = [f"**{text.plain(got)}**" if got == want else text.plain(got) for want, got in pairs]
    right = sum(want == got for want, got in pairs)
    said = (
        _("Writes: {words} ({right} of {count} tokens right)")
        if task.kind == "pair"
        else _("Foresees: {words} ({right} of {count} tokens right)")
    )
    return said.format(words=" ".join(words), right=right, count=len(pairs))


def _sense(got: str, want: str) -> str:
    """The word at the mask, and its sense: any word of the right sense counts as correct."""
    word, (right, wrong) = next(
        (word, (did, [verb for verbs in senses.values() for verb in verbs if verbs is not did]))
        for word, senses in SENSES.items()
        for did in senses.values()
        if want in did
    )
    if got in right:
        said = _("Predicts at the mask: **{got}** (the right sense of “{word}”)")
    elif got in wrong:
        said = _("Predicts at the mask: {got} (the other sense of “{word}”)")
    else:
        said = _("Predicts at the mask: {got} (neither sense of “{word}”)")
    return said.format(got=text.plain(got), word=word)


def words(seen: Seen, at: int) -> str:
    """The heading of the picture of words, or of the letters that a task has for words (Markdown)."""
    said = (
        _("**Letters**, in a plane with {share} of their variance; in bold those that the map shows")
        if TASKS[seen.recipe.task].target.cut == "letters"
        else _("**Words**, in a plane with {share} of their variance; in bold those that the map shows")
    )
    return said.format(share=percent(seen.planes[at].share))


def shape(recipe: Recipe) -> str:
    """The model of a recipe, in words."""
    encoder = ngettext("{count} encoder layer", "{count} encoder layers", recipe.n_encoder_layers)
    decoder = ngettext("{count} decoder layer", "{count} decoder layers", recipe.n_decoder_layers)
    stacks = [
        said.format(count=n)
        for said, n in ((encoder, recipe.n_encoder_layers), (decoder, recipe.n_decoder_layers))
        if n
    ]
    heads = ngettext("{stacks}, {count} head each", "{stacks}, {count} heads each", recipe.n_heads)
    return heads.format(stacks=sentences.listed(stacks), count=recipe.n_heads)


def task(name: Recipe) -> str:
    """The task: an example or two, and the goal (Markdown)."""
    of = TASKS[name.task]
    probe = readable.text_of(of, of.probe())
    more = readable.examples(of, 2)
    examples = "; ".join(
        f"*{text.plain(one.input)}* → **{text.plain(one.output)}**" for one in (probe, *more)
    )
    return examples


def look_for(task: Task, alike: str) -> str:
    """What to look for in the map, and how many rows do it."""
    return _("Look for: {what}").format(what=f"{gettext(task.look_for)} {alike}".rstrip())


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
        return _(
            "Here {count} of {rows} rows have their largest weight on {cue}; that of {own} has not."
        ).format(count=count, rows=len(queries), cue=cue, own=own)
    if count == 1:
        return _("Here the row of {own} alone has its largest weight on {cue}.").format(
            own=own, cue=cue
        )
    return _(
        "Here **{count} of {rows}** rows have their largest weight on {cue}, and not that of {own} "
        "alone. Only the rows of {own} and of masked words are asked for a prediction; the others are "
        "never trained, and follow because nothing keeps them elsewhere. The pattern counts the row of "
        "{own}."
    ).format(count=count, rows=len(queries), cue=cue, own=own)


def needed(accuracy: float, without: float) -> str:
    """Whether the pattern is needed for the predictions, by an intervention (Markdown).

    Args:
        accuracy: on held-out examples.
        without: on the same ones, while no row attends where it should.
    """
    first = (
        _("**Is the attention needed?** Yes:")
        if accuracy - without > _NEEDED
        else _("**Is the attention needed?** Not for these predictions:")
    )
    why = _(
        "with the weight from the ambiguous word to its cue set to 0, and the others sharing it, the "
        "accuracy on 128 unseen sentences goes from {accuracy} to **{without}**. Guessing between two "
        "senses gives 50 %. That the pattern and the accuracy rise together shows no cause; this does."
    ).format(accuracy=percent(accuracy), without=percent(without))
    return f"{first} {why}"


def goal(run: Run) -> str:
    """Whether the goal was reached (Markdown)."""
    wanted, last = TASKS[run.recipe.task].goal, run.snapshots[-1]
    met = wanted.met(last.accuracy, last.pattern)
    said = (
        _(
            "**Learned**: accuracy {accuracy} (goal {accuracy_goal}), pattern {pattern} (goal "
            "{pattern_goal}) at step {step}, after {seconds} s of training."
        )
        if met
        else _(
            "**The goal is not reached**: accuracy {accuracy} (goal {accuracy_goal}), pattern "
            "{pattern} (goal {pattern_goal}) at step {step}, after {seconds} s of training."
        )
    )
    return said.format(
        accuracy=percent(last.accuracy),
        accuracy_goal=percent(wanted.accuracy),
        pattern=percent(last.pattern),
        pattern_goal=percent(wanted.pattern),
        step=decimal(f"{last.step:,}"),
        seconds=f"{last.seconds:.0f}",
    )


# What a visitor may do next with a model, by what it learned to do.
_NEXT = {
    "letters": N_(
        "**Try next**: draw the slider *After* above the dots back and on: in the map *Which token "
        "attends to which*, the line forms out of a haze again. "
        "*Watch it write* shows it letter by letter: give it more than ten letters there, more than it "
        "ever saw. Another seed starts from other weights: does the same line form?"
    ),
    "pair": N_(
        "**Try next**: *Translate with it*, in sentences of your own out of its few words. Or set the "
        "guidance to 0 under **More** and train again: it translates as well, but does its attention "
        "still show how?"
    ),
    "next": N_(
        "**Try next**: choose layer 1 above: a head there attends one letter back, and layer 2 uses "
        "that to find what followed. *See its heads* shows both on letters of your own."
    ),
    "masked": N_(
        "**Try next**: *Compare two sentences* shows how far *river* and *money* move its *bank* "
        "apart. Or start with another seed: does the same row learn to attend to its cue?"
    ),
}
_NOT_YET = N_(
    "**Try next**: train for more steps, or from another seed, and choose the first run under *Compare "
    "with*."
)


def try_next(run: Run) -> str:
    """What a visitor may do with a run that has ended (Markdown)."""
    task, last = TASKS[run.recipe.task], run.snapshots[-1]
    if not task.goal.met(last.accuracy, last.pattern):
        return gettext(_NOT_YET)
    return gettext(_NEXT["letters" if task.target.cut == "letters" and task.source else task.kind])


def not_started(written: str) -> str:
    """Before the first step: what is to be learned, and what to watch (Markdown)."""
    from core.tasks.training import recipe_code

    recipe = recipe_code.read(written)
    goals = TASKS[recipe.task].goal
    said = (
        _(
            "{examples}. **Nobody tells the model the rule**: it starts from random weights ({shape}) "
            "and only ever sees examples. Press **Start** and watch the map: it shows how the model "
            "finds out where to attend. It counts as learned from an accuracy of {accuracy} and "
            "a pattern of {pattern} on; the pattern is the share of rows that attend where the task "
            "needs it."
        )
        if not recipe.guidance
        else _(
            "{examples}. **Nobody tells the model the rules**: it starts from random weights ({shape}) "
            "and only ever sees examples, with a hint which word belongs to which. Press **Start** and "
            "watch the map: it shows how the model finds out where to attend. It counts as learned "
            "from an accuracy of {accuracy} and a pattern of {pattern} on; the pattern is the share of "
            "rows that attend where the task needs it."
        )
    )
    return said.format(
        examples=task(recipe),
        shape=shape(recipe),
        accuracy=percent(goals.accuracy),
        pattern=percent(goals.pattern),
    )


def model_title(run: Run) -> str:
    """The title of a model that was trained in this session."""
    return ngettext(
        "Your {task}, seed {seed}, {steps} step", "Your {task}, seed {seed}, {steps} steps", run.step
    ).format(task=run.recipe.task, seed=run.recipe.seed, steps=decimal(f"{run.step:,}"))


def loaded_title(model: Trained) -> str:
    """The title of a model from a file."""
    return ngettext(
        "Your {task} from a file, seed {seed}, {steps} step",
        "Your {task} from a file, seed {seed}, {steps} steps",
        model.steps,
    ).format(task=model.recipe.task, seed=model.recipe.seed, steps=decimal(f"{model.steps:,}"))
