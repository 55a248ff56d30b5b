"""A name out of a file: of an entry in one folder, whatever joins it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.untrusted import NoName, entry

GOOD = [
    "000001",
    "model-00001-of-00002.safetensors",
    "1_Pooling",
    "a b.txt",
    "ü.txt",
    "_hidden",
    "a(1)",
    "模型",
]
BAD = [
    "",
    ".",
    "..",
    "../../../etc",
    "/etc",
    "a/b",
    "a\\b",
    "C:a",
    "a:b",
    "a\0",
    "a\n",
    "a\u2028b",
    ".hidden",
]
BAD += [
    "con",
    "NUL.txt",
    "com1",
    "a.",
    "a ",
    " a",
    "~",
    "a" * 256,
    "河" * 86,
    "-rf",
    "*",
    "a\u202eb",
    "\ud800",
]


@pytest.mark.parametrize("name", GOOD)
def test_names(name: str) -> None:
    assert entry(name) == name


@pytest.mark.parametrize("value", [*BAD, None, 3, True, ["a"], {"a": 1}, b"a", Path("a")])
def test_what_is_no_name(value: object) -> None:
    with pytest.raises(NoName) as error:
        entry(value)
    assert str(error.value).isprintable()


def test_its_ending() -> None:
    assert entry("a.safetensors", ".safetensors") == "a.safetensors"
    with pytest.raises(NoName):
        entry("a.bin", ".safetensors", ".json")


@given(st.text(max_size=12) | st.text("./\\:~ aC\0", max_size=8))
@example("C:")
def test_it_stays_in_its_folder_on_every_system(value: str) -> None:
    try:
        entry(value)
    except NoName:
        return
    for kind in (PurePosixPath, PureWindowsPath):
        joined = kind("folder") / value
        assert joined.parent == kind("folder")
        assert joined.name == value
        assert joined.parts == ("folder", value)
