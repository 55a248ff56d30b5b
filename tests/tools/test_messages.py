"""Every message of the screen is in each language's catalogue, translated, with the same places."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from core import localization
from core.localization.catalogues import FOLDER
from tools import messages

OTHERS = [one.code for one in localization.languages() if one.code != localization.ENGLISH]
NAMES = {"_", "N_", "gettext", "ngettext", "pgettext"}


@cache
def wanted() -> dict[tuple[str, str], str]:
    """Each message of the code, with its context, and its plural."""
    return {(one.context, one.text): one.plural for one in messages.messages()}


def entries(language: str) -> list[tuple[Sequence[str], Sequence[str], Message]]:
    """Each entry of a catalogue: its messages, its translations, itself."""
    every = [one for one in messages.read(language) if one.id]
    return [(several(one.id), several(one.string), one) for one in every]


def several(words: object) -> Sequence[str]:
    return [str(one) for one in words] if isinstance(words, list | tuple) else [str(words or "")]


@pytest.mark.parametrize("language", OTHERS)
def test_none_is_missing_and_none_is_left_over(language: str) -> None:
    """Whoever adds a message runs `python -m tools.messages`, and translates it."""
    there = {
        (entry.context or "", ids[0]): ids[1] if len(ids) > 1 else ""
        for ids, _, entry in entries(language)
    }
    assert there == wanted()


@pytest.mark.parametrize("language", OTHERS)
def test_each_is_translated_with_the_same_places(language: str) -> None:
    plurals = messages.read(language).num_plurals
    for ids, translated, entry in entries(language):
        assert all(one.strip() for one in translated), f"{language}: “{ids[0]}” is not translated"
        assert not entry.fuzzy, ids[0]
        assert len(translated) == (plurals if len(ids) > 1 else 1), ids[0]
        for one in translated:
            assert places(one) in map(places, ids), f"“{ids[0]}”: “{one}”"
            assert marks(one) == marks(ids[-1]), f"“{ids[0]}”: “{one}”"
            assert (one[0] == " ", one[-1] == " ") == (ids[0][0] == " ", ids[0][-1] == " "), ids[0]


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_is_as_the_tool_writes_it(language: str) -> None:
    there = (FOLDER / f"{language}.po").read_bytes()
    assert messages.written(language, messages.updated(language, messages.read(language))) == there


def test_every_message_is_found() -> None:
    """The extraction reads no f-strings: a message within one would never be translated."""
    plurals = {text: plural for (_, text), plural in wanted().items()}
    for path, source in sources().items():
        for one, many in calls(source):
            assert one in plurals, f"{path.name}: “{one}” is in no catalogue"
            assert not many or plurals[one] == many, one


def test_every_message_of_a_script_is_found() -> None:
    """A message in another quotation, or of a name, would never be translated."""
    texts = {text for _, text in wanted()}
    for path in messages.speaking():
        for quote, text in re.findall(r"(?<![\w$])mn?\((.)([^\"]*)", path.read_text("utf-8")):
            if quote == '"':
                assert any(one.startswith(text) for one in texts), f"{path.name}: “{text}”"


def test_a_message_is_filled_in_afterwards() -> None:
    """A name in a message that is filled in before it is looked up would find no translation."""
    for path, source in sources().items():
        for node in ast.walk(source):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES:
                assert not isinstance(node.args[0], ast.JoinedStr | ast.BinOp), path


def test_a_translation_with_another_place_would_be_found() -> None:
    assert places("{count} of {all}") != places("{count} von {alle}")
    assert marks("**a** [b](c)") != marks("**a** [b](d)")
    assert marks("<i>a</i>") != marks("<i>a")


@cache
def sources() -> dict[Path, ast.Module]:
    """The sources that mark messages, parsed."""
    return {path: ast.parse(path.read_text("utf-8")) for path in messages.marked()}


def calls(source: ast.Module) -> Iterator[tuple[str, str]]:
    """The messages that a source marks, as its syntax has them."""
    for node in ast.walk(source):
        if not (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES
        ):
            continue
        words = [one.value for one in node.args if isinstance(one, ast.Constant)]
        if words and isinstance(words[0], str):
            kind = node.func.id
            message = words[1] if kind == "pgettext" else words[0]
            yield str(message), str(words[1]) if kind == "ngettext" else ""


def places(words: str) -> set[str]:
    """What is filled in; of words without any, nothing (a brace may stand in code)."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(words) if name}
    except ValueError:
        return set()


def marks(words: str) -> list[str]:
    """The targets of links, the tags, and code."""
    return sorted(re.findall(r"\]\(([^)]*)\)|(</?[a-z]+>)|(`[^`]*`)", words))
