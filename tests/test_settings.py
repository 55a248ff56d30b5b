"""Every environment variable: its default, valid and invalid values."""

from __future__ import annotations

import dataclasses
import os
import re
from pathlib import Path

import pytest

from core import settings
from core.errors import PolyseeError, SettingError

COUNTS = ("POLYSEE_TRAININGS", "POLYSEE_LONG_WORK", "POLYSEE_SESSIONS")


def test_defaults() -> None:
    assert settings.read({}) == settings.Settings(
        models=None,
        corpora=None,
        cache=Path("~/.cache/polysee").expanduser(),
        hub="catalogue",
        device="auto",
        threads=1,
        trace_bytes=512 * 10**6,
        cache_bytes=512 * 10**6,
        trainings=2,
        long_work=max(1, (os.cpu_count() or 2) - 1),
        sessions=200,
        frames="'self'",
        log="text",
        metrics="off",
        umap="start",
        marks="visit",
    )


def test_empty_is_the_default() -> None:
    assert settings.read(dict.fromkeys(documented(), " ")) == settings.read({})


def documented() -> list[str]:
    """The variables in README's table."""
    readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    return re.findall(r"^\| `(POLYSEE_\w+)` \|", readme, re.MULTILINE)


def test_readme_documents_every_variable_once() -> None:
    source = Path(settings.__file__).read_text("utf-8")
    assert sorted(documented()) == sorted(set(re.findall(r"POLYSEE_[A-Z_]+", source)))


def test_the_process_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_THREADS", "3")
    assert settings.read().threads == 3
    assert settings.read({}).threads == 1


@pytest.mark.parametrize(
    ("variable", "value", "field", "expected"),
    [
        *[("POLYSEE_HUB", v, "hub", v) for v in ("off", "catalogue", "any")],
        *[("POLYSEE_DEVICE", v, "device", v) for v in ("auto", "cpu", "cuda", "mps")],
        ("POLYSEE_DEVICE", " CPU ", "device", "cpu"),
        ("POLYSEE_THREADS", "7", "threads", 7),
        ("POLYSEE_TRACE_MB", "11", "trace_bytes", 11_000_000),
        ("POLYSEE_CACHE_MB", "1000000", "cache_bytes", 10**12),
        ("POLYSEE_SESSIONS", "31", "sessions", 31),
        *[("POLYSEE_LOG", v, "log", v) for v in ("text", "json", "off")],
        *[("POLYSEE_METRICS", v, "metrics", v) for v in ("off", "route")],
        ("POLYSEE_METRICS", "9464", "metrics", 9464),
        *[("POLYSEE_UMAP", v, "umap", v) for v in ("start", "asked")],
        *[("POLYSEE_MARKS", v, "marks", v) for v in ("visit", "corpus")],
        ("POLYSEE_FRAMES", "none", "frames", "'none'"),
        ("POLYSEE_FRAMES", "Self", "frames", "'self'"),
        (
            "POLYSEE_FRAMES",
            " https://a.example  https://*.b.example:8443 ",
            "frames",
            "'self' https://a.example https://*.b.example:8443",
        ),
    ],
)
def test_right_values(variable: str, value: str, field: str, expected: object) -> None:
    assert getattr(settings.read({variable: value}), field) == expected


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("POLYSEE_HUB", "on"),
        ("POLYSEE_DEVICE", "gpu"),
        ("POLYSEE_DEVICE", "cuda:0"),
        *[
            (name, value)
            for name in ("POLYSEE_THREADS", "POLYSEE_TRACE_MB", "POLYSEE_CACHE_MB", *COUNTS)
            for value in ("0", "-1", "1.5", "1e3", "many", "²", "٣", "1_000", "0x10", "1000001")
        ],
        ("POLYSEE_LOG", "yaml"),
        ("POLYSEE_UMAP", "off"),
        ("POLYSEE_MARKS", "both"),
        *[("POLYSEE_METRICS", v) for v in ("on", "80", "65536", "0x1f90", "²")],
        *[
            ("POLYSEE_FRAMES", v)
            for v in (
                "*",
                "school.example",
                "self https://a.example",
                "https://a.example; img-src *",
            )
        ],
        ("POLYSEE_MODELS", "/no/such/folder"),
        ("POLYSEE_CORPORA", "/no/such/folder"),
        ("POLYSEE_CACHE", "a\0b"),
        ("POLYSEE_MODELS", __file__),  # a file is no folder
    ],
)
def test_wrong_values_name_the_variable_and_the_value(variable: str, value: str) -> None:
    with pytest.raises(SettingError) as caught:
        settings.read({variable: value})
    assert variable in str(caught.value)
    assert value in str(caught.value)


def test_models_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.read({"POLYSEE_MODELS": str(tmp_path)}).models == tmp_path
    assert settings.read({"POLYSEE_CORPORA": str(tmp_path)}).corpora == tmp_path
    assert settings.read({"POLYSEE_CACHE": str(tmp_path / "new")}).cache == tmp_path / "new"
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "models of mine").mkdir()
    assert settings.read({"POLYSEE_MODELS": "~/models of mine"}).models == tmp_path / "models of mine"


def test_nothing_can_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.read({}).hub = "any"  # type: ignore[misc]
    for mapping in (settings.CATALOGUE, settings.ENGINE_BOUND):
        with pytest.raises(TypeError):
            mapping["new"] = None  # type: ignore[index]


def test_catalogue_is_named_by_its_keys() -> None:
    assert list(settings.CATALOGUE) == ["minilm", "smollm2", "distilbert", "bert", "multilingual"]
    assert all(key == entry.name for key, entry in settings.CATALOGUE.items())


def test_every_error_is_ours_and_a_kind_that_python_knows() -> None:
    assert issubclass(SettingError, PolyseeError)
    assert issubclass(SettingError, ValueError)
