"""`polysee generate`: what it prints is what `Model.generate` writes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import core
from core.cli.main import main
from tests.pretrained.files.gguf import written

TEXT = "On the river bank"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models") / "small"
    place.mkdir()
    written.write(place / "small.gguf", written.model(), written.Kind.F32)
    return place


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path_factory.getbasetemp() / "polysee-cache"))


def test_the_text_and_what_follows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = core.load(folder)
    way = ["--temperature", "1.3", "--top-k", "50", "--top-p", ".95", "--min-p", ".001", "--seed", "3"]
    assert main(["generate", TEXT, "-n", "12", "--model", str(folder), *way]) == 0
    printed = capsys.readouterr().out
    want = list(model.generate(TEXT, 12, temperature=1.3, top_k=50, top_p=0.95, min_p=0.001, seed=3))
    assert printed == f"{TEXT}{''.join(one.added for one in want)}\n"
    assert main(["generate", TEXT, "-n", "12", "--model", str(folder), *way, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in shown["tokens"]] == [one.id for one in want]
    assert [one["rank"] for one in shown["tokens"]] == [one.rank for one in want]
    assert [one["probability"] for one in shown["tokens"]] == [one.probability for one in want]
    assert all(0 <= one["number"] < 1 for one in shown["tokens"])


def test_a_stop_text_ends_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = core.load(folder)
    every = list(model.generate(TEXT, 12, temperature=0))
    stop = next(one.added for one in every[2:] if one.added.strip())
    arguments = ["generate", TEXT, "--temperature", "0", "--stop", stop, "--model", str(folder)]
    assert main(arguments) == 0
    assert capsys.readouterr().out.rstrip("\n").endswith(stop)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([" ", "--model", "minilm"], "empty"),
        ([TEXT, "--model", "minilm"], "predict"),
        ([TEXT, "--model", "none", "--top-p", "3"], "top_p"),
        ([TEXT, "--model", "none", "--temperature", "-1"], "temperature"),
        ([TEXT, "--model", "there-is-none"], "there-is-none"),
        ([TEXT], "--model"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["generate", *arguments])
    except SystemExit as ended:
        status = int(ended.code or 0)
    out, said = capsys.readouterr()
    assert (status, out) == (2, "")
    assert word in said
    assert said.count("\n") == 1


TEMPLATE = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant:"


@pytest.fixture(scope="module")
def talks(made: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    own = tmp_path_factory.mktemp("talks") / "talks"
    shutil.copytree(made("llama"), own)
    (own / "chat_template.jinja").write_text(TEMPLATE, "utf-8")
    return own


def test_a_message_in_the_template(talks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = core.load(talks)
    given = [{"role": "system", "content": "bank"}, {"role": "user", "content": TEXT}]
    chat = model.chat(given)
    wanted = list(model.generate(chat, 5, temperature=0))
    way = ["--system", "bank", "-n", "5", "--temperature", "0", "--model", str(talks)]
    assert main(["generate", "--chat", TEXT, *way]) == 0
    assert capsys.readouterr().out == "".join(one.added for one in wanted) + "\n"
    assert main(["generate", "--chat", TEXT, *way, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in shown["tokens"]] == [one.id for one in wanted]
    assert [one["id"] for one in shown["chat"]] == list(chat.ids)
    assert [one["role"] for one in shown["chat"]] == list(chat.roles)


def test_a_system_message_belongs_to_a_chat(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", TEXT, "--system", "a", "--model", str(folder)]) == 2
    assert "--chat" in capsys.readouterr().err
