"""`POLYSEE_DEVICE`: the requested device is available, or refused in a sentence."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import core
from core import settings
from core.pretrained.engines import devices


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without an accelerator."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)


@pytest.mark.parametrize("wanted", ["cuda", "mps"])
def test_a_device_that_is_not_here_is_refused(
    bare: None, monkeypatch: pytest.MonkeyPatch, make_folder: Any, wanted: str
) -> None:
    monkeypatch.setenv("POLYSEE_DEVICE", wanted)
    for engine in ("scratch", "huggingface"):
        with pytest.raises(core.SettingError, match=f"POLYSEE_DEVICE asks for {wanted}.*“cpu”"):
            core.load(str(make_folder("bert")), engine=engine)


def test_an_unknown_device_is_refused(monkeypatch: pytest.MonkeyPatch, make_folder: Any) -> None:
    monkeypatch.setenv("POLYSEE_DEVICE", "tpu")
    with pytest.raises(core.SettingError, match="POLYSEE_DEVICE is “tpu”"):
        core.load(str(make_folder("bert")))
    with pytest.raises(core.SettingError, match="no device “tpu”"):
        devices.choose("tpu")


@pytest.mark.parametrize("wanted", ["auto", "cpu", ""])
def test_auto_is_the_cpu_where_there_is_nothing_else(
    bare: None, monkeypatch: pytest.MonkeyPatch, make_folder: Any, wanted: str
) -> None:
    monkeypatch.setenv("POLYSEE_DEVICE", wanted)
    model = core.load(str(make_folder("bert")))
    assert model.device == "cpu"
    assert model.bound == settings.ENGINE_BOUND["cpu"] == 1e-5


@pytest.mark.parametrize(
    ("cuda", "mps", "chosen"),
    [(True, True, "cuda"), (True, False, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_auto_takes_the_first_that_is_there(
    monkeypatch: pytest.MonkeyPatch, cuda: bool, mps: bool, chosen: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert devices.choose("auto") == chosen
    assert devices.choose("cpu") == "cpu"


def test_cuda_computes_without_tf32(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    switches: tuple[Any, ...] = (torch.backends.cuda.matmul, torch.backends.cudnn)
    before = [switch.allow_tf32 for switch in switches]
    try:
        for switch in switches:
            switch.allow_tf32 = True
        assert devices.choose("cuda") == "cuda"
        assert not any(switch.allow_tf32 for switch in switches)
    finally:
        for switch, value in zip(switches, before, strict=True):
            switch.allow_tf32 = value


def test_every_device_has_its_bound() -> None:
    assert set(settings.ENGINE_BOUND) == {name for name in settings.DEVICES if name != "auto"}


@pytest.mark.parametrize("name", ["cuda", "mps"])
def test_engines_agree_on_an_accelerator(
    monkeypatch: pytest.MonkeyPatch, make_folder: Any, name: str
) -> None:
    if not {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}[name]:
        pytest.skip(f"no {name} here")
    monkeypatch.setenv("POLYSEE_DEVICE", name)
    folder = str(make_folder("bert"))
    ours, theirs = core.load(folder), core.load(folder, engine="huggingface")
    assert ours.device == theirs.device == name
    a, b = ours.trace("On the river bank"), theirs.trace("On the river bank")
    for which in ("learned", "embedded", "hidden", "query", "key", "value"):
        assert abs(getattr(a, which) - getattr(b, which)).max() <= ours.bound
    assert a.attention is not None
    assert b.attention is not None
    assert abs(a.attention.weights - b.attention.weights).max() <= ours.bound
