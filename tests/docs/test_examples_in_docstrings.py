"""The examples in the docstrings of `core.plot` and `core.notebook` run, and print what they say."""

from __future__ import annotations

import doctest
import inspect
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import core
from core import notebook, plot

ROOMS = (plot, notebook)
PUBLIC = {
    f"{room.__name__}.{name}": getattr(room, name)
    for room in ROOMS
    for name in room.__all__
    if inspect.isfunction(getattr(room, name)) or inspect.isclass(getattr(room, name))
}


def examples(name: str) -> list[doctest.DocTest]:
    """The examples of a function; of a class, those of its methods too."""
    of = PUBLIC[name]
    found = doctest.DocTestFinder().find(of, name, module=inspect.getmodule(of), globs={})
    return [one for one in found if one.examples]


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_an_example(name: str) -> None:
    assert name in [one.name for one in examples(name)]


@pytest.mark.check
@pytest.mark.few(8)
@pytest.mark.parametrize("name", PUBLIC)
def test_its_examples_run(
    name: str, minilm: core.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    load = core.load
    loaded: Any = cache(lambda model: minilm if model == "minilm" else load(model))
    monkeypatch.setattr(core, "load", loaded)  # once for all examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    told: list[str] = []
    for one in examples(name):
        runner.run(one, out=told.append)
    assert not runner.failures, "".join(told)
