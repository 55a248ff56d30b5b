"""`polysee score`: its numbers are those of `Model.score`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import core
from core.cli.main import main
from tests.pretrained.files.gguf import written

TEXT = "On the river bank"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = written.model()
    place = tmp_path_factory.mktemp("models") / "small"
    place.mkdir()
    written.write(place / "small.gguf", made, written.Kind.F32)
    return place


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path_factory.getbasetemp() / "polysee-cache"))


def test_json_holds_the_numbers_of_a_score(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", TEXT, "--model", str(folder), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    want = core.load(folder).score(TEXT)
    assert shown["polysee"] == core.__version__
    assert shown["bits"] == pytest.approx(want.total)
    assert shown["bits_per_token"] == pytest.approx(want.per_token)
    assert [one["token"] for one in shown["tokens"]] == list(want.tokens)
    assert shown["tokens"][0]["bits"] is None
    assert shown["tokens"][0]["likeliest"] == []
    assert [one["bits"] for one in shown["tokens"][1:]] == pytest.approx(want.bits[1:].tolist())
    assert [one["text"] for one in shown["tokens"][2]["likeliest"]] == list(want.likeliest[2][:5])


def test_the_table_ends_with_the_mean(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", TEXT, "--model", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    want = core.load(folder).score(TEXT)
    assert lines[0].split()[:3] == ["token", "bits", "rank"]
    assert f"{want.bits[1]:.2f}" in lines[2]
    assert f"{want.per_token:.2f} bits a token" in lines[-1]
    assert main(["score", "a", "--model", str(folder)]) == 0
    assert "none was predicted" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["score", " ", "--model", "minilm"], "empty"),
        (["score", TEXT, "--model", "minilm"], "predict"),
        (["score", TEXT, "--model", "there-is-none"], "there-is-none"),
        (["score", TEXT], "--model"),
    ],
)
def test_what_cannot_be_scored_is_one_sentence(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(arguments)
    except SystemExit as exit_:
        status = int(exit_.code or 0)
    out, said = capsys.readouterr()
    assert (status, out) == (2, "")
    assert word in said
    assert said.count("\n") == 1


def test_a_text_that_is_too_long_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "the bank " * 200, "--model", str(folder)]) == 2
    assert "too long" in capsys.readouterr().err
