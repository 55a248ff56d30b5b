"""A configuration is compared with the weights before its numbers are used."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import core
from tools.every_model import small, walk

HUGE = 10**9


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Within this context, end whatever takes longer: it would continue until the memory is full."""

    def ended(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"It was still at it after {seconds} s.")

    before = signal.signal(signal.SIGALRM, ended)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def saved(kind: str, folder: Path) -> dict[str, Any]:
    """Save a small model of this type in a folder; returns the content of its config.json."""
    small.model(kind).save_pretrained(folder)
    walk.tokenizer().save_pretrained(folder)
    said: dict[str, Any] = json.loads((folder / "config.json").read_text())
    return said


def places(said: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all whole numbers, and of nulls, in a configuration."""
    for key, value in said.items() if isinstance(said, dict) else enumerate(said):
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))
        elif value is None or type(value) is int:
            yield (*path, key)


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("kind", "setting", "gone"),
    [
        ("bert", "num_labels", ()),
        ("gemma2", "num_hidden_layers", ("layer_types",)),
        ("qwen3", "num_hidden_layers", ("layer_types",)),
        ("jamba", "num_hidden_layers", ()),
    ],
)
@pytest.mark.parametrize("size", [10**8, HUGE, float(HUGE)])
def test_no_list_is_made_of_more_layers_or_labels_than_there_are(
    kind: str, setting: str, gone: tuple[str, ...], size: float, tmp_path: Path
) -> None:
    said = saved(kind, tmp_path)
    for key in gone:
        said.pop(key, None)
    (tmp_path / "config.json").write_text(json.dumps(said | {setting: size}))
    with at_most(5), pytest.raises(core.ModelBroken, match=f"{setting} = .* does not fit its weights"):
        core.load(tmp_path)


@pytest.mark.parametrize("kind", ["bert", "gpt_neo", "funnel", "qwen2_moe"])
def test_no_number_makes_the_server_wait(kind: str, tmp_path: Path) -> None:
    """A wrong number is refused, or has no effect."""
    said = saved(kind, tmp_path)
    for place in [*places(said), ("num_labels",)]:
        wrong = json.loads(json.dumps(said))
        inner = wrong
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = HUGE
        (tmp_path / "config.json").write_text(json.dumps(wrong))
        began = time.monotonic()
        try:
            with at_most(10):
                core.load(tmp_path)
        except core.PolyseeError:
            pass
        assert time.monotonic() - began < 10, place


@pytest.mark.check
def test_what_is_large_by_right_is_read(tmp_path: Path) -> None:
    said = saved("t5", tmp_path)
    more = {"n_positions": 10**6, "num_labels": 30, "seed": 10**8, "layer_scale": 10**7}
    (tmp_path / "config.json").write_text(json.dumps(said | more))
    assert core.load(tmp_path).trace("a bank", "the river")
