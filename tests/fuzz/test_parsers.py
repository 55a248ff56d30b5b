"""Whatever is typed, linked, uploaded or set in the environment: a value, or a sentence of our own.

A share of the cases, the same in every run, is part of `make test`; `make fuzz` takes many more.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from functools import cache
from pkgutil import walk_packages
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import core
import pages
import ui
from core import settings as ours
from core.errors import ModelBroken, PolyseeError, SettingError
from core.figures.attention.layer_state import start
from core.tasks.trained import files
from core.tasks.training import recipe_code
from core.tasks.training.loop import train
from core.tasks.training.recipe import Recipe
from tests.fuzz.nasty import NASTY
from ui import compressed_state, permalink
from ui.state import Field, PageState
from ui.state import layer as layer_state

pytestmark = pytest.mark.property

# With lone surrogates, which a text from a URL or a file may contain.
TYPED = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=60),
    st.text(st.characters(categories=["Cs", "Cf", "Mn", "Nd", "Zs", "So"]), max_size=20),
    st.integers().map(str),
    st.floats().map(str),
)
PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TYPED),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TYPED, inner, max_size=4),
    max_leaves=8,
)


def _fields() -> Iterator[Field[Any]]:
    """Every field in a module of `ui` or `pages`."""
    found: dict[str, Field[Any]] = {}
    walked = [*walk_packages(ui.__path__, "ui."), *walk_packages(pages.__path__, "pages.")]
    for module in walked:
        if module.ispkg or module.name.endswith(".page"):  # a page runs when it is imported
            continue
        for value in vars(importlib.import_module(module.name)).values():
            values = value if isinstance(value, tuple | list) else [value]
            if isinstance(value, type) and issubclass(value, PageState):
                values = value.link()
            values = [*value.values()] if isinstance(value, dict) else values
            found |= {one.key: one for one in values if isinstance(one, Field)}
    assert len(found) > 60
    yield from found.values()


FIELDS = sorted(_fields(), key=lambda one: one.key)


@pytest.mark.check
@given(st.sampled_from(FIELDS), TYPED)
def test_a_field_of_a_link(field: Field[Any], typed: str) -> None:
    read = permalink._read(field, {field.url: typed})
    assert field.default is None or type(read) is type(field.default)
    # A value that was read is in the next link, with the same meaning; what was wrong with it is not.
    if read != field.default and not getattr(read, "wrong", ""):
        assert permalink._read(field, {field.url: field.write(read)}) == read


@given(TYPED)
def test_a_packed_state(word: str) -> None:
    assert all(isinstance(value, str) for value in compressed_state.unpack(word).values())


@given(st.dictionaries(TYPED, TYPED, max_size=4))
def test_what_is_packed_is_unpacked(state: dict[str, str]) -> None:
    sent = {key: value.encode("utf-8", "replace").decode() for key, value in state.items()}
    sent = {key.encode("utf-8", "replace").decode(): value for key, value in sent.items()}
    assert compressed_state.unpack(compressed_state.pack(sent)) == sent


LAYER = layer_state.fields("picture")


@given(st.dictionaries(st.sampled_from([*LAYER]), TYPED))
def test_the_state_of_a_picture(typed: dict[str, str]) -> None:
    link = {LAYER[what].url: text for what, text in typed.items()}
    state = {what: permalink._read(field, link) for what, field in LAYER.items()}
    assert all(state[what] is None for what in LAYER.keys() - typed.keys())
    shown = start({what: value for what, value in state.items() if value is not None}, 12, (7, 5))
    assert start(shown, 12, (7, 5)) == shown


@given(TYPED)
def test_a_recipe_in_one_word(word: str) -> None:
    try:
        recipe = recipe_code.read(word)
    except SettingError as error:
        _is_a_sentence(error)
    else:
        assert recipe_code.read(recipe_code.write(recipe)) == recipe


@given(st.sampled_from([f"copy~{key}" for key in ("sd", "n", "lr", "h", "d", "po")]), TYPED)
def test_a_value_of_a_recipe(begin: str, rest: str) -> None:
    try:
        assert isinstance(recipe_code.read(begin + rest), Recipe)
    except SettingError as error:
        _is_a_sentence(error)


ENVIRONMENT = [
    "POLYSEE_HUB", "POLYSEE_DEVICE", "POLYSEE_THREADS", "POLYSEE_TRACE_MB", "POLYSEE_CACHE_MB",
    "POLYSEE_TRAININGS", "POLYSEE_MODELS", "POLYSEE_LONG_WORK", "POLYSEE_UMAP",
]  # fmt: skip


@given(st.sampled_from(ENVIRONMENT), TYPED)
def test_a_setting(variable: str, value: str) -> None:
    try:
        ours.read({variable: value})
    except SettingError as error:
        _is_a_sentence(error, variable)


@given(TYPED)
def test_the_name_of_a_model(name: str) -> None:
    if name.strip() in ours.CATALOGUE:
        return
    with pytest.MonkeyPatch.context() as environ:
        environ.setenv("POLYSEE_HUB", "off")
        with pytest.raises(PolyseeError) as caught:
            core.load(name)
    _is_a_sentence(caught.value)


@cache
def _saved() -> bytes:
    """A model that has learned for one step, as a file."""
    training = train(recipe_code.read("copy~n1"))
    training.learn(1)
    return files.dump(training.trained(), half=True)


@given(st.binary(max_size=200))
@example(b"")
@example(b"\x08\x00\x00\x00\x00\x00\x00\x00{}      ")
@example((2**63).to_bytes(8, "little") + b"{}")
def test_any_bytes_as_a_saved_model(data: bytes) -> None:
    with pytest.raises(ModelBroken) as caught:
        files.load(data)
    _is_a_sentence(caught.value)


HEADER = st.integers(0, 3_000)  # where the header of such a file stands


@given(
    st.lists(st.tuples(HEADER, st.binary(min_size=1, max_size=3)), max_size=3), st.integers(0, 2_000)
)
def test_a_saved_model_that_was_changed(changes: list[tuple[int, bytes]], less: int) -> None:
    data = bytearray(_saved())
    for at, part in changes:
        data[at : at + len(part)] = part
    try:
        trained = files.load(bytes(data[: len(data) - less]))
    except ModelBroken as error:
        _is_a_sentence(error)
    else:
        assert all(np.isfinite(weights).all() for weights in trained.weights.values())


@pytest.mark.check
@given(st.text(st.characters(codec="utf-8"), max_size=200), PLAIN)
def test_the_header_of_a_saved_model_says_anything(text: str, value: object) -> None:
    for said in (text.encode(), json.dumps(value, default=str).encode()):
        with pytest.raises(ModelBroken):
            files.load(len(said).to_bytes(8, "little") + said)


def _is_a_sentence(error: Exception, about: str = "") -> None:
    """Check that an error is a sentence, without a traceback or a name from Python."""
    said = str(error)
    assert about in said
    assert said.endswith("."), said
    assert len(said) < 1_500, said
    assert "Traceback" not in said
