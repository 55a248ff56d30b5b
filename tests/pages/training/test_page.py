"""The Training page without a browser: the form, links, a run from start to end."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.figures import style
from core.tasks import TASKS, dump
from core.tasks.training import recipe_code
from core.tasks.training.queued import State
from core.tasks.training.run import Run
from pages.next_word.copying import section
from pages.next_word.state import VIEWS
from pages.training import captions
from pages.training import pictures as curves
from tests import sentences, visits
from tests.pages.reading import drawn, on_map
from tests.sentences import without_meanings
from tests.visits import press, run
from ui.models import session_models

TINY = "reverse~sd2~n10~b2~wu1~h1~d8~ff8"


visit = partial(visits.visit, "training")


@pytest.fixture(autouse=True)
def own_training_queue() -> Iterator[None]:
    session_models.training_queue.cache_clear()
    session_models._finished.clear()
    yield
    session_models.training_queue().close()
    session_models.training_queue.cache_clear()


def said(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error, app.success)
    progress = [element.proto.text for element in app.get("progress")]
    return without_meanings(
        "\n".join([*(str(e.value) for kind in kinds for e in kind), *progress]).replace("\\", "")
    )


def pictures(app: AppTest) -> dict[str, dict[str, Any]]:
    found = {}
    for header, _ in drawn(app):
        found[header["file"].removeprefix("polysee-training-")] = header
    return found


def the_run(app: AppTest) -> Run:
    own = app.session_state["session models"]
    found: Run = next(reversed(own.runs.values()))
    return found


def until(app: AppTest, true: Callable[[Run], bool]) -> AppTest:
    """Wait for the run, then rerun the page."""
    end = time.monotonic() + 60
    while not true(the_run(app)):
        assert time.monotonic() < end
        time.sleep(0.01)
    return run(app)


def opened(app: AppTest) -> AppTest:
    """The page with the boxes behind "More" open."""
    app.session_state["train more"] = True
    return run(app)


def started(app: AppTest) -> AppTest:
    return press(app, "train start")


def test_it_opens_with_the_untrained_model_and_what_to_do() -> None:
    app = visit()
    text = said(app)
    assert "Nobody tells the model the rule" in text
    assert "*polysemant* → **tnamesylop**" in text
    assert "Press **Start**" in text
    assert ".." not in text
    assert {*pictures(app)} == {"accuracy", "pattern", "loss", "attention", "attention-recorded"}
    assert pictures(app)["attention"]["columns"] == [*"polysemant"]
    assert [text for _, text in pictures(app)["accuracy"]["guides"]] == ["0", "goal 0.98"]


@pytest.mark.check
@pytest.mark.parametrize("name", TASKS)
def test_every_task_opens(name: str) -> None:
    app = visit(rc=name)
    assert app.selectbox(key="train task control").value == name
    assert not app.error
    assert not app.warning
    assert len(pictures(app)) == 5


def test_a_link_fills_the_form_and_starts_nothing() -> None:
    app = opened(visit(rc=TINY))
    values = {
        key: app.number_input(key=f"train {key} control").value for key in ("seed", "steps", "d_model")
    }
    assert values == {"seed": 2, "steps": 10, "d_model": 8}
    assert not app.session_state["session models"].runs
    app.number_input(key="train seed control").set_value(4)
    assert run(app).query_params["rc"] == TINY.replace("sd2", "sd4")
    app.selectbox(key="train task control").set_value("bank")
    assert run(app).query_params["rc"] == "bank~sd4"


@pytest.mark.check
def test_a_box_changes_nothing_but_itself_and_never_to_what_cannot_be() -> None:
    app = visit(rc=TINY)
    assert "train d_model control" not in {box.key for box in app.number_input}
    opened(app)
    app.selectbox(key="train task control").set_value("translation")
    behind = run(app).number_input(key="train d_model control")
    assert (behind.proto.set_value, behind.proto.value) == (True, 64)
    app.session_state["train d_model control"] = 4  # as it comes back from a popover that is closed
    app.number_input(key="train n_heads control").set_value(2)
    assert run(app).query_params["rc"] == "translation~sd2~h2"
    assert app.number_input(key="train d_model control").value == 64
    for key, typed, sentence in [
        ("learning_rate", 9.0, "“Learning rate” can be from 0.000001 to 1, not 9. It stays 0.004."),
        ("steps", 20_000, "“Steps” can be from 1 to 10000, not 20000. It stays 900."),
        ("steps", None, ""),
    ]:
        box = app.number_input(key=f"train {key} control")
        before = box.value
        box.set_value(typed)
        run(app)
        assert [one.value for one in app.warning] == ([sentence] if sentence else [])
        assert app.number_input(key=f"train {key} control").value == before
        assert app.query_params["rc"] == "translation~sd2~h2"


@pytest.mark.check
def test_what_is_chosen_outlives_its_box() -> None:
    app = visit(rc=TINY)
    for seed in (2, 3):
        app.number_input(key="train seed control").set_value(seed)
        app = until(started(run(app)), lambda run: run.state == "done")
    first, last = app.session_state["session models"].runs.values()
    app.selectbox(key="train compared 2 control").set_value(first.name)
    assert run(app).query_params["rb"] == first.name
    assert app.selectbox(key="train compared 2 control").options[1].startswith("1: 10 steps, seed 2")
    app.selectbox(key="train shown 2 control").set_value(first.name)
    assert run(app).query_params["r"] == first.name
    assert "rb" not in app.query_params
    app.selectbox(key="train task control").set_value("sort")
    run(app)
    app.selectbox(key="training block control").set_value("encoder")
    run(app)
    assert "r" not in run(app).query_params
    assert app.query_params["rc"] == "sort~sd2"
    assert last.name in app.session_state["session models"].runs


@pytest.mark.parametrize(("task", "what"), [("reverse", "**Letters**"), ("bank", "**Words**")])
def test_points_of_a_task_that_reads_letters_are_called_letters(task: str, what: str) -> None:
    seen: Any = SimpleNamespace(
        recipe=SimpleNamespace(task=task), planes=[SimpleNamespace(share=0.175)]
    )
    assert captions.words(seen, 0).startswith(what)


def test_a_word_of_the_right_sense_is_right() -> None:
    app = visit(rc="bank")
    (line,) = (one.value for one in app.markdown if one.value.startswith("Predicts at the mask"))
    assert "of “bank”" in line
    for got, said in [
        ("sloped", "**sloped** (the right sense of “bank”)"),
        ("lent", "lent (the other sense of “bank”)"),
        ("river", "river (neither sense of “bank”)"),
    ]:
        shot: Any = SimpleNamespace(wanted=("", "flooded", "flooded"), predicted=("", "a", got))
        assert captions.writes(TASKS["bank"], shot).endswith(f": {said}")


@pytest.mark.check
@pytest.mark.parametrize(
    ("recipe", "sentence"),
    [
        ("nothing~sd2", "There is no task"),
        ("reverse~zz", "does not know"),
        ("reverse~n99999", "from 1 to 10000"),
        ("reverse~lrnan", "it must be a number"),
        ("reverse~dcup", "it must be one of none, linear, cosine"),
        ("reverse~en0", "needs at least one"),
        ("reverse~d63", "does not divide into"),
        ("<b>‮x", "There is no task"),
    ],
)
def test_a_recipe_that_cannot_be_is_told_in_a_sentence(recipe: str, sentence: str) -> None:
    assert sentence in said(visit(rc=recipe))


def test_of_bank_it_says_how_many_rows_attend_to_the_cue_and_why() -> None:
    bank = TASKS["bank"]
    queries = ("[START]", "near", "the", "river", "the", "old", "bank", "[MASK]", ".")
    ((row, key),) = ((i, to) for i, to in enumerate(bank.probe().attend_to) if to >= 0)
    assert (queries[row], queries[key]) == ("bank", "river")
    weights = np.full((9, 9), 0.05)
    weights[:, 0] = 0.6
    assert sentences.numbers(captions.rows_alike(bank, queries, weights)) == [0, 9]
    weights[row, key] = 0.9
    assert "alone" in captions.rows_alike(bank, queries, weights)
    weights[:8, key] = 0.9
    told = captions.rows_alike(bank, queries, weights)
    assert sentences.numbers(told)[:2] == [8, 9]
    assert "never trained" in told
    assert captions.rows_alike(TASKS["reverse"], queries, weights) == ""
    assert "rows have their largest weight on *river*" in said(visit(rc="bank"))


@pytest.mark.parametrize(("accuracy", "without", "yes"), [(1, 0.5, True), (1, 0.98, False)])
def test_whether_the_attention_is_needed_is_shown_by_cutting_it(
    accuracy: float, without: float, yes: bool
) -> None:
    told = captions.needed(accuracy, without)
    assert ("Yes" in told) is yes
    assert sentences.numbers(told)[:4] == [0, 128, 100 * accuracy, 100 * without]


@pytest.mark.check
def test_after_a_run_of_bank_it_is_measured_whether_the_attention_is_needed() -> None:
    tiny = recipe_code.write(dataclasses.replace(TASKS["bank"].recipe, steps=10, warm_up=2, batch=8))
    app = until(started(visit(rc=tiny)), lambda run: run.state == "done")
    assert "Is the attention needed?" in said(app)
    assert not app.error


@pytest.mark.check
def test_a_run_from_start_to_end() -> None:
    app = until(started(visit(rc=TINY)), lambda run: run.state == "done")
    one = the_run(app)
    assert app.query_params["r"] == one.name
    text = said(app)
    assert "Done, step 10 of 10: goal not reached" in text
    assert "goal 98 %" in text
    assert len(pictures(app)["embedding"]["steps"]) == 11
    assert pictures(app)["embedding"]["state"]["depth"] == 10
    own = app.session_state["session models"]
    assert [kept.title for kept in own.models.values()] == ["Your reverse, seed 2, 10 steps"]
    # Back to an earlier snapshot: all pictures show that step.
    app.session_state["training step"] = 4
    text = said(run(app))
    assert "**Which token attends to which** after step 4" in text
    assert pictures(app)["embedding"]["state"]["depth"] == 4
    # A second run beside it, with another seed.
    app.number_input(key="train seed control").set_value(3)
    app = until(started(run(app)), lambda run: run.state == "done" and run.recipe.seed == 3)
    app.session_state["training beside"] = one.name
    run(app)
    assert {"attention", "attention-b"} <= {*pictures(app)}
    assert [line["name"] for line in pictures(app)["loss"]["lines"]][::2] == ["A", "B"]
    press(app, "train drop")
    assert len(own.models) == 1


@pytest.mark.fuzz
@pytest.mark.check
def test_pause_one_snapshot_stop() -> None:
    app = started(visit(rc=TINY.replace("n10", "n10000")))
    press(app, "train pause")
    app = until(app, lambda run: run.state == "paused")
    assert "Paused at step" in said(app)
    app.number_input(key=f"train rate {the_run(app).name} control").set_value(0.01)
    run(app)
    assert the_run(app).learning_rate == 0.01
    for refused, warnings in ((9.0, 1), (None, 0)):
        app.number_input(key=f"train rate {the_run(app).name} control").set_value(refused)
        assert len(run(app).warning) == warnings
        assert app.number_input(key=f"train rate {the_run(app).name} control").value == 0.01
    before = len(the_run(app).snapshots)
    press(app, "train one")
    app = until(app, lambda run: run.state == "paused" and len(run.snapshots) == before + 1)
    press(app, "train keep")
    assert len(app.session_state["session models"].models) == 1
    press(app, "train stop")
    text, step = said(app), the_run(app).step
    assert f"Stopped at step {step:,} " in text
    assert f"after step {step:,}" in text
    assert f"at step {step:,}, after" in text
    assert f"step {step:,}" in pictures(app)["loss"]["steps"]
    # It has ended: impossible actions, such as a grey "Go on", are not offered.
    assert not {"train on", "train one", "train stop", "train pause"} & {b.key for b in app.button}
    assert not [one for one in app.number_input if str(one.key).startswith("train rate")]
    assert not app.button(key="train start").disabled


def test_curves_say_what_they_were_trained_with_and_turn_grey_under_other_settings() -> None:
    app = until(started(visit(rc=TINY)), lambda run: run.state == "done")
    recipe = next(one.value for one in app.caption if "learning rate" in one.value)
    recipe = recipe.replace("\\", "")
    for setting in ("Reverse letters: seed 2", "10 steps", "batches of 2", "1 head each", "d_model 8"):
        assert setting in recipe
    assert "Trained with other settings" not in said(app)
    own = pictures(app)
    app.number_input(key="train seed control").set_value(4)
    app = run(app)
    assert "Trained with other settings: seed 2 (above: 4). Press Start" in said(app).replace("**", "")
    assert "seed 2" in next(one.value for one in app.caption if "learning rate" in one.value)
    grey = pictures(app)
    for name in ("accuracy", "pattern", "loss"):
        colours = {line["colour"] for line in grey[name]["lines"]}
        assert colours == {style.LEARNED}
        assert {line["colour"] for line in own[name]["lines"]} == {style.SENTENCE_A}
    app.number_input(key="train seed control").set_value(2)
    app = run(app)
    assert "Trained with other settings" not in said(app)
    assert {line["colour"] for line in pictures(app)["loss"]["lines"]} == {style.SENTENCE_A}


def test_a_run_outlives_a_reload_of_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    app = until(started(visit(rc=TINY)), lambda run: run.state == "done")
    first, name = the_run(app), app.query_params["r"]
    monkeypatch.setattr(Run, "_advance", None)  # nothing is trained again
    app = visit(r=name)
    again = the_run(app)
    assert again is not first
    assert (again.name, again.state, again.snapshots) == (name, "done", first.snapshots)
    assert "no longer exists" not in said(app)
    assert "Done, step 10 of 10" in said(app)
    assert len(app.session_state["session models"].models) == 1
    # Beside another, and from anybody’s link: the recipe says which numbers these are.
    app = visit(r=name, rb=f"0123abcd-7~{TINY}")
    assert {"attention", "attention-b"} <= {*pictures(app)}
    # One that was stopped is not what its recipe says, and is not given to others.
    assert "no longer exists" in said(visit(r=f"0123abcd-7~{TINY.replace('n10', 'n9')}"))


def test_a_run_under_way_goes_to_who_reloads_its_page_and_to_nobody_else() -> None:
    here = [True]
    made = Run(TASKS["bank"].recipe, "0123abcd-1~bank", lambda: here[0])
    session_models._all[made.name] = made
    other = session_models.SessionModels()
    assert other.restore(made.name) is None  # its owner is there
    here[0] = False
    assert other.restore(made.name) is made
    assert made._present()
    assert session_models.SessionModels().restore(made.name) is None
    for wrong in ("", "nothing", "0123abcd-1~nothing", "0123abcd-1~" + "x" * 999):
        assert other.restore(wrong) is None


def test_only_what_the_recipe_alone_reproduces_is_kept_for_others() -> None:
    app = started(visit(rc=TINY))
    app = until(app, lambda run: run.state == "done")
    made = the_run(app)
    assert made.finished is not None
    assert made.finished.trained.steps == 10
    ended: tuple[State, ...] = ("stopped", "failed", "paused")
    for state in ended:
        made.state = state
        assert not made.finished
    made.state = "done"
    made._trained = dataclasses.replace(made.trained(), changes=((3, 0.1),))
    assert not made.finished
    assert "from step 3 at rate 0.1, by hand" in captions.recipe(made.recipe, made.changes)


def test_a_run_that_is_gone_can_be_had_again() -> None:
    app = visit(r=f"0123abcd-1~{TINY}")
    assert "The run in this link no longer exists" in said(app)
    assert app.number_input(key="train seed control").value == 2
    press(app, "train again")
    assert the_run(app).recipe.seed == 2
    assert "no longer exists" not in said(app)
    assert "There is no task" in said(visit(r="0123abcd-1~nothing"))
    for url in ({"r": "abc"}, {"rb": "zzz"}, {"rb": f"0123abcd-1~{TINY}"}):
        app = visit(**url)
        assert not app.query_params
        assert ("The run to compare with" in said(app)) == ("~" in "".join(url.values()))


def test_a_file_becomes_a_model_or_is_refused() -> None:
    app = until(started(visit(rc=TINY)), lambda run: run.state == "done")
    data = dump(the_run(app).trained())
    for sent, sentence in ((data, "Loaded"), (data[:-1], "cut short"), (b"", "not a model that was")):
        app.file_uploader(key="train file").set_value(("m.safetensors", sent, "")).run()
        assert sentence in said(app)
    titles = [kept.title for kept in app.session_state["session models"].models.values()]
    assert titles[1:] == ["Your reverse from a file, seed 2, 10 steps"]


def test_a_saved_recipe_is_put_into_the_form_or_refused() -> None:
    recipe = dataclasses.replace(TASKS["sort"].recipe, steps=37, seed=5).to_dict()
    sound = json.dumps({"recipe": recipe, "steps": 37}).encode()
    for sent, sentence in (
        (b"[" * 100_000, "not a recipe that was saved here"),
        (b"\xff{}", "not a recipe that was saved here"),
        (b"[1]", "not a recipe that was saved here"),
        (b'{"recipe": 3}', "must be a mapping"),
        (json.dumps({"recipe": recipe | {"steps": 0}}).encode(), "steps"),
    ):
        app = visit()
        app.file_uploader(key="train file").set_value(("r.json", sent, "")).run()
        assert sentence in said(app)
        assert "rc" not in app.query_params
    app.file_uploader(key="train file").set_value(("r.json", sound, "")).run()
    assert "now shows this recipe" in said(app)
    assert app.query_params["rc"] == "sort~sd5~n37"
    assert app.number_input(key="train steps control").value == 37


@pytest.mark.parametrize(
    ("recipe", "stacks", "heads"),
    [
        ("", [["encoder", 1], ["decoder", 1]], TASKS["reverse"].recipe.n_cross_heads),
        ("reverse~en3~de2~h2~ch4", [["encoder", 3], ["decoder", 2]], 4),
        ("reverse~d8~h3", [["encoder", 1], ["decoder", 1]], TASKS["reverse"].recipe.n_cross_heads),
        ("no such recipe", [["encoder", 1], ["decoder", 1]], TASKS["reverse"].recipe.n_cross_heads),
    ],
)
def test_the_drawing_in_the_sidebar_has_the_stacks_of_the_recipe(
    recipe: str, stacks: list[list[Any]], heads: int
) -> None:
    given = on_map(visit(rc=recipe) if recipe else visit())
    assert (given["stacks"], given["heads"]) == (stacks, heads)


def test_a_model_of_one_stack_has_no_other_in_the_drawing() -> None:
    for name, task in TASKS.items():
        both = {"encoder": task.recipe.n_encoder_layers, "decoder": task.recipe.n_decoder_layers}
        assert on_map(visit(rc=name))["stacks"] == [[half, n] for half, n in both.items() if n]


def test_the_induction_task_and_the_view_it_copies_lead_to_each_other() -> None:
    recipe = section.TRAINING["rc"]
    app = visits.visit("training", v="2", **section.TRAINING)
    assert not app.exception, app.exception
    assert not app.error, [one.value for one in app.error]
    assert recipe in TASKS
    page = (Path(captions.__file__).parent / "page.md").read_text("utf-8")
    (line,) = [one for one in page.splitlines() if f"(?rc={recipe})" in one]
    assert f"[{VIEWS['copying']}](next-word?v=2&p=copying)" in line
    assert any("p=copying" in one.value and "next-word" in one.value for one in app.markdown)


def test_both_halves_of_repeated_letters_have_a_loss() -> None:
    seen = curves.untrained("induction")
    (only,) = seen.snapshots
    assert abs(only.random_loss - only.loss) < 0.5  # before the first step, both are guesses
    picture = curves.curve("loss", [seen], [0], None)
    names = [line["name"] for line in picture.header["lines"]]
    assert names == ["first half", "second half", "shown here"]
    values = np.frombuffer(picture.payload, "<f4").reshape(3, -1)
    assert values[:, 0] == pytest.approx([only.random_loss, only.loss, only.loss], rel=1e-5)
    assert f"{only.random_loss:.2f} nats in the first half" in captions.number("loss", [seen], [0])
    assert curves.table([seen])["random_loss"].to_list() == [only.random_loss]
    other = curves.untrained("reverse")
    assert not curves.has_random(other)
    assert "random_loss" not in curves.table([other])
