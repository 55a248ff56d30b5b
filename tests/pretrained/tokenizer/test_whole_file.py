"""A tokenizer.json decides, whatever AutoTokenizer makes of its folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer

import core
from core.pretrained.tokenizer import whole_file
from tests.pretrained.fakes import write_bert

pytestmark = pytest.mark.filterwarnings("ignore::core.ModelNote")

TEXTS = (
    "The Bank of England, on the RIVER bank.",
    "Café naïve ÉCOLE cafe\u0301",
    "12,345.67 it's a “test” — e-mail",
    "the 银行 банк بنك 🏦",
    "  two  spaces\tand a tab",
)


def of(*keys: str, **values: Any) -> Callable[[dict[str, Any]], None]:
    """Change settings at a place of the file."""

    def change(file: dict[str, Any]) -> None:
        place: Any = file
        for key in keys:
            place = place[key]
        place.update(values)

    return change


def without_end(file: dict[str, Any]) -> None:
    file["post_processor"]["single"].pop()


def one_more_token(file: dict[str, Any]) -> None:
    river = file["model"]["vocab"]["river"]
    token = {"id": river, "content": "river", "special": False, "normalized": False}
    file["added_tokens"].append(token | dict.fromkeys(("single_word", "lstrip", "rstrip"), False))


CHANGES: dict[str, Callable[[dict[str, Any]], None]] = {
    "cased": of("normalizer", lowercase=False),
    "accents stay": of("normalizer", strip_accents=False),
    "Chinese as words": of("normalizer", handle_chinese_chars=False),
    "no normalizer": of(normalizer=None),
    "another normalizer": of(normalizer={"type": "NFKC"}),
    "by spaces alone": of(pre_tokenizer={"type": "WhitespaceSplit"}),
    "short words": of("model", max_input_chars_per_word=4),
    "no end": without_end,
    "no template": of(post_processor=None),
    "a whole word as a token": one_more_token,
}


@pytest.mark.few(5)
@pytest.mark.check
@pytest.mark.parametrize("settings", [False, True], ids=["alone", "beside other settings"])
@pytest.mark.parametrize("change", CHANGES)
def test_the_file_decides_and_a_note_says_so(change: str, settings: bool, tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    if not settings:
        (folder / "tokenizer_config.json").unlink()
    file = folder / "tokenizer.json"
    whole = json.loads(file.read_text("utf-8"))
    CHANGES[change](whole)
    file.write_text(json.dumps(whole), "utf-8")
    oracle = Tokenizer.from_file(str(file))
    oracle.no_padding()
    oracle.no_truncation()
    model = core.load(folder, name="x")
    for text in TEXTS:
        read, own = model.trace(text), oracle.encode(text)
        assert list(read.tokens) == own.tokens
        assert model.read(text).ids == tuple(own.ids)
    assert model.cased == (oracle.encode("Bank").ids != oracle.encode("bank").ids)
    noted = [note for note in model.notes if "tokenizer.json" in note]
    if change != "a whole word as a token":  # AutoTokenizer may take that from the file
        assert len(noted) == 1


@pytest.mark.parametrize("added", ["", {}], ids=repr)
def test_a_file_that_is_no_tokenizer_is_a_sentence(added: Any, tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    file = folder / "tokenizer.json"
    whole = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(whole | {"added_tokens": added}), "utf-8")
    with pytest.raises(core.ModelBroken, match=r"tokenizer\.json.*sequence"):
        core.load(folder, name="x")


@pytest.mark.few(1)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8-sig"])
def test_a_file_in_another_encoding_without_a_mark_is_read(encoding: str, tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    ids = core.load(folder, name="x").read("On the Bank").ids
    file = folder / "tokenizer.json"
    file.write_bytes(file.read_text("utf-8").encode(encoding))
    assert core.load(folder, name="x").read("On the Bank").ids == ids


def test_nothing_is_said_where_both_agree(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    assert core.load(folder).notes == ()
    (folder / "tokenizer_config.json").unlink()
    assert core.load(folder).notes == ()


@pytest.mark.check
def test_settings_for_padding_and_length_are_no_disagreement(
    tmp_path: Path, minilm: core.Model
) -> None:
    assert minilm.notes == ()  # its file pads each text to 128 tokens


def test_a_note_shows_the_tokens_where_two_readings_part() -> None:
    tokens = [*"abcdefghijkl"]
    assert whole_file._few(tokens[:3], 0) == "“a b c”"
    assert whole_file._few(tokens, 1) == "“a b c d e f g h …”"
    assert whole_file._few(tokens, 9) == "“… h i j k l”"
