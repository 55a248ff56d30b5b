"""What a preset tells people to look for is what its numbers show."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pytest

import core
from core.comparison import judge
from core.comparison import word_and_ends as asking
from core.comparison.judge import Between
from core.comparison.moves_by_part import shown_parts
from core.comparison.source import Direct
from core.examples import PRESETS, Preset

pytestmark = pytest.mark.check

NAMED = re.compile(r"\*([^*]+)\*")
# A named word pulls to the side on which the word ends; here, the hint says that it does not.
AGAINST = {("crane: a bird or a machine", "B", "lake")}
SENSES = [one for one in PRESETS if one.low is not None]


def _asked(model: core.Model, preset: Preset) -> tuple[Between, Direct]:
    source = Direct(model)
    texts, words = (preset.text_a, preset.text_b), (preset.word, preset.word)
    found = judge.between(asking.ask(source, texts, words), source)
    assert found is not None
    return found, source


def _added(found: Between, source: Direct, name: str) -> Mapping[str, float]:
    """What each other word adds after the last layer, by its text in small letters."""
    side, ends = found.question.side(name), found.question.ends
    assert ends is not None
    shown, own = shown_parts(source.trace(side.text), side)
    row = source.added(side, ends).parts[-1]
    return {
        part.text.casefold(): float(row[i])
        for i, part in enumerate(shown)
        if i != own and part.text.strip() and not np.isnan(row[i])
    }


@pytest.mark.few(8)
@pytest.mark.parametrize("preset", SENSES, ids=lambda one: one.label)
def test_each_word_that_is_named_pulls_as_its_hint_says(minilm: core.Model, preset: Preset) -> None:
    named = {word.casefold() for word in NAMED.findall(preset.look_for)}
    found, source = _asked(minilm, preset)
    there = set()
    for name, at in zip("AB", found.coordinates, strict=True):
        added = _added(found, source, name)
        for word in named & {*added}:
            there.add(word)
            same = added[word] * at[-1] > 0
            assert same != ((preset.label, name, word) in AGAINST), (name, word, added)
            assert abs(added[word]) > 0.05, (name, word, added)
    assert there == named  # a word that neither sentence has cannot be looked for


def test_what_else_the_hints_say(minilm: core.Model) -> None:
    by_label = {one.label.partition(":")[0]: one for one in SENSES if "Control" not in one.label}
    # “Swam pulls hard; in B, the other words hardly pull.”
    swam, source = _asked(minilm, next(p for p in SENSES if "neither" in p.label))
    assert max(_added(swam, source, "A").items(), key=lambda one: abs(one[1]))[0] == "swam"
    assert max(map(abs, _added(swam, source, "B").values())) < 0.15
    # “Alone, the word already leans towards the season. In B, lock adds most of all words.”
    spring, source = _asked(minilm, by_label["spring"])
    side, ends = spring.question.b, spring.question.ends
    assert ends is not None
    assert source.added(side, ends).alone[-1] < -0.5
    assert max(_added(spring, source, "B").items(), key=lambda one: abs(one[1]))[0] == "lock"
    # “What stands in between decides”: the evening does not.
    plant, source = _asked(minilm, by_label["plant"])
    assert all(abs(_added(plant, source, name)["evening"]) < 0.1 for name in "AB")
    # “Already in layer 1 they can attend to later ones”, “do the lines separate early?”
    for word in ("pitcher", "rock"):
        apart, _ = _asked(minilm, by_label[word])
        assert apart.coordinates[0][0] > 0.5 > -0.5 > apart.coordinates[1][0]


@pytest.mark.parametrize("preset", [p for p in SENSES if p.same_sense], ids=lambda one: one.label)
def test_the_lines_of_a_control_stay_on_one_side(minilm: core.Model, preset: Preset) -> None:
    found, _ = _asked(minilm, preset)
    assert found.verdict.answer == "one meaning"
    assert (np.sign(found.coordinates[0]) == np.sign(found.coordinates[1])).all()
