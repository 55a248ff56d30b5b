"""A stranger's tokenizer that is too large, or crashes a library, is refused in a sentence, at once."""

from __future__ import annotations

import base64
import json
import os
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import core
from core.errors import ModelBroken
from core.pretrained.files import (
    checkpoint,
    tokenizer_apart,
    tokenizer_files,
    tokenizer_probe,
    weight_files,
)
from tests.pretrained.fakes import (
    minilm_folder,
    readable,
    refusal,
    write_bert,
    write_config,
    write_shards,
)
from tests.pretrained.tokenizer_kinds import sentence_model
from tests.tiers import some

Content = Callable[[], "str | bytes"]
LETTERS = [chr(97 + i) for i in range(26)]


def whole(kind: str = "WordPiece", *, piece: str = "bank", more: Any = None, **parts: Any) -> str:
    """A tokenizer.json of this kind, with one piece and other parts of one's choice."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, piece]
    table: Any = {word: i for i, word in enumerate(words)}
    model: dict[str, Any] = {"type": kind, "vocab": table, "unk_token": "[UNK]"}
    if kind == "Unigram":
        model = {"type": kind, "vocab": [[word, -1.0] for word in words], "unk_id": 1}
    if kind == "BPE":
        model["merges"] = []
    if kind == "WordPiece":
        model |= {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    return json.dumps({"version": "1.0", "added_tokens": [], "model": model | (more or {}), **parts})


def added(content: str, i: int) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    return {"id": i, "content": content, **flags}


def template(times: int) -> dict[str, Any]:
    text = {"Sequence": {"id": "A", "type_id": 0}}
    special = {"SpecialToken": {"id": "[CLS]", "type_id": 0}}
    return {
        "type": "TemplateProcessing",
        "single": [*[special] * times, text],
        "pair": [text, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]}},
    }


def split(pattern: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def table(replacement: bytes) -> bytes:
    """SentencePiece's table of replacements: the size of an empty tree, the tree, the texts."""
    return (4).to_bytes(4, "little") + bytes(4) + replacement + b"\0"


def precompiled(replacement: bytes) -> dict[str, Any]:
    return {
        "type": "Precompiled",
        "precompiled_charsmap": base64.b64encode(table(replacement)).decode(),
    }


def sentences(piece: str = "▁bank", charsmap: bytes = b"") -> bytes:
    """A model of SentencePiece with one more piece, and another table of replacements."""
    from sentencepiece import sentencepiece_model_pb2

    made: Any = sentencepiece_model_pb2  # which has no types
    model = made.ModelProto()
    model.ParseFromString(sentence_model())
    model.pieces.add(piece=piece, score=-9)
    if charsmap:
        model.normalizer_spec.precompiled_charsmap = charsmap
    return bytes(model.SerializeToString())


def deep(n: int, inside: str = "1") -> str:
    return '{"a":' * n + inside + "}" * n


MANY, LONG = 200_000, "x" * 200_000
WHOLE, SETTINGS = "tokenizer.json", "tokenizer_config.json"
HOSTILE: dict[str, tuple[str, Content]] = {
    # a piece that a library takes letter by letter
    **{
        f"a long piece of {kind}": (WHOLE, partial(whole, kind, piece=LONG))
        for kind in ("Unigram", "WordPiece", "WordLevel", "BPE")
    },
    "a long merge": (WHOLE, lambda: whole("BPE", more={"merges": [[LONG, "a"]]})),
    "a long merge as text": (WHOLE, lambda: whole("BPE", more={"merges": [f"{LONG} a"]})),
    "a long added token": (WHOLE, lambda: whole(added_tokens=[added(LONG, 40)])),
    "a long added token in settings": (
        SETTINGS,
        lambda: json.dumps({"added_tokens_decoder": {"40": {"content": LONG}}}),
    ),
    "a long special token": ("special_tokens_map.json", lambda: json.dumps({"mask_token": LONG})),
    "a long prefix": (WHOLE, lambda: whole(more={"continuing_subword_prefix": LONG})),
    "a long line": ("vocab.txt", lambda: f"[UNK]\n{LONG}\n"),
    "a long merge in a line": ("merges.txt", lambda: f"{LONG} a\n"),
    "a long word": ("vocab.json", lambda: json.dumps({LONG: 0})),
    "a long piece of SentencePiece": ("spiece.model", lambda: sentences(LONG)),
    "a long piece of Marian": ("source.spm", lambda: sentences(LONG)),
    "a long token of tekken": (
        "tekken.json",
        lambda: json.dumps({"vocab": [{"rank": 0, "token_bytes": LONG}]}),
    ),
    "a long entry": (
        "byte_maps.json",
        lambda: json.dumps({"decompose_map": {LONG: "a"}, "merge_map": {}}),
    ),
    # too many of them
    "many added tokens": (
        WHOLE,
        lambda: whole(added_tokens=[added(f"<{i}>", 40 + i) for i in range(MANY)]),
    ),
    "many added tokens in settings": (
        SETTINGS,
        lambda: json.dumps(
            {"added_tokens_decoder": {str(i): {"content": f"<{i}>"} for i in range(MANY)}}
        ),
    ),
    "many added tokens in a file": (
        "added_tokens.json",
        lambda: json.dumps({f"<{i}>": i for i in range(MANY)}),
    ),
    "an added token far away": (
        SETTINGS,
        lambda: json.dumps({"added_tokens_decoder": {"999999999": {"content": "<a>"}}}),
    ),
    "many lines": ("vocab.txt", lambda: "a\n" * 10_000_000),
    "many merges": ("merges.txt", lambda: "a b\n" * 10_000_000),
    "many words": (
        "vocab.json",
        lambda: f"{{{','.join(f'{chr(34)}{i}{chr(34)}:1' for i in range(1_000_001))}}}",
    ),
    "many words of a tokenizer": (
        WHOLE,
        lambda: whole("WordLevel").replace(
            '"vocab": {', '"vocab": {' + "".join(f'"{i}":1,' for i in range(10**6))
        ),
    ),
    "many empty lists": (WHOLE, lambda: f"[{'[],' * 5_000_000}[]]"),
    "a template of a million": (WHOLE, lambda: whole(post_processor=template(1_000_000))),
    "a template of 20,000": (WHOLE, lambda: whole(post_processor=template(20_000))),
    "many rules": (
        WHOLE,
        lambda: whole(normalizer={"type": "Sequence", "normalizers": [{"type": "NFC"}] * 20_000}),
    ),
    # rules that take forever, or fill the memory
    "a pattern that tries all ends": (WHOLE, lambda: whole(pre_tokenizer=split(r"\s+$"))),
    "a pattern that tries all parts": (WHOLE, lambda: whole(pre_tokenizer=split("(q+)+$"))),
    "a pattern that looks back": (WHOLE, lambda: whole(pre_tokenizer=split(r"(?=(z+))z*b\1"))),
    "a pattern in a normalizer": (
        WHOLE,
        lambda: whole(normalizer={"type": "Replace", "pattern": {"Regex": r"(w|w)*$"}, "content": "a"}),
    ),
    "a pattern that is compiled forever": (
        WHOLE,
        lambda: whole(pre_tokenizer=split("(((((a{900}){900}){900}){900}){900})")),
    ),
    "a long pattern": (WHOLE, lambda: whole(pre_tokenizer=split("a" * 200_000))),
    "a letter that becomes a book": (
        WHOLE,
        lambda: whole("Unigram", normalizer=precompiled(b"x" * 10**6)),
    ),
    "a letter of SentencePiece that becomes a book": (
        "spiece.model",
        lambda: sentences(charsmap=table(b"x" * 10**6)),
    ),
    # JSON itself
    **{
        f"{file} nested {n} deep": (file, partial(deep, n))
        for file in ("config.json", SETTINGS, WHOLE, "model.safetensors.index.json")
        for n in (100, 900, 100_000)
    },
    "config.json of empty lists": ("config.json", lambda: f'{{"a":[{"[]," * 3_300_000}[]]}}'),
}
# In `make test`: what overflowed a stack, what took a minute, and files that no process opens.
FIRST = (
    "a long piece of Unigram",
    "an added token far away",
    "a template of 20,000",
    "config.json nested 900 deep",
    "tokenizer_config.json nested 100 deep",
)


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is remembered, in this process or on the disk."""
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "cache"))
    tokenizer_apart._remembered.clear()
    yield
    tokenizer_apart._remembered.clear()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The processes that were started."""
    every: list[list[str]] = []
    run = subprocess.run

    def noted(arguments: list[str], **options: Any) -> Any:
        every.append(arguments)
        return run(arguments, **options)

    monkeypatch.setattr(subprocess, "run", noted)
    return every


def processor_seconds() -> float:
    """Of this process and those that it started: the clock also counts what others do."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def folder_with(folder: Path, file: str, content: str | bytes) -> Path:
    """A model with this file, and no other of a vocabulary but those that it needs beside it."""
    write_bert(folder)
    if file == "model.safetensors.index.json":
        (folder / "model.safetensors").unlink()
    if tokenizer_probe.is_read_by_a_library(file):
        for name in (WHOLE, "vocab.txt"):
            (folder / name).unlink()
        beside = {
            "merges.txt": {"vocab.json": b"{}"},
            "vocab.json": {"merges.txt": b""},
            "source.spm": {"target.spm": sentences(), "vocab.json": b"{}"},
        }
        for name, other in beside.get(file, {}).items():
            (folder / name).write_bytes(other)
    (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


@pytest.mark.check
@pytest.mark.parametrize("case", FIRST)
def test_a_file_beyond_a_limit_is_refused_in_a_sentence(case: str, tmp_path: Path) -> None:
    _is_refused(case, tmp_path)


@pytest.mark.few(2)
@pytest.mark.check
@pytest.mark.parametrize("case", some([case for case in HOSTILE if case not in FIRST], 5))
def test_so_is_every_other(case: str, tmp_path: Path) -> None:
    _is_refused(case, tmp_path)


def _is_refused(case: str, tmp_path: Path) -> None:
    file, content = HOSTILE[case]
    folder = folder_with(tmp_path / "model", file, content())
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, processor_seconds()
    error = refusal(folder, seconds=120, name="x")
    assert isinstance(error, ModelBroken)
    assert file in str(error)
    assert processor_seconds() - began < 15
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_500_000  # kilobytes


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "file",
    [
        *("config.json", SETTINGS, "special_tokens_map.json", "added_tokens.json", WHOLE, "vocab.txt"),
        *("vocab.json", "merges.txt", "spiece.model", "tekken.json", "model.safetensors.index.json"),
    ],
)
def test_a_file_larger_than_the_memory_is_not_read(
    file: str, tmp_path: Path, started: list[list[str]]
) -> None:
    folder = folder_with(tmp_path / "model", file, b"{}")
    with (folder / file).open("r+b") as stream:
        stream.truncate(3 * 10**9)  # a sparse file, which takes no room on the disk
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    error = refusal(folder, name="x")
    assert file in str(error)
    assert "3,000 MB" in str(error)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
    assert not started or not tokenizer_probe.is_read_by_a_library(file)


def test_a_list_of_tensors_larger_than_any_is_not_read(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    with (folder / "model.safetensors").open("wb") as stream:
        stream.write((50_000_000).to_bytes(8, "little"))
        stream.truncate(60_000_000)
    error = refusal(folder, name="x")
    assert "50 MB" in str(error)


def test_more_tensors_than_any_model_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_bert(tmp_path / "model")
    write_shards(folder)
    monkeypatch.setattr(weight_files, "MOST_TENSORS", 20)
    assert "more than 20 tensors" in str(refusal(folder, name="x"))


def test_a_message_names_few_of_many_missing_files(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    write_shards(folder, {f"t{i}": f"model-{i}.safetensors" for i in range(20_000)})
    assert "19,995 more" in str(refusal(folder, name="x"))


# What nobody thought of


def crashing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Another program in the place of the one that opens tokenizers."""
    program = tmp_path / "program.py"
    program.write_text(code, "utf-8")
    monkeypatch.setattr(tokenizer_probe, "__file__", str(program))


PROBE = Path(tokenizer_probe.__file__)
WITHOUT_LIMITS = f"""
import runpy, sys
probe = runpy.run_path({str(PROBE)!r}, run_name="probe")
for name in ("_check_pieces", "_lines"):
    probe["look"].__globals__[name] = lambda *a: None
probe["main"]()
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("import os; os.abort()", "SIGABRT"),
        ("import sys; sys.exit(3)", "exit status 3"),
        ("print('nothing that is asked for')", "exit status 0"),
    ],
)
def test_a_library_that_crashes_ends_its_own_process(
    code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_bert(tmp_path / "model")
    crashing(tmp_path, monkeypatch, code)
    with pytest.raises(ModelBroken, match=said) as caught:
        checkpoint.read(folder, "x")
    readable(str(caught.value))
    assert "tokenizer.json" in str(caught.value)


@pytest.mark.check
def test_the_library_itself_overflows_its_stack_there_and_not_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_with(tmp_path / "model", WHOLE, whole("Unigram", piece=LONG))
    crashing(tmp_path, monkeypatch, WITHOUT_LIMITS)
    with pytest.raises(ModelBroken, match=r"SIGSEGV|SIGABRT|SIGBUS"):
        checkpoint.read(folder, "x")


@pytest.mark.check
def test_time_and_memory_of_the_process_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_bert(tmp_path / "model")
    begin = f"""
import json, runpy, sys
asked = json.loads(sys.stdin.readline())
runpy.run_path({str(PROBE)!r})["limit"](asked["memory"], asked["seconds"])
"""
    monkeypatch.setattr(tokenizer_apart, "SECONDS", 1)
    crashing(tmp_path, monkeypatch, f"{begin}while True: pass")
    with pytest.raises(ModelBroken, match=r"SIGXCPU|SIGKILL"):
        checkpoint.read(folder, "x")
    tokenizer_apart._remembered.clear()
    crashing(tmp_path, monkeypatch, f"{begin}bytes(10**10)")
    with pytest.raises(ModelBroken, match="exit status 1"):
        checkpoint.read(folder, "x")
    tokenizer_apart._remembered.clear()
    monkeypatch.setattr(tokenizer_apart, "PATIENCE", 0.5)
    crashing(tmp_path, monkeypatch, "import time; time.sleep(60)")
    with pytest.raises(ModelBroken, match=r"longer than 0\.5 s"):
        checkpoint.read(folder, "x")


def test_without_a_process_of_its_own_nothing_unknown_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_bert(tmp_path / "model")
    monkeypatch.setattr("sys.executable", str(tmp_path / "missing"))
    with pytest.raises(ModelBroken, match="could not start one") as caught:
        checkpoint.read(folder, "x")
    readable(str(caught.value))
    checkpoint.read(minilm_folder(), "minilm")  # ours is known


def test_the_process_knows_nothing_of_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_bert(tmp_path / "model")
    monkeypatch.setenv("A_SECRET", "1")
    crashing(tmp_path, monkeypatch, "import os, sys; sys.exit(7 if 'A_SECRET' in os.environ else 8)")
    with pytest.raises(ModelBroken, match="exit status 8"):
        checkpoint.read(folder, "x")


# Once for each content


def test_a_content_is_opened_once(tmp_path: Path, started: list[list[str]]) -> None:
    first, same = write_bert(tmp_path / "a", seed=1), write_bert(tmp_path / "b", seed=2)
    checkpoint.read(first, "a")
    assert len(started) == 1
    checkpoint.read(first, "a")
    checkpoint.read(same, "b")
    assert len(started) == 1
    tokenizer_apart._remembered.clear()  # as in another process
    checkpoint.read(first, "a")
    assert len(started) == 1
    whole_file = json.loads((first / WHOLE).read_text("utf-8"))
    whole_file["model"]["vocab"]["riverbank"] = len(whole_file["model"]["vocab"])
    (first / WHOLE).write_text(json.dumps(whole_file), "utf-8")
    checkpoint.read(first, "a")
    assert len(started) == 2


def test_a_refusal_is_remembered_here_and_not_on_the_disk(
    tmp_path: Path, started: list[list[str]]
) -> None:
    folder = folder_with(tmp_path / "model", "vocab.txt", f"[UNK]\n{LONG}\n")
    said = {str(refusal(folder, name="x")) for _ in range(2)}
    assert len(said) == len(started) == 1
    tokenizer_apart._remembered.clear()
    assert str(refusal(folder, name="y")).replace("“y”", "“x”") in said
    assert len(started) == 2


def test_minilm_is_not_opened_apart(tmp_path: Path, started: list[list[str]]) -> None:
    checkpoint.read(minilm_folder(), "minilm")
    assert not started
    assert not (tmp_path / "cache").exists()


def test_what_is_noted_on_the_disk_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer_apart, "MOST_NOTED", 4)
    for i in range(9):
        tokenizer_apart._write(tmp_path / "notes" / str(i))
        os.utime(tmp_path / "notes" / str(i), (i, i))
        assert len(list((tmp_path / "notes").iterdir())) <= 5
    assert (tmp_path / "notes" / "8").exists()


def test_a_cache_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "file"))
    checkpoint.read(write_bert(tmp_path / "model"), "x")


def test_a_file_that_changes_after_it_was_looked_at_is_looked_at_again(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    checkpoint.read(folder, "x")
    (folder / WHOLE).write_text(whole("Unigram", piece=LONG), "utf-8")
    with pytest.raises(ModelBroken, match="200,000 letters"):
        tokenizer_files.load(folder, "bert", "x")


# What is within the limits


@pytest.mark.check
@pytest.mark.parametrize("kind", some(["Unigram", "WordPiece", "WordLevel", "BPE"], 1))
def test_a_piece_of_a_thousand_letters_is_opened(kind: str, tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "model", WHOLE, whole(kind, piece="x" * 1_000))
    checkpoint.read(folder, "x")


@pytest.mark.check
def test_published_patterns_are_opened(tmp_path: Path) -> None:
    published = (
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",  # GPT-2
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+",  # Llama 3
        r" ?[^(\s|[.,!?…。，、।۔،])]+",  # BLOOM
    )
    for i, pattern in enumerate(published):
        folder = folder_with(tmp_path / str(i), WHOLE, whole("BPE", pre_tokenizer=split(pattern)))
        checkpoint.read(folder, "x")


def test_a_setting_that_is_deep_enough_is_read(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    write_config(folder, own=json.loads(deep(60)))
    assert core.load(folder).max_tokens == 40


def test_signals_have_names() -> None:
    assert tokenizer_apart._how(-signal.SIGKILL) == "SIGKILL"
    assert tokenizer_apart._how(-250) == "exit status -250"
